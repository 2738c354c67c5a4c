"""From the scores of samples to one: the exact mean, and the bootstrap of ``rouge_score``.

``rouge_score.scoring.BootstrapAggregator`` draws as many samples as there are, with replacement,
takes their mean, does so 1000 times and reports percentiles of those means; evaluate's ``rouge``
returns the middle one of the F-measure. Bit for bit the same here, from the same random stream.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

# Draws held at a time: 16 MB of indices, twice for a moment, and as much of resampled scores.
_DRAWS_PER_BLOCK: Final = 1 << 21


def bootstrap_percentiles(
    values: NDArray[np.float64],
    n_resamples: int,
    generator: np.random.RandomState,
    confidence: float = 0.95,
) -> NDArray[np.float64]:
    """Percentiles of the means of resampled samples.

    Args:
        values: shape (rows, samples); all rows are resampled alike.
        n_resamples: how many times the samples are drawn, at least 1.
        generator: NumPy's legacy generator; advanced by ``n_resamples * samples`` draws.
        confidence: in [0, 1]; the share of the means between the low and the high percentile.

    Returns:
        float64, shape (3, rows): low, middle (median) and high.
    """
    rows, samples = values.shape
    means = np.empty((n_resamples, rows))
    resamples_per_block = max(1, _DRAWS_PER_BLOCK // samples)
    for start in range(0, n_resamples, resamples_per_block):
        stop = min(start + resamples_per_block, n_resamples)
        # Parity: rouge_score calls np.random.choice(np.arange(n), size=n) per resample, which is
        # randint(0, n, size=n); a block of them draws the same stream.
        drawn = generator.randint(0, samples, size=(stop - start, samples)).T
        for row in range(rows):
            # Parity: np.mean over the rows of a (samples, 3) matrix adds one row after the other.
            # So does np.add.reduce over the rows of a matrix of at least two columns; a single
            # column it would add pairwise.
            resampled = values[row].take(drawn)
            if stop - start > 1:
                sums = np.add.reduce(resampled, axis=0)
            else:
                sums = np.add.accumulate(resampled, axis=0)[-1]
            means[start:stop, row] = sums / samples
    # Parity: BootstrapAggregator._bootstrap_resample, the percentiles in this very form.
    tail = (1 - confidence) / 2
    percentiles: NDArray[np.float64] = np.percentile(
        means, 100 * np.array([tail, 0.5, 1 - tail]), axis=0
    )
    return percentiles

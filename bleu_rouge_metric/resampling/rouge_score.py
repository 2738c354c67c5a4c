"""Compute the bootstrap of ``rouge_score``.

``rouge_score.scoring.BootstrapAggregator`` draws as many samples as there are, with replacement,
and takes their mean. It does so 1000 times and reports percentiles of the means; evaluate's
``rouge`` returns the median of the F-measure. The numbers here are the same bit for bit, from the
same random stream.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

# Draws held at once: 16 MB of indices, for a moment twice, and the same amount of resampled scores.
_DRAWS_PER_BLOCK: Final = 1 << 21


def bootstrap_percentiles(
    values: NDArray[np.float64],
    n_resamples: int,
    generator: "np.random.RandomState",
    confidence: float = 0.95,
    *,
    pairwise: bool = False,
) -> NDArray[np.float64]:
    """Return the low, middle and high percentile of the means of resamples, shape (3, rows).

    ``values``: shape (rows, samples); each resample takes the same samples of all rows. Values
    are added one after the other, or pairwise.
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
            # np.add.reduce does the same if the matrix has at least two columns; it adds a single
            # column pairwise.
            resampled = values[row].take(drawn.T if pairwise else drawn)
            if pairwise:
                sums = np.add.reduce(resampled, axis=1)
            elif stop - start > 1:
                sums = np.add.reduce(resampled, axis=0)
            else:
                sums = np.add.accumulate(resampled, axis=0)[-1]
            means[start:stop, row] = sums / samples
    # Parity: BootstrapAggregator._bootstrap_resample computes the percentiles in this form.
    tail = (1 - confidence) / 2
    percentiles: NDArray[np.float64] = np.percentile(
        means, 100 * np.array([tail, 0.5, 1 - tail]), axis=0
    )
    return percentiles

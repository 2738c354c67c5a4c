"""Compute sacrebleu's paired tests: equal to ``sacrebleu.significance`` 2.6 under NumPy 2.

What it gets wrong is kept: it counts larger differences only, so that two equal systems get the
smallest p-value; it sums in 32 bits in the bootstrap; its interval is half of a distance between
two sorted scores. Only its seed 0 is not kept, which draws other samples on every run there.
"""

from collections.abc import Callable, Iterator, Sequence
from math import gcd
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .draws import Floats, Integers, Progress, sum_columns

Sums = NDArray[np.float64] | NDArray[np.float32]
Score = Callable[[Sums], Floats]

# Draws held at once.
_DRAWS_PER_BLOCK: Final = 1 << 21

# Whole numbers below are exact in 32 bits.
_LARGEST_EXACT: Final = 1 << 24


class BootstrapResult(NamedTuple):
    """What the paired bootstrap test says of one system.

    ``mean`` is that of the resampled scores; ``half_width`` is that of the interval of 95% around
    it. The baseline has no p-value.
    """

    mean: float
    half_width: float
    p_value: float | None


def paired_bootstrap(
    tables: Sequence[Integers],
    score: Score,
    n_resamples: int,
    seed: int,
    progress: Progress | None = None,
) -> list[BootstrapResult]:
    """Return the paired bootstrap test (``--paired-bs``) of each system; the first is the baseline.

    ``tables``: each of shape (samples, columns). ``score`` gets sums in 32 bits.
    """
    observed = [_score_whole(table, score) for table in tables]
    resampled = resample_scores(tables, score, n_resamples, seed, progress)
    results: list[BootstrapResult] = []
    for scores, whole in zip(resampled, observed, strict=True):
        mean, half_width = _estimate_interval(scores)
        p_value = None
        if results:
            differences = np.abs(scores - resampled[0])
            shifted = differences - differences.mean()
            p_value = _share(shifted, abs(observed[0] - whole))
        results.append(BootstrapResult(mean, half_width, p_value))
    return results


def resample_scores(
    tables: Sequence[Integers],
    score: Score,
    n_resamples: int,
    seed: int | None,
    progress: Progress | None = None,
) -> Floats:
    """Return the scores of resamples, from sums in 32 bits, shape (systems, n_resamples)."""
    samples = len(tables[0])
    generator = np.random.default_rng(seed)
    resampled = np.empty((len(tables), n_resamples))
    done = 0
    for rows in _list_blocks(samples, n_resamples):
        # Parity: rng.choice(n, size=(n_resamples, n)) is integers(0, n); blocks draw the same.
        drawn = generator.integers(0, samples, size=(rows, samples))
        for system, sums in enumerate(_sum_drawn(tables, drawn)):
            resampled[system, done : done + rows] = score(sums)
        done += rows
        if progress:
            progress(done, n_resamples)
    return resampled


def paired_randomization(
    tables: Sequence[Integers],
    score: Score,
    score_swapped: Score,
    n_resamples: int,
    seed: int,
    *,
    progress: Progress | None = None,
) -> list[float]:
    """Return the p-values of approximate randomization (``--paired-ar``), without the baseline.

    ``tables``: each of shape (samples, columns). ``score_swapped`` is for sums of swapped samples.
    """
    samples = len(tables[0])
    generator = np.random.default_rng(seed)
    observed = [_score_whole(table, score) for table in tables]
    wholes = [table.sum(axis=0, dtype=np.int64).astype(np.float64) for table in tables]
    differences = np.empty((len(tables) - 1, n_resamples))
    done = 0
    for rows in _list_blocks(samples, n_resamples):
        # Parity: a block draws the same bits as all rows at once if it ends with a whole word of
        # 32 bits, because NumPy throws away the rest of a word.
        # Fast path: equals generator.integers(2, size=(rows, samples), dtype=bool).
        words = np.frombuffer(generator.bytes(-(-rows * samples // 32) * 4), np.uint8)
        swaps = np.unpackbits(words, count=rows * samples, bitorder="little")
        sums = sum_columns(swaps.reshape(rows, samples), tables[1:], tables[0])
        for index, moved in enumerate(np.split(sums, len(tables) - 1, axis=1)):
            # 1 takes the baseline's sample for the one, and the system's for the other.
            scores = score_swapped(wholes[index + 1] + moved) - score_swapped(wholes[0] - moved)
            differences[index, done : done + rows] = scores
        done += rows
        if progress:
            progress(done, n_resamples)
    return [
        _share(np.abs(row), abs(observed[0] - whole))
        for row, whole in zip(differences, observed[1:], strict=True)
    ]


def _list_blocks(samples: int, n_resamples: int) -> Iterator[int]:
    """Iterate over numbers of rows; those of all blocks but the last fill words of 32 bits."""
    words = 32 // gcd(samples, 32)
    most = max(1, _DRAWS_PER_BLOCK // samples // words) * words
    for start in range(0, n_resamples, most):
        yield min(most, n_resamples - start)


def _score_whole(table: Integers, score: Score) -> float:
    return float(score(table.sum(axis=0, keepdims=True, dtype=np.int64).astype(np.float64))[0])


def _sum_drawn(tables: Sequence[Integers], drawn: NDArray[np.int64]) -> list[Sums]:
    """Sum the drawn rows of each table in 32 bits, shape (resamples, columns)."""
    samples = drawn.shape[1]
    if samples * max(int(table.max()) for table in tables) < _LARGEST_EXACT:
        # Fast path: equals the sums below, which are exact then.
        weights = np.stack([np.bincount(row, minlength=samples) for row in drawn])
        sums = sum_columns(weights.astype(np.uint8), tables).astype(np.float32)
        return list(np.split(sums, len(tables), axis=1))
    # Parity: sacrebleu's statistics are float32 in the bootstrap, so large sums are rounded after
    # each addition, in the order of the draws.
    narrow = [table.astype(np.float32) for table in tables]
    return [np.stack([table[row].sum(axis=0) for row in drawn]) for table in narrow]


def _estimate_interval(scores: Floats) -> tuple[float, float]:
    """Return the mean of the scores, and half the width of the interval of 95%."""
    # Parity: estimate_ci sorts before it takes the mean, which decides the last bit, and takes
    # sorted scores themselves as bounds.
    ordered = np.sort(scores)
    return float(ordered.mean()), find_half_width(ordered.tolist())


def find_half_width(ordered: Sequence[float]) -> float:
    """Return half the width of sacrebleu's interval of 95%, from sorted scores.

    >>> find_half_width([1.0, 2.0, 4.0])
    1.5
    """
    lower = len(ordered) // 40
    upper = len(ordered) - lower - 1
    return 0.5 * (ordered[upper] - ordered[lower])


def _share(differences: Floats, observed: float) -> float:
    # Parity: _compute_p_value counts differences that are larger, not those that are as large.
    larger: Any = np.count_nonzero(differences > observed)
    return float((larger + 1) / (len(differences) + 1))

"""Draw samples many times, and sum their counts: the two ways of resampling.

The bootstrap draws as many samples as there are, with replacement. Approximate randomization swaps
the outputs of two systems in a random half of the samples. Either way a resample is a row of
weights, one whole number per sample, and its counts are the weighted sum of the counts of samples.
The sums are exact, in any order of additions, because counts are whole numbers and their sums are
below 2 ** 53.

All streams are of NumPy's PCG64. What is drawn does not depend on how many rows are drawn at once.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64] | NDArray[np.int32]
Weights = NDArray[np.uint8]

# Called with how many resamples are done, and how many there are.
Progress = Callable[[int, int], object]

# Weights held at once: 16 MB of 8 bits.
_WEIGHTS_PER_BLOCK: Final = 1 << 24

# The size of a product: 256 kB of weights in 64 bits.
_SAMPLES_PER_PRODUCT: Final = 1024
_ROWS_PER_PRODUCT: Final = 32

# A score between -1 and 1 is a multiple of 2 ** -52: its upper 26 bits and its lower 26 bits.
_HALF: Final = float(1 << 26)


def bootstrap_weights(samples: int, n_resamples: int, seed: int) -> Iterator[Weights]:
    """Iterate over blocks of resamples: how often each sample is drawn.

    Args:
        samples: how many there are.
        n_resamples: rows of all blocks together.
        seed: 0 or more.

    Yields:
        Shape (rows, samples).
    """
    generator = np.random.default_rng([seed, 1])
    for rows in _list_blocks(samples, n_resamples):
        weights = np.empty((rows, samples), np.uint8)
        for row in weights:
            # None is drawn more than 255 times, of which the probability is below 1e-500.
            row[:] = np.bincount(generator.integers(0, samples, samples), minlength=samples)
        yield weights


def swap_weights(samples: int, n_resamples: int, seed: int) -> Iterator[Weights]:
    """Iterate over blocks of resamples: 1 if a sample is swapped, with probability 1/2, or 0.

    The arguments and the shape are those of :func:`bootstrap_weights`.
    """
    generator = np.random.default_rng([seed, 0])
    # The generator makes 32 bits at a time.
    width = -(-samples // 32) * 4
    for rows in _list_blocks(samples, n_resamples):
        drawn = np.frombuffer(generator.bytes(rows * width), np.uint8).reshape(rows, width)
        yield np.unpackbits(drawn, axis=1, count=samples)


def all_swaps(samples: int) -> Iterator[Weights]:
    """Iterate over blocks of all 2 ** samples ways to swap some of the samples."""
    places = np.arange(samples)
    start = 0
    for rows in _list_blocks(samples, 1 << samples):
        numbers = np.arange(start, start + rows)
        yield ((numbers[:, None] >> places) & 1).astype(np.uint8)
        start += rows


def _list_blocks(samples: int, n_resamples: int) -> Iterator[int]:
    """Iterate over the numbers of rows of the blocks."""
    most = max(1, _WEIGHTS_PER_BLOCK // samples)
    for start in range(0, n_resamples, most):
        yield min(most, n_resamples - start)


def sum_columns(
    weights: Weights, tables: Sequence[Integers], baseline: Integers | None = None
) -> Floats:
    """Sum the weighted rows of all tables.

    Args:
        weights: shape (rows, samples).
        tables: each of shape (samples, its columns).
        baseline: if given, what each table lacks to it is summed; it has the shape of all tables.

    Returns:
        Whole numbers, shape (rows, all columns).
    """
    rows, samples = weights.shape
    sums = np.zeros((rows, sum(table.shape[1] for table in tables)))
    # Fast path: equals weights @ columns, in less than half the time; parts stay in the caches of
    # the processor, and are too small for the threads of a BLAS, which slow down a busy machine.
    for start in range(0, samples, _SAMPLES_PER_PRODUCT):
        part = slice(start, start + _SAMPLES_PER_PRODUCT)
        columns: Floats = np.concatenate(
            [table[part] for table in tables], axis=1, dtype=np.float64
        )
        if baseline is not None:
            np.subtract(np.tile(baseline[part], len(tables)), columns, out=columns)
        for row in range(0, rows, _ROWS_PER_PRODUCT):
            block = slice(row, row + _ROWS_PER_PRODUCT)
            sums[block] += weights[block, part].astype(np.float64) @ columns
    return sums


def split_scores(scores: Floats, largest: float) -> Integers:
    """Write each score as two whole numbers, so that sums of scores are exact.

    Args:
        scores: shape (samples,); finite.
        largest: absolute value of the largest score, or more. A score is rounded to the 52nd binary
            place after that of the largest.

    Returns:
        Shape (samples, 2): the upper and the lower half.
    """
    scaled = scores / _unit(largest) * _HALF
    upper = np.floor(scaled)
    return np.stack([upper, np.rint((scaled - upper) * _HALF)], axis=1).astype(np.int32)


def join_sums(sums: Floats, largest: float) -> Floats:
    """Return the sums of scores from the sums of both halves.

    Args:
        sums: shape (rows, 2).
        largest: as for :func:`split_scores`.

    >>> halves = split_scores(np.array([0.1, 0.2, -4.0]), 4.0)
    >>> join_sums(halves.sum(axis=0, keepdims=True).astype(float), 4.0).round(9)
    array([-3.7])
    """
    joined: Floats = (sums[:, 0] + sums[:, 1] / _HALF) * (_unit(largest) / _HALF)
    return joined


def average_sums(sums: Floats, largest: float, samples: int) -> Floats:
    """Return the means of scores from the sums of both halves.

    Args:
        sums: shape (rows, 2), or (rows, 3) with the number of samples of each row.
        largest: as for :func:`split_scores`.
        samples: how many there are in each row of two columns.
    """
    drawn = sums[:, 2] if sums.shape[1] > 2 else samples
    means: Floats = join_sums(sums[:, :2], largest) / drawn
    return means


def _unit(largest: float) -> float:
    """Return the power of two above all scores."""
    return math.ldexp(1.0, math.frexp(largest)[1])

"""Compute with ragged arrays: the offsets of samples, and the best pair of each sample."""

import numpy as np
from numpy.typing import NDArray


def to_offsets(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Compute where each sample's references start, from how many references it has.

    Args:
        counts: int64, shape (samples,).

    Returns:
        int64, shape (samples + 1,), from 0 to the number of all references.
    """
    offsets = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=offsets[1:])
    return offsets


def first_best(values: NDArray[np.float64], offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Find for each sample the pair with the highest value; the first one if several are equal.

    Args:
        values: shape (pairs,).
        offsets: int64, shape (samples + 1,); index at which the pairs of each sample start.

    Returns:
        Indices of pairs, shape (samples,).

    >>> first_best(np.array([0.5, 1.0, 1.0, 0.0]), np.array([0, 3, 4])).tolist()
    [1, 3]
    """
    pairs = len(values)
    best = np.maximum.reduceat(values, offsets[:-1])
    is_best = values == np.repeat(best, np.diff(offsets))
    first: NDArray[np.int64] = np.minimum.reduceat(
        np.where(is_best, np.arange(pairs), pairs), offsets[:-1]
    )
    return first

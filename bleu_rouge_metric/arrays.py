"""Compute with arrays: offsets of samples, the best pair of each, one number for equal rows."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

# Slots of keys: 2 ** 13 of them fit into the cache of a processor.
_SHIFT: Final = np.uint64(64 - 13)
_SLOTS: Final = 1 << 13
# The golden ratio as a fraction of 2 ** 64 spreads the keys.
_MULTIPLIER: Final = np.uint64(0x9E3779B97F4A7C15)

# Fewer rows are not worth the search.
_FEWEST: Final = 256
_KEY_BITS: Final = 63


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


def map_equal_rows(
    columns: Sequence[NDArray[Any]], compute: Callable[[NDArray[np.int64]], NDArray[np.float64]]
) -> NDArray[np.float64]:
    """Return a number per row; most equal rows, as of counts of sentences, share a computation.

    Args:
        columns: integers of at least 0, each of shape (rows,).
        compute: returns the numbers of some rows from their indices; equal rows have equal ones.

    >>> map_equal_rows([np.array([3, 4])], lambda rows: rows * 0.5)
    array([0. , 0.5])
    """
    count = len(columns[0])
    everything = np.arange(count)
    keys = _pack(columns) if count >= _FEWEST else None
    if keys is None:
        return compute(everything)
    # Fast path: equals the line above. Each key has a slot; one row of a slot is computed, and
    # those of its other keys.
    slots = (keys * _MULTIPLIER >> _SHIFT).astype(np.int64)
    owners = np.empty(_SLOTS, dtype=np.int64)
    owners[slots] = everything
    owner = owners[slots]
    own = np.flatnonzero(owner == everything)
    others = np.flatnonzero(keys[owner] != keys)
    computed = compute(np.append(own, others))
    numbers = np.empty(count)
    numbers[own] = computed[: len(own)]
    numbers = numbers[owner]
    numbers[others] = computed[len(own) :]
    return numbers


def _pack(columns: Sequence[NDArray[Any]]) -> NDArray[np.uint64] | None:
    """Return rows as one number each; None if they do not fit."""
    widths = [int(column.max()).bit_length() for column in columns]
    if sum(widths) > _KEY_BITS:
        return None
    keys = columns[0].astype(np.uint64)
    for column, width in zip(columns[1:], widths[1:], strict=True):
        keys <<= np.uint64(width)
        keys |= column.astype(np.uint64)
    return keys

"""Compute a function of rows of integers once for equal rows.

Sentences have small counts, so that many of their rows are equal.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Slots of keys: 2 ** 13 of them fit into the cache of a processor.
_SHIFT: Final = np.uint64(64 - 13)
_SLOTS: Final = 1 << 13
# The golden ratio as a fraction of 2 ** 64 spreads the keys.
_MULTIPLIER: Final = np.uint64(0x9E3779B97F4A7C15)

# Fewer rows are not worth the search.
_FEWEST: Final = 256
_KEY_BITS: Final = 63


def map_distinct(
    columns: Sequence[NDArray[Any]], compute: Callable[[NDArray[np.int64]], Floats]
) -> Floats:
    """Return a number per row; most equal rows share a computation.

    Args:
        columns: integers of at least 0, each of shape (rows,).
        compute: returns the numbers of some rows from their indices; equal rows have equal ones.

    >>> map_distinct([np.array([3, 4])], lambda rows: rows * 0.5)
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

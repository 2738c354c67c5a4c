"""Counted samples with keys, which give their order and show which samples came before.

A key is an integer that no other sample has, such as the index in a data set. With keys, samples
that several processes counted come into one order, and one that came twice counts once.
"""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..families.counts import SampleCounts, concatenate_counts, select_counts, to_arrays

Keys = NDArray[np.int64]

# Batches are joined up to this number of samples: few batches to go through, little to copy.
_MOST_JOINED: Final = 1 << 16

_TOO_LARGE: Final = "keys has an int that does not fit in int64; hash it to 63 bits."


class CountedBatch(NamedTuple):
    """Counts of some samples, and their keys if they have any."""

    counts: SampleCounts
    keys: Keys | None

    @property
    def n_samples(self) -> int:
        """How many samples these are."""
        return len(self.counts.reference_counts)


def check_keys(keys: object, samples: int) -> Keys | None:
    """Return the keys as an array, or None if there are none.

    Args:
        keys: sequence of ints, NumPy array or tensor; one per sample.
        samples: how many there are.

    Raises:
        TypeError: a key is not an int.
        ValueError: there are more or fewer keys than samples, or one has more than 64 bits.

    >>> check_keys([2, 0, 1], 3)
    array([2, 0, 1])
    """
    if keys is None:
        return None
    expected = "expected one int per sample, such as its index in the data set."
    if not isinstance(keys, np.ndarray):
        if isinstance(keys, str | bytes | Mapping | AbstractSet) or not isinstance(keys, Iterable):
            raise TypeError(f"keys is of type {type(keys).__name__}; {expected}")
        # Tensors; columns of pyarrow.
        read = getattr(keys, "tolist", None) or getattr(keys, "to_pylist", None)
        items = list(keys) if read is None else read()
        for index, key in enumerate(items):
            if isinstance(key, bool) or not isinstance(key, int | np.integer):
                raise TypeError(f"keys[{index}] is {key!r}; {expected}")
        try:
            keys = np.array(items, dtype=np.int64)
        except OverflowError as error:
            raise ValueError(_TOO_LARGE) from error
    if keys.ndim != 1 or keys.dtype.kind not in "iu":
        raise TypeError(f"keys is an array of {keys.ndim} dimensions and {keys.dtype}; {expected}")
    if keys.dtype.kind == "u" and keys.size and keys.max() > np.iinfo(np.int64).max:
        raise ValueError(_TOO_LARGE)
    if len(keys) != samples:
        raise ValueError(f"keys has {len(keys)} ints, but there are {samples} samples; {expected}")
    return keys.astype(np.int64)


def join_batches(batches: Sequence[CountedBatch]) -> CountedBatch:
    """Return the samples of all batches, in order."""
    if len(batches) == 1:
        return batches[0]
    keys = [batch.keys for batch in batches if batch.keys is not None]
    return CountedBatch(
        concatenate_counts([batch.counts for batch in batches]),
        np.concatenate(keys) if keys else None,
    )


def add_batch(batches: Sequence[CountedBatch], batch: CountedBatch) -> tuple[CountedBatch, ...]:
    """Return the batches with another one, joined with smaller ones before it: there are few."""
    joined = [*batches, batch]
    while len(joined) > 1:
        last, before = joined[-1].n_samples, joined[-2].n_samples
        # Each sample is copied once for each doubling of its batch.
        if before >= 2 * last or before + last > _MOST_JOINED:
            break
        joined[-2:] = [join_batches(joined[-2:])]
    return tuple(joined)


def order_batches(batches: Sequence[CountedBatch]) -> CountedBatch:
    """Return the samples of all batches in one: in the order of their keys, if they have any.

    Raises:
        ValueError: a key names two different samples.
    """
    batch = join_batches(batches)
    return batch if batch.keys is None else sort_batch(batch.counts, batch.keys)


def sort_batch(counts: SampleCounts, keys: Keys) -> CountedBatch:
    """Return the samples in the order of their keys, each once.

    Raises:
        ValueError: a key names two different samples.
    """
    if (keys[1:] > keys[:-1]).all():
        return CountedBatch(counts, keys)
    order = np.argsort(keys, kind="stable")
    again = np.flatnonzero(keys[order][1:] == keys[order][:-1])
    first, second = order[again], order[again + 1]
    if not _are_equal(counts, first, second):
        # The first pair that differs is found by halves.
        start, stop = 0, len(again)
        while stop - start > 1:
            middle = (start + stop) // 2
            half = slice(start, middle)
            is_later = _are_equal(counts, first[half], second[half])
            start, stop = (middle, stop) if is_later else (start, middle)
        raise ValueError(
            f"The key {keys[first[start]]} names two different samples; expected a unique key "
            "for every sample, such as its index in the data set."
        )
    order = np.delete(order, again + 1)
    return CountedBatch(select_counts(counts, order), keys[order])


def _are_equal(counts: SampleCounts, first: NDArray[np.int64], second: NDArray[np.int64]) -> bool:
    """Return whether samples have the same counts as others."""
    ours, theirs = (to_arrays(select_counts(counts, indices)) for indices in (first, second))
    return all(np.array_equal(array, theirs[name]) for name, array in ours.items())

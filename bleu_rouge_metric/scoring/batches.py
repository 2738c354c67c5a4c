"""Batches of counted samples, with keys or without, and a store to which threads add them.

A key is an integer that no other sample has, such as the index in a data set. With keys, samples
that several processes counted come into one order, and one that came twice counts once.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..families.counts import SampleCounts, concatenate_counts, select_counts, to_arrays
from ..fork_locks import make_fork_lock
from ..samples.items import INTS, check_count, check_items, read_items

Keys = NDArray[np.int64]

# Batches are joined up to this number of samples: few batches to go through, little to copy.
_MOST_JOINED: Final = 1 << 16

_KIND: Final = "one int per sample, such as its index in the data set"
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
    """Return the keys, one int per sample, as an array; None if there are none.

    Raises:
        TypeError: a key is not an int.
        ValueError: there are more or fewer keys than samples, or one has more than 64 bits.

    >>> check_keys([2, 0, 1], 3)
    array([2, 0, 1])
    """
    if keys is None:
        return None
    if not isinstance(keys, np.ndarray):
        items = read_items("keys", keys, _KIND)
        check_items("keys", items, INTS, _KIND)
        try:
            keys = np.array(items, dtype=np.int64)
        except OverflowError as error:
            raise ValueError(_TOO_LARGE) from error
    if keys.ndim != 1 or keys.dtype.kind not in "iu":
        shown = f"an array of {keys.ndim} dimensions and {keys.dtype}"
        raise TypeError(f"keys is {shown}; expected {_KIND}.")
    if keys.dtype.kind == "u" and keys.size and keys.max() > np.iinfo(np.int64).max:
        raise ValueError(_TOO_LARGE)
    check_count("keys", keys, "int", samples, _KIND)
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


def order_batches(batches: Sequence[CountedBatch]) -> CountedBatch:
    """Return the samples of all batches in one; with keys in their order, each once.

    Raises:
        ValueError: a key names two different samples.
    """
    batch = join_batches(batches)
    counts, keys = batch
    if keys is None or (keys[1:] > keys[:-1]).all():
        return batch
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


class SampleStore:
    """Batches of counted samples, all with keys or all without, that threads add.

    Attributes:
        batches: a tuple that is replaced, and never changed, when samples are added.
    """

    # Of all stores, and a fork waits for it: it is held for a moment, to replace the batches. They
    # never change, so it is not held while all are joined or sorted.
    _lock = make_fork_lock()

    def __init__(self, batches: tuple[CountedBatch, ...] = ()) -> None:
        self.batches = batches

    def __len__(self) -> int:
        """Count the samples; one that came twice under a key counts twice until all are ordered."""
        return sum(batch.n_samples for batch in self.batches)

    def add(self, *batches: CountedBatch) -> None:
        """Append batches; raise ValueError if samples with keys would meet samples without."""
        with self._lock:
            for batch in batches:
                self.check_keyed(batch.keys is not None)
                joined = [*self.batches, batch]
                while len(joined) > 1:
                    last, before = joined[-1].n_samples, joined[-2].n_samples
                    # Each sample is copied once for each doubling of its batch.
                    if before >= 2 * last or before + last > _MOST_JOINED:
                        break
                    joined[-2:] = [join_batches(joined[-2:])]
                self.batches = tuple(joined)

    def replace(self, *batches: CountedBatch) -> None:
        """Hold other batches instead; what another thread joins or sorts does not come back."""
        with self._lock:
            self.batches = batches

    def check_keyed(self, is_keyed: bool) -> None:  # noqa: FBT001 - the only argument
        """Raise ValueError if samples with keys would meet samples without."""
        batches = self.batches
        if batches and (batches[0].keys is not None) != is_keyed:
            held, given = ("have none", "keys") if is_keyed else ("have keys", "no keys")
            raise ValueError(
                f"The samples held so far {held}, but those given now have {given}; "
                "give keys for all samples, or for none."
            )

    def order(self) -> CountedBatch:
        """Return all samples in their order; keep them so, unless others were added meanwhile.

        Raises:
            ValueError: there are no samples, or a key names two different samples.
        """
        batches = self.batches
        if not batches:
            raise ValueError("There are no samples; give some to update first.")
        batch = order_batches(batches)
        with self._lock:
            if self.batches is batches:
                self.batches = (batch,)
        return batch

"""Counts of samples: arrays by name, joined, selected and sliced without knowing what they mean.

Every array has one row per sample or one row per reference. What a row means, only the family that
counted it knows; a :class:`Layout` says all that is needed to save, send and check it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import to_offsets

Array = NDArray[np.int64] | NDArray[np.int32] | NDArray[np.float64]
Arrays = Mapping[str, Any]  # NumPy arrays; a union of their types would be cast at every use
Offsets = NDArray[np.int64]


class Layout(NamedTuple):
    """One array of counts.

    Attributes:
        dtypes: the types that it may have, in any byte order; the last is the widest.
        row: shape of a row.
        per: what a row belongs to.
        columns: names of its Arrow columns: one for the array, or one per item of ``row[0]``.
        may_be_wider: whether rows of more items than these options need can be cut.
    """

    dtypes: tuple[str, ...]
    row: tuple[int, ...] = ()
    per: Literal["sample", "reference"] = "sample"
    columns: tuple[str, ...] = ()
    may_be_wider: bool = False

    @property
    def is_split(self) -> bool:
        """Return whether every item of a row has its own Arrow column."""
        return len(self.row) > 1

    @property
    def is_float(self) -> bool:
        """Return whether the counts are floats."""
        return self.dtypes[0][0] == "f"

    def fits(self, row: Sequence[int]) -> bool:
        """Return whether rows of this shape are those of the layout, or can be cut to them."""
        found = tuple(row)
        is_wider = self.may_be_wider and len(found) == 1 and found[0] > self.row[0]
        return found == self.row or is_wider

    def fit(self, name: str, array: Any) -> Any:
        """Return an array, or a tensor, of options that count the same, cut to this layout."""
        row = [*array.shape[1:]]
        if not self.fits(row):
            raise ValueError(
                f"{name} has {row} counts per {self.per}, but these options need "
                f"{[*self.row]}; count all samples with these options."
            )
        return array[:, : self.row[0]] if self.may_be_wider else array


Layouts = Mapping[str, Layout]


@dataclass(frozen=True, eq=False)
class SampleCounts:
    """Counts of samples: arrays by names that no two groups of families share.

    Attributes:
        reference_counts: int64, shape (samples,); how many references each sample has.
        per_sample: arrays with one row per sample.
        per_reference: arrays with one row per reference.
    """

    reference_counts: NDArray[np.int64]
    per_sample: Arrays
    per_reference: Arrays

    @property
    def offsets(self) -> Offsets:
        """Return the index at which the references of each sample start, shape (samples + 1,)."""
        # No functools.cached_property: until Python 3.11 it holds a lock of the class, which a fork
        # may copy while another thread holds it (tests/scoring/test_concurrency.py).
        cache = vars(self)
        if "_offsets" not in cache:
            cache["_offsets"] = to_offsets(self.reference_counts)
        offsets: Offsets = cache["_offsets"]
        return offsets

    def __getitem__(self, name: str) -> Any:
        """Return an array by its name."""
        return self.per_sample[name] if name in self.per_sample else self.per_reference[name]

    def __contains__(self, name: object) -> bool:
        """Return whether there is an array of this name."""
        return name in self.per_sample or name in self.per_reference

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_offsets"}


def to_arrays(counts: SampleCounts) -> dict[str, Any]:
    """Return every array of the counts by its name."""
    return {
        "reference_counts": counts.reference_counts,
        **counts.per_sample,
        **counts.per_reference,
    }


def from_arrays(arrays: Arrays, layouts: Layouts) -> SampleCounts:
    """Return the counts that have the arrays that ``to_arrays`` returns, and these layouts."""
    rows: dict[str, dict[str, Any]] = {"sample": {}, "reference": {}}
    for name, layout in layouts.items():
        rows[layout.per][name] = arrays[name]
    return SampleCounts(arrays["reference_counts"], rows["sample"], rows["reference"])


# A program has few sizes of blocks.
@lru_cache(maxsize=4)
def _count_one_each(samples: int) -> tuple[NDArray[np.int64], Offsets]:
    """Return the reference counts and the offsets of samples with one reference each."""
    found = np.ones(samples, dtype=np.int64), np.arange(samples + 1)
    for array in found:
        array.flags.writeable = False
    return found


def from_pairs(arrays: Arrays, layouts: Layouts, pairs: int) -> SampleCounts:
    """Return the counts of samples with one reference each, from all their arrays."""
    # Fast path: equals from_arrays with ones, whose offsets are computed from them. A matrix of
    # rougeL takes 2 ns per pair less.
    ones, offsets = _count_one_each(pairs)
    counts = from_arrays({"reference_counts": ones, **arrays}, layouts)
    vars(counts)["_offsets"] = offsets
    return counts


def concatenate_counts(portions: Sequence[SampleCounts]) -> SampleCounts:
    """Return the counts of all portions, in order, as if their samples had been counted at once."""

    def join(parts: Sequence[Arrays]) -> dict[str, Any]:
        # The integers have 64 bits if those of any portion do.
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    return SampleCounts(
        np.concatenate([portion.reference_counts for portion in portions]),
        join([portion.per_sample for portion in portions]),
        join([portion.per_reference for portion in portions]),
    )


def fit_counts(counts: SampleCounts, layouts: Layouts) -> SampleCounts:
    """Return counts of other options, which count the same, in the arrays of these layouts."""
    arrays = {name: layout.fit(name, counts[name]) for name, layout in layouts.items()}
    return from_arrays({"reference_counts": counts.reference_counts, **arrays}, layouts)


def select_counts(counts: SampleCounts, indices: NDArray[np.int64]) -> SampleCounts:
    """Return the counts of some samples, in any order; one may occur several times."""
    starts = counts.offsets[indices]
    lengths = counts.reference_counts[indices]
    offsets = to_offsets(lengths)
    # The references of a sample are next to each other, in both orders.
    references = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)
    return _take(counts, indices, references)


def slice_counts(counts: SampleCounts, start: int, stop: int) -> SampleCounts:
    """Return the counts of the samples from ``start`` to ``stop``, without a copy."""
    return _take(counts, slice(start, stop), slice(counts.offsets[start], counts.offsets[stop]))


def _take(counts: SampleCounts, samples: Any, references: Any) -> SampleCounts:
    return SampleCounts(
        counts.reference_counts[samples],
        {name: array[samples] for name, array in counts.per_sample.items()},
        {name: array[references] for name, array in counts.per_reference.items()},
    )


def shrink(counts: Any) -> Any:
    """Return the counts in half the memory if they fit; skip-bigrams of long texts do not."""
    fits = not counts.size or counts.max() <= np.iinfo(np.int32).max
    return counts.astype(np.int32) if fits else counts


def find_first_row(is_bad: NDArray[np.bool_]) -> int | None:
    """Return the first row with anything bad in it; None if there is none."""
    rows = is_bad.any(axis=tuple(range(1, is_bad.ndim)))
    return int(rows.argmax()) if rows.any() else None


def check_hits(name: str, what: str, triples: Any, totals: tuple[int, ...] = (1, 2)) -> None:
    """Raise ValueError if a triple has more hits than one of the totals in these columns."""
    row = find_first_row(triples[:, :1] > triples[:, totals])
    if row is not None:
        hits, prediction, reference = triples[row].tolist()
        raise ValueError(
            f"{name}[{row}] has {hits} hits of {what}, but totals of {prediction} in the "
            f"prediction and {reference} in the reference; expected no more hits."
        )

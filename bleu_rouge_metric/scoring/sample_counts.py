"""Counts of samples: joined, selected, sliced. What the arrays mean, only their families know."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import to_offsets
from ..families.base import Array as Array
from ..families.base import Layout as Layout
from ..families.base import SampleCounts as SampleCounts


def to_arrays(counts: SampleCounts) -> dict[str, Any]:
    """Every array of the counts by its name."""
    return {"reference_counts": counts.reference_counts, **counts.samples, **counts.references}


def from_arrays(arrays: Mapping[str, Any], layouts: Mapping[str, Layout]) -> SampleCounts:
    """Return the counts that ``to_arrays`` made the arrays of."""
    parts: dict[str, dict[str, Any]] = {"sample": {}, "reference": {}}
    for name, layout in layouts.items():
        parts[layout.per][name] = arrays[name]
    return SampleCounts(arrays["reference_counts"], parts["sample"], parts["reference"])


def concatenate_counts(portions: Sequence[SampleCounts]) -> SampleCounts:
    """Return counts of all portions, in order, as if their samples had been counted at once."""
    if len(portions) == 1:
        return portions[0]

    def join(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        # The integers have 64 bits if those of any portion do.
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    return SampleCounts(
        np.concatenate([portion.reference_counts for portion in portions]),
        join([portion.samples for portion in portions]),
        join([portion.references for portion in portions]),
    )


def _take(counts: SampleCounts, samples: Any, references: Any) -> SampleCounts:
    return SampleCounts(
        counts.reference_counts[samples],
        {name: array[samples] for name, array in counts.samples.items()},
        {name: array[references] for name, array in counts.references.items()},
    )


def select_counts(counts: SampleCounts, indices: NDArray[np.int64]) -> SampleCounts:
    """Return counts of some of the samples, in any order."""
    starts = counts.offsets[indices]
    lengths = counts.reference_counts[indices]
    offsets = to_offsets(lengths)
    # The references of a sample stand one behind the other, there as here.
    references = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)
    return _take(counts, indices, references)


def slice_counts(
    counts: SampleCounts, offsets: NDArray[np.int64], start: int, stop: int
) -> SampleCounts:
    """Counts of the samples from ``start`` to ``stop``, which are not copied."""
    return _take(counts, slice(start, stop), slice(offsets[start], offsets[stop]))

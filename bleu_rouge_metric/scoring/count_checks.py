"""Checks of counts that come from outside: a saved state, or tables of another process."""

from typing import Any, Final

import numpy as np

from ..families.counts import SampleCounts, find_first_row
from ..options.plans import Plan

# The sum of the numbers of an array is smaller, so that no sum of counts exceeds int64. Half of
# that range is left to the rounding of the sum here.
_LARGEST_SUM: Final = 1 << 62


def check_counts(counts: SampleCounts, plan: Plan) -> None:
    """Raise ValueError unless the counts obey their laws; name the array and the first bad row."""
    _check_least("reference_counts", counts.reference_counts, 1)
    _check_sum("reference_counts", counts.reference_counts)
    samples, references = len(counts.reference_counts), int(counts.reference_counts.sum())
    for name, layout in plan.layouts.items():
        array, rows = counts[name], samples if layout.per == "sample" else references
        if len(array) != rows:
            raise ValueError(
                f"{name} has {len(array)} rows, but reference_counts says {samples} samples with "
                f"{references} references; expected one row for every {layout.per}."
            )
        _check_least(name, array, 0)
        _check_sum(name, array)
    for part in plan.scores.values():
        part.check(counts)


def _check_least(name: str, array: Any, least: int) -> None:
    # The comparison is False for NaN.
    row = find_first_row(~((array >= least) & (array < np.inf)))
    if row is not None:
        kind = "finite numbers" if array.dtype.kind == "f" else "ints"
        raise ValueError(
            f"{name}[{row}] is {array[row].tolist()}; expected {kind} of at least {least}."
        )


def _check_sum(name: str, array: Any) -> None:
    """Raise ValueError if a sum of these numbers may exceed int64."""
    if array.dtype.kind == "i" and (total := array.sum(dtype=np.float64)) >= _LARGEST_SUM:
        raise ValueError(
            f"The sum of {name} is {total:.3g}; expected less than 2 ** 62, as for counts of texts."
        )

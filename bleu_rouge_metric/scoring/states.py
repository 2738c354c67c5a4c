"""States of scorers: counted samples as plain values, which are checked when they are loaded.

Counts that come from outside, from a saved state or another process, obey the laws of counts.
"""

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..families.counts import Layout, SampleCounts, find_first_row, from_arrays, to_arrays
from ..options.plans import Plan
from ..schema.checks import LARGEST_SEED
from .batches import CountedBatch

# What a state has; one of version 0.1.0 has no rank.
_STATE: Final = ("options", "families", "arrays", "lines", "seed")
_RANK: Final = ("rank", "world_size")

# The sum of the numbers of an array is smaller, so that no sum of counts exceeds int64. Half of
# that range is left to the rounding of the sum here.
_LARGEST_SUM: Final = 1 << 62


def pack_batch(batch: CountedBatch) -> dict[str, dict[str, Any]]:
    """Every array by name: its type, its shape, and its bytes, or None if there are none."""
    arrays: dict[str, NDArray[Any]] = {**to_arrays(batch.counts)}
    if batch.keys is not None:
        arrays["keys"] = batch.keys
    return {
        name: {
            "dtype": array.dtype.str,
            "shape": list(array.shape),
            # torch.load refuses b"", which protocol 2 of pickle writes as a call.
            "data": array.tobytes() or None,
        }
        for name, array in arrays.items()
    }


def check_state(state: object) -> None:
    """Raise TypeError or ValueError unless it has what ``Scorer.state_dict`` gives."""
    if not isinstance(state, Mapping):
        raise TypeError(
            f"state is of type {type(state).__name__}; expected what Scorer.state_dict gives."
        )
    if state.keys() not in (set(_STATE), {*_STATE, *_RANK}):
        raise ValueError(
            f"state has {', '.join(map(repr, state)) or 'nothing'}; expected "
            f"{', '.join(map(repr, (*_STATE, *_RANK)))}, as Scorer.state_dict gives them."
        )
    kinds = {"options": str, "families": list, "seed": int, "rank": int, "world_size": int}
    for name, kind in kinds.items():
        if name in state and type(state[name]) is not kind:
            found = type(state[name]).__name__
            raise TypeError(f"{name} is of type {found}; expected {kind.__name__}.")
    if not 0 <= state["seed"] <= LARGEST_SEED:
        raise ValueError(f"seed is {state['seed']}; expected an int from 0 to {LARGEST_SEED}.")


def unpack_batch(packed: object, plan: Plan) -> CountedBatch:
    """Return the batch that ``pack_batch`` was given, checked, in arrays of its own.

    Raises:
        TypeError: it is not a mapping.
        ValueError: an array is missing, surplus, of another type or shape, or its numbers are no
            counts; the message names the first that is wrong.
    """
    if not isinstance(packed, Mapping):
        raise TypeError(f"arrays is of type {type(packed).__name__}; expected a dict by name.")
    layouts = list_layouts(plan)
    names = {*layouts, "keys"} if "keys" in packed else {*layouts}
    if packed.keys() != names:
        raise ValueError(
            f"arrays has {', '.join(map(repr, packed)) or 'nothing'}; expected "
            f"{', '.join(map(repr, layouts))}, and 'keys' if the samples have keys."
        )
    layouts["keys"] = Layout(("i8",))
    arrays = {name: _unpack_array(name, array, layouts[name]) for name, array in packed.items()}
    counts = from_arrays(arrays, plan.layouts)
    if not len(counts.reference_counts):
        raise ValueError(
            "reference_counts has 0 rows; expected one row for every sample, or no arrays at all "
            "if there are no samples."
        )
    check_counts(counts, plan)
    keys = arrays.get("keys")
    if keys is not None and len(keys) != len(counts.reference_counts):
        raise ValueError(
            f"keys has {len(keys)} rows, but reference_counts has {len(counts.reference_counts)}; "
            "expected one key for every sample."
        )
    return CountedBatch(counts, keys)


def list_layouts(plan: Plan) -> dict[str, Layout]:
    """Return the arrays that counts of a plan have, by name; of two types the last is the wider."""
    return {"reference_counts": Layout(("i8",)), **plan.layouts}


def _unpack_array(name: str, packed: object, layout: Layout) -> NDArray[Any]:
    """Return a copy of one array, in the byte order of this machine."""
    if not isinstance(packed, Mapping) or packed.keys() != {"dtype", "shape", "data"}:
        raise ValueError(f"arrays[{name!r}] is not a dict of dtype, shape and data.")
    dtype, shape, data = packed["dtype"], packed["shape"], packed["data"]
    if dtype not in [order + kind for kind in layout.dtypes for order in "<>"]:
        names = " or ".join(f"'<{kind}'" for kind in layout.dtypes)
        raise ValueError(f"{name} has the dtype {dtype!r}; expected {names}.")
    rows = shape[0] if isinstance(shape, list | tuple) and shape else None
    if type(rows) is not int or rows < 0 or not layout.fits(shape[1:]):
        raise ValueError(f"{name} has the shape {shape!r}; expected {['rows', *layout.row]}.")
    data = b"" if data is None else data
    expected = math.prod(shape) * int(dtype[-1])
    if not isinstance(data, bytes | bytearray | memoryview) or len(data) != expected:
        size = len(data) if isinstance(data, bytes | bytearray | memoryview) else "no"
        raise ValueError(f"{name} has {size} bytes of data; expected {expected} for its shape.")
    array = np.frombuffer(data, dtype).reshape(shape).astype(np.dtype(dtype[1:]))
    return np.ascontiguousarray(layout.fit(name, array))


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
    """Raise ValueError for a row with a number below the least one, or one that is not finite."""
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

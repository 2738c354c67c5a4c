"""Batches of counted samples, with keys or without; a store that threads add them to; their states.

A key is an integer that no other sample has, such as the index in a data set. With keys, samples
that several processes counted come into one order, and one that came twice counts once. Counts that
come from outside, from a saved state or another process, are checked by the laws of counts.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..checks import LARGEST_SEED
from ..families.counts import (
    Layout,
    SampleCounts,
    concatenate_counts,
    find_first_row,
    from_arrays,
    select_counts,
    to_arrays,
)
from ..fork_locks import make_fork_lock
from ..options.plans import Plan
from ..samples.items import INTS, check_count, check_items, read_items

Keys = NDArray[np.int64]

# Batches are joined up to this number of samples: few batches to go through, little to copy.
_MOST_JOINED: Final = 1 << 16

_KIND: Final = "one int per sample, such as its index in the data set"


class CountedBatch(NamedTuple):
    """Counts of some samples, and their keys if they have any."""

    counts: SampleCounts
    keys: Keys | None

    @property
    def n_samples(self) -> int:
        """How many samples these are."""
        return len(self.counts.reference_counts)


def check_keys(keys: object, samples: int) -> Keys | None:
    """Return the keys, one int per sample, as an array; None if there are none."""
    if keys is None:
        return None
    # Fast path: equals the lines below.
    if not (isinstance(keys, np.ndarray) and keys.ndim == 1 and keys.dtype.kind == "i"):
        keys = read_items("keys", keys, _KIND)
        check_items("keys", keys, INTS, _KIND)
        try:
            keys = np.array(keys, dtype=np.int64)
        except OverflowError as error:
            message = "keys has an int that does not fit in int64; hash it to 63 bits."
            raise ValueError(message) from error
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
    """Return the samples of all batches in one; with keys in their order, each once."""
    batch = join_batches(batches)
    counts, keys = batch
    if keys is None or (keys[1:] > keys[:-1]).all():
        return batch
    order = np.argsort(keys, kind="stable")
    again = np.flatnonzero(keys[order][1:] == keys[order][:-1])
    if not _are_equal(counts, order[again], order[again + 1]):
        place = next(i for i in again if not _are_equal(counts, order[[i]], order[[i + 1]]))
        raise ValueError(
            f"The key {keys[order[place]]} names two different samples; expected a unique key for "
            "every sample, such as its index in the data set."
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
        """Return all samples in their order; keep them so, unless others were added meanwhile."""
        batches = self.batches
        if not batches:
            raise ValueError("There are no samples; give some to update first.")
        batch = order_batches(batches)
        with self._lock:
            if self.batches is batches:
                self.batches = (batch,)
        return batch


# What a state has; arrays and lines are checked when they are read.
_STATE: Final = {
    "options": str,
    "families": list,
    "arrays": None,
    "lines": None,
    "seed": int,
    "rank": int,
    "world_size": int,
}

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
    if state.keys() != _STATE.keys():
        raise ValueError(
            f"state has {_list_names(state)}; expected {_list_names(_STATE)}, as Scorer.state_dict "
            "gives them."
        )
    for name, kind in _STATE.items():
        if kind is not None and type(state[name]) is not kind:
            found = type(state[name]).__name__
            raise TypeError(f"{name} is of type {found}; expected {kind.__name__}.")
    if not 0 <= state["seed"] <= LARGEST_SEED:
        raise ValueError(f"seed is {state['seed']}; expected an int from 0 to {LARGEST_SEED}.")


def _list_names(names: Mapping[str, object]) -> str:
    return ", ".join(map(repr, names)) or "nothing"


def unpack_batch(packed: object, plan: Plan) -> CountedBatch:
    """Return the batch that ``pack_batch`` was given, checked, in arrays of its own."""
    if not isinstance(packed, Mapping):
        raise TypeError(f"arrays is of type {type(packed).__name__}; expected a dict by name.")
    layouts = list_layouts(plan)
    if {*packed, "keys"} != {*layouts, "keys"}:
        raise ValueError(
            f"arrays has {_list_names(packed)}; expected {_list_names(layouts)}, and 'keys' if the "
            "samples have keys."
        )
    layouts["keys"] = Layout(("i8",))
    arrays = {name: _unpack_array(name, array, layouts[name]) for name, array in packed.items()}
    counts, keys = from_arrays(arrays, plan.layouts), arrays.get("keys")
    samples = len(counts.reference_counts)
    if not samples:
        raise ValueError(
            "reference_counts has 0 rows; expected one row for every sample, or no arrays at all "
            "if there are no samples."
        )
    check_counts(counts, plan)
    if keys is not None and len(keys) != samples:
        raise ValueError(
            f"keys has {len(keys)} rows, but reference_counts has {samples}; expected one key for "
            "every sample."
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
    size = len(data) if isinstance(data, bytes | bytearray | memoryview) else "no"
    if size != expected:
        raise ValueError(f"{name} has {size} bytes of data; expected {expected} for its shape.")
    array = np.frombuffer(data, dtype).reshape(shape).astype(np.dtype(dtype[1:]))
    return np.ascontiguousarray(layout.fit(name, array))


def check_counts(counts: SampleCounts, plan: Plan) -> None:
    """Raise ValueError unless the counts obey their laws; name the array and the first bad row."""
    _check_numbers("reference_counts", counts.reference_counts, 1)
    samples, references = len(counts.reference_counts), int(counts.reference_counts.sum())
    for name, layout in plan.layouts.items():
        array, rows = counts[name], samples if layout.per == "sample" else references
        if len(array) != rows:
            raise ValueError(
                f"{name} has {len(array)} rows, but reference_counts says {samples} samples with "
                f"{references} references; expected one row for every {layout.per}."
            )
        _check_numbers(name, array, 0)
    for part in plan.scores.values():
        part.check(counts)


def _check_numbers(name: str, array: Any, least: int) -> None:
    """Raise ValueError for a number below the least, or not finite, or if a sum exceeds int64."""
    # The comparison is False for NaN.
    row = find_first_row(~((array >= least) & (array < np.inf)))
    if row is not None:
        kind = "finite numbers" if array.dtype.kind == "f" else "ints"
        raise ValueError(
            f"{name}[{row}] is {array[row].tolist()}; expected {kind} of at least {least}."
        )
    if array.dtype.kind == "i" and (total := array.sum(dtype=np.float64)) >= _LARGEST_SUM:
        raise ValueError(
            f"The sum of {name} is {total:.3g}; expected less than 2 ** 62, as for counts of texts."
        )

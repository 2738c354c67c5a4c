"""Counted samples with keys, which give their order and show which samples came before.

A key is an integer that no other sample has, such as the index in a data set. With keys, samples
that several processes counted come into one order, and one that came twice counts once. Counts can
be saved as plain values, which are checked when they come back.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..counting.kernels import is_weighted
from ..options.checks import LARGEST_SEED
from ..options.plans import CountPlan
from .count_checks import check_counts
from .sample_counts import SampleCounts, concatenate_counts, from_arrays, select_counts, to_arrays

Keys = NDArray[np.int64]

# What a state has; one of version 0.1.0 has no rank.
_STATE: Final = ("options", "families", "arrays", "lines", "seed")
_RANK: Final = ("rank", "world_size")

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
        TypeError: a key is no int.
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


class Layout(NamedTuple):
    """The types that an array may have, whatever its byte order, and the shape of a row."""

    dtypes: tuple[str, ...]
    row: tuple[int, ...] = ()


def unpack_batch(packed: object, plan: CountPlan) -> CountedBatch:
    """Return the batch that ``pack_batch`` was given, checked, in arrays of its own.

    Args:
        packed: by name.
        plan: that the samples were counted by.

    Raises:
        TypeError: it is no mapping.
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
    counts = from_arrays(arrays, plan.rouge.types if plan.rouge else ())
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


def list_layouts(plan: CountPlan) -> dict[str, Layout]:
    """Return the arrays that counts of a plan have, by name; of two types the last is the wider."""
    layouts = {"reference_counts": Layout(("i8",))}
    if plan.bleu is not None and plan.bleu.overlaps:
        layouts["overlap"] = Layout(("i4", "i8"), (plan.bleu.max_order, 3))
    elif plan.bleu is not None:
        layouts["bleu_matches"] = Layout(("i4",), (plan.bleu.max_order,))
        layouts["bleu_prediction_lengths"] = layouts["bleu_reference_lengths"] = Layout(("i4",))
    if plan.rouge is not None:
        weighted = sum(map(is_weighted, plan.rouge.types))
        layouts["rouge"] = Layout(("i4", "i8"), (len(plan.rouge.types) - weighted, 3))
        layouts["rouge_weighted"] = Layout(("f8",), (weighted, 3))
    return layouts


def _unpack_array(name: str, packed: object, layout: Layout) -> NDArray[Any]:
    """Return a copy of one array, in the byte order of this machine."""
    if not isinstance(packed, Mapping) or packed.keys() != {"dtype", "shape", "data"}:
        raise ValueError(f"arrays[{name!r}] is not a dict of dtype, shape and data.")
    dtype, shape, data = packed["dtype"], packed["shape"], packed["data"]
    if dtype not in [order + kind for kind in layout.dtypes for order in "<>"]:
        names = " or ".join(f"'<{kind}'" for kind in layout.dtypes)
        raise ValueError(f"{name} has the dtype {dtype!r}; expected {names}.")
    rows = shape[0] if isinstance(shape, list | tuple) and shape else None
    if type(rows) is not int or rows < 0 or [*shape] != [rows, *layout.row]:
        raise ValueError(f"{name} has the shape {shape!r}; expected {['rows', *layout.row]}.")
    data = b"" if data is None else data
    expected = math.prod(shape) * int(dtype[-1])
    if not isinstance(data, bytes | bytearray | memoryview) or len(data) != expected:
        size = len(data) if isinstance(data, bytes | bytearray | memoryview) else "no"
        raise ValueError(f"{name} has {size} bytes of data; expected {expected} for its shape.")
    return np.frombuffer(data, dtype).reshape(shape).astype(np.dtype(dtype[1:]))


def join_batches(batches: Sequence[CountedBatch]) -> CountedBatch:
    """Return the samples of all batches, in order."""
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
    batch = batches[0] if len(batches) == 1 else join_batches(batches)
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

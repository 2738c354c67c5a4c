"""Counts of samples as tensors: the states of a ``Metric`` of torchmetrics.

Every array of the counts is a state with one row per sample or reference, so that states of
batches and of ranks are concatenated. All are integers, the weighted counts as the bits of their
doubles: torch changes the type of floats when a model does (``model.to(torch.bfloat16)``). An array
without columns is not a state: torch 2.5 cannot pad it, as ranks must that have fewer samples.
"""

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any, Final

import numpy as np

from ..families.counts import Layout, SampleCounts, from_arrays, to_arrays
from ..options.options import Options
from ..options.plans import Plan
from ..options.profiles import Family
from ..options.same_counts import hash_counts, list_functions
from ..scoring.batches import CountedBatch
from ..scoring.states import list_layouts, unpack_batch

KEYS: Final = "keys"
FINGERPRINT: Final = "counted_with"
# In a checkpoint: the rank that made the states, and the number of ranks.
RANK: Final = "rank"

# Bytes of the hash of the options, and of that of the functions among them.
_HASH: Final = 8


def list_dtypes(plan: Plan) -> dict[str, tuple[np.dtype[Any], tuple[int, ...]]]:
    """Return the states, each an array of the counts or the keys: its type, and its row.

    >>> list_dtypes(Options(max_order=2).plan(["bleu"]))["bleu_matches"]
    (dtype('int32'), (2,))
    """
    layouts = list_layouts(plan)
    states = {
        name: (np.dtype(layout.dtypes[-1].replace("f", "i")), layout.row)
        for name, layout in layouts.items()
        if 0 not in layout.row
    }
    return {**states, KEYS: (np.dtype(np.int64), ())}


def to_tensors(batch: CountedBatch, plan: Plan, device: Any) -> dict[str, Any]:
    """Return the rows of the states that a batch adds; no keys if it has none.

    Args:
        batch: counted by the plan.
        plan: of the options.
        device: of torch.
    """
    import torch

    arrays: dict[str, Any] = {**to_arrays(batch.counts)}
    if batch.keys is not None:
        arrays[KEYS] = batch.keys
    tensors = {}
    for name, (dtype, _) in list_dtypes(plan).items():
        array = arrays.get(name)
        if array is not None:
            rows = array.view(dtype) if array.dtype.kind == "f" else array.astype(dtype)
            tensors[name] = torch.from_numpy(np.array(rows)).to(device)
    return tensors


def make_empty(name: str, plan: Plan, device: Any) -> Any:
    """Return a tensor without rows, of the type and shape of a state."""
    import torch

    dtype, row = list_dtypes(plan)[name]
    return torch.from_numpy(np.empty((0, *row), dtype)).to(device)


def list_rows(state: Any, device: Any) -> list[Any]:
    """Return the tensors of a state, which is one tensor while it holds that of all ranks."""
    import torch

    tensors: Iterable[Any] = [state] if isinstance(state, torch.Tensor) else state
    return [tensor.to(device) for tensor in tensors]


def fit_rows(name: str, state: Any, plan: Plan, device: Any) -> list[Any]:
    """Return the tensors of a state of another metric, in the shape that a plan asks for.

    Raises:
        ValueError: the plan needs more than the other metric counted.
    """
    layout = list_layouts(plan).get(name, Layout(("i8",)))
    return [layout.fit(name, tensor) for tensor in list_rows(state, device)]


def to_batch(states: Mapping[str, Any], plan: Plan) -> CountedBatch | None:
    """Return the counts that states hold; None if there is no sample.

    Args:
        states: by name, each a tensor or a list of tensors.
        plan: of the options that the samples were counted with.

    Raises:
        TypeError: a state is of another type.
        ValueError: only some samples have keys, or the numbers are not counts.
    """
    import torch

    arrays: dict[str, Any] = {}
    for name in list_dtypes(plan):
        rows = list_rows(states[name], "cpu")
        if sum(map(len, rows)) or (rows and name != KEYS):
            arrays[name] = torch.cat(rows).numpy()
    if not any(map(len, arrays.values())):
        return None
    keyed, samples = len(arrays.get(KEYS, ())), len(arrays.get("reference_counts", ()))
    if keyed not in (0, samples):
        raise ValueError(
            f"{keyed} of {samples} samples have keys; give keys for all samples, or for none."
        )
    references = int(arrays["reference_counts"].sum())
    for name, layout in list_layouts(plan).items():
        if 0 in layout.row:
            arrays[name] = np.empty((references, *layout.row), layout.dtypes[0])
        elif layout.is_float:
            arrays[name] = arrays[name].view(np.float64)
    packed = {
        name: {"dtype": array.dtype.str, "shape": [*array.shape], "data": array.tobytes()}
        for name, array in arrays.items()
    }
    return unpack_batch(packed, plan)


def count_nothing(plan: Plan) -> SampleCounts:
    """Return the counts of one sample with empty texts: every score of the options, as 0."""
    arrays = {
        name: np.zeros((1, *layout.row), layout.dtypes[0])
        for name, layout in list_layouts(plan).items()
    }
    arrays["reference_counts"] += 1
    return from_arrays(arrays, plan.layouts)


def make_fingerprint(options: Options, families: tuple[Family, ...]) -> Any:
    """Return a tensor that differs if something else is counted: int64, shape (16,), 0 to 255.

    The first half stands for the options, and is the same in every process. The second half stands
    for the functions among them, of which two of one name can be different ones.

    A collection of torchmetrics lets metrics share their states if these are nearly equal after
    the first batch. Bytes are never nearly equal, so that only metrics of the same counts share.
    """
    import torch

    functions = [id(function) for _, function in list_functions(options)]
    own = blake2b(repr(functions).encode(), digest_size=_HASH).digest()
    return torch.tensor([*hash_counts(options, families), *own])


def check_fingerprint(ours: Any, theirs: Any) -> None:
    """Raise ValueError if states were counted with other options; functions are not compared."""
    if theirs.shape != ours.shape or (theirs.cpu() != ours.cpu())[:_HASH].any():
        raise ValueError(
            "The states were counted with other options; states can be merged only if all options "
            "that decide what is counted are the same."
        )


def join_facts(states: Mapping[str, Any]) -> Any:
    """Return the fingerprint, the number of samples and the number of keys, in one tensor."""
    import torch

    fingerprint = states[FINGERPRINT]
    numbers = [sum(map(len, states[name])) for name in ("reference_counts", KEYS)]
    return torch.cat([fingerprint, torch.tensor(numbers, device=fingerprint.device)])


def list_unkeyed(gathered: Iterable[Any]) -> list[int]:
    """Return the number of samples of each rank from what ``join_facts`` made; none with keys."""
    numbers = [facts[-2:].tolist() for facts in gathered]
    return [] if any(keys for _, keys in numbers) else [samples for samples, _ in numbers]


def keep_fingerprint(gathered: Any) -> Any:
    """Return the fingerprint of the first rank; raise ValueError if another rank differs."""
    for theirs in gathered[1:]:
        check_fingerprint(gathered[0], theirs)
    return gathered[0]

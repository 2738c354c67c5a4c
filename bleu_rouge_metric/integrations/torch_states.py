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
import torch

from ..families.counts import Layout, SampleCounts, from_arrays, to_arrays
from ..options.options import Options
from ..options.plans import Plan
from ..options.profiles import Family
from ..options.same_counts import hash_counts, list_functions
from ..scoring.batches import CountedBatch, list_layouts, unpack_batch

KEYS: Final = "keys"
FINGERPRINT: Final = "counted_with"
# In a checkpoint: the rank that made the states, and the number of ranks.
RANK: Final = "rank"

_KEYS_LAYOUT: Final = Layout(("i8",))
# Bytes of the hash of the options, and of that of the functions among them.
_HASH: Final = 8


def list_states(plan: Plan) -> dict[str, Layout]:
    """Return the arrays of the counts and the keys that are states, by name."""
    layouts = {**list_layouts(plan), KEYS: _KEYS_LAYOUT}
    return {name: layout for name, layout in layouts.items() if 0 not in layout.row}


def _find_dtype(layout: Layout) -> np.dtype[Any]:
    return np.dtype(layout.dtypes[-1].replace("f", "i"))


def to_tensors(batch: CountedBatch, plan: Plan, device: Any) -> dict[str, torch.Tensor]:
    """Return the rows of the states that a batch adds; no keys if it has none."""
    arrays: dict[str, Any] = {**to_arrays(batch.counts)}
    if batch.keys is not None:
        arrays[KEYS] = batch.keys
    tensors = {}
    for name, layout in list_states(plan).items():
        if name in arrays:
            array, dtype = arrays[name], _find_dtype(layout)
            rows = array.view(dtype) if layout.is_float else array.astype(dtype)
            tensors[name] = torch.from_numpy(np.array(rows)).to(device)
    return tensors


def make_empty(layout: Layout, device: Any) -> torch.Tensor:
    """Return a tensor without rows, of the type and shape of a state."""
    return torch.from_numpy(np.empty((0, *layout.row), _find_dtype(layout))).to(device)


def fit_rows(name: str, state: Any, layout: Layout, device: Any) -> list[torch.Tensor]:
    """Return the tensors of a state of another metric, without counts that the layout lacks."""
    # A state is one tensor while it holds that of all ranks.
    tensors: Iterable[Any] = [state] if isinstance(state, torch.Tensor) else state
    return [layout.fit(name, tensor.to(device)) for tensor in tensors]


def to_batch(states: Mapping[str, Any], plan: Plan) -> CountedBatch | None:
    """Return the checked counts of states, each a tensor or a list; None if there is no sample."""
    arrays: dict[str, Any] = {}
    for name, layout in list_states(plan).items():
        rows = fit_rows(name, states[name], layout, "cpu")
        arrays[name] = torch.cat([*rows, make_empty(layout, "cpu")]).numpy()
        arrays[name] = arrays[name].view(np.float64) if layout.is_float else arrays[name]
    if not any(map(len, arrays.values())):
        return None
    keyed, samples = len(arrays[KEYS]), len(arrays["reference_counts"])
    if keyed not in (0, samples):
        raise ValueError(
            f"{keyed} of {samples} samples have keys; give keys for all samples, or for none."
        )
    if not keyed:
        del arrays[KEYS]
    references = int(arrays["reference_counts"].sum())
    for name, layout in list_layouts(plan).items():
        if name not in arrays:
            arrays[name] = np.empty((references, *layout.row), layout.dtypes[0])
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


def make_fingerprint(options: Options, families: tuple[Family, ...]) -> torch.Tensor:
    """Return bytes that differ if something else is counted: int64, shape (16,), 0 to 255.

    The first half stands for the options, in every process alike, the second for the functions
    among them. Collections of torchmetrics let metrics share states that are nearly equal after the
    first batch; bytes are never nearly equal.
    """
    functions = [id(function) for _, function in list_functions(options, families)]
    own = blake2b(repr(functions).encode(), digest_size=_HASH).digest()
    return torch.tensor([*hash_counts(options, families), *own])


def check_fingerprint(ours: torch.Tensor, theirs: torch.Tensor) -> None:
    """Raise ValueError if states were counted with other options; functions are not compared."""
    if theirs.shape != ours.shape or (theirs.cpu() != ours.cpu())[:_HASH].any():
        raise ValueError(
            "The states were counted with other options; states can be merged only if all options "
            "that decide what is counted are the same."
        )


def keep_fingerprint(gathered: Any) -> Any:
    """Return the fingerprint of the first rank; raise ValueError if another rank differs."""
    for theirs in gathered[1:]:
        check_fingerprint(gathered[0], theirs)
    return gathered[0]


def join_facts(states: Mapping[str, Any]) -> torch.Tensor:
    """Return the fingerprint, the number of samples and the number of keys, in one tensor."""
    fingerprint = states[FINGERPRINT]
    numbers = [sum(map(len, states[name])) for name in ("reference_counts", KEYS)]
    return torch.cat([fingerprint, torch.tensor(numbers, device=fingerprint.device)])


def list_unkeyed(gathered: Iterable[torch.Tensor]) -> list[int]:
    """Return the number of samples of each rank from what ``join_facts`` made; none with keys."""
    numbers = [facts[-2:].tolist() for facts in gathered]
    return [] if any(keys for _, keys in numbers) else [samples for samples, _ in numbers]

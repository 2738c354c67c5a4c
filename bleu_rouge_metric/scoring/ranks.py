"""States of the scorers of all ranks, gathered through ``torch.distributed``.

Where nobody has imported torch there is one process: nothing is imported here. Collectives of
objects do the work, so that every backend of torch has them, ``gloo`` and ``nccl`` alike.

Every rank has to call: if one fails before, the others wait for it as long as the process group
says, and ``torchrun`` ends them.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

from ..messages import count_noun
from ..options.same_counts import Counted, check_same_counts
from ..text.warnings import warn_caller

State = Mapping[str, Any]

# The name of the warning in a set of warnings that were given.
_REPEATS: Final = "repeats"

_FILE_PER_RANK: Final = (
    "Save one file per rank and load it on the same rank; register_for_checkpointing of accelerate "
    "saves that of rank 0 only. To merge states, load all of them in a process without "
    "torch.distributed, or use all_reduce or gather."
)


def find_rank() -> tuple[int, int]:
    """Return the rank of this process and the number of ranks; 0 and 1 without ranks."""
    distributed = _find_distributed()
    return (0, 1) if distributed is None else (distributed.get_rank(), distributed.get_world_size())


def _find_distributed() -> Any:
    """Return ``torch.distributed`` if it is initialised, else None."""
    # Any: torch is not a dependency.
    found: Any = sys.modules.get("torch.distributed")
    return found if found is not None and found.is_available() and found.is_initialized() else None


def check_rank(rank: int, ranks: int, remedy: str = _FILE_PER_RANK) -> None:
    """Raise ValueError if there are several ranks, and another one made a state."""
    here = find_rank()
    if here[1] > 1 and here != (rank, ranks):
        raise ValueError(
            f"The state is from rank {rank} of {ranks}, but this is rank {here[0]} of {here[1]}: "
            f"samples would be lost, or count several times. {remedy}"
        )


def gather_states(state: State, group: Any = None, dst: int | None = None) -> list[State]:
    """Return the states of all ranks, rank after rank, on the rank ``dst`` or, if None, on all."""
    distributed = _find_distributed()
    if distributed is None:
        _check_single(dst)
        return [state]
    if distributed.get_rank(group) < 0:
        raise ValueError(
            f"Rank {distributed.get_rank()} is not in the group; only ranks of the group call "
            "all_reduce and gather."
        )
    # torch before 2.6 does not take None for the group of all ranks here.
    ranks = distributed.get_process_group_ranks(group or distributed.group.WORLD)
    if dst is not None and dst not in ranks:
        raise ValueError(f"dst is {dst!r}; expected one of the ranks of the group: {ranks}.")
    # First what has to fit together, to all: so the same error is raised on every rank.
    has_keys = "keys" in state["arrays"] if state["arrays"] else None
    found: list[Any] = [None] * len(ranks)
    distributed.all_gather_object(found, (state["options"], has_keys), group)
    _check_states(ranks, found)
    states: list[Any] = [None] * len(ranks)
    if dst is None:
        distributed.all_gather_object(states, state, group)
        return states
    is_here = distributed.get_rank() == dst
    distributed.gather_object(state, states if is_here else None, dst, group)
    return states if is_here else []


def count_state(state: State) -> int:
    """Return the number of samples of a state."""
    return int(state["arrays"]["reference_counts"]["shape"][0]) if state["arrays"] else 0


def warn_of_repeats(samples: Sequence[int], warned: set[str]) -> None:
    """Warn, once, if ranks may have counted the same samples, which have no keys to show it."""
    if _REPEATS in warned or len(samples) < 2 or not samples[0] or len(set(samples)) > 1:
        return
    warned.add(_REPEATS)
    counted = count_noun(samples[0], "sample")
    warn_caller(
        f"Each of {len(samples)} ranks has {counted} without keys. Samplers such as "
        "DistributedSampler repeat samples to give every rank the same number, and repeated "
        "samples count several times. Give keys=, such as the index of each sample in the data "
        "set; samples with the same key count once."
    )


def _check_single(dst: int | None) -> None:
    """Raise ValueError if there are other processes."""
    ranks = os.environ.get("WORLD_SIZE", "1")
    if "RANK" in os.environ and ranks != "1":
        raise ValueError(
            f"WORLD_SIZE is {ranks}, but torch.distributed is not initialised, so the samples of "
            "the other ranks cannot be gathered. Call torch.distributed.init_process_group, or "
            "make the Accelerator or the Trainer, before all_reduce and gather."
        )
    if dst:
        raise ValueError(f"dst is {dst!r}; expected 0, the only process.")


def _check_states(ranks: Sequence[int], found: Sequence[tuple[str, bool | None]]) -> None:
    """Raise ValueError if ranks have different options, or one has keys and another none."""
    first = Counted(f"rank {ranks[0]}", found[0][0])
    by_keys: dict[bool | None, int] = {}
    for rank, (options, has_keys) in zip(ranks, found, strict=True):
        check_same_counts(first, Counted(f"Rank {rank}", options), every_option=True)
        by_keys[has_keys] = rank
    if True in by_keys and False in by_keys:
        raise ValueError(
            f"Rank {by_keys[True]} has keys, but rank {by_keys[False]} has none; "
            "give keys for all samples, or for none."
        )

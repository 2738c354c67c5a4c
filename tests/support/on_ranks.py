"""Run functions as two ranks of ``torch.distributed``, each in a process of its own."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..conftest import require

PREDICTIONS = [
    f"the {'old ' * (n % 3)}cat sat on {n % 4} mats\nand dog {n % 5} ran" for n in range(11)
]
REFERENCES = [
    [f"a cat sat on {n % 3} mats\nand the dog ran", f"the cat {n} sat"][: 1 + n % 2]
    for n in range(11)
]

# Of two samples on each rank.
REPEATS = (
    "Each of 2 ranks has 2 samples without keys. Samplers such as DistributedSampler repeat "
    "samples to give every rank the same number, and repeated samples count several times. Give "
    "keys=, such as the index of each sample in the data set; samples with the same key count once."
)


def describe_error(call: Callable[[], object], kind: type[Exception] = ValueError) -> str:
    """Return the text of the error that the call raises."""
    try:
        call()
    except kind as error:
        return str(error)
    return "no error"


def list_shards() -> list[list[int]]:
    """Return the samples of each rank; the last rank also has the first sample of all."""
    sampler = require("torch.utils.data").DistributedSampler
    shards = [list(sampler(range(11), num_replicas=2, rank=rank)) for rank in range(2)]
    assert sorted({*shards[0], *shards[1]}) == [*range(11)]
    assert list(map(len, shards)) == [6, 6]
    return shards


def run_on_ranks(folder: Path, *checks: Callable[..., None]) -> None:
    """Call the functions with each rank and an empty folder; raise the error that a rank raises."""
    require("torch.multiprocessing").spawn(_run_rank, (folder, checks), nprocs=2)


def _run_rank(rank: int, folder: Path, checks: tuple[Callable[..., None], ...]) -> None:
    distributed: Any = require("torch.distributed")
    # Of these, accelerate asks for the address, but uses the group that is there.
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "0", "WORLD_SIZE": "2"}
    os.environ |= dict.fromkeys(("RANK", "LOCAL_RANK"), str(rank))
    store = f"file://{folder / 'store'}"
    distributed.init_process_group("gloo", init_method=store, rank=rank, world_size=2)
    for check in checks:
        check(rank, folder)
    # Ending the group, torch 2.5 holds Python's lock while it waits for threads; that of the last
    # collective may need the lock.
    time.sleep(0.1)
    distributed.destroy_process_group()

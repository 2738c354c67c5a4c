"""The program that the tests of ranks run: ``torchrun … -m tests.support.on_ranks FOLDER``.

Each rank writes its results to a file of the folder; ``test_ranks.py`` compares them with those of
one process.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

from bleu_rouge_metric import Scorer, load

from .errors import list_warnings

PREDICTIONS = [
    f"the {'old ' * (n % 3)}cat sat on {n % 4} mats\nand dog {n % 5} ran" for n in range(11)
]
REFERENCES = [
    [f"a cat sat on {n % 3} mats\nand the dog ran", f"the cat {n} sat"][: 1 + n % 2]
    for n in range(11)
]

REPEATS = (
    "Each of 2 ranks has 2 samples without keys. Samplers such as DistributedSampler repeat "
    "samples to give every rank the same number, and repeated samples count several times. Give "
    "keys=, such as the index of each sample in the data set; samples with the same key count once."
)

# Options of a scorer, and options of its result.
CASES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "means": ({}, {}),
    "samples": ({"sentence_bleu": True}, {"use_aggregator": False, "detailed": True}),
    "bootstrap": ({}, {"aggregator": "bootstrap", "n_resamples": 50}),
    "interval": ({}, {"confidence": 0.9, "n_resamples": 50}),
    "weighted": ({"rouge_types": ["rougeW-1.2", "rougeSU4"]}, {"signature": True}),
    "ROUGE-1.5.5": ({"profile": "rouge-1.5.5"}, {}),
    "google_bleu": ({"profile": "google_bleu"}, {}),
    "codexglue": ({"profile": "codexglue"}, {}),
}


def make_scorer(case: str, **options: Any) -> Scorer:
    """Make the scorer of a case, with a seed."""
    return Scorer(seed=3, **CASES[case][0], **options)


def update(scorer: Scorer, indices: range | list[int], *, keyed: bool = False) -> Scorer:
    """Count these samples with the scorer, and return it."""
    if indices:
        scorer.update(
            [PREDICTIONS[index] for index in indices],
            [REFERENCES[index] for index in indices],
            keys=list(indices) if keyed else None,
        )
    return scorer


def import_library(name: str) -> Any:
    """Import a library that may be missing when types are checked."""
    return import_module(name)


def make_ids(index: int) -> list[int]:
    """Make the token ids of a sample; lengths differ."""
    return list(range(index % 4, 5 + 2 * (index % 3)))


def describe_error(call: Callable[[], object], kind: type[Exception] = ValueError) -> str:
    """Return the text of the error that the call raises."""
    try:
        call()
    except kind as error:
        return str(error)
    return "no error"


def reduce_cases(rank: int) -> Iterator[tuple[str, Any]]:
    """Reduce every case, with keys and padded samples, and in order without keys."""
    sampler = import_library("torch.utils.data").DistributedSampler
    shard = list(sampler(range(11), num_replicas=2, rank=rank, shuffle=True))
    yield "shard", shard
    for case, (_, output) in CASES.items():
        keyed = update(make_scorer(case), shard, keyed=True).all_reduce()
        yield f"{case} by key", keyed.result(**output)
        ordered = update(make_scorer(case), range(6) if rank == 0 else range(6, 11))
        yield f"{case} in order", ordered.all_reduce().result(**output)


def reduce_rounds(rank: int) -> Iterator[tuple[str, Any]]:
    """Reduce a scorer that grows between reductions, as in a training loop."""
    scorer = make_scorer("samples")
    for start in (0, 4, 8):
        update(scorer, range(start + rank, min(start + 4, 11), 2), keyed=True)
        found = scorer.all_reduce().result(use_aggregator=False)
        yield f"round up to {min(start + 4, 11)}", found
    yield "own samples", len(scorer)


def reduce_unevenly(rank: int) -> Iterator[tuple[str, Any]]:
    """Reduce ranks without samples, a single rank, and groups."""
    dist = import_library("torch.distributed")

    first = update(make_scorer("means"), range(11) if rank == 1 else [])
    yield "rank 0 empty", first.all_reduce().result()
    yield "all empty", len(make_scorer("means").all_reduce())
    gathered = update(make_scorer("means"), [rank]).gather(dst=1)
    yield "gathered", None if gathered is None else gathered.result()
    group = dist.new_group([1])
    alone = update(make_scorer("means"), [rank])
    if rank == 1:
        yield "group", alone.all_reduce(group).result()
        gathered = alone.gather(1, group)
        yield "gathered in group", None if gathered is None else gathered.result()
    else:
        yield "group", describe_error(lambda: alone.all_reduce(group))
    yield "dst outside", describe_error(lambda: alone.gather(2))


def reduce_misfits(rank: int) -> Iterator[tuple[str, Any]]:
    """Try to reduce scorers that cannot be merged; the ranks go on after each error."""
    other = update(make_scorer("means", max_order=4 - rank), [rank])
    yield "options", [describe_error(other.all_reduce), describe_error(other.gather)]
    keyed = update(make_scorer("means"), [rank], keyed=rank == 0)
    yield "keys", [describe_error(keyed.all_reduce), describe_error(keyed.gather)]
    twice = make_scorer("means")
    twice.update(PREDICTIONS[rank : rank + 1], ["a"], keys=[7])
    yield "key of two samples", describe_error(lambda: twice.all_reduce().result())


def warn_of_repeats(rank: int) -> Iterator[tuple[str, Any]]:
    """Collect the warnings of ranks that have as many samples as each other, or more or fewer."""
    same = update(make_scorer("means"), [rank, 2])
    reduced = same.all_reduce
    yield "repeats", [list_warnings(reduced), list_warnings(lambda: reduced().all_reduce())]
    same = update(make_scorer("means"), [rank, 2])
    yield "repeats gathered", list_warnings(lambda: same.gather(dst=1))
    for name, scorer in {
        "with keys": update(make_scorer("means"), [rank, 2], keyed=True),
        "another number": update(make_scorer("means"), [*range(rank, 3)]),
        "only one rank": update(make_scorer("means"), [0, 1] if rank else []),
        "no samples": make_scorer("means"),
    }.items():
        yield f"no repeats: {name}", list_warnings(scorer.all_reduce)


def warn_of_lines(rank: int) -> Iterator[tuple[str, Any]]:
    """Collect the warnings of a reduced scorer if only one rank has texts that cause them."""
    scorer = Scorer("rouge")
    if rank == 1:
        scorer.update(["A cat sat. It ran."] * 2, ["A cat sat. A dog ran."] * 2)
    reduced = scorer.all_reduce()
    yield "warnings", [text.partition(":")[0] for text in list_warnings(reduced.result)]


def score_with_accelerate() -> Iterator[tuple[str, Any]]:
    """Use gather_for_metrics with an incomplete last batch."""
    torch = import_library("torch")
    accelerator = import_library("accelerate").Accelerator(cpu=True)
    loader = import_library("torch.utils.data").DataLoader(range(11), batch_size=2)

    loader = accelerator.prepare(loader)
    metric, scorer, ids = load(), make_scorer("samples"), make_scorer("samples", tokenizer="ids")
    for indices in loader:
        own = [(PREDICTIONS[index], REFERENCES[index]) for index in indices.tolist()]
        texts = accelerator.gather_for_metrics(own, use_gather_object=True)
        predictions, references = zip(*texts, strict=True)
        metric.add_batch(predictions=predictions, references=references)
        made = [torch.tensor(make_ids(index)) for index in indices.tolist()]
        batch = torch.nn.utils.rnn.pad_sequence(made, batch_first=True, padding_value=-100)
        # The batches of the ranks differ in length.
        batch = accelerator.pad_across_processes(batch, dim=1, pad_index=-100)
        keys, outputs = accelerator.gather_for_metrics((indices, batch))
        ids.update(outputs, outputs.where(outputs < 6, -100), keys=keys)
        update(scorer, keys.tolist(), keyed=True)
    yield "gathered ids", ids.result(use_aggregator=False)
    yield "gathered texts", metric.compute()
    yield "gathered keys", scorer.result(use_aggregator=False)


def save_and_load(rank: int, folder: Path) -> Iterator[tuple[str, Any]]:
    """Save and load the scorers of two ranks: as accelerate does, and with a file per rank."""
    torch, dist = import_library("torch"), import_library("torch.distributed")
    accelerator = import_library("accelerate").Accelerator(cpu=True)
    scorer = update(make_scorer("samples"), range(rank, 11, 2), keyed=True)
    empty = make_scorer("means")
    accelerator.register_for_checkpointing(scorer, empty)
    before = scorer.state_dict()
    yield "rank and world size", [before["rank"], before["world_size"]]
    accelerator.save_state(str(folder / "checkpoint"))
    torch.save(before, folder / "checkpoint" / f"scorer-{rank}.pt")
    accelerator.wait_for_everyone()
    scorer.reset()
    yield "registered", describe_error(lambda: accelerator.load_state(str(folder / "checkpoint")))
    yield "registered samples", len(scorer)

    states = [torch.load(folder / "checkpoint" / f"scorer-{n}.pt") for n in range(2)]
    update(scorer, [0], keyed=True)
    held = scorer.state_dict()
    yield "of the other rank", describe_error(lambda: scorer.load_state_dict(states[1 - rank]))
    alone = {**states[0], "world_size": 1}
    yield "of one process", describe_error(lambda: scorer.load_state_dict(alone))
    yield "unchanged", scorer.state_dict() == held
    scorer.load_state_dict(states[rank])
    yield "a file per rank", scorer.all_reduce().result(use_aggregator=False)
    empty.load_state_dict({**make_scorer("means").state_dict(), "rank": 1 - rank})
    yield "without samples", len(empty)
    found: list[Any] = [None, None]
    dist.all_gather_object(found, update(make_scorer("samples"), [rank], keyed=True))
    found[0].merge(found[1])
    yield "pickled", found[0].result(use_aggregator=False)


def write_results(*results: Iterable[tuple[str, Any]]) -> None:
    """Make results, lazily, in one process group; write them to the file of this rank."""
    dist = import_library("torch.distributed")
    dist.init_process_group("gloo")
    found = dict(chain.from_iterable(results))
    # Ending the group, torch 2.5 holds Python's lock while it waits for threads; that of the last
    # collective may need the lock.
    time.sleep(0.1)
    dist.destroy_process_group()
    (Path(sys.argv[1]) / f"{os.environ['RANK']}.json").write_text(json.dumps(found))


def main() -> None:
    """Run everything in one process group."""
    folder, rank = Path(sys.argv[1]), int(os.environ["RANK"])
    before = [
        ("torch", "torch" in sys.modules),
        ("no process group", describe_error(make_scorer("means").all_reduce)),
    ]
    write_results(
        before,
        reduce_cases(rank),
        reduce_rounds(rank),
        reduce_unevenly(rank),
        reduce_misfits(rank),
        warn_of_repeats(rank),
        warn_of_lines(rank),
        score_with_accelerate(),
        save_and_load(rank, folder),
    )


def run_on_ranks(module: str, folder: Path) -> list[dict[str, Any]]:
    """Return what each rank wrote to its file of the folder.

    Args:
        module: the name of the program, which gets the folder as its argument.
        folder: an empty one.
    """
    result = subprocess.run(
        [
            *(sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2"),
            *("--standalone", "-m", module, str(folder)),
        ],
        cwd=Path(__file__).parent.parent.parent,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert result.returncode == 0, result.stderr
    return [json.loads((folder / f"{rank}.json").read_text()) for rank in range(2)]


if __name__ == "__main__":
    main()

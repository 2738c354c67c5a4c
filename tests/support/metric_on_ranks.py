"""The program that the tests of a metric of torchmetrics run on two ranks of torchrun.

``torchrun … -m tests.support.metric_on_ranks FOLDER``; each rank writes what it found to a file of
the folder, and ``test_torchmetrics_states.py`` compares that with one process.
"""

import os
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from bleu_rouge_metric.integrations.torchmetrics import BleuRouge

from .on_ranks import PREDICTIONS, REFERENCES, describe_error, import_library, write_results
from .warning_texts import list_warnings

# A family, and options.
CASES: dict[str, tuple[Any, dict[str, Any]]] = {
    "means": (None, {}),
    "detailed": ("rouge", {"detailed": True, "rouge_types": ["rougeW-1.2", "rougeSU4", "rougeL"]}),
    "sacrebleu": (None, {"profile": "sacrebleu"}),
    "google_bleu": (None, {"profile": "google_bleu"}),
    "codexglue": (None, {"profile": "codexglue"}),
    "bootstrap": ("rouge", {"seed": 3, "aggregator": "bootstrap", "n_resamples": 50}),
    "interval": (None, {"seed": 3, "confidence": 0.9, "n_resamples": 50}),
}
# Batches of each rank, in the order of the data: uneven ones, and none.
UNEVEN: tuple[list[list[int]], ...] = ([[0, 1], [2], [3, 4, 5, 6, 7]], [[8, 9, 10]])
NONE_ON_RANK: tuple[list[list[int]], ...] = ([], [[0, 1, 2, 3, 4], [5], [6, 7, 8, 9, 10]])


def make(case: str, **arguments: Any) -> Any:
    """Make the metric of a case."""
    family, options = CASES[case]
    return BleuRouge(family, **options, **arguments)


def pick(indices: Sequence[int]) -> tuple[list[str], list[list[str]]]:
    """Return the texts and the references of some samples."""
    return [PREDICTIONS[index] for index in indices], [REFERENCES[index] for index in indices]


def fill(metric: Any, batches: Sequence[Sequence[int]], *, keyed: bool = False) -> Any:
    """Update the metric with batches, and return it."""
    for batch in batches:
        metric.update(*pick(batch), **({"keys": list(batch)} if keyed else {}))
    return metric


def read(result: Any) -> Any:
    """Return tensors as Python floats."""
    if isinstance(result, dict):
        return {name: read(value) for name, value in result.items()}
    return result.item()


def compute_cases(rank: int) -> Iterator[tuple[str, Any]]:
    """Compute every case, with the padded samples of a sampler and without keys."""
    sampler = import_library("torch.utils.data").DistributedSampler
    shard = list(sampler(range(11), num_replicas=2, rank=rank, shuffle=True))
    yield "shard", shard
    for case in CASES:
        keyed = fill(make(case), [shard[:1], shard[1:]], keyed=True)
        yield f"{case} by key", read(keyed.compute())
        yield f"{case} own samples", len(keyed.scorer())
        yield f"{case} in order", read(fill(make(case), UNEVEN[rank]).compute())
        yield f"{case} none on a rank", read(fill(make(case), NONE_ON_RANK[rank]).compute())


def compute_rounds(rank: int) -> Iterator[tuple[str, Any]]:
    """Compute between updates, as a training loop does."""
    metric = make("means")
    for start in (0, 4, 8):
        fill(metric, [range(start + rank, min(start + 4, 11), 2)], keyed=True)
        yield f"round up to {min(start + 4, 11)}", read(metric.compute())
    metric.reset()
    yield "after reset", read(fill(metric, UNEVEN[rank]).compute())


def synchronise(rank: int) -> Iterator[tuple[str, Any]]:
    """Synchronise by hand, and not at all."""
    error = import_library("torchmetrics.utilities.exceptions").TorchMetricsUserError
    metric = fill(make("means"), UNEVEN[rank])
    metric.sync()
    yield "synced samples", len(metric.scorer())
    yield "synced update", describe_error(lambda: fill(metric, [[0]]), error)
    yield "synced merge", describe_error(lambda: metric.merge_state(make("means")), error)
    metric.persistent(mode=True)
    state = metric.state_dict()
    metric.unsync()
    yield "local samples", len(metric.scorer())
    loaded = make("means", sync_on_compute=False)
    loaded.load_state_dict(state)
    yield "synced and loaded", read(loaded.compute())
    with metric.sync_context():
        yield "samples in context", metric.scorer().result(use_aggregator=False)["rouge1"]
    alone = fill(make("means", sync_on_compute=False), UNEVEN[rank])
    yield "alone", read(alone.compute())
    step = make("means", dist_sync_on_step=True)
    batches = [[[0], [4, 5]], [[1, 2, 3], [6, 7, 8, 9, 10]]][rank]
    for number, batch in enumerate(batches):
        yield f"step {number}", read(step(*pick(batch)))
    yield "all steps", read(step.compute())
    yield "samples of the steps", len(step.scorer())


def load_checkpoint(rank: int) -> Iterator[tuple[str, Any]]:
    """Load on both ranks what rank 0 saves, as Lightning does, with and without samples."""
    broadcast = import_library("torch.distributed").broadcast_object_list
    for name, batches in {"a checkpoint": UNEVEN[rank], "an empty checkpoint": []}.items():
        metric = fill(make("means"), batches)
        metric.persistent(mode=True)
        saved = [metric.state_dict()]
        broadcast(saved, src=0)
        other = fill(make("means"), [[0]])
        yield name, describe_error(lambda: other.load_state_dict(saved[0]), RuntimeError)  # noqa: B023
        yield f"samples of {name}", len(other.scorer())


def warn_of_repeats(rank: int) -> Iterator[tuple[str, Any]]:
    """Collect the warnings of ranks that have as many samples as each other, or more or fewer."""
    same = fill(make("means"), [[rank], [2]])
    yield "repeats", [list_warnings(same.compute)]
    fill(same, [[3]])
    yield "repeats again", list_warnings(same.compute)
    keyed = fill(make("means"), [[rank], [2]], keyed=True)
    yield "no repeats: with keys", list_warnings(keyed.compute)
    uneven = fill(make("means"), UNEVEN[rank])
    yield "no repeats: another number", list_warnings(uneven.compute)
    step = make("means", dist_sync_on_step=True)
    yield "no repeats: a step", list_warnings(lambda: step(*pick([rank])))
    alone = fill(make("means", sync_on_compute=False), [[rank]])
    yield "no repeats: alone", list_warnings(alone.compute)


def compute_misfits(rank: int) -> Iterator[tuple[str, Any]]:
    """Compute what cannot be merged; the ranks go on after each error."""
    stemmed = fill(BleuRouge("rouge", use_stemmer=rank == 0), [[rank]])
    yield "options", describe_error(stemmed.compute)
    # Their states have different names and shapes too.
    other = fill(BleuRouge("bleu" if rank else None, max_order=4 - rank), [[rank]])
    yield "orders", describe_error(other.compute)
    keyed = make("means")
    fill(keyed, [[rank]], keyed=rank == 0)
    yield "keys", describe_error(keyed.compute)
    twice = make("means")
    twice.update(PREDICTIONS[rank : rank + 1], ["a"], keys=[7])
    yield "key of two samples", describe_error(twice.compute)
    yield "samples after the error", len(twice.scorer())
    yield "no samples", describe_error(make("means").compute)


def compute_collection(rank: int) -> Iterator[tuple[str, Any]]:
    """Compute metrics that share their states."""
    collection = import_library("torchmetrics").MetricCollection(
        {name: BleuRouge("rouge", score=name) for name in ("rouge1", "rougeL")}
    )
    fill(collection, UNEVEN[rank], keyed=True)
    yield "groups", len(collection.compute_groups)
    yield "collection", read(collection.compute())


def main() -> None:
    """Run everything in one process group."""
    rank = int(os.environ["RANK"])
    warnings.filterwarnings("ignore", message=".*before the ``update`` method")
    write_results(
        compute_cases(rank),
        compute_rounds(rank),
        synchronise(rank),
        load_checkpoint(rank),
        warn_of_repeats(rank),
        compute_misfits(rank),
        compute_collection(rank),
    )


if __name__ == "__main__":
    main()

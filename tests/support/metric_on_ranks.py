"""A metric of torchmetrics on two ranks of torchrun, each of which compares with one process.

``torchrun … -m tests.support.metric_on_ranks FOLDER``, as ``test_torchmetrics.py`` runs it.
"""

import os
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from bleu_rouge_metric import load
from bleu_rouge_metric.integrations.torchmetrics import BleuRouge

from .errors import list_warnings
from .on_ranks import (
    PREDICTIONS,
    REFERENCES,
    REPEATS,
    describe_error,
    import_library,
    write_results,
)

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

SYNCED = (
    "The metric is synced, so that its states are those of all ranks; call unsync before update "
    "and merge_state."
)
OTHER_OPTIONS = (
    "The states were counted with other options; states can be merged only if all options that "
    "decide what is counted are the same."
)
OTHER_RANK = (
    "Error(s) in loading state_dict for BleuRouge:\n\tBleuRouge: The state is from rank 0 of 2, "
    "but this is rank 1 of 2: samples would be lost, or count several times. Lightning saves the "
    "states of rank 0 only. Save while the metric has no samples, or call metric.persistent(False) "
    "before. To load the rest of this checkpoint, remove the states of the metric from it."
)


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


def flatten(scores: dict[str, Any]) -> dict[str, float]:
    """One name per number, as a logger wants it."""
    found: dict[str, float] = {}
    for name, value in scores.items():
        if isinstance(value, dict):
            found.update({f"{name}_{part}": float(number) for part, number in value.items()})
        elif isinstance(value, list):
            found.update({f"{name[:-1]}_{n}": float(one) for n, one in enumerate(value, 1)})
        else:
            found[name] = float(value)
    return found


def expect(
    indices: Sequence[int], family: Any = None, seed: int | None = None, **options: Any
) -> dict[str, float]:
    """What ``metric.compute`` says of some of the samples; sacrebleu's score is ``bleu`` too."""
    predictions, references = pick(indices)
    found = flatten(
        load(family, seed=seed).compute(predictions=predictions, references=references, **options)
    )
    return {"bleu": found["score"], **found} if "score" in found else found


def read(result: Any) -> Any:
    """Return tensors as Python floats."""
    if isinstance(result, dict):
        return {name: read(value) for name, value in result.items()}
    return result.item()


def check(found: object, expected: object) -> None:
    """Raise AssertionError, with both values, if they differ."""
    assert found == expected, f"{found!r} is not {expected!r}"


def check_cases(rank: int) -> None:
    """Score every case, with the padded samples of a sampler and without keys."""
    sampler = import_library("torch.utils.data").DistributedSampler
    shards = [list(sampler(range(11), num_replicas=2, rank=n, shuffle=True)) for n in range(2)]
    # The sampler fills the last rank with a sample that comes twice.
    both = [*shards[0], *shards[1]]
    check((len(both), {*both}), (12, {*range(11)}))
    shard = shards[rank]
    for case, (family, options) in CASES.items():
        expected = expect(range(11), family, **options)
        keyed = fill(make(case), [shard[:1], shard[1:]], keyed=True)
        check(read(keyed.compute()), expected)
        check(len(keyed.scorer()), 6)
        for batches in (UNEVEN, NONE_ON_RANK):
            check(read(fill(make(case), batches[rank]).compute()), expected)


def check_rounds(rank: int) -> None:
    """Compute between updates, as a training loop does."""
    metric = make("means")
    for start in (0, 4, 8):
        stop = min(start + 4, 11)
        fill(metric, [range(start + rank, stop, 2)], keyed=True)
        check(read(metric.compute()), expect(range(stop)))
    metric.reset()
    check(read(fill(metric, UNEVEN[rank]).compute()), expect(range(11)))


def check_synchronised(rank: int) -> None:
    """Synchronise by hand, in each step, and not at all."""
    error = import_library("torchmetrics.utilities.exceptions").TorchMetricsUserError
    metric, own = fill(make("means"), UNEVEN[rank]), (8, 3)[rank]
    metric.sync()
    check(len(metric.scorer()), 11)
    check(describe_error(lambda: fill(metric, [[0]]), error), SYNCED)
    check(describe_error(lambda: metric.merge_state(make("means")), error), SYNCED)
    metric.persistent(mode=True)
    state = metric.state_dict()
    metric.unsync()
    check(len(metric.scorer()), own)
    loaded = make("means", sync_on_compute=False)
    loaded.load_state_dict(state)
    check(read(loaded.compute()), expect(range(11)))
    with metric.sync_context():
        each = metric.scorer().result(use_aggregator=False)["rouge1"]
    scores = expect(range(11), "rouge", use_aggregator=False, rouge_types=["rouge1"])
    check(each, list(scores.values()))
    alone = fill(make("means", sync_on_compute=False), UNEVEN[rank])
    check(read(alone.compute()), expect((range(8), range(8, 11))[rank]))
    step = make("means", dist_sync_on_step=True)
    batches = [[[0], [4, 5]], [[1, 2, 3], [6, 7, 8, 9, 10]]][rank]
    for batch, together in zip(batches, (range(4), range(4, 11)), strict=True):
        check(read(step(*pick(batch))), expect(together))
    # Without keys: rank after rank, which these scores do not depend on.
    check(read(step.compute()), expect(range(11)))
    check(len(step.scorer()), (3, 8)[rank])


def check_checkpoints(rank: int) -> None:
    """Load on both ranks what rank 0 saves, as Lightning does, with and without samples."""
    broadcast = import_library("torch.distributed").broadcast_object_list
    for batches, errors, samples in (
        (UNEVEN[rank], ("no error", OTHER_RANK), (8, 1)),
        ([], ("no error", "no error"), (0, 0)),
    ):
        metric = fill(make("means"), batches)
        metric.persistent(mode=True)
        saved = [metric.state_dict()]
        broadcast(saved, src=0)
        other = fill(make("means"), [[0]])
        found = describe_error(lambda: other.load_state_dict(saved[0]), RuntimeError)  # noqa: B023
        check((found, len(other.scorer())), (errors[rank], samples[rank]))


def check_warnings_of_repeats(rank: int) -> None:
    """Warn ranks that have as many samples as each other, but not those with more or fewer."""
    same = fill(make("means"), [[rank], [2]])
    check(list_warnings(same.compute), [REPEATS])
    check(list_warnings(fill(same, [[3]]).compute), [])
    keyed = fill(make("means"), [[rank], [2]], keyed=True)
    step = make("means", dist_sync_on_step=True)
    alone = fill(make("means", sync_on_compute=False), [[rank]])
    for call in (keyed.compute, fill(make("means"), UNEVEN[rank]).compute, alone.compute):
        check(list_warnings(call), [])
    check(list_warnings(lambda: step(*pick([rank]))), [])


def check_misfits(rank: int) -> None:
    """Compute what cannot be merged; the ranks go on after each error."""
    stemmed = fill(BleuRouge("rouge", use_stemmer=rank == 0), [[rank]])
    check(describe_error(stemmed.compute), OTHER_OPTIONS)
    # Their states have different names and shapes too.
    other = fill(BleuRouge("bleu" if rank else None, max_order=4 - rank), [[rank]])
    check(describe_error(other.compute), OTHER_OPTIONS)
    keyed = fill(make("means"), [[rank]], keyed=rank == 0)
    check(
        describe_error(keyed.compute),
        "1 of 2 samples have keys; give keys for all samples, or for none.",
    )
    twice = make("means")
    twice.update(PREDICTIONS[rank : rank + 1], ["a"], keys=[7])
    check(
        describe_error(twice.compute),
        "The key 7 names two different samples; expected a unique key for every sample, such as "
        "its index in the data set.",
    )
    check(len(twice.scorer()), 1)
    check(describe_error(make("means").compute), "no error")


def check_collection(rank: int) -> None:
    """Synchronise metrics that share their states."""
    collection = import_library("torchmetrics").MetricCollection(
        {name: BleuRouge("rouge", score=name) for name in ("rouge1", "rougeL")}
    )
    fill(collection, UNEVEN[rank], keyed=True)
    check(len(collection.compute_groups), 1)
    expected = expect(range(11), "rouge")
    check(read(collection.compute()), {name: expected[name] for name in ("rouge1", "rougeL")})


def check_all(rank: int) -> Iterator[tuple[str, bool]]:
    """Check everything, and say when it is done."""
    for function in (
        *(check_cases, check_rounds, check_synchronised, check_checkpoints),
        *(check_warnings_of_repeats, check_misfits, check_collection),
    ):
        function(rank)
    yield "done", True


if __name__ == "__main__":
    warnings.filterwarnings("ignore", message=".*before the ``update`` method")
    write_results(check_all(int(os.environ["RANK"])))

"""``BleuRouge`` of torchmetrics on two ranks gives what one process gives."""

from pathlib import Path
from typing import Any

import pytest

from ..conftest import require
from ..scoring.test_ranks import ONE_KEY
from ..support.errors import list_warnings
from ..support.on_ranks import PREDICTIONS, REPEATS, describe_error, list_shards, run_on_ranks

torch: Any = require("torch")
torchmetrics: Any = require("torchmetrics")

from torchmetrics.utilities.exceptions import TorchMetricsUserError  # noqa: E402

from bleu_rouge_metric.integrations.torchmetrics import BleuRouge  # noqa: E402

from .test_torchmetrics import CASES, expect, fill, pick, read  # noqa: E402

pytestmark = pytest.mark.extra

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
SOME_KEYS = "1 of 2 samples have keys; give keys for all samples, or for none."


def check_cases(rank: int, _: Path) -> None:
    """Score every case, with the padded samples of a sampler and without keys."""
    shard = list_shards()[rank]
    for family, options in CASES[:7]:
        expected = expect(range(11), family, **options)
        keyed = fill(BleuRouge(family, **options), [shard[:1], shard[1:]], keyed=True)
        assert read(keyed.compute()) == expected
        assert len(keyed.scorer()) == 6
        for batches in (UNEVEN, NONE_ON_RANK):
            assert read(fill(BleuRouge(family, **options), batches[rank]).compute()) == expected


def check_rounds(rank: int, _: Path) -> None:
    """Compute between updates, as a training loop does."""
    metric = BleuRouge()
    for stop in (4, 8, 11):
        fill(metric, [range((stop - 1) // 4 * 4 + rank, stop, 2)], keyed=True)
        assert read(metric.compute()) == expect(range(stop))
    metric.reset()
    assert read(fill(metric, UNEVEN[rank]).compute()) == expect(range(11))


def check_synchronised(rank: int, _: Path) -> None:
    """Synchronise by hand, in each step, and not at all."""
    metric, own = fill(BleuRouge(), UNEVEN[rank]), (range(8), range(8, 11))[rank]
    metric.sync()
    assert len(metric.scorer()) == 11
    for call in (lambda: fill(metric, [[0]]), lambda: metric.merge_state(BleuRouge())):
        assert describe_error(call, TorchMetricsUserError) == SYNCED
    metric.persistent(mode=True)
    state = metric.state_dict()
    metric.unsync()
    assert len(metric.scorer()) == len(own)
    loaded = BleuRouge(sync_on_compute=False)
    loaded.load_state_dict(state)
    assert read(loaded.compute()) == expect(range(11))
    with metric.sync_context():
        each = metric.scorer().result(use_aggregator=False)["rouge1"]
    scores = expect(range(11), "rouge", use_aggregator=False, rouge_types=["rouge1"])
    assert each == [*scores.values()]
    alone = fill(BleuRouge(sync_on_compute=False), UNEVEN[rank])
    assert read(alone.compute()) == expect(own)
    step = BleuRouge(dist_sync_on_step=True)
    batches = [[[0], [4, 5]], [[1, 2, 3], [6, 7, 8, 9, 10]]][rank]
    for batch, together in zip(batches, (range(4), range(4, 11)), strict=True):
        assert read(step(*pick(batch))) == expect(together)
    # Without keys: rank after rank, which these scores do not depend on.
    assert read(step.compute()) == expect(range(11))
    assert len(step.scorer()) == (3, 8)[rank]


def check_checkpoints(rank: int, _: Path) -> None:
    """Load on both ranks what rank 0 saves, as Lightning does, with and without samples."""
    for batches, error, samples in ((UNEVEN[rank], OTHER_RANK, 1), ([], "no error", 0)):
        metric = fill(BleuRouge(), batches)
        metric.persistent(mode=True)
        saved = [metric.state_dict()]
        torch.distributed.broadcast_object_list(saved, src=0)
        other = fill(BleuRouge(), [[0]])
        found = describe_error(lambda: other.load_state_dict(saved[0]), RuntimeError)  # noqa: B023
        expected = (error, samples) if rank else ("no error", 8 * samples)
        assert (found, len(other.scorer())) == expected


def check_warnings_of_repeats(rank: int, _: Path) -> None:
    """Warn ranks that have as many samples as each other, but not those with more or fewer."""
    same = fill(BleuRouge(), [[rank], [2]])
    assert list_warnings(same.compute) == [REPEATS]
    assert list_warnings(fill(same, [[3]]).compute) == []
    keyed = fill(BleuRouge(), [[rank], [2]], keyed=True)
    step = BleuRouge(dist_sync_on_step=True)
    alone = fill(BleuRouge(sync_on_compute=False), [[rank]])
    calls = (keyed.compute, fill(BleuRouge(), UNEVEN[rank]).compute, alone.compute)
    assert list_warnings(*calls, lambda: step(*pick([rank]))) == []


def check_misfits(rank: int, _: Path) -> None:
    """Compute what cannot be merged; the ranks go on after each error."""
    twice = BleuRouge()
    twice.update(PREDICTIONS[rank : rank + 1], ["a"], keys=[7])
    for metric, expected in (
        (fill(BleuRouge("rouge", use_stemmer=rank == 0), [[rank]]), OTHER_OPTIONS),
        # Their states have different names and shapes too.
        (fill(BleuRouge("bleu" if rank else None, max_order=4 - rank), [[rank]]), OTHER_OPTIONS),
        (fill(BleuRouge(), [[rank]], keyed=rank == 0), SOME_KEYS),
        (twice, ONE_KEY),
        (BleuRouge(), "no error"),
    ):
        assert describe_error(metric.compute) == expected
    assert len(twice.scorer()) == 1


def check_collection(rank: int, _: Path) -> None:
    """Synchronise metrics that share their states."""
    names = ("rouge1", "rougeL")
    collection = torchmetrics.MetricCollection(
        {name: BleuRouge("rouge", score=name) for name in names}
    )
    fill(collection, UNEVEN[rank], keyed=True)
    assert len(collection.compute_groups) == 1
    expected = expect(range(11), "rouge")
    assert read(collection.compute()) == {name: expected[name] for name in names}


def test_two_ranks_give_what_one_process_gives(tmp_path: Path) -> None:
    run_on_ranks(
        tmp_path,
        *(check_cases, check_rounds, check_synchronised, check_checkpoints),
        *(check_warnings_of_repeats, check_misfits, check_collection),
    )

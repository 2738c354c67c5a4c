"""``BleuRouge`` on two real ranks of torchrun (gloo) compared with one process."""

from typing import Any

import pytest

from ..conftest import require

require("torch")
require("torchmetrics")

from ..support import metric_on_ranks as program  # noqa: E402
from ..support.torchrun import run_on_ranks  # noqa: E402
from .test_torchmetrics import expect  # noqa: E402

pytestmark = pytest.mark.extra

Found = list[dict[str, Any]]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """Return the results of each of two ranks."""
    return run_on_ranks(program.__name__, tmp_path_factory.mktemp("ranks"))


def expect_case(case: str) -> dict[str, float]:
    family, options = program.CASES[case]
    return expect(range(11), family, **options)


@pytest.mark.parametrize("case", program.CASES)
def test_ranks_give_the_scores_of_one_process(found: Found, case: str) -> None:
    for rank in found:
        assert rank[f"{case} by key"] == expect_case(case)
        assert rank[f"{case} in order"] == expect_case(case)
        assert rank[f"{case} none on a rank"] == expect_case(case)


def test_a_result_leaves_the_samples_of_a_rank(found: Found) -> None:
    shards = found[0]["shard"] + found[1]["shard"]
    # The sampler fills the last rank with a sample that comes twice.
    assert (len(shards), set(shards)) == (12, set(range(11)))
    for rank in found:
        assert {rank[f"{case} own samples"] for case in program.CASES} == {6}
        for stop in (4, 8, 11):
            assert rank[f"round up to {stop}"] == expect(range(stop))
        assert rank["after reset"] == expect(range(11))


def test_states_are_synchronised_by_hand(found: Found) -> None:
    scores = expect(range(11), "rouge", use_aggregator=False, rouge_types=["rouge1"])
    message = (
        "The metric is synced, so that its states are those of all ranks; call unsync before "
        "update and merge_state."
    )
    for rank, local in zip(found, (8, 3), strict=True):
        assert rank["synced samples"] == 11
        assert rank["synced update"] == rank["synced merge"] == message
        assert rank["local samples"] == local
        assert rank["samples in context"] == list(scores.values())
        assert rank["synced and loaded"] == expect(range(11))


def test_without_sync_on_compute_a_rank_scores_its_own(found: Found) -> None:
    assert found[0]["alone"] == expect(range(8))
    assert found[1]["alone"] == expect(range(8, 11))


def test_a_step_may_score_the_batches_of_all_ranks(found: Found) -> None:
    for rank, local in zip(found, (3, 8), strict=True):
        assert rank["step 0"] == expect([0, 1, 2, 3])
        assert rank["step 1"] == expect([4, 5, 6, 7, 8, 9, 10])
        # Without keys: rank after rank, which these scores do not depend on.
        assert rank["all steps"] == expect(range(11))
        assert rank["samples of the steps"] == local


def test_what_cannot_be_merged_is_the_same_error_on_every_rank(found: Found) -> None:
    options = (
        "The states were counted with other options; states can be merged only if all options "
        "that decide what is counted are the same."
    )
    key = (
        "The key 7 names two different samples; expected a unique key for every sample, such "
        "as its index in the data set."
    )
    for rank in found:
        assert rank["options"] == rank["orders"] == options
        assert rank["keys"] == ("1 of 2 samples have keys; give keys for all samples, or for none.")
        assert rank["key of two samples"] == key
        assert rank["no samples"] == "no error"
        assert rank["samples after the error"] == 1


def test_metrics_that_share_counts_are_synchronised(found: Found) -> None:
    expected = expect(range(11), "rouge")
    for rank in found:
        assert rank["groups"] == 1
        assert rank["collection"] == {name: expected[name] for name in ("rouge1", "rougeL")}


def test_the_states_of_the_first_rank_are_not_loaded_on_another(found: Found) -> None:
    message = (
        "Error(s) in loading state_dict for BleuRouge:\n\tBleuRouge: The state is from rank 0 of "
        "2, but this is rank 1 of 2: samples would be lost, or count several times. Lightning "
        "saves the states of rank 0 only. Save while the metric has no samples, or call "
        "metric.persistent(False) before. To load the rest of this checkpoint, remove the states "
        "of the metric from it."
    )
    assert [rank["a checkpoint"] for rank in found] == ["no error", message]
    assert [rank["samples of a checkpoint"] for rank in found] == [8, 1]
    assert [rank["an empty checkpoint"] for rank in found] == ["no error"] * 2
    assert [rank["samples of an empty checkpoint"] for rank in found] == [0, 0]


def test_ranks_that_may_have_counted_samples_twice_are_warned_once(found: Found) -> None:
    message = (
        "Each of 2 ranks has 2 samples without keys. Samplers such as DistributedSampler repeat "
        "samples to give every rank the same number, and repeated samples count several times. "
        "Give keys=, such as the index of each sample in the data set; samples with the same key "
        "count once."
    )
    for rank in found:
        assert rank["repeats"] == [[message]]
        assert rank["repeats again"] == []
        names = [name for name in rank if name.startswith("no repeats")]
        assert len(names) == 4
        assert [rank[name] for name in names] == [[]] * 4

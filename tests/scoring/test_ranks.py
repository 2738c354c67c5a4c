"""Scorers of several ranks: two real processes of torchrun compared with one process."""

import json
from typing import Any

import evaluate
import pytest

from ..conftest import require
from ..support import on_ranks
from ..support.on_ranks import (
    CASES,
    PREDICTIONS,
    REFERENCES,
    REPEATS,
    make_ids,
    make_scorer,
    run_on_ranks,
    update,
)

NOT_INITIALISED = (
    "WORLD_SIZE is 2, but torch.distributed is not initialised, so the samples of the other ranks "
    "cannot be gathered. Call torch.distributed.init_process_group, or make the Accelerator or the "
    "Trainer, before all_reduce and gather."
)

OTHER_RANK = (
    "The state is from rank {} of {}, but this is rank {} of 2: samples would be lost, or count "
    "several times. Save one file per rank and load it on the same rank; "
    "register_for_checkpointing of accelerate saves that of rank 0 only. To merge states, load all "
    "of them in a process without torch.distributed, or use all_reduce or gather."
)

# Every case gets the seed, also cases that do not use it.
pytestmark = [pytest.mark.extra, pytest.mark.filterwarnings("ignore:seed is")]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    require("torch")
    require("accelerate")
    return run_on_ranks(on_ranks.__name__, tmp_path_factory.mktemp("ranks"))


def score(case: str, indices: range | list[int] = range(11), **output: Any) -> Any:
    scores = update(make_scorer(case), indices).result(**(output or CASES[case][1]))
    return json.loads(json.dumps(scores))


def test_ranks_give_the_scores_of_one_process(found: list[dict[str, Any]]) -> None:
    shards = found[0]["shard"] + found[1]["shard"]
    assert (len(shards), {*shards}) == (12, {*range(11)})  # one sample comes twice
    for rank in found:
        for case in CASES:
            assert rank[f"{case} by key"] == rank[f"{case} in order"] == score(case), case


def test_a_scorer_goes_on_after_it_was_reduced(found: list[dict[str, Any]]) -> None:
    for rank in found:
        for stop in (4, 8, 11):
            expected = score("samples", range(stop), use_aggregator=False)
            assert rank[f"round up to {stop}"] == expected
    assert [rank["own samples"] for rank in found] == [6, 5]


def test_ranks_may_have_no_samples_and_one_may_get_them_all(found: list[dict[str, Any]]) -> None:
    assert found[0]["gathered"] is None
    assert found[1]["gathered"] == score("means", range(2))
    for rank in found:
        assert rank["rank 0 empty"] == score("means")
        assert rank["all empty"] == 0
        assert rank["dst outside"] == "dst is 2; expected one of the ranks of the group: [0, 1]."


def test_a_group_reduces_its_ranks_alone(found: list[dict[str, Any]]) -> None:
    assert found[1]["group"] == found[1]["gathered in group"] == score("means", [1])
    assert found[0]["group"] == (
        "Rank 0 is not in the group; only ranks of the group call all_reduce and gather."
    )


def test_what_cannot_be_merged_is_the_same_error_on_every_rank(found: list[dict[str, Any]]) -> None:
    options = (
        "Rank 1 has max_order 3, but rank 0 has 4; counts can be merged only if all options are "
        "the same."
    )
    keys = "Rank 0 has keys, but rank 1 has none; give keys for all samples, or for none."
    key = (
        "The key 7 names two different samples; expected a unique key for every sample, such "
        "as its index in the data set."
    )
    for rank in found:
        assert rank["options"] == [options] * 2
        assert rank["keys"] == [keys] * 2
        assert rank["key of two samples"] == key


def test_ranks_without_a_process_group_are_an_error(found: list[dict[str, Any]]) -> None:
    for rank in found:
        assert rank["no process group"] == NOT_INITIALISED
        assert not rank["torch"]  # was not imported for that


def test_gather_for_metrics_gives_every_sample_once(
    found: list[dict[str, Any]], metric: evaluate.Metric
) -> None:
    texts = metric.compute(predictions=PREDICTIONS, references=REFERENCES)
    outputs = [make_ids(index) for index in range(11)]
    ids = make_scorer("samples", tokenizer="ids")
    ids.update(outputs, [[token for token in output if token < 6] for output in outputs])
    for rank in found:
        assert rank["gathered texts"] == texts
        assert rank["gathered ids"] == ids.result(use_aggregator=False)
        assert rank["gathered keys"] == score("samples", use_aggregator=False)


def test_a_state_is_loaded_on_its_own_rank(found: list[dict[str, Any]]) -> None:
    for rank, other in ((0, 1), (1, 0)):
        results = found[rank]
        assert results["rank and world size"] == [rank, 2]
        assert results["a file per rank"] == score("samples", use_aggregator=False)
        assert results["of the other rank"] == OTHER_RANK.format(other, 2, rank)
        assert results["of one process"] == OTHER_RANK.format(0, 1, rank)
        assert results["unchanged"]
        assert results["pickled"] == score("samples", range(2), use_aggregator=False)
        assert results["without samples"] == 0
    # register_for_checkpointing saves the scorer of rank 0, which has 6 of 11 samples.
    assert [rank["registered"] for rank in found] == ["no error", OTHER_RANK.format(0, 2, 1)]
    assert [rank["registered samples"] for rank in found] == [6, 0]


def test_a_process_without_ranks_merges_the_states_of_all() -> None:
    merged = make_scorer("samples")
    for rank in range(2):
        part = update(make_scorer("samples"), range(rank, 11, 2), keyed=True)
        loaded = make_scorer("samples")
        loaded.load_state_dict({**part.state_dict(), "rank": rank, "world_size": 2})
        merged.merge(loaded)
    assert json.loads(json.dumps(merged.result(use_aggregator=False))) == score(
        "samples", use_aggregator=False
    )


def test_ranks_with_as_many_samples_and_no_keys_are_warned_once(
    found: list[dict[str, Any]],
) -> None:
    for rank in found:
        assert rank["repeats"] == [[REPEATS], []]
        # Ranks that cannot repeat samples unseen are not warned.
        assert [rank[name] for name in rank if name.startswith("no repeats")] == [[]] * 4
    # The rank that gets the samples.
    assert [rank["repeats gathered"] for rank in found] == [[], [REPEATS]]


def test_a_reduced_scorer_warns_of_the_texts_of_all_ranks(found: list[dict[str, Any]]) -> None:
    assert [rank["warnings"] for rank in found] == [["rougeLsum"]] * 2

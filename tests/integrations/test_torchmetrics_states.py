"""States of ``BleuRouge``: merged, copied, saved, loaded, moved, and of two ranks (gloo)."""

import copy
import io
import pickle
import re
from typing import Any

import pytest

from ..conftest import require

torch: Any = require("torch")
require("torchmetrics")

from bleu_rouge_metric.integrations.torchmetrics import BleuRouge  # noqa: E402

from ..support import metric_on_ranks as program  # noqa: E402
from ..support.metric_on_ranks import fill  # noqa: E402
from ..support.on_ranks import run_on_ranks  # noqa: E402
from .test_torchmetrics import BATCHES, expect, read  # noqa: E402

pytestmark = [
    pytest.mark.extra,
    pytest.mark.filterwarnings("ignore:.*before the ``update`` method:UserWarning"),
    # Of torch, about itself.
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning"),
]


def join_rows(states: dict[str, Any]) -> dict[str, Any]:
    """Return states as they are while they hold those of all ranks: one tensor each."""
    return {
        name: torch.cat(rows) if isinstance(rows, list) and rows else rows
        for name, rows in states.items()
    }


@pytest.mark.parametrize("keyed", [False, True])
@pytest.mark.parametrize("how", ["metric", "states", "synced states"])
def test_a_merged_metric_has_the_samples_of_both_in_order(how: str, *, keyed: bool) -> None:
    options: dict[str, Any] = {"aggregator": "bootstrap", "n_resamples": 50}
    left, right = BleuRouge("rouge", seed=3, **options), BleuRouge("rouge", seed=3, **options)
    fill(left, [range(4)], keyed=keyed)
    # A result that was computed before is not the result of what was merged.
    assert read(left.compute()) == expect(range(4), "rouge", 3, **options)
    fill(right, [range(4, 6), range(6, 11)], keyed=keyed)
    state = right.metric_state
    if how == "synced states":
        state = join_rows(state)
    left.merge_state(right if how == "metric" else state)
    assert read(left.compute()) == expect(range(11), "rouge", 3, **options)
    assert read(right.compute()) == expect(range(4, 11), "rouge", 3, **options)
    fill(right, [[0]], keyed=keyed)
    assert len(left.scorer()) == 11


@pytest.mark.parametrize("rouge_type", ["rouge2", "rougeW"])
def test_no_state_is_without_columns(rouge_type: str) -> None:
    """Ranks pad their states, and torch 2.5 cannot pad a tensor of shape (rows, 0, 3)."""
    metric = fill(BleuRouge("rouge", rouge_types=[rouge_type]), BATCHES)
    shapes = [rows.shape[1:] for state in metric.metric_state.values() for rows in state]
    assert torch.Size([1, 3]) in shapes
    assert all(0 not in shape for shape in shapes)
    assert read(metric.compute()) == expect(range(11), "rouge", rouge_types=[rouge_type])


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (lambda: 3, "incoming_state is int; expected a BleuRouge, or a dict of its states: "),
        (dict, "incoming_state is dict; expected a BleuRouge, or a dict of its states: "),
        (lambda: fill(BleuRouge("rouge", use_stemmer=True), [range(2)]),
         "The states were counted with other options; states can be merged only if all options "
         "that decide what is counted are the same."),
        (lambda: fill(BleuRouge("rouge"), [range(2)], keyed=True), "2 of 5 samples have keys; "
         "give keys for all samples, or for none."),
        (lambda: {**fill(BleuRouge("rouge"), [[1]]).metric_state, "reference_counts": []},
         "rouge has 6 rows, but reference_counts says 3 samples with 4 references; expected one "
         "row for every reference."),
    ],
)  # fmt: skip
def test_what_cannot_be_merged_is_an_error_and_changes_nothing(other: Any, message: str) -> None:
    metric = fill(BleuRouge("rouge"), [range(3)])
    with pytest.raises(ValueError, match=re.escape(message)):
        metric.merge_state(other())
    assert read(metric.compute()) == expect(range(3), "rouge")


def test_functions_of_one_name_are_not_merged() -> None:
    left = BleuRouge("rouge", tokenizer=lambda text: text.split())
    right = fill(BleuRouge("rouge", tokenizer=lambda text: text.lower().split()), [[0]])
    with pytest.raises(ValueError, match="another function of the same name"):
        left.merge_state(right)


@pytest.mark.parametrize("keyed", [False, True])
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies_go_on_by_themselves(copied: Any, *, keyed: bool) -> None:
    metric = fill(BleuRouge(rouge_types=["rougeW", "rouge1"]), BATCHES[:2], keyed=keyed)
    metric.compute()
    other = copied(metric)
    fill(other, BATCHES[2:], keyed=keyed)
    types = ["rougeW", "rouge1"]
    assert read(other.compute()) == expect(range(11), rouge_types=types)
    assert read(metric.compute()) == expect(range(4), rouge_types=types)
    assert read(metric.clone().compute()) == expect(range(4), rouge_types=types)
    assert repr(other) == "BleuRouge(profile='hf', rouge_types=('rougeW', 'rouge1'))"


@pytest.mark.parametrize("synced", [False, True])
def test_states_are_saved_if_they_are_persistent(*, synced: bool) -> None:
    metric = fill(BleuRouge("rouge", rouge_types=["rougeW"]), BATCHES[:2], keyed=True)
    assert metric.state_dict() == {}
    metric.persistent(mode=True)
    file = io.BytesIO()
    torch.save(torch.nn.ModuleDict({"val": metric}).state_dict(), file)
    file.seek(0)
    other = BleuRouge("rouge", rouge_types=["rougeW"])
    fill(other, [[10]], keyed=True).compute()
    states = torch.load(file, weights_only=True)
    if synced:
        states = join_rows(states)
    torch.nn.ModuleDict({"val": other}).load_state_dict(states)
    assert other.update_called
    # What was held or computed before is gone.
    assert read(other.compute()) == expect(range(4), "rouge", rouge_types=["rougeW"])
    fill(other, BATCHES[2:], keyed=True)
    assert read(other.compute()) == expect(range(11), "rouge", rouge_types=["rougeW"])
    assert len(metric.scorer()) == 4


def test_states_of_other_options_are_not_loaded() -> None:
    saved = fill(BleuRouge("rouge", use_stemmer=True), [range(5)])
    saved.persistent(mode=True)
    metric = fill(BleuRouge("rouge"), [range(3)])
    with pytest.raises(RuntimeError, match="The states were counted with other options"):
        metric.load_state_dict(saved.state_dict())
    broken = fill(BleuRouge("rouge"), [range(5)])
    broken.persistent(mode=True)
    broken.rouge = [rows + 100 * (torch.arange(3) == 0) for rows in broken.rouge]
    with pytest.raises(RuntimeError, match=r"rouge\[0\] has \d+ hits of rouge1"):
        metric.load_state_dict(broken.state_dict())
    assert read(metric.compute()) == expect(range(3), "rouge")


@pytest.mark.parametrize(
    "convert",
    [
        lambda metric: metric.to(torch.bfloat16),
        lambda metric: metric.half(),
        lambda metric: metric.double(),
        lambda metric: metric.set_dtype(torch.float16),
        lambda metric: metric.to("cpu"),
    ],
)
def test_no_conversion_of_a_model_changes_counts(convert: Any) -> None:
    options: dict[str, Any] = {"rouge_types": ["rougeW-1.2", "rougeL"]}
    metric = fill(BleuRouge(**options), BATCHES[:2])
    metric = convert(metric)
    fill(metric, BATCHES[2:])
    assert read(metric.compute()) == expect(range(11), **options)


def test_states_are_on_the_device_of_the_metric() -> None:
    # No test machine has another device that calculates.
    metric = fill(BleuRouge(), [range(3)]).to("meta")
    assert {rows.device.type for rows in metric.rouge} == {"meta"}
    fill(metric, [range(3)])
    assert {rows.device.type for rows in metric.rouge} == {"meta"}


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

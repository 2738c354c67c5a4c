"""States of ``BleuRouge``: merged, copied, saved, loaded, moved, and of two ranks (gloo)."""

import copy
import io
import pickle
import re
from pathlib import Path
from typing import Any

import pytest

from ..conftest import require

torch: Any = require("torch")
require("torchmetrics")

from bleu_rouge_metric.integrations.torchmetrics import BleuRouge  # noqa: E402

from ..support import metric_on_ranks as program  # noqa: E402
from ..support.metric_on_ranks import expect, fill  # noqa: E402
from ..support.on_ranks import run_on_ranks  # noqa: E402
from .test_torchmetrics import BATCHES, read  # noqa: E402

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


def test_two_ranks_give_what_one_process_gives(tmp_path: Path) -> None:
    assert run_on_ranks(program.__name__, tmp_path) == [{"done": True}] * 2

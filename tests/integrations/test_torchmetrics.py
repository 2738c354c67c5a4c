"""``BleuRouge`` of torchmetrics: the numbers of ``metric.compute``, however fed and merged."""

import copy
import io
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import load
from bleu_rouge_metric.scoring.results import flatten

from ..conftest import require
from ..support.errors import call_wrongly, read_errors
from ..support.on_ranks import PREDICTIONS, REFERENCES

torch: Any = require("torch")
torchmetrics: Any = require("torchmetrics")

from bleu_rouge_metric.integrations.rewards import make_openrlhf_reward  # noqa: E402
from bleu_rouge_metric.integrations.torchmetrics import BleuRouge  # noqa: E402

pytestmark = [
    pytest.mark.extra,
    pytest.mark.filterwarnings("ignore:.*before the ``update`` method:UserWarning"),
    # Of torch, about itself.
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning"),
]

# A family, and options; ranks and ``forward`` are tried with the first seven.
CASES: list[tuple[Any, dict[str, Any]]] = [
    (None, {}),
    ("rouge", {"detailed": True, "rouge_types": ["rougeW-1.2", "rougeSU4", "rougeL"]}),
    *((None, {"profile": name}) for name in ("sacrebleu", "google_bleu", "codexglue")),
    ("rouge", {"seed": 3, "aggregator": "bootstrap", "n_resamples": 50}),
    (None, {"seed": 3, "confidence": 0.9, "n_resamples": 50}),
    ("bleu", {"smooth": True, "bleu_tokenizer": "unicode", "max_order": 2}),
    ("rouge", {"use_stemmer": True, "detailed": True, "multi_reference": "mean"}),
    *((None, {"profile": name}) for name in ("nltk", "coco", "rouge-1.5.5", "lin2004")),
]
# Uneven batches; the mean of their scores is not the score of all.
BATCHES = [range(3), range(3, 4), range(4, 9), range(9, 11)]


def pick(indices: Any) -> tuple[list[str], list[list[str]]]:
    """Return the texts and the references of some samples."""
    return [PREDICTIONS[index] for index in indices], [REFERENCES[index] for index in indices]


def fill(metric: Any, batches: Any, *, keyed: bool = False) -> Any:
    """Update the metric with batches, and return it."""
    for batch in batches:
        metric.update(*pick(batch), **({"keys": list(batch)} if keyed else {}))
    return metric


def expect(
    indices: Any, family: Any = None, seed: int | None = None, **options: Any
) -> dict[str, float]:
    """What ``metric.compute`` says of some of the samples; sacrebleu's score is ``bleu`` too."""
    predictions, references = pick(indices)
    found = flatten(
        load(family, seed=seed).compute(predictions=predictions, references=references, **options)
    )
    return {"bleu": found["score"], **found} if "score" in found else found


def read(result: Any) -> Any:
    """Return a result as Python floats; check that it is made of scalar tensors."""
    if isinstance(result, dict):
        return {name: read(value) for name, value in result.items()}
    assert (result.shape, result.dtype) == ((), torch.float64)
    return result.item()


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize(("family", "options"), CASES, ids=str)
def test_batches_give_the_scores_of_all_samples(family: Any, options: dict[str, Any]) -> None:
    metric = fill(BleuRouge(family, **options), BATCHES)
    assert read(metric.compute()) == expect(range(11), family, **options)
    metric.reset()
    fill(metric, [range(2, 5)])
    assert read(metric.compute()) == expect(range(2, 5), family, **options)


class TwiceUpdated(BleuRouge):
    """As a class would be that says nothing of its states: forward updates twice."""

    full_state_update = True


@pytest.mark.parametrize("kind", [BleuRouge, TwiceUpdated])
@pytest.mark.parametrize(("family", "options"), CASES[:7], ids=str)
def test_forward_scores_the_batch_and_counts_it_once(
    kind: Any, family: Any, options: dict[str, Any]
) -> None:
    metric = kind(family, **options)
    for batch in BATCHES:
        assert read(metric(*pick(batch))) == expect(batch, family, **options)
    assert read(metric.compute()) == expect(range(11), family, **options)
    assert len(metric.scorer()) == 11
    assert metric.update_count == len(BATCHES)


@pytest.mark.parametrize("kind", [BleuRouge, TwiceUpdated])
def test_forward_and_update_may_alternate_with_keys(kind: Any) -> None:
    metric = kind()
    for index, batch in enumerate([[4, 5], [0, 1, 4], [7], [2, 3, 6, 8, 9, 10]]):
        (metric.update if index % 2 else metric)(*pick(batch), keys=torch.tensor(batch))
    assert read(metric.compute()) == expect(range(11))


def test_one_text_a_batch() -> None:
    metric = BleuRouge("rouge")
    for prediction, texts in zip(PREDICTIONS, REFERENCES, strict=True):
        metric.update(prediction, texts[0] if len(texts) == 1 else texts)
    assert read(metric.compute()) == expect(range(11), "rouge")
    metric.update(preds=PREDICTIONS[0], target=REFERENCES[0], keys=None)
    assert read(metric.compute()) == expect([*range(11), 0], "rouge")


@pytest.mark.parametrize(
    ("score", "options"),
    [
        ("precision_2", {}),
        ("rougeSU4", {}),
        *((score, {"profile": "sacrebleu"}) for score in ("score", "bleu")),
        ("google_bleu", {"profile": "google_bleu"}),
        ("translation_length", {"family": "bleu"}),
    ],
)
def test_a_score_is_one_number(score: str, options: dict[str, Any]) -> None:
    metric = fill(BleuRouge(score=score, **options), BATCHES)
    types: dict[str, Any] = {"rouge_types": [score]} if score == "rougeSU4" else {}
    assert read(metric.compute()) == expect(range(11), **options, **types)[score]
    assert len(metric.families) == 1


def test_a_collection_does_not_mix_tokenizers_that_agree_on_the_first_batch() -> None:
    made: dict[str, Any] = {
        "word": {"tokenizer": lambda text: text.split()},
        "lower": {"tokenizer": lambda text: text.lower().split()},
        "stem": {"use_stemmer": True},
        "plain": {},
        # What only results depend on is of the same group.
        "beta": {"beta": 2},
    }
    collection = torchmetrics.MetricCollection(
        {name: BleuRouge(score="rouge1", **options) for name, options in made.items()}
    )
    # Unlike forward, update looks for metrics with the same states.
    collection.update(["a dog"], ["a dog ran"])
    collection.update(["Cats ran"], ["cat RAN"])
    assert len(collection.compute_groups) == 4
    found = read(collection.compute())
    texts = {"predictions": ["a dog", "Cats ran"], "references": ["a dog ran", "cat RAN"]}
    for name, options in made.items():
        assert found[name] == load("rouge").compute(**texts, **options)["rouge1"]
    assert found["word"] < found["lower"] == found["plain"] < found["stem"]
    assert found["beta"] != found["plain"]


def test_a_scorer_of_the_samples_gives_what_is_more_than_a_number() -> None:
    scorer = fill(BleuRouge(), BATCHES, keyed=True).scorer()
    texts = dict(zip(("predictions", "references"), pick(range(11)), strict=True))
    more: dict[str, Any] = {"use_aggregator": False, "sentence_bleu": True}
    assert scorer.result(**more) == load().compute(**texts, **more)
    assert "|nrefs:1-2|" in scorer.signature()


def test_a_seed_without_resampling_is_warned_of() -> None:
    with pytest.warns(UserWarning, match="seed is 3, but nothing is resampled"):
        BleuRouge(seed=3)


def check_unchanged(change: Callable[[Any], object]) -> None:
    """Let a metric raise the error of a change; its samples stay as they were."""
    metric = fill(BleuRouge("rouge"), BATCHES[:1])
    try:
        change(metric)
    finally:
        assert read(metric.compute()) == expect(range(3), "rouge")


def update(preds: object, target: object, keys: object = None) -> None:
    check_unchanged(lambda metric: metric.update(preds, target, keys=keys))


def merge(other: Any) -> None:
    check_unchanged(lambda metric: metric.merge_state(other))


def load_state(saved: Any) -> None:
    saved.persistent(mode=True)
    check_unchanged(lambda metric: metric.load_state_dict(saved.state_dict()))


def make_broken() -> Any:
    """Make a metric whose states have more hits than tokens."""
    broken = fill(BleuRouge("rouge"), BATCHES[:1])
    broken.rouge = [rows + 100 * (torch.arange(3) == 0) for rows in broken.rouge]
    return broken


NAMES: dict[str, Any] = {
    **{each.__name__: each for each in (BleuRouge, fill, load_state, make_broken, merge, update)},
    "openrlhf": make_openrlhf_reward("rouge1"),
}
ERRORS = read_errors(Path(__file__).with_name("torch_errors.txt"))


@pytest.mark.parametrize(("call", "error"), ERRORS)
def test_a_wrong_call_is_one_clear_error(call: str, error: str) -> None:
    assert call_wrongly(call, dict(NAMES)).replace("\n\t", " ") == error


@pytest.mark.parametrize("kind", [BleuRouge, TwiceUpdated])
def test_forward_of_a_batch_that_cannot_be_scored_loses_no_other(kind: Any) -> None:
    metric = fill(kind("rouge"), BATCHES[:2], keyed=True)
    with pytest.raises(TypeError, match=r"preds\[0\] is None"):
        metric([None], ["a"], keys=[9])
    with pytest.raises(ValueError, match="The key 7 names two different samples"):
        metric(["a", "b"], ["a", "b c"], keys=[7, 7])
    fill(metric, BATCHES[2:], keyed=True)
    assert read(metric.compute()) == expect(range(11), "rouge")


@pytest.mark.filterwarnings("default:.*before the ``update`` method:UserWarning")
def test_without_samples_the_scores_are_those_of_torchmetrics() -> None:
    metric = BleuRouge(rouge_types=["rouge1"], detailed=True)
    with pytest.warns(UserWarning, match="before the ``update`` method"):
        found = read(metric.compute())
    assert found.keys() == expect(range(2), rouge_types=["rouge1"], detailed=True).keys()
    assert found["bleu"] == torchmetrics.text.BLEUScore().compute().item() == 0
    assert all(np.isnan(found[f"rouge1_{part}"]) for part in ("precision", "recall", "fmeasure"))
    assert np.isnan(BleuRouge(score="rougeL").compute().item())


def test_texts_without_tokens_and_lines_are_warned_of_once() -> None:
    for text, other, match in (
        ("猫 坐 在", "狗 跑 了", "rouge"),
        ("A cat sat. It ran.", "A cat sat. A dog ran.", "one sentence per line"),
    ):
        metric = BleuRouge("rouge")
        with pytest.warns(UserWarning, match=match):
            metric([text] * 2, [other] * 2)
        metric([text] * 2, [other] * 2)
        metric.compute()


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
    states = {"states": right.metric_state, "synced states": join_rows(right.metric_state)}
    left.merge_state(states.get(how, right))
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


@pytest.mark.parametrize("keyed", [False, True])
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies_go_on_by_themselves(copied: Any, *, keyed: bool) -> None:
    options: dict[str, Any] = {"rouge_types": ["rougeW", "rouge1"]}
    metric = fill(BleuRouge(**options), BATCHES[:2], keyed=keyed)
    metric.compute()
    other = copied(metric)
    fill(other, BATCHES[2:], keyed=keyed)
    assert read(other.compute()) == expect(range(11), **options)
    for one in (metric, metric.clone()):
        assert read(one.compute()) == expect(range(4), **options)
    assert repr(other) == "BleuRouge(profile='hf', rouge_types=('rougeW', 'rouge1'))"


@pytest.mark.parametrize("synced", [False, True])
def test_states_are_saved_if_they_are_persistent(*, synced: bool) -> None:
    metric = fill(BleuRouge("rouge", rouge_types=["rougeW"]), BATCHES[:2], keyed=True)
    assert metric.state_dict() == {}
    metric.persistent(mode=True)
    file = io.BytesIO()
    torch.save(torch.nn.ModuleDict({"val": metric}).state_dict(), file)
    file.seek(0)
    states = torch.load(file, weights_only=True)
    other = fill(BleuRouge("rouge", rouge_types=["rougeW"]), [[10]], keyed=True)
    other.compute()
    module = torch.nn.ModuleDict({"val": other})
    module.load_state_dict(join_rows(states) if synced else states)
    assert other.update_called
    # What was held or computed before is gone.
    assert read(other.compute()) == expect(range(4), "rouge", rouge_types=["rougeW"])
    fill(other, BATCHES[2:], keyed=True)
    assert read(other.compute()) == expect(range(11), "rouge", rouge_types=["rougeW"])
    assert len(metric.scorer()) == 4


def test_no_conversion_of_a_model_changes_counts() -> None:
    options: dict[str, Any] = {"rouge_types": ["rougeW-1.2", "rougeL"]}
    metric = fill(BleuRouge(**options), BATCHES[:1]).to(torch.bfloat16)
    metric = fill(metric.half(), BATCHES[1:2]).double()
    metric = fill(metric.set_dtype(torch.float16), BATCHES[2:3]).to("cpu")
    fill(metric, BATCHES[3:])
    assert read(metric.compute()) == expect(range(11), **options)


def test_states_are_on_the_device_of_the_metric() -> None:
    # No test machine has another device that calculates.
    metric = fill(BleuRouge(), [range(3)]).to("meta")
    for _ in range(2):
        assert {rows.device.type for rows in metric.rouge} == {"meta"}
        fill(metric, [range(3)])

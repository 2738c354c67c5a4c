"""``BleuRouge`` of torchmetrics in one process: the numbers of ``metric.compute``, however fed."""

import re
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import load

from ..conftest import require
from ..support.on_ranks import PREDICTIONS, REFERENCES

torch: Any = require("torch")
torchmetrics: Any = require("torchmetrics")

from bleu_rouge_metric.integrations.torchmetrics import BleuRouge  # noqa: E402

from ..support.metric_on_ranks import expect, fill, pick  # noqa: E402

pytestmark = [
    pytest.mark.extra,
    pytest.mark.filterwarnings("ignore:.*before the ``update`` method:UserWarning"),
    # Of torch, about itself.
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning"),
]

# A family, a seed, and options.
CASES: list[tuple[Any, int | None, dict[str, Any]]] = [
    (None, None, {}),
    ("bleu", None, {"smooth": True, "bleu_tokenizer": "unicode", "max_order": 2}),
    ("rouge", None, {"use_stemmer": True, "detailed": True, "multi_reference": "mean"}),
    ("rouge", None, {"rouge_types": ["rougeW-1.2", "rougeSU4", "rouge1"]}),
    ("rouge", 3, {"aggregator": "bootstrap", "n_resamples": 50}),
    (None, 3, {"confidence": 0.9, "n_resamples": 50, "rouge_types": ["rougeL"]}),
    *(
        (None, None, {"profile": name})
        for name in ("rouge_score", "sacrebleu", "nltk", "google_bleu", "rouge-1.5.5", "lin2004")
    ),
    (None, None, {"profile": "coco"}),
]
# Uneven batches; the mean of their scores is not the score of all.
BATCHES = [range(3), range(3, 4), range(4, 9), range(9, 11)]


def read(result: Any) -> Any:
    """Return a result as Python floats; check that it is made of scalar tensors."""
    if isinstance(result, dict):
        return {name: read(value) for name, value in result.items()}
    assert isinstance(result, torch.Tensor)
    assert result.shape == ()
    assert result.dtype is torch.float64
    return result.item()


@pytest.mark.parametrize(("family", "seed", "options"), CASES, ids=str)
def test_batches_give_the_scores_of_all_samples(
    kernel: str, family: Any, seed: int | None, options: dict[str, Any]
) -> None:
    del kernel
    metric = fill(BleuRouge(family, seed=seed, **options), BATCHES)
    assert read(metric.compute()) == expect(range(11), family, seed, **options)
    metric.reset()
    fill(metric, [range(2, 5)])
    assert read(metric.compute()) == expect(range(2, 5), family, seed, **options)


def make(**options: Any) -> BleuRouge:
    """Make a metric with options that a type checker would refuse."""
    return BleuRouge(**options)


class TwiceUpdated(BleuRouge):
    """As a class would be that says nothing of its states: forward updates twice."""

    full_state_update = True


@pytest.mark.parametrize("kind", [BleuRouge, TwiceUpdated])
@pytest.mark.parametrize(("family", "seed", "options"), CASES[:6], ids=str)
def test_forward_scores_the_batch_and_counts_it_once(
    kind: Any, family: Any, seed: int | None, options: dict[str, Any]
) -> None:
    metric = kind(family, seed=seed, **options)
    for batch in BATCHES:
        assert read(metric(*pick(batch))) == expect(batch, family, seed, **options)
    assert read(metric.compute()) == expect(range(11), family, seed, **options)
    assert len(metric.scorer()) == 11
    assert metric.update_count == len(BATCHES)


@pytest.mark.parametrize("kind", [BleuRouge, TwiceUpdated])
def test_forward_and_update_may_alternate_with_keys(kind: Any) -> None:
    metric = kind()
    for index, batch in enumerate([[4, 5], [0, 1, 4], [7], [2, 3, 6, 8, 9, 10]]):
        call = metric.update if index % 2 else metric
        call(*pick(batch), keys=torch.tensor(batch))
    assert read(metric.compute()) == expect(range(11))


def test_one_text_a_batch() -> None:
    metric = BleuRouge("rouge")
    for prediction, references in zip(PREDICTIONS, REFERENCES, strict=True):
        one = references[0] if len(references) == 1 else references
        metric.update(prediction, one)
    assert read(metric.compute()) == expect(range(11), "rouge")
    metric.update(preds=PREDICTIONS[0], target=REFERENCES[0], keys=None)
    assert read(metric.compute()) == expect([*range(11), 0], "rouge")


@pytest.mark.parametrize(
    ("score", "options", "name"),
    [
        ("bleu", {}, "bleu"),
        ("precision_2", {}, "precision_2"),
        ("rougeSU4", {}, "rougeSU4"),
        ("score", {"profile": "sacrebleu"}, "score"),
        ("bleu", {"profile": "sacrebleu"}, "score"),
        ("google_bleu", {"profile": "google_bleu"}, "google_bleu"),
        ("translation_length", {"family": "bleu"}, "translation_length"),
    ],
)
def test_a_score_is_one_number(score: str, options: dict[str, Any], name: str) -> None:
    types: dict[str, Any] = {"rouge_types": [score]} if score == "rougeSU4" else {}
    metric = BleuRouge(score=score, **options)
    assert read(fill(metric, BATCHES).compute()) == expect(range(11), **options, **types)[name]
    assert len(metric.families) == 1


def test_metrics_of_a_collection_share_counts_if_these_are_the_same() -> None:
    collection = torchmetrics.MetricCollection(
        {
            "smooth": BleuRouge("bleu", score="bleu", smooth=True),
            "plain": BleuRouge("bleu", score="bleu"),
            "rougeL": BleuRouge("rouge", score="rougeL"),
            "rouge": BleuRouge("rouge"),
        },
        prefix="val/",
        postfix="/all",
    )
    # The first call finds the groups.
    for batch in BATCHES:
        collection.update(*pick(batch), keys=list(batch))
    assert sorted(map(sorted, collection.compute_groups.values())) == [
        ["plain", "smooth"],
        ["rouge", "rougeL"],
    ]
    rouge = expect(range(11), "rouge")
    assert read(collection.compute()) == {
        "val/smooth/all": expect(range(11), "bleu", smooth=True)["bleu"],
        "val/plain/all": expect(range(11), "bleu")["bleu"],
        "val/rougeL/all": rouge["rougeL"],
        # torchmetrics adds the name of the metric, as a score has the name of another metric.
        **{f"val/rouge_{name}/all": value for name, value in rouge.items()},
    }


def test_a_collection_does_not_mix_tokenizers_that_agree_on_the_first_batch() -> None:
    made: dict[str, Any] = {
        "word": {"tokenizer": lambda text: text.split()},
        "lower": {"tokenizer": lambda text: text.lower().split()},
        "stem": {"use_stemmer": True},
        "plain": {},
    }
    collection = torchmetrics.MetricCollection(
        {name: BleuRouge(score="rouge1", **options) for name, options in made.items()}
    )
    batches = [(["a dog"], ["a dog ran"]), (["Cats ran"], ["cat RAN"])]
    for batch in batches:
        # Unlike forward it looks for metrics with the same states.
        collection.update(*batch)
    assert len(collection.compute_groups) == 4
    found = read(collection.compute())
    for name, options in made.items():
        metric = load("rouge")
        expected = metric.compute(
            predictions=["a dog", "Cats ran"],
            references=["a dog ran", "cat RAN"],
            rouge_types=["rouge1"],
            **options,
        )
        assert found[name] == expected["rouge1"]
    assert found["word"] < found["lower"] == found["plain"] < found["stem"]


def test_a_scorer_of_the_samples_gives_what_is_more_than_a_number() -> None:
    metric = fill(BleuRouge(), BATCHES, keyed=True)
    found = metric.scorer().result(use_aggregator=False, sentence_bleu=True)
    preds, target = pick(range(11))
    assert found == load().compute(
        predictions=preds, references=target, use_aggregator=False, sentence_bleu=True
    )
    assert "|nrefs:1-2|" in metric.scorer().signature()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: make(n_gram=2), "Unknown option 'n_gram'; it is called 'max_order' here."),
        (lambda: BleuRouge("bleu", use_stemmer=True), "use_stemmer applies to ROUGE only"),
        (lambda: make(score=["bleu"]), "score is ['bleu']; expected the name of one score"),
        (lambda: BleuRouge(score="rouge0"), "Unknown rouge type 'rouge0'"),
        (
            lambda: BleuRouge("rouge", score="rougeW", rouge_types=["rouge1", "rougeL"]),
            "score is 'rougeW', but the scores of these options are 'rouge1', 'rougeL'.",
        ),
        (lambda: BleuRouge(use_aggregator=False), "use_aggregator is False, but a training loop"),
        (lambda: BleuRouge(confidence=0.9), "The options resample, but there is no seed"),
        (lambda: make(sync_on_compute=1), "sync_on_compute"),
    ],
)
def test_options_are_checked_when_the_metric_is_made(call: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=re.escape(message)):
        call()


def test_a_seed_without_resampling_is_warned_of() -> None:
    with pytest.warns(UserWarning, match="seed is 3, but nothing is resampled"):
        BleuRouge(seed=3)


@pytest.mark.parametrize(
    ("preds", "target", "keys", "message"),
    [
        (["a", None], ["a", "b"], None, "preds[1] is None; expected a str"),
        ("a", None, None, "target[0] is None; expected a str or a sequence of str."),
        (
            np.array("no references"),
            ["a"],
            None,
            "preds is a single value ('no references'); expected a sequence with one item per ",
        ),
        (["a"], ["a"], [0.5], "keys[0] is 0.5; expected one int per sample"),
        (["a"], ["a"], [0], "Some samples have keys; give keys for all samples, or for none."),
    ],
)
def test_a_batch_that_cannot_be_scored_is_left_out(
    preds: Any, target: Any, keys: Any, message: str
) -> None:
    metric = fill(BleuRouge("rouge"), BATCHES)
    with pytest.raises((TypeError, ValueError), match=re.escape(message)):
        metric.update(preds, target, keys=keys)
    assert read(metric.compute()) == expect(range(11), "rouge")


@pytest.mark.parametrize("kind", [BleuRouge, TwiceUpdated])
def test_forward_of_a_batch_that_cannot_be_scored_loses_no_other(kind: Any) -> None:
    metric = kind("rouge")
    fill(metric, BATCHES[:2], keyed=True)
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


def make_synced(score: str | None = None) -> BleuRouge:
    """Make a metric whose states are gathered from two ranks, of which both are this one."""
    return BleuRouge(
        score=score,
        dist_sync_fn=lambda states, group: [states, states],  # noqa: ARG005
        distributed_available_fn=lambda: True,
    )


def test_samples_without_keys_of_ranks_are_warned_of_at_the_callers_line() -> None:
    metric = fill(make_synced(), BATCHES)
    with pytest.warns(UserWarning, match="^Each of 2 ranks has 11 samples without keys") as record:
        metric.compute()
    assert [one.filename for one in record] == [__file__]


def test_texts_without_tokens_and_lines_are_warned_of_once() -> None:
    metric = BleuRouge("rouge")
    chinese = (["猫 坐 在", "狗 跑 了"], ["猫 坐 在", "狗 跑 了"])
    with pytest.warns(UserWarning, match="rouge"):
        metric.update(*chinese)
    metric(*chinese)
    metric = BleuRouge("rouge")
    sentences = (["A cat sat. It ran."] * 2, ["A cat sat. A dog ran."] * 2)
    with pytest.warns(UserWarning, match="one sentence per line"):
        metric(*sentences)
    metric(*sentences)
    metric.compute()


@pytest.mark.parametrize("name", ["torch", "torchmetrics"])
def test_without_the_library_the_import_names_the_line_to_install(name: str) -> None:
    code = (
        f"import sys; sys.modules[{name!r}] = None\n"
        "import bleu_rouge_metric.integrations.torchmetrics"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1] == (
        f"ImportError: BleuRouge needs the package {name}. Install it with: "
        'pip install "bleu-rouge-metric[torchmetrics]"'
    )

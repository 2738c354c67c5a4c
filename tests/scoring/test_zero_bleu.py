"""One warning about a BLEU of 0 although tokens match, with the order and the remedy."""

import re
import warnings
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from bleu_rouge_metric import PairScorer, Scorer, bleu_score, compute_metrics, explain, load
from bleu_rouge_metric.engines import count_batch, reduce_counts

from ..support.strategies import samples as any_samples
from ..support.warning_texts import list_warnings

PREDICTIONS = ["the cat sat on a mat", "we saw a dog there"]
REFERENCES = ["the cat lay on the mat", "there we saw nothing at all"]
TEXTS: dict[str, Any] = {"predictions": PREDICTIONS, "references": REFERENCES}

MESSAGE = (
    "BLEU is 0: no 3-gram of the predictions occurs in a reference; use smooth='exp', or "
    "max_order=2."
)


catch = partial(list_warnings, pattern="^BLEU is 0")


NO = "no {}-gram of the prediction occurs in a reference".format
SHORT = "the prediction is too short for a {}-gram".format
SACREBLEU = {"profile": "sacrebleu"}
PLAIN = {**SACREBLEU, "smooth": "none"}
BOTH = "smooth='exp' and effective_order=True"


@pytest.mark.parametrize(
    ("prediction", "reference", "options", "reason", "remedy"),
    [
        ("a b c d e", "e d c b a", {}, NO(2), "smooth='exp', or max_order=1"),
        ("a b c", "a b c", {}, SHORT(4), "effective_order=True, or max_order=3"),
        ("a b c", "a b d", {}, NO(3), f"{BOTH}, or max_order=2"),
        ("a b c", "a b c", SACREBLEU, SHORT(4), "effective_order=True, or max_order=3"),
        ("a b c d e", "a b x d e", PLAIN, NO(3), "smooth='exp', or max_order=2"),
        ("a b c", "c b a", {"weights": (0.5, 0.5)}, NO(2), "smooth='exp'"),
        ("a b", "a c", {"weights": (0, 0, 1)}, SHORT(3), "weights of shorter n-grams"),
        ("a b c d e", "e d c b a", {"smooth": "method6"}, NO(2), "smooth='exp'"),
        ("a", "a", {**SACREBLEU, "smooth": "method6"}, SHORT(2), BOTH),
        ("a", "a", {"smooth": "method6-corrected"}, SHORT(2), BOTH),
    ],
)
def test_the_order_and_the_remedy_are_named(
    prediction: str, reference: str, options: dict[str, Any], reason: str, remedy: str
) -> None:
    texts = {"predictions": [prediction], "references": [reference]}
    metric = load("bleu")
    assert catch(lambda: metric.compute(**texts, **options)) == [
        f"BLEU is 0: {reason}; use {remedy}."
    ]
    assert f"BLEU is 0: {reason}." in explain(prediction, reference, **options).notes


def test_the_subject_is_all_predictions() -> None:
    texts = {"predictions": ["a b", "c"], "references": ["a b", "c"]}
    assert catch(lambda: load("bleu").compute(**texts)) == [
        "BLEU is 0: the predictions are too short for a 3-gram; use effective_order=True, or "
        "max_order=2."
    ]


@pytest.mark.filterwarnings("ignore:.*leaves nothing", "ignore:.*in one piece")
@given(any_samples)
def test_every_remedy_helps(drawn: list[tuple[str, list[str]]]) -> None:
    predictions, references = map(list, zip(*drawn, strict=True))
    score = partial(load("bleu").compute, predictions=predictions, references=references)
    for message in catch(score):
        # Both ways: the options, and the smaller order.
        first, _, second = message.rpartition("; use ")[2].rstrip(".").partition(", or ")
        for remedy in (first, second):
            options = {
                name: {"'exp'": "exp", "True": True}.get(value) or int(value)
                for name, value in re.findall(r"(\w+)=('?\w+'?)", remedy)
            }
            assert options
            assert score(**options)["bleu"] > 0


NO_ZERO: list[dict[str, Any]] = [
    {"smooth": "exp"},
    {"smooth": True},
    {"profile": "sacrebleu"},
    {"profile": "nltk"},
    {"profile": "google_bleu"},
    {"max_order": 2},
]


@pytest.mark.parametrize("options", NO_ZERO, ids=str)
def test_options_without_a_zero_do_not_warn(options: dict[str, Any]) -> None:
    assert not catch(lambda: load("bleu").compute(**TEXTS, **options))


def test_texts_without_a_common_token_do_not_warn() -> None:
    assert not catch(lambda: load("bleu").compute(predictions=["a", ""], references=["b", "c"]))


def test_a_metric_warns_once() -> None:
    metric = load()
    call = partial(metric.compute, **TEXTS)
    pair = partial(metric.compute, predictions=PREDICTIONS[:1], references=REFERENCES[:1])
    assert catch(call, pair, call) == [MESSAGE]


@pytest.mark.parametrize("options", [{}, {"profile": "sacrebleu", "smooth": "none"}], ids=str)
def test_a_single_pair_warns_too(options: dict[str, Any]) -> None:
    metric = load("bleu")
    call = partial(
        metric.compute, predictions=PREDICTIONS[:1], references=REFERENCES[:1], **options
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = metric.compute(**TEXTS, **options)
        single = call()
    assert catch(partial(metric.compute, **TEXTS, **options)) == []
    assert expected[next(iter(expected))] == 0
    fresh = load("bleu")
    call = partial(fresh.compute, predictions=PREDICTIONS[:1], references=REFERENCES[:1], **options)
    assert len(catch(call, call)) == 1
    assert call() == single


def test_groups_resamples_and_sentences_do_not_add_warnings() -> None:
    options = {"confidence": 0.9, "n_resamples": 20, "sentence_bleu": True}
    call = partial(load().compute, **TEXTS, groups=["x", "y"], use_aggregator=False)
    assert catch(partial(call, sentence_bleu=True)) == [MESSAGE]
    assert catch(partial(load().compute, **TEXTS, groups=["x", "y"], **options)) == [MESSAGE]


def test_a_group_of_zero_is_no_warning() -> None:
    call = partial(
        load("bleu").compute,
        predictions=["a b c d e", "a b"],
        references=["a b c d e", "a b"],
        groups=["x", "y"],
    )
    assert not catch(call)


def test_a_function_warns_once_for_the_same_options() -> None:
    # No other test has these options.
    call = partial(bleu_score, **TEXTS, max_order=17)
    pair = partial(bleu_score, PREDICTIONS[:1], REFERENCES[:1], max_order=17)
    assert len(catch(pair, call, pair)) == 1


def test_a_scorer_warns_once_also_after_a_reset() -> None:
    scorer = Scorer("bleu")
    update = partial(scorer.update, PREDICTIONS, REFERENCES)
    assert catch(update) == []
    assert catch(scorer.result, scorer.result, scorer.reset, update, scorer.result) == [MESSAGE]


def test_other_options_of_a_result_are_heeded() -> None:
    scorer = Scorer("bleu")
    scorer.update(PREDICTIONS, REFERENCES)
    assert catch(partial(scorer.result, smooth="exp")) == []


def test_a_pair_scorer_does_not_warn() -> None:
    score = PairScorer("bleu")
    calls = [partial(score, *pair) for pair in zip(PREDICTIONS, REFERENCES, strict=True)] * 10
    assert not catch(*calls, partial(score.batch, PREDICTIONS, REFERENCES))


def test_a_hook_warns_once() -> None:
    hook = compute_metrics(lambda rows: [" ".join(map(str, ids)) for ids in rows], family="bleu")
    call = partial(hook, (np.array([[1, 2, 3, 4, 5]]), np.array([[1, 2, 9, 4, 5]])))
    assert len(catch(call, call)) == 1


def test_counts_of_engines_warn() -> None:
    table = count_batch({"prediction": PREDICTIONS, "reference": REFERENCES}, family="bleu")
    assert catch(reduce_counts([table], family="bleu").result) == [MESSAGE]

"""One warning about a BLEU of 0 although tokens match, with the order and the remedy."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from bleu_rouge_metric import PairScorer, Scorer, bleu_score, compute_metrics, explain, load
from bleu_rouge_metric.engines import count_batch, reduce_counts

from ..support.errors import list_warnings, read_errors
from ..support.strategies import samples as any_samples

PREDICTIONS = ["the cat sat on a mat", "we saw a dog there"]
REFERENCES = ["the cat lay on the mat", "there we saw nothing at all"]
TEXTS: dict[str, Any] = {"predictions": PREDICTIONS, "references": REFERENCES}

catch = partial(list_warnings, pattern="^BLEU is 0")


SACREBLEU = {"profile": "sacrebleu"}
PLAIN = {**SACREBLEU, "smooth": "none"}
# A prediction, a reference and options, and below them what is said.
CASES = read_errors(Path(__file__).with_name("zero_bleu.txt"))


@pytest.mark.parametrize(("call", "message"), CASES)
def test_the_order_and_the_remedy_are_named(call: str, message: str) -> None:
    prediction, reference, options = eval(call)
    score = partial(load("bleu").compute, predictions=[prediction], references=[reference])
    assert catch(partial(score, **options)) == [message]
    assert f"{message.partition(';')[0]}." in explain(prediction, reference, **options).notes


@pytest.mark.filterwarnings("ignore:.*leaves nothing", "ignore:.*in one piece")
@given(any_samples)
def test_every_remedy_helps(drawn: list[tuple[str, list[str]]]) -> None:
    predictions, references = map(list, zip(*drawn, strict=True))
    score = partial(load("bleu").compute, predictions=predictions, references=references)
    for message in catch(score):
        # Both ways: the options, and the smaller order.
        for remedy in message.rpartition("; use ")[2].rstrip(".").split(", or "):
            options = eval(f"dict({remedy.replace(' and ', ', ')})")
            assert options
            assert score(**options)["bleu"] > 0


def use_function(score: Any = None, **options: Any) -> list[Any]:
    call = partial(score or load("bleu").compute, **options)
    pair = partial(call, predictions=PREDICTIONS[:1], references=REFERENCES[:1])
    return [pair, partial(call, **TEXTS), pair]


def use_scorer(**options: Any) -> list[Any]:
    scorer = Scorer("bleu")
    update = partial(scorer.update, PREDICTIONS, REFERENCES)
    result = partial(scorer.result, **options)
    return [update, result, result, scorer.reset, update, result]


def use_pair_scorer() -> list[Any]:
    score = PairScorer("bleu")
    calls = [partial(score, *pair) for pair in zip(PREDICTIONS, REFERENCES, strict=True)] * 10
    return [*calls, partial(score.batch, PREDICTIONS, REFERENCES)]


def use_hook() -> list[Any]:
    hook = compute_metrics(lambda rows: [" ".join(map(str, ids)) for ids in rows], family="bleu")
    return [partial(hook, (np.array([[1, 2, 3, 4, 5]]), np.array([[1, 2, 9, 4, 5]])))] * 2


def use_engine() -> list[Any]:
    table = count_batch({"prediction": PREDICTIONS, "reference": REFERENCES}, family="bleu")
    return [reduce_counts([table], family="bleu").result]


GROUPED: dict[str, Any] = {**TEXTS, "groups": ["x", "y"], "sentence_bleu": True}
NO_TOKEN: dict[str, Any] = {"predictions": ["a", ""], "references": ["b", "c"]}
EQUAL: dict[str, Any] = {"predictions": ["a b c d e", "a b"], "references": ["a b c d e", "a b"]}

# What scores, and how often it warns.
CALLS: dict[str, tuple[Callable[[], list[Any]], int]] = {
    "metric": (use_function, 1),
    "sacrebleu without smoothing": (partial(use_function, **PLAIN), 1),
    **{
        f"metric {options}": (partial(use_function, **options), 0)
        for options in (
            *({"smooth": "exp"}, {"smooth": True}, {"max_order": 2}),
            *(SACREBLEU, {"profile": "nltk"}, {"profile": "google_bleu"}),
        )
    },
    "no common token": (lambda: [partial(load("bleu").compute, **NO_TOKEN)], 0),
    "groups": (lambda: [partial(load().compute, **GROUPED, use_aggregator=False)], 1),
    "intervals": (lambda: [partial(load().compute, **GROUPED, confidence=0.9, n_resamples=20)], 1),
    "a group of zero": (lambda: [partial(load("bleu").compute, **EQUAL, groups=["x", "y"])], 0),
    # No other test has these options.
    "bleu_score": (partial(use_function, bleu_score, max_order=17), 1),
    "scorer": (use_scorer, 1),
    "other options of a result": (partial(use_scorer, smooth="exp"), 0),
    "pair scorer": (use_pair_scorer, 0),
    "hook": (use_hook, 1),
    "engine": (use_engine, 1),
}


@pytest.mark.parametrize(("make_calls", "warnings"), CALLS.values(), ids=CALLS)
def test_everything_that_scores_a_corpus_warns_once(
    make_calls: Callable[[], list[Any]], warnings: int
) -> None:
    assert len(catch(*make_calls())) == warnings


def test_the_warning_of_the_slow_path_changes_no_score() -> None:
    score, *_ = use_function()
    scores: list[Any] = []
    assert len(catch(lambda: scores.append(score()))) == 1
    assert score() == scores[0]
    assert catch(partial(load().compute, **TEXTS)) == [
        "BLEU is 0: no 3-gram of the predictions occurs in a reference; use smooth='exp', or "
        "max_order=2."
    ]

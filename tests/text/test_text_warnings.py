"""Warnings about texts that the options do not score as the user expects: see ``warnings.txt``."""

import pickle
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import evaluate
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given

from bleu_rouge_metric import (
    Options,
    PairScorer,
    Scorer,
    bleu_score,
    compare_profiles,
    compare_systems,
    compute_metrics,
    load,
    rouge_scores,
)
from bleu_rouge_metric.engines import count_batch, reduce_counts
from bleu_rouge_metric.samples.inputs import check_samples
from bleu_rouge_metric.text.scripts import LetterLosses, warn_if_unsplit
from bleu_rouge_metric.text.tokenizer import TOKENIZERS, Tokenizer
from bleu_rouge_metric.text.warnings import (
    collect_warnings,
    warn_if_nothing_is_left,
    warn_if_sentences_share_lines,
)

from ..conftest import METRIC
from ..support.errors import list_warnings, read_warnings
from ..support.strategies import samples as any_samples
from ..support.toy_tokenizer import ToyTokenizer


def score(predictions: Any, references: Any, family: Any = None, **options: Any) -> None:
    """Score a pair of texts or lists of them."""
    sides = ([side] if isinstance(side, str) else side for side in (predictions, references))
    scorer = Scorer(family, **options)
    scorer.update(*sides)
    if family == "rouge":
        scorer.result()


@pytest.mark.parametrize(
    ("call", "expected"), read_warnings(Path(__file__).with_name("warnings.txt"))
)
def test_warnings(call: str, expected: list[str]) -> None:
    assert list_warnings(lambda: eval(call, {"score": score, "pa": pa})) == expected


# Scripts that a tokenizer does not split.

CHINESE = "我喜欢在图书馆里看书和学习"


@pytest.mark.parametrize("make", [list, pa.array, lambda texts: pa.chunked_array([texts])])
def test_a_tenth_of_the_samples_looked_at_is_enough(make: Any) -> None:
    texts = ["a b c"] * 850 + [CHINESE] * 150
    samples = check_samples(make(texts), make(texts))
    # Every 32nd sample is checked, so the place of the language in the data does not matter.
    tokenizer = TOKENIZERS["13a"]
    with pytest.warns(UserWarning, match="in one piece, in 5 of 32 samples looked at, so that"):
        assert warn_if_unsplit(samples, "bleu_tokenizer", tokenizer)
    few = ["a b c"] * 19 + [CHINESE]
    assert not warn_if_unsplit(check_samples(make(few), make(few)), "bleu_tokenizer", tokenizer)


def test_a_scorer_warns_once() -> None:
    scorer = Scorer("bleu")
    with pytest.warns(UserWarning, match="leaves Chinese text"):
        scorer.update([CHINESE], [CHINESE])
    scorer.update([CHINESE], [CHINESE])


def test_only_some_of_many_samples_are_tokenized() -> None:
    tokenized: list[str] = []

    def tokenize(text: str) -> list[str]:
        tokenized.append(text)
        return text.split()

    texts = [CHINESE] * 1_000
    with pytest.warns(UserWarning, match="in 32 of 32 samples"):
        warn_if_unsplit(check_samples(texts, texts), "", Tokenizer("words", tokenize))
    assert 0 < len(tokenized) <= 64


# Words that lose letters to tokenizers that keep ASCII.

PREDICTIONS = ["Die Prüfung für Gäste", "Er übt früh"]
REFERENCES = ["Wir fahren nach Köln", "Sie hört zu"]
GERMAN: dict[str, Any] = {"predictions": PREDICTIONS, "references": REFERENCES}

MESSAGE = (
    "The 'rouge' tokenizer keeps only ASCII letters and digits, so that words such as 'Prüfung', "
    "'für' and 'Gäste' lose letters; use rouge_tokenizer='unicode', which finds the words of every "
    "language."
)
ENGINE_MESSAGE = MESSAGE.replace("such as 'Prüfung', 'für' and 'Gäste'", "with other letters")


catch = partial(list_warnings, pattern="letters")


def test_a_metric_looks_at_each_data_set() -> None:
    metric = load("rouge")
    english = ["the cat sat"] * 100
    assert not catch(lambda: metric.compute(predictions=english, references=english))
    assert catch(lambda: metric.compute(**GERMAN)) == [MESSAGE]


def make_calls(kind: str) -> list[Callable[[], Any]]:
    """Make the calls of something that scores the German samples several times."""
    if kind == "metric":
        metric = load("rouge")
        return [lambda: metric.compute(**GERMAN)] * 2
    if kind == "functions":
        return [lambda: rouge_scores(**GERMAN, rouge_types=["rouge7"])] * 2
    if kind == "hook":
        hook = compute_metrics(
            lambda rows: [PREDICTIONS[len(ids) - 1] for ids in rows], family="rouge"
        )
        ids = np.array([[5, -100], [5, 6]])
        return [lambda: hook((ids, ids))] * 2
    if kind == "comparison":
        systems = {"a": PREDICTIONS, "b": PREDICTIONS[::-1]}
        return [lambda: compare_systems(systems, REFERENCES, family="rouge", n_resamples=9)]
    scorer = Scorer("rouge")
    update = partial(scorer.update, PREDICTIONS, REFERENCES)
    return [update, scorer.reset, update]


@pytest.mark.parametrize("kind", ["metric", "functions", "hook", "comparison", "scorer"])
def test_the_same_texts_are_warned_of_once(kind: str) -> None:
    assert catch(*make_calls(kind)) == [MESSAGE]


def test_a_scorer_looks_at_small_batches_together() -> None:
    scorer = Scorer("rouge")
    words = ["für", "Gäste", "Prüfung"]
    calls = [lambda word=word: scorer.update([f"alle {word}"], ["alle"]) for word in words]
    assert not catch(*calls[:2])
    assert catch(*calls[2:]) == [
        MESSAGE.replace("'Prüfung', 'für' and 'Gäste'", "'für', 'Gäste' and 'Prüfung'")
    ]


def test_a_pair_scorer_warns_once() -> None:
    score = PairScorer("rougeL")
    found = catch(
        *[partial(score, *pair) for pair in zip(PREDICTIONS, REFERENCES, strict=True)] * 3
    )
    assert len(found) == 1
    assert found[0].startswith("The 'rouge' tokenizer keeps only ASCII letters and digits")


def test_counts_of_engines_warn_once_where_they_meet() -> None:
    table = {"prediction": PREDICTIONS, "reference": REFERENCES}
    counted: list[Any] = []
    count = lambda: counted.append(count_batch(table, family="rouge"))  # noqa: E731
    assert catch(count, count) == []
    assert [batch["lost"] for batch in counted] == [[8, 8]] * 2
    assert catch(lambda: reduce_counts(counted, family="rouge")) == [ENGINE_MESSAGE]


@pytest.mark.parametrize("make", [list, tuple, np.array, pa.array])
def test_texts_of_any_container_are_read(make: Callable[[list[str]], Any]) -> None:
    losses = LetterLosses()
    losses.add(check_samples(make(PREDICTIONS), make(REFERENCES)))
    assert losses.words == ["Prüfung", "für", "Gäste", "übt", "früh", "Köln", "hört"]


def test_only_the_first_samples_are_read() -> None:
    losses = LetterLosses()
    losses.add(check_samples(["a"] * 31, ["a"] * 31))
    losses.add(check_samples(["früh", *PREDICTIONS], ["b", *REFERENCES]))
    losses.add(check_samples(PREDICTIONS, REFERENCES))
    assert (losses.looked_at, losses.words) == (32, ["früh"])


@pytest.mark.filterwarnings("ignore:The 'rouge' tokenizer keeps only ASCII")
@pytest.mark.parametrize("word", ["café", "für Gäste, Prüfung"], ids=["no warning", "a warning"])
def test_no_word_is_kept_once_all_is_known(word: str) -> None:
    scorer = Scorer("rouge")
    for _ in range(40):
        scorer.update([f"a {word}"], [f"a {word}"])
    assert b"caf" not in pickle.dumps(scorer)
    assert "Prüfung".encode() not in pickle.dumps(scorer)


# Texts of which nothing is left, and sentences that share lines.


@given(any_samples)
def test_char_leaves_something_of_every_text(drawn: list[tuple[str, list[str]]]) -> None:
    predictions, references = map(list, zip(*drawn, strict=True))
    scorer = Scorer("rouge", tokenizer="char", rouge_types=["rouge1"])
    assert not list_warnings(lambda: scorer.update(predictions, references), pattern="nothing")


def test_no_text_is_looked_at_where_every_one_has_tokens() -> None:
    def refuse(_: str) -> list[str]:
        raise AssertionError("a text is tokenized")

    ones = np.ones(3, dtype=np.int32)
    warn_if_nothing_is_left(
        check_samples(["a"] * 3, ["b"] * 3), ones, ones, option="", choice="", tokenize=refuse
    )


@pytest.mark.parametrize("make", [list, pa.array, lambda texts: pa.chunked_array([texts])])
def test_a_newline_anywhere_is_enough(make: Callable[[list[str]], Any]) -> None:
    texts = ["It rained. We left."] * 300
    samples = check_samples(make(texts), make(texts))
    with pytest.warns(UserWarning, match="^rougeLsum: one sentence per line"):
        warn_if_sentences_share_lines(samples, ["rougeLsum"])
    lines = [*texts[:-1], "It rained.\nWe left."]
    for pair in (texts, lines), (lines, texts), (lines[::-1], texts):
        samples = check_samples(*map(make, pair))
        warn_if_sentences_share_lines(samples, ["rougeLsum"])


@pytest.mark.parametrize("text", ["x" * 10_000, "." * 10_000, "a." * 5_000, "。" * 10_000, "x. "])
def test_long_texts_are_looked_at_in_linear_time(text: str) -> None:
    samples = check_samples([text.ljust(10_000)] * 64, ["x"] * 64)
    # 640,000 characters: quadratic time would be minutes.
    warn_if_sentences_share_lines(samples, ["rougeLsum"])


# Where warnings point, and how they are collected.

STEMMER: dict[str, Any] = {"rouge_tokenizer": "unicode", "use_stemmer": True}
LOST: dict[str, Any] = {"predictions": ["кошка"], "references": ["кошка"]}
CALLS: dict[str, Callable[[], object]] = {
    "Options": lambda: Options(**STEMMER),
    "Options.from_keywords": lambda: Options.from_keywords(STEMMER),
    "Scorer": lambda: Scorer(**STEMMER),
    "Scorer.update": lambda: Scorer("rouge").update(*LOST.values()),
    "rouge_scores": lambda: rouge_scores(**LOST),
    "rouge_scores, options": lambda: rouge_scores(["a"], ["a"], **STEMMER),
    "bleu_score": lambda: bleu_score(["x"], ["x"], tokenizer=lambda _: []),
    "compare_profiles": lambda: compare_profiles(**LOST, profiles=["hf", "rouge_score"]),
    "count_batch": lambda: count_batch({"prediction": ["a"], "reference": ["a"]}, **STEMMER),
    "compute_metrics": lambda: compute_metrics(ToyTokenizer(), family="rouge", **STEMMER),
    "metric.compute": lambda: evaluate.load(METRIC, "rouge").compute(**LOST),
    "metric.compute, options": lambda: evaluate.load(METRIC, "rouge").compute(
        predictions=["a"], references=["a"], **STEMMER
    ),
    "metric.compute of this package": lambda: load("rouge").compute(**LOST),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_a_warning_points_at_the_line_of_the_caller(call: Callable[[], object]) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    lines = range(call.__code__.co_firstlineno, call.__code__.co_firstlineno + 3)
    assert caught
    assert {warning.filename for warning in caught} == {__file__}
    assert {warning.lineno for warning in caught} <= set(lines)


def test_warnings_are_collected_in_one_thread_alone(metric: evaluate.Metric) -> None:
    texts = {"predictions": ["да"], "references": ["да"]}
    with collect_warnings() as collected:
        Scorer("rouge").update(*texts.values())
        assert len(collected) == 1
        assert collected[0].startswith("The 'rouge' tokenizer leaves nothing")
        # Another thread warns as usual.
        with pytest.warns(UserWarning, match="leaves nothing"), ThreadPoolExecutor(1) as thread:
            thread.submit(metric.compute, **texts).result()
        assert len(collected) == 1
    with pytest.warns(UserWarning, match="leaves nothing"):
        metric.compute(**texts)

"""Profiles equal their installed reference libraries on generated texts.

``test_rouge155_program.py`` tests the program ROUGE-1.5.5.
"""

from typing import Any

import evaluate
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nltk.translate.gleu_score import corpus_gleu

from bleu_rouge_metric import rouge_scores
from bleu_rouge_metric.text.rules import tokenize_13a

from ..conftest import METRIC, unfit_texts
from ..support.bleu_references import nltk_score, sacrebleu_scores, split_corpus
from ..support.references import evaluate_rouge, rouge_score_of_each
from ..support.strategies import samples, spaced_corpora
from .parity import compare_generated

pytestmark = [pytest.mark.usefixtures("kernel"), *unfit_texts]

Generated = list[tuple[str, list[str]]]
TYPES = ["rouge1", "rouge2", "rouge4", "rouge9", "rougeL", "rougeLsum"]

values_of_smoothing = st.none() | st.integers(0, 3) | st.floats(0, 1e3)

quick = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def compute(generated: Generated, **options: Any) -> dict[str, Any]:
    predictions, references = split_corpus(generated)
    metric = evaluate.load(METRIC, seed=options.pop("seed", None))
    scores: dict[str, Any] = metric.compute(
        predictions=predictions, references=references, **options
    )
    return scores


@quick
@given(
    samples | spaced_corpora,
    st.sampled_from(["13a", "intl", "char", "none", "zh"]),
    st.tuples(st.sampled_from(["none", "exp"]), st.none())
    | st.tuples(st.sampled_from(["floor", "add-k"]), values_of_smoothing),
    st.booleans(),
    st.integers(1, 10),
    st.sampled_from([None, False, True]),
)
def test_sacrebleu(
    generated: Generated,
    tokenizer: str,
    smoothing: tuple[str, float | None],
    lowercase: bool,
    max_order: int,
    effective_order: bool | None,
) -> None:
    smooth, value = smoothing
    options = {
        "profile": "sacrebleu",
        "tokenizer": tokenizer,
        "smooth": smooth,
        "smooth_value": value,
        "lowercase": lowercase,
        "max_order": max_order,
        "effective_order": effective_order,
    }
    theirs: dict[str, Any] = {
        "tokenize": tokenizer,
        "smooth_method": smooth,
        "smooth_value": value,
        "lowercase": lowercase,
        "max_ngram_order": max_order,
        "effective_order": bool(effective_order),
    }
    what = "sacrebleu.metrics.BLEU on generated texts, corpus and sentence"
    found = compute(generated, sentence_bleu=True, **options)
    sentences = found.pop("sentence_bleu")
    compare_generated("sacrebleu", what, [found], sacrebleu_scores(generated, **theirs))
    # sacrebleu's sentence_bleu has an effective order by default, its corpus_bleu has none.
    theirs["effective_order"] = effective_order is not False
    expected = sacrebleu_scores(generated, is_sentence=True, **theirs)
    compare_generated("sacrebleu", what, sentences, [score["score"] for score in expected])


@quick
@given(
    samples,
    st.sampled_from(["none", *(f"method{number}" for number in range(8))]),
    st.sampled_from([None, (0.5, 0.3, 0.2), ((0.25,) * 4, (0.1, 0.2, 0.7))]),
    st.booleans(),
)
def test_nltk(generated: Generated, smooth: str, weights: Any, auto_reweigh: bool) -> None:
    found = compute(
        generated, profile="nltk", smooth=smooth, weights=weights, auto_reweigh=auto_reweigh
    )
    given_weights = {} if weights is None else {"weights": weights}
    expected = nltk_score(generated, smooth, auto_reweigh=auto_reweigh, **given_weights)
    if expected is None:
        # NLTK's method 6 is not defined for these texts.
        expected = [0.0, 0.0] if isinstance(found["bleu"], list) else 0.0
    what = "nltk.translate.bleu_score on generated texts"
    compare_generated("nltk", what, found["bleu"], expected)


@quick
@given(samples, st.integers(1, 2), st.integers(2, 5))
def test_google_bleu(generated: Generated, min_order: int, max_order: int) -> None:
    predictions, references = split_corpus(generated)
    expected = corpus_gleu(
        [[tokenize_13a(text) for text in sample] for sample in references],
        [tokenize_13a(text) for text in predictions],
        min_order,
        max_order,
    )
    found = compute(generated, profile="google_bleu", min_order=min_order, max_order=max_order)
    what = "nltk.translate.gleu_score, which evaluate calls, on generated texts"
    compare_generated("google_bleu", what, found, {"google_bleu": expected})


@quick
@given(samples, st.booleans())
def test_rouge_score(generated: Generated, use_stemmer: bool) -> None:
    predictions, references = split_corpus(generated)
    scores = rouge_scores(
        predictions,
        references,
        profile="rouge_score",
        rouge_types=TYPES,
        use_stemmer=use_stemmer,
    )
    found = {
        name: list(zip(*(part.tolist() for part in score), strict=True))
        for name, score in scores.items()
    }
    expected = rouge_score_of_each(predictions, references, TYPES, use_stemmer=use_stemmer)
    compare_generated("rouge_score", "RougeScorer on generated texts", found, expected)


@quick
@given(samples, st.integers(0, 2**32 - 1))
def test_hf(generated: Generated, seed: int) -> None:
    predictions, references = split_corpus(generated)
    found = compute(generated, seed=seed, aggregator="bootstrap", n_resamples=50, rouge_types=TYPES)
    expected = evaluate_rouge(predictions, references, TYPES, seed, n_resamples=50)
    rouge = {name: found[name] for name in TYPES}
    compare_generated("hf", "rouge_score with its bootstrap on generated texts", rouge, expected)

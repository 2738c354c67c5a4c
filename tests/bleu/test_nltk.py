"""BLEU with the arithmetic of NLTK: worked examples, and comparison with the library."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric.families.bleu.rules import make_bleu_rules

from ..support.bleu_references import Corpus, corpus_score, is_close, nltk_score, score_texts
from ..support.strategies import spaced_corpora


@st.composite
def weight_sets(draw: st.DrawFn, longest: int = 7, shortest: int = 1) -> tuple[float, ...]:
    """Make weights of some orders that sum to 1."""
    parts = draw(
        st.lists(st.integers(0, 9), min_size=shortest, max_size=longest).filter(any)
        | st.just([1] * max(shortest, min(4, longest)))
    )
    return tuple(part / sum(parts) for part in parts)


# Ints and floats, because NLTK computes exact fractions from ints.
@st.composite
def smoothings(draw: st.DrawFn) -> dict[str, Any]:
    """Make a smoothing of NLTK, with a value if it takes one."""
    smooth = draw(st.sampled_from(["none", *(f"method{number}" for number in range(8))]))
    if smooth not in ("method1", "method4", "method6", "method7"):
        return {"smooth": smooth, "smooth_value": None}
    least = 0 if smooth in ("method1", "method6") else 0.001
    value = st.none() | st.integers(1, 9) | st.floats(least, 99)
    return {"smooth": smooth, "smooth_value": draw(value)}


@given(
    spaced_corpora,
    st.none() | weight_sets() | st.lists(weight_sets(), min_size=1, max_size=3).map(tuple),
    smoothings(),
    st.booleans(),
)
def test_bleu_equals_nltk(
    corpus: Corpus, weights: Any, smoothing: dict[str, Any], auto_reweigh: bool
) -> None:
    given_weights = {} if weights is None else {"weights": weights}
    rules = make_bleu_rules(
        arithmetic="nltk", auto_reweigh=auto_reweigh, **given_weights, **smoothing
    )
    score, sentences = score_texts(corpus, rules)
    expected = nltk_score(corpus, auto_reweigh=auto_reweigh, **given_weights, **smoothing)
    zero = [0.0] * len(rules.weights) if rules.weights and len(rules.weights) > 1 else 0.0
    assert score["bleu"] == (zero if expected is None else expected)
    for sample, sentence in zip(corpus, sentences, strict=True):
        expected = nltk_score([sample], auto_reweigh=auto_reweigh, **given_weights, **smoothing)
        assert sentence == (zero if expected is None else expected)


PERFECT = [(text, [text]) for text in ("the cat sat on the mat", "a b c d e f g h i")]
ORDERS = [
    ("the cat sat on the mat", ["the cat sat on a mat"]),
    ("a b c d e f g h i", ["a b c d e x g h y"]),
]


@pytest.mark.parametrize("smooth", ["method5", "method6", "method7"])
def test_the_last_sentence_counts_in_parity_and_not_when_corrected(smooth: str) -> None:
    for reverse in (False, True):
        corpus = ORDERS[::-1] if reverse else ORDERS
        score = corpus_score(corpus, arithmetic="nltk", smooth=smooth)["bleu"]
        assert score == nltk_score(corpus, smooth)
    rules = {"arithmetic": "nltk", "smooth": smooth}
    corrected = {"arithmetic": "nltk", "smooth": f"{smooth}-corrected"}
    assert corpus_score(ORDERS, **rules)["bleu"] != corpus_score(ORDERS[::-1], **rules)["bleu"]
    forwards, backwards = corpus_score(ORDERS, **corrected), corpus_score(ORDERS[::-1], **corrected)
    assert forwards == backwards


def test_a_perfect_corpus_scores_1_by_the_corrected_method_6() -> None:
    # NLTK's method 6 divides the matches of the corpus by the n-grams of its last sentence.
    parity = corpus_score(PERFECT, arithmetic="nltk", smooth="method6")["bleu"]
    assert parity == nltk_score(PERFECT, "method6") > 1.2
    assert corpus_score(PERFECT, arithmetic="nltk", smooth="method6-corrected")["bleu"] == 1.0


def test_the_corrected_method_5_looks_at_the_next_order_of_the_corpus() -> None:
    # Precisions of 2 + 4 of 4 + 4 unigrams, 1 + 3 of 3 + 3 bigrams and 0 + 2 of 2 + 2 trigrams.
    corpus = [("a b c d", ["a b x y"]), ("p q r s", ["p q r s"])]
    score = corpus_score(corpus, arithmetic="nltk", smooth="method5-corrected", weights=[0.5, 0.5])
    first = (7 / 4 + 3 / 4 + 4 / 6) / 3
    second = (first + 4 / 6 + 2 / 4) / 3
    assert is_close(score["bleu"], (first * second) ** 0.5)


@given(spaced_corpora, st.sampled_from([5, 6, 7]))
def test_corrected_smoothing_of_one_sentence_is_that_of_nltk(corpus: Corpus, method: int) -> None:
    corrected = make_bleu_rules(arithmetic="nltk", smooth=f"method{method}-corrected")
    sentences = score_texts(corpus, corrected)[1]
    for sample, score in zip(corpus, sentences, strict=True):
        expected = nltk_score([sample], f"method{method}")
        if expected is not None:  # method 6, without a match of order 3
            assert score == expected


@pytest.mark.parametrize(
    "weights", [(0.333333,) * 3, (0.333334,) * 3, (0.166667,) * 6, (0.142857,) * 7, (0.3, 0.699999)]
)
def test_weights_of_six_digits_are_meant_as_they_round(weights: tuple[float, ...]) -> None:
    corpus = [("a b c d e f g h", ["a b c d e f g i"])]
    assert corpus_score(corpus, arithmetic="nltk", weights=weights)["bleu"] == nltk_score(
        corpus, weights=weights
    )

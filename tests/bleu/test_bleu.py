"""BLEU compared with the textbook version of evaluate's, and with results worked by hand."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric import bleu_score
from bleu_rouge_metric.text.rules import tokenize_13a

from ..conftest import unfit_texts
from ..support import textbook
from ..support.strategies import samples

pytestmark = [*unfit_texts]

PARIS = ["Paris is the biggest French city"]


@pytest.mark.usefixtures("kernel")
@given(samples, st.integers(1, 5), st.booleans())
def test_bleu_equals_the_textbook(
    generated: list[tuple[str, list[str]]], max_order: int, smooth: bool
) -> None:
    predictions = [prediction for prediction, _ in generated]
    references = [sample for _, sample in generated]
    score = bleu_score(predictions, references, max_order=max_order, smooth=smooth)
    tokens = [tokenize_13a(prediction) for prediction in predictions]
    reference_tokens = [[tokenize_13a(text) for text in sample] for sample in references]
    try:
        expected = textbook.evaluate_bleu(tokens, reference_tokens, max_order, smooth=smooth)
    except ZeroDivisionError:
        assert score.bleu == 0.0
        assert score.translation_length == sum(map(len, tokens))
        assert score.reference_length == sum(min(map(len, sample)) for sample in reference_tokens)
    else:
        assert score._asdict() == expected


@pytest.mark.parametrize(
    ("prediction", "bleu", "brevity_penalty", "length_ratio"),
    [
        ("Paris is the capital of France", 0.5, 1.0, 1.0),
        ("Paris", 0.006737946999085467, 0.006737946999085467, 1 / 6),
        ("Paris Paris Paris Paris Paris Paris", 1 / 6, 1.0, 1.0),
    ],
)
def test_the_worked_examples(
    prediction: str, bleu: float, brevity_penalty: float, length_ratio: float
) -> None:
    score = bleu_score([prediction], [PARIS], max_order=1, tokenizer="whitespace")
    # exp(log(1 / 6)) is not 1 / 6 in its last bit; evaluate returns the former.
    assert score.bleu == (math.exp(math.log(bleu)) if bleu == 1 / 6 else bleu)
    assert score.brevity_penalty == brevity_penalty
    assert score.length_ratio == length_ratio


def test_the_logarithms_are_added_from_left_to_right() -> None:
    prediction, reference = "a a e e b c a e c b d d", "a a e d e c a e c b d c"
    score = bleu_score([prediction], [reference], max_order=3, tokenizer="whitespace")
    logarithms = [(1.0 / 3) * math.log(precision) for precision in score.precisions]
    assert score.bleu == math.exp(logarithms[0] + logarithms[1] + logarithms[2])
    # Compensated summation, as sum() does it from Python 3.12 on, has another last bit.
    assert score.bleu != math.exp(math.fsum(logarithms))


EMPTY = "", "\n", "  "


@pytest.mark.parametrize("smooth", [False, True])
@pytest.mark.parametrize("empty", EMPTY)
def test_an_empty_prediction_scores_0(empty: str, smooth: bool) -> None:
    score = bleu_score([empty], ["a b c"], smooth=smooth)
    assert score.bleu == 0.0
    assert score.precisions == ([1.0] * 4 if smooth else [0.0] * 4)
    assert score.brevity_penalty == 0.0
    assert score.length_ratio == 0.0
    assert (score.translation_length, score.reference_length) == (0, 3)


@pytest.mark.parametrize("empty", EMPTY)
def test_an_empty_reference_scores_0(empty: str) -> None:
    score = bleu_score(["a b c d"], [[empty, "a b c d"]])
    assert score.bleu == 0.0
    assert score.precisions == [1.0] * 4
    assert score.brevity_penalty == 1.0
    assert score.length_ratio == 0.0
    assert (score.translation_length, score.reference_length) == (4, 0)


def test_nothing_against_nothing_scores_0() -> None:
    score = bleu_score([""], [""])
    assert score.bleu == 0.0
    assert score.brevity_penalty == 1.0
    assert (score.translation_length, score.reference_length) == (0, 0)


def test_an_empty_text_among_others_counts_with_its_length() -> None:
    score = bleu_score(["", "a b c d e"], ["a b", "a b c d e"])
    assert score.precisions == [1.0] * 4
    assert score.brevity_penalty == math.exp(1 - 1.0 / (5 / 7))


def test_the_shortest_reference_counts_not_the_closest() -> None:
    score = bleu_score(["a b c d e f"], [["a b c d e f g h", "a b c"]])
    assert score.reference_length == 3
    assert score.brevity_penalty == 1.0


def test_an_order_longer_than_the_prediction_scores_0() -> None:
    assert bleu_score(["a b c"], ["a b c"]).precisions == [1.0, 1.0, 1.0, 0.0]
    assert bleu_score(["a b c"], ["a b c"]).bleu == 0.0


@pytest.mark.parametrize(
    "options", [{"tokenizer": lambda text: text.split("-")}, {"tokenizer": "char"}]
)
def test_the_tokenizer_decides_what_matches(options: dict[str, Any]) -> None:
    assert bleu_score(["a b-c"], ["a b-c"], max_order=2, **options).bleu == 1.0


def test_python_numbers_come_back() -> None:
    score = bleu_score(["a b"], ["a b c"], max_order=2)
    assert {type(value) for value in score} == {float, int, list}
    assert {type(precision) for precision in score.precisions} == {float}

"""BLEU compared with the textbook version of evaluate's, and with results worked by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric import bleu_score
from bleu_rouge_metric.text.rules import tokenize_13a

from ..conftest import unfit_texts
from ..support import textbook
from ..support.strategies import samples

pytestmark = [*unfit_texts]


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


def test_the_logarithms_are_added_from_left_to_right() -> None:
    prediction, reference = "a a e e b c a e c b d d", "a a e d e c a e c b d c"
    score = bleu_score([prediction], [reference], max_order=3, tokenizer="whitespace")
    logarithms = [(1.0 / 3) * math.log(precision) for precision in score.precisions]
    assert score.bleu == math.exp(logarithms[0] + logarithms[1] + logarithms[2])
    # Compensated summation, as sum() does it from Python 3.12 on, has another last bit.
    assert score.bleu != math.exp(math.fsum(logarithms))


def test_python_numbers_come_back() -> None:
    score = bleu_score(["a b"], ["a b c"], max_order=2)
    assert {type(value) for value in score} == {float, int, list}
    assert {type(precision) for precision in score.precisions} == {float}

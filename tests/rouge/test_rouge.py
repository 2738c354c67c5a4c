"""ROUGE compared with rouge_score on generated inputs, and with results worked by hand."""

import math
import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bleu_rouge_metric import rouge_scores
from bleu_rouge_metric.rounding import exact_mean
from bleu_rouge_metric.text.tokenizer import Tokenize, resolve_tokenizer

from ..conftest import unfit_texts
from ..support.references import rouge_score_of_each
from ..support.strategies import samples

pytestmark = [*unfit_texts]

TYPES = ["rouge1", "rouge2", "rouge4", "rouge9", "rougeL", "rougeLsum"]


@pytest.mark.parametrize("tokenizer", ["13a", "whitespace", "char", lambda text: text.split(" ")])
@pytest.mark.parametrize("rouge_types", [["rougeL", "rougeLsum"], ["rougeLsum"]])
@given(generated=samples)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_other_tokenizers_equal_rouge_score(
    generated: list[tuple[str, list[str]]], rouge_types: list[str], tokenizer: str | Tokenize
) -> None:
    predictions = [prediction for prediction, _ in generated]
    references = [sample for _, sample in generated]
    tokenize = resolve_tokenizer("tokenizer", tokenizer)
    expected = rouge_score_of_each(predictions, references, rouge_types, tokenize=tokenize)
    scores = rouge_scores(predictions, references, rouge_types=rouge_types, tokenizer=tokenizer)
    for name, score in scores.items():
        assert list(zip(*(part.tolist() for part in score), strict=True)) == expected[name], name


def test_the_tokenizer_and_the_splitter_are_used() -> None:
    types = ["rougeL", "rougeLsum"]
    texts = ["c d. a b"], ["a b. c d"]
    scores = rouge_scores(*texts, rouge_types=types)
    assert scores["rougeL"].fmeasure[0] == scores["rougeLsum"].fmeasure[0] == 0.5
    split = re.compile(r"\. ").split
    scores = rouge_scores(*texts, rouge_types=types, sentence_splitter=split)
    assert scores["rougeL"].fmeasure[0] == 0.5
    assert scores["rougeLsum"].fmeasure[0] == 1.0
    scores = rouge_scores(["我爱你"], ["我也爱你"], tokenizer="char")
    assert scores["rouge1"].recall[0] == 3 / 4


scores_of_texts = st.floats(0, 1) | st.fractions(0, 1, max_denominator=200).map(float)


@given(st.lists(scores_of_texts, min_size=1, max_size=9))
def test_the_mean_is_the_rounded_exact_sum_over_the_count(values: list[float]) -> None:
    # Of many values integers are summed.
    for some in (values, values * 256):
        assert exact_mean(np.array(some)) == math.fsum(some) / len(some)


def test_the_mean_of_small_and_of_many_scores_is_exact() -> None:
    generator = np.random.default_rng(1)
    for smallest in (0.0, 1.0, 2.0**-20, 2.0**-21, 5e-324, np.nextafter(2.0**-21, 1)):
        values = generator.random(100_000)
        values[::7] = smallest
        assert exact_mean(values) == math.fsum(values.tolist()) / 100_000
    for exponent in range(18, 26):
        value = float(np.nextafter(2.0**-exponent, 1))
        # A power of two of equal values has no rounding.
        assert exact_mean(np.array([value])) == exact_mean(np.full(256, value)) == value
    # 2 ** 23 scores of nearly 1 are 2 ** 63 in units of 2 ** -40, more than the integers hold.
    values = np.full((1 << 23) + 1, 1.0)
    values[0] = np.nextafter(1.0, 0.0)
    assert exact_mean(values) == math.fsum(values.tolist()) / values.size

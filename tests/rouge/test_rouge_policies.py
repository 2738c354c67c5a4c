"""Formulas of ROUGE worked by hand, and policies for references compared with plain code."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric import rouge_scores
from bleu_rouge_metric.families.rouge.formulas import score_samples
from bleu_rouge_metric.families.rouge.rules import RougeRules, make_rouge_rules
from bleu_rouge_metric.rounding import round_as_printed

from ..parity.parity import compare

FORMULAS = ["exact", "rouge-1.5.5", "lin2004"]
POLICIES = ["best", "best_recall", "micro", "mean", "jackknife"]

Triple = tuple[float, float, float]


def _counts_of_pair(totals: tuple[int, int]) -> st.SearchStrategy[list[int]]:
    return st.integers(0, min(totals)).map(lambda hits: [hits, *totals])


pairs = st.tuples(st.integers(0, 9), st.integers(0, 9)).flatmap(_counts_of_pair)
samples = st.lists(st.lists(pairs, min_size=1, max_size=5), min_size=1, max_size=6)
betas = st.sampled_from([0.5, 1.0, 1.2, 8.0, math.inf])


def _score_one(counts: list[float], formula: str, beta: float) -> Triple:
    """Compute precision, recall and F of one pair as a textbook does."""
    hits, prediction, reference = counts
    precision = hits / prediction if prediction else 0.0
    recall = hits / reference if reference else 0.0
    if formula == "rouge-1.5.5":
        precision, recall = round(precision, 5), round(recall, 5)
        alpha = 1 / (1 + beta**2)
        below = (1 - alpha) * precision + alpha * recall
        return precision, recall, round(precision * recall / below, 5) if below else 0.0
    if math.isinf(beta):
        return precision, recall, recall
    below = recall + beta**2 * precision
    return precision, recall, (1 + beta**2) * precision * recall / below if below else 0.0


def _score_sample(counts: list[list[int]], formula: str, beta: float, policy: str) -> Triple:
    """Score one sample as a textbook does."""
    scores = [_score_one([*pair], formula, beta) for pair in counts]
    if policy == "best":
        return max(scores, key=lambda score: score[2])
    if policy == "best_recall":
        return max(scores, key=lambda score: score[1])
    if policy == "micro":
        return _score_one([sum(column) for column in zip(*counts, strict=True)], formula, beta)
    if policy == "jackknife" and len(scores) > 1:
        scores = [
            max(scores[:left_out] + scores[left_out + 1 :], key=lambda score: score[2])
            for left_out in range(len(scores))
        ]
    elif policy == "jackknife":
        return scores[0]
    precision, recall, fmeasure = (
        float(sum(map(Fraction, part)) / len(scores)) for part in zip(*scores, strict=True)
    )
    return precision, recall, fmeasure


def _flatten(generated: list[list[list[int]]]) -> tuple[Any, Any]:
    offsets = np.cumsum([0, *map(len, generated)])
    return np.array([pair for sample in generated for pair in sample]), offsets


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("formula", FORMULAS)
@given(generated=samples, beta=betas)
def test_policies_equal_the_textbook(
    formula: str, policy: str, generated: list[list[list[int]]], beta: float
) -> None:
    rules = make_rouge_rules(formula=formula, beta=beta, multi_reference=policy)
    found = np.stack(score_samples(*_flatten(generated), rules), axis=1).tolist()
    for score, sample in zip(found, generated, strict=True):
        expected = _score_sample(sample, formula, beta, policy)
        # The plain code rounds a mean once, the package after each operation.
        assert score == pytest.approx(expected, abs=1e-15, rel=1e-14), policy


@pytest.mark.parametrize("policy", POLICIES)
@given(generated=st.lists(pairs, min_size=1, max_size=6), beta=betas)
def test_one_reference_scores_alike_under_all_policies(
    policy: Any, generated: list[list[int]], beta: float
) -> None:
    """Also if another sample has two references."""
    rules = RougeRules(beta=beta, multi_reference=policy)
    plain = RougeRules(beta=beta)
    beside = [*([pair] for pair in generated), [[1, 2, 3], [1, 1, 1]]]
    for rouge_type in ("rouge2", "rougeW-1.5"):
        alone = score_samples(*_flatten(beside[:-1]), rules, rouge_type)
        expected = np.stack(score_samples(*_flatten(beside[:-1]), plain, rouge_type))
        assert (expected == alone).all()
        found = np.stack(score_samples(*_flatten(beside), rules, rouge_type))
        assert (expected == found[:, :-1]).all()


def test_the_first_of_equals_counts() -> None:
    # F is 2/3 and the recall is 1/2 or 1; then F is 2/3 with the same recall and other precisions.
    equals = np.array([[1, 1, 2], [1, 2, 1], [2, 4, 2]])
    for policy, first in (("best", 0), ("best_recall", 1)):
        rules = make_rouge_rules(multi_reference=policy)
        score = score_samples(equals, np.array([0, 3]), rules)
        assert score.precision[0] == equals[first, 0] / equals[first, 1]
        assert score.recall[0] == equals[first, 0] / equals[first, 2]


def test_recalls_that_are_printed_alike_are_equals_in_rouge_155() -> None:
    counts = np.array([[333332, 500000, 1000000], [333334, 400000, 1000000]])
    offsets = np.array([0, 2])
    for formula, precision in (("rouge-1.5.5", 0.66666), ("exact", 333334 / 400000)):
        rules = make_rouge_rules(formula=formula, multi_reference="best_recall")
        assert score_samples(counts, offsets, rules).precision[0] == precision


@pytest.mark.parametrize(
    ("prediction", "reference", "rouge_type", "precision", "recall"),
    [
        # Three in a row of four, f(k) = k ** 2: 9 of f(4) = 16 and of f(6) = 36.
        ("k l m x", "a b c k l m", "rougeW-2", math.sqrt(9 / 16), math.sqrt(9 / 36)),
        # The same three, not in a row: 1 + 1 + 1.
        ("k x l m", "k a l b m c", "rougeW-2", math.sqrt(3 / 16), math.sqrt(3 / 36)),
        # Lines do not matter: each text is one sequence.
        ("k l\nm", "k l m", "rougeW-2", 1.0, 1.0),
        # Of the six pairs of the four tokens "b d", "b a" and "d a" match.
        ("b d a x", "c b d a", "rougeS", 3 / 6, 3 / 6),
        # With the marker before the first token, three of the four unigrams match too.
        ("b d a x", "c b d a", "rougeSU", 6 / 10, 6 / 10),
        # A word that both sentences of the reference have is in both unions.
        ("k x", "k a\nk b", "rougeLsum", 2 / 2, 2 / 4),
        # The sum of three unions of one token each, over the one token of the prediction.
        ("k", "k\nk\nk", "rougeLsum", 3 / 1, 3 / 3),
    ],
)
@pytest.mark.usefixtures("kernel")
def test_the_paper_by_hand(
    prediction: str, reference: str, rouge_type: str, precision: float, recall: float
) -> None:
    score = rouge_scores(
        [prediction], [reference], profile="lin2004", rouge_types=[rouge_type], beta=math.inf
    )[rouge_type]
    found = [float(part[0]) for part in score]
    what = "examples of each formula, worked by hand"
    compare("lin2004", what, found, [precision, recall, recall])


def test_the_program_compares_recalls_of_w_without_f() -> None:
    # Hits divided by the sum of f: 2/3 and 5/8. Divided by f of this sum: 2/9 and 5/64.
    counts = np.array([[5.0, 9.0, 8.0], [2.0, 9.0, 3.0]])
    rules = RougeRules("rouge-1.5.5", multi_reference="best_recall")
    score = score_samples(counts, np.array([0, 2]), rules, "rougeW-2")
    assert score.recall[0] == round((2 / 9) ** 0.5, 5)
    # 6 of 8 is more than 2 of 3, though 6 / 64 is less than 2 / 9.
    counts[0, 0] = 6.0
    score = score_samples(counts, np.array([0, 2]), rules, "rougeW-2")
    assert score.recall[0] == round((6 / 64) ** 0.5, 5)
    lin2004 = RougeRules("lin2004", multi_reference="best_recall")
    score = score_samples(counts, np.array([0, 2]), lin2004, "rougeW-2")
    assert score.recall[0] == (2 / 9) ** 0.5


@given(st.lists(st.floats(0, 1) | st.integers(0, 200_000).map(lambda n: n / 200_000), min_size=1))
def test_numbers_are_rounded_as_they_are_printed(values: list[float]) -> None:
    found = round_as_printed(np.array(values))
    assert found.tolist() == [float(f"{value:.5f}") for value in values]

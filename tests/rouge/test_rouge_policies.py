"""Formulas of ROUGE worked by hand, and policies for references compared with plain code."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric import rouge_scores
from bleu_rouge_metric.counting.kernels import count_rouge
from bleu_rouge_metric.families.rouge.formulas import score_pairs, score_samples
from bleu_rouge_metric.families.rouge.rules import RougeRules, make_rouge_rules
from bleu_rouge_metric.options.profiles import RougeProfile
from bleu_rouge_metric.rounding import round_as_printed
from bleu_rouge_metric.samples.inputs import check_samples
from bleu_rouge_metric.text.sentences import NEWLINE
from bleu_rouge_metric.text.tokenizer import TOKENIZERS

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
@pytest.mark.parametrize("rouge_type", ["rouge2", "rougeW-1.5"])
@given(generated=st.lists(pairs, min_size=1, max_size=6), beta=betas)
def test_one_reference_scores_alike_under_all_policies(
    policy: str, rouge_type: str, generated: list[list[int]], beta: float
) -> None:
    """Also if another sample has two references."""
    counts, offsets = _flatten([[pair] for pair in generated])
    rules = RougeRules(beta=beta, multi_reference=policy)  # type: ignore[arg-type]
    alone = np.stack(score_samples(counts, offsets, rules, rouge_type))
    assert (alone == score_samples(counts, offsets, RougeRules(beta=beta), rouge_type)).all()
    counts, offsets = _flatten([*([pair] for pair in generated), [[1, 2, 3], [1, 1, 1]]])
    beside = np.stack(score_samples(counts, offsets, rules, rouge_type))[:, :-1]
    assert (alone == beside).all()


@given(samples)
def test_the_best_is_at_least_the_jackknifed_and_that_the_mean(
    generated: list[list[list[int]]],
) -> None:
    best, jackknifed, mean = (
        score_samples(*_flatten(generated), RougeRules("lin2004", math.inf, policy)).fmeasure
        for policy in ("best", "jackknife", "mean")
    )
    assert (best >= jackknifed - 1e-15).all()
    assert (jackknifed >= mean - 1e-15).all()


# One prediction of four tokens; references that share 1 of 4, 3 of 6 and 2 of 2 tokens with it.
THREE = np.array([[1, 4, 4], [3, 4, 6], [2, 4, 2]])


@pytest.mark.parametrize(
    ("policy", "precision", "recall"),
    [
        ("best", 2 / 4, 2 / 2),
        ("best_recall", 2 / 4, 2 / 2),
        ("micro", 6 / 12, 6 / 12),
        ("mean", 6 / 12, 1.75 / 3),
        # The best of the others if the first, second or third is left out: third, third, second.
        ("jackknife", (2 / 4 + 2 / 4 + 3 / 4) / 3, (1 + 1 + 1 / 2) / 3),
    ],
)
def test_policies_by_hand(policy: Any, precision: float, recall: float) -> None:
    score = score_samples(THREE, np.array([0, 3]), RougeRules(multi_reference=policy))
    assert (score.precision[0], score.recall[0]) == pytest.approx((precision, recall), rel=1e-15)


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
    ("beta", "fmeasure"),
    [
        (1.0, 2 * 0.75 * 0.5 / 1.25),
        (0.5, 1.25 * 0.75 * 0.5 / (0.5 + 0.25 * 0.75)),
        (2.0, 5 * 0.75 * 0.5 / (0.5 + 4 * 0.75)),
        (math.inf, 0.5),
        (1e300, 0.5),
    ],
)
@pytest.mark.parametrize("formula", ["exact", "lin2004"])
def test_beta_by_hand(formula: Any, beta: float, fmeasure: float) -> None:
    score = score_pairs(np.array([[3, 4, 6]]), RougeRules(formula, beta))
    assert score.fmeasure[0] == fmeasure


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        # 2/3 and 2/7: F of the printed .66667 and .28571; the exact 0.4 needs no digit more.
        ([2, 3, 7], [0.66667, 0.28571, 0.4]),
        # F of the rounded numbers is .16666, of the exact ones 1/6.
        ([1, 11, 1], [0.09091, 1.0, 0.16667]),
        ([7, 42, 54], [0.16667, 0.12963, 0.14583]),
        ([0, 4, 0], [0.0, 0.0, 0.0]),
    ],
)
def test_the_program_rounds_before_f(counts: list[int], expected: list[float]) -> None:
    score = score_pairs(np.array([counts]), RougeRules("rouge-1.5.5"))
    assert np.stack(score)[:, 0].tolist() == expected


def _score_texts(prediction: str, reference: str, rouge_type: str, rules: RougeRules) -> Triple:
    checked = check_samples([prediction], [reference])
    lin2004 = rules.formula == "lin2004"
    counts = count_rouge(checked, [rouge_type], TOKENIZERS["rouge"], NEWLINE, lin2004=lin2004)
    score = score_samples(counts.of(rouge_type), checked.offsets, rules, rouge_type)
    return float(score.precision[0]), float(score.recall[0]), float(score.fmeasure[0])


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


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize(
    ("profile", "precision", "recall", "fmeasure"),
    [
        ("lin2004", 3.0, 1.0, 1.5),
        ("rouge_score", 1.0, 1 / 3, 0.5),
        ("rouge-1.5.5", 1.0, 0.33333, 0.5),
    ],
)
def test_only_the_paper_counts_a_token_once_for_each_reference_sentence(
    profile: RougeProfile, precision: float, recall: float, fmeasure: float
) -> None:
    name = "rougeL" if profile == "rouge-1.5.5" else "rougeLsum"
    score = rouge_scores(["a"], ["a\na\na"], profile=profile, rouge_types=[name])[name]
    assert [part.tolist() for part in score] == [[precision], [recall], [fmeasure]]


@pytest.mark.parametrize("formula", ["exact", "rouge-1.5.5"])
def test_the_program_weighs_identical_texts_below_1(formula: Any) -> None:
    # f is applied to f(6): the recall is 6 ** (1 - w).
    precision, recall, fmeasure = _score_texts(
        "a b c d e f", "a b c d e f", "rougeW-1.2", RougeRules(formula)
    )
    assert precision == 1.0
    assert round(recall, 5) == 0.69883
    assert round(fmeasure, 5) == 0.82272


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


@pytest.mark.parametrize(
    ("options", "kind", "text"),
    [
        (
            {"formula": "rouge"},
            ValueError,
            "Unknown formula 'rouge'; expected one of 'exact', 'rouge-1.5.5', 'lin2004'. "
            "Did you mean 'rouge-1.5.5'?",
        ),
        (
            {"multi_reference": None},
            TypeError,
            "multi_reference is None; expected one of 'best', 'best_recall', 'micro', 'mean', "
            "'jackknife'.",
        ),
        *(
            (
                {"beta": beta},
                ValueError,
                f"beta is {beta!r}; expected a number above 0, or math.inf for the recall.",
            )
            for beta in (0, -1.0, math.nan)
        ),
        *(
            (
                {"beta": beta},
                TypeError,
                f"beta is {beta!r}; expected a number above 0, or math.inf for the recall.",
            )
            for beta in ("1", True, None)
        ),
    ],
)
def test_errors_of_rules(options: dict[str, Any], kind: type[Exception], text: str) -> None:
    with pytest.raises(kind) as error:
        make_rouge_rules(**options)
    assert str(error.value) == text

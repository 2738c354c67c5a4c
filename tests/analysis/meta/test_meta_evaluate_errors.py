"""What is wrong with scores and ratings is one clear error; what is undefined is a value."""

import re
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import meta_evaluate

HUMAN: dict[str, Any] = {"A": [1, 2, 3], "B": [2, 3, 4], "C": [1, 1, 2]}
SCORES: dict[str, Any] = {"m": {"A": [0.1, 0.2, 0.3], "B": [0.5, 0.1, 0.4], "C": [0.2, 0.1, 0.1]}}
TEXTS = {name: ["one two", "three four", "five six"] for name in "ABC"}


@pytest.mark.parametrize(
    ("keywords", "kind", "message"),
    [
        (
            {"human": [1, 2]},
            TypeError,
            "human is of type list; expected a mapping of names to ratings, such as "
            '{"A": [4, 2], "B": [3, 5]}.',
        ),
        (
            {"human": {"A": [1, 2, 3], "B": [1, 2, 3]}},
            ValueError,
            "human has the systems 'A', 'B'; expected ratings of 'A', 'B', 'C'.",
        ),
        (
            {"human": {**HUMAN, "B": [2, 3]}},
            ValueError,
            "human['B'] has 2 numbers, but there are 3 samples; expected one number for each.",
        ),
        (
            {"human": {**HUMAN, "B": [2, None, 3]}},
            TypeError,
            "human['B'][1] is None; expected a number.",
        ),
        (
            {"human": {**HUMAN, "B": [2, float("nan"), 3]}},
            ValueError,
            "human['B'][1] is nan; expected a finite number.",
        ),
        (
            {"scores": {"m": {**SCORES["m"], "B": [0.5]}}},
            ValueError,
            "scores['m']['B'] has 1 numbers, but there are 3 samples; expected one number for "
            "each.",
        ),
        (
            {"scores": None},
            ValueError,
            "scores has no metric, and there are no systems to score; give the scores of a metric, "
            "or the texts of the systems.",
        ),
        (
            {"scores": {"m": {"A": [1]}}, "human": {"A": [1]}},
            ValueError,
            "scores has 1 system and 1 item; expected at least 2 of each.",
        ),
        (
            {"references": ["a"]},
            TypeError,
            "references is given without systems; give the texts in systems.",
        ),
        (
            {"rouge_types": ["rouge1"]},
            TypeError,
            "rouge_types is given without systems; give the texts in systems.",
        ),
        (
            {"systems": TEXTS, "references": ["one"]},
            ValueError,
            "systems['A']: predictions has 3 samples, but references has 1; expected one item in "
            "references for every prediction.",
        ),
        (
            {"level": "corpus"},
            ValueError,
            "Unknown level 'corpus'; expected one of 'segment', 'system', 'both'.",
        ),
        (
            {"grouping": "items"},
            ValueError,
            "Unknown grouping 'items'; expected one of 'item', 'system', 'none'. Did you mean "
            "'item'?",
        ),
        (
            {"coefficients": ["kendall"]},
            ValueError,
            "Unknown coefficients 'kendall'; expected one of 'pearson', 'spearman', 'kendall_b', "
            "'kendall_c', 'accuracy', 'calibrated_accuracy'. Did you mean 'kendall_b'?",
        ),
        (
            {"coefficients": "pearson"},
            TypeError,
            "coefficients is 'pearson'; expected a sequence of 'pearson', 'spearman', "
            "'kendall_b', 'kendall_c', 'accuracy', 'calibrated_accuracy'.",
        ),
        ({"coefficients": []}, ValueError, "coefficients is empty; name at least one."),
        ({"baseline": "x"}, ValueError, "baseline is 'x'; expected one of 'm'."),
        (
            {"resampled": "input"},
            ValueError,
            "Unknown resampled 'input'; expected one of 'both', 'items', 'systems'.",
        ),
        (
            {"swapped": "both"},
            ValueError,
            "Unknown swapped 'both'; expected one of 'items', 'systems'.",
        ),
        (
            {"correction": "x"},
            ValueError,
            "Unknown correction 'x'; expected one of 'holm', 'bonferroni', 'fdr_bh'.",
        ),
    ],
)
def test_a_wrong_argument_is_one_error(
    keywords: dict[str, Any], kind: type[Exception], message: str
) -> None:
    keywords = {"scores": SCORES, "human": HUMAN, "n_resamples": 5, **keywords}
    with pytest.raises(kind) as caught:
        meta_evaluate(**keywords)
    assert str(caught.value) == message


def test_two_systems_have_no_correlation_of_systems() -> None:
    human = {"A": [1, 2, 3], "B": [2, 3, 1]}
    message = (
        "level is 'both', but there are 2 systems; expected at least 3 to correlate. Use "
        "level='segment'."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        meta_evaluate({"m": human}, human)
    result = meta_evaluate({"m": human}, human, level="segment", n_resamples=5)
    assert result.find("m", "kendall_b").value == 1.0


def test_too_many_pairs_are_refused_before_any_work() -> None:
    numbers = {name: np.arange(2001.0) for name in "AB"}
    message = (
        "coefficients has 'calibrated_accuracy', which sorts all 4,002,000 pairs of texts; "
        "expected at most 2,000,000 pairs. Leave it out, or use grouping='item', as WMT23 does."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        meta_evaluate(
            {"m": numbers},
            numbers,
            level="segment",
            grouping="system",
            coefficients=["calibrated_accuracy"],
        )


def test_constant_ratings_are_said() -> None:
    human = {name: [3, 3, 3] for name in "ABC"}
    result = meta_evaluate(SCORES, human, n_resamples=5)
    row = result.find("m", "pearson")
    assert (row.value, row.low, row.high, row.n_undefined) == (None, None, None, 3)
    assert row.undefined_reason == "all ratings in each group are equal"
    assert result.find("m", "kendall_b", "system").undefined_reason == "all ratings are equal"
    # Pairs can be tied rightly.
    assert result.find("m", "calibrated_accuracy").value == 1.0
    assert "Pearson of m (system level) is undefined, because all ratings are equal." in str(result)


def test_constant_scores_are_said() -> None:
    scores = {"m": {name: [0.1, 0.1, 0.1] for name in "ABC"}, "other": SCORES["m"]}
    result = meta_evaluate(scores, HUMAN, n_resamples=5)
    row = result.find("m", "spearman")
    assert (row.value, row.undefined_reason) == (None, "all scores in each group are equal")
    difference = result.differences[0]
    assert (difference.delta, difference.p_value, difference.p_williams) == (None, None, None)
    # The accuracy is defined: the metric ties all pairs.
    assert [row.coefficient for row in result.differences if row.delta is not None] == [
        "accuracy",
        "calibrated_accuracy",
    ]


def test_groups_with_equal_ratings_are_left_out_and_counted() -> None:
    human = {"A": [1, 2, 3], "B": [1, 3, 4], "C": [1, 1, 2]}
    result = meta_evaluate(SCORES, human, n_resamples=5, level="segment")
    assert result.find("m", "kendall_b").n_undefined == 1
    assert (
        "Kendall tau-b of m (segment level) leaves out 1 of 3 groups, because all their scores or "
        "all their ratings are equal."
    ) in result.sentences()


def test_an_unknown_row_is_an_error() -> None:
    result = meta_evaluate(SCORES, HUMAN, n_resamples=5)
    message = "there is no 'pearson' of 'x' at the level 'segment'; the rows have the metrics 'm'."
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        result.find("x", "pearson")

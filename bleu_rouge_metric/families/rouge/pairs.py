"""ROUGE of single pairs."""

from collections.abc import Sequence

import numpy as np

from ..base import PairScore
from .counting import RougeCounting
from .formulas import prepare_best
from .references import score_samples
from .rules import RougeRules


def prepare_rouge(counting: RougeCounting, rules: RougeRules, counted: Sequence[str]) -> PairScore:
    """Prepare the F-measures of single pairs.

    Args:
        counting: what is counted; it ``counts_pairs``.
        rules: formula, beta and policy.
        counted: what is counted for each type that is requested; a type may repeat.
    """
    pairs, columns = counting.count_pairs(counted)
    width = pairs.width
    squared = rules.beta * rules.beta
    is_plain = rules.formula != "rouge-1.5.5" and squared != float("inf")
    score_best = prepare_best(columns, width, squared)
    is_best = is_plain and rules.multi_reference == "best"

    def score(prediction: str, references: list[str]) -> tuple[list[float], bool]:
        numbers = pairs.count(prediction, references)
        if not (is_best or (is_plain and len(references) == 1)):
            return _score_by_batch(numbers)
        scores = [best[2] for best in score_best(numbers)]
        # A text without tokens has no total; then all its scores are 0.
        if len(references) == 1 and all(scores):
            return scores, True
        return scores, all(numbers[1::3]) and all(numbers[2::3])

    def _score_by_batch(numbers: list[int]) -> tuple[list[float], bool]:
        table = np.array(numbers, dtype=np.int64).reshape(-1, width // 3, 3)
        offsets = np.array([0, len(table)])
        scores = [
            float(
                score_samples(
                    table[:, [place // 3 for place in places]].sum(axis=1), offsets, rules, name
                ).fmeasure[0]
            )
            for places, name in zip(columns, counted, strict=True)
        ]
        return scores, bool(table[..., 1:].all())

    return score

"""ROUGE of single pairs: the F-measure of floats, which equals that of arrays."""

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Final

import numpy as np

from ..base import PairScore
from .counting import RougeCounting
from .formulas import RougeRules
from .references import score_samples

# Precision, recall and F-measure.
Parts = tuple[float, float, float]

_NOTHING: Final = (0.0, 0.0, 0.0)
_FMEASURE: Final = itemgetter(2)


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


def prepare_best(
    columns: Sequence[tuple[int, ...]], width: int, squared: float = 1.0
) -> Callable[[list[int]], list[Parts]]:
    """Prepare the scores of a pair by the first reference with the highest F-measure of each type.

    Args:
        columns: for each type, the places of its hits.
        width: how many numbers a reference has.
        squared: the square of beta, finite.

    Returns:
        A function from the numbers of ``RougePairs.count`` to precision, recall and F-measure of
        each type.

    Raises:
        ValueError: a type has a place that the numbers of a reference do not have.

    >>> prepare_best([(0,)], 3)([2, 3, 4])
    [(0.6666666666666666, 0.5, 0.5714285714285715)]
    """
    last = max((place for places in columns for place in places), default=-3)
    if last + 3 > width:
        raise ValueError(
            f"A type has the place {last}, but a reference has {width} numbers; expected a plan "
            "with a column for each type."
        )
    is_sum = any(len(places) > 1 for places in columns)
    # With sums, the numbers of a reference are those of the types, in their order.
    firsts = range(0, 3 * len(columns), 3) if is_sum else [places[0] for places in columns]
    step = 3 * len(columns) if is_sum else width
    factor = 1 + squared

    def score(numbers: list[int]) -> list[Parts]:
        if is_sum:
            numbers = _sum_places(numbers, columns, width)
        end = len(numbers)
        # Fast path: equals score_pairs. Without a hit all three are 0; with one, no total is 0.
        found: list[Parts] = []
        for at in firsts if end == step else _list_places(firsts, step, end):
            if hits := numbers[at]:
                precision = hits / numbers[at + 1]
                recall = hits / numbers[at + 2]
                fmeasure = factor * precision * recall / (squared * precision + recall)
                found.append((precision, recall, fmeasure))
            else:
                found.append(_NOTHING)
        if end == step:
            return found
        # The first one, if several references are the best.
        return [max(found[kind :: len(firsts)], key=_FMEASURE) for kind in range(len(firsts))]

    return score


def _list_places(firsts: Sequence[int], step: int, end: int) -> list[int]:
    """List the places of the hits of all types, reference by reference."""
    return [start + first for start in range(0, end, step) for first in firsts]


def _sum_places(
    numbers: Sequence[int], columns: Sequence[tuple[int, ...]], width: int
) -> list[int]:
    """Sum the places of each type, reference by reference."""
    return [
        sum(numbers[start + place + part] for place in places)
        for start in range(0, len(numbers), width)
        for places in columns
        for part in range(3)
    ]

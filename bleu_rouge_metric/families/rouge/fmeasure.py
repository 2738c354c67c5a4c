"""The F-measure: of arrays, for batches, and of floats, for single pairs.

Both do the same operations in the same order, which is part of the contract; a law compares them
(``tests/scoring/test_pair_scorer.py``).
"""

import math
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Precision, recall and F-measure.
Parts = tuple[float, float, float]

_NOTHING: Final = (0.0, 0.0, 0.0)
_FMEASURE: Final = itemgetter(2)


def measure(precision: Floats, recall: Floats, beta: float) -> Floats:
    """Compute F_beta of the paper; with beta = 1 it equals ``rouge_score``.

    The order of the operations is part of the contract.
    """
    squared = beta * beta
    if math.isinf(squared):
        return recall
    # Source: Lin (2004), equation 4.
    # Parity: rouge_score.scoring.fmeasure is (2 * precision * recall) / (precision + recall), or
    # 0 if both are 0. In that case the denominator is 1 here, to avoid a division by zero.
    total = squared * precision + recall
    return (1 + squared) * precision * recall / np.where(total > 0, total, 1.0)


def weigh_harmonically(precision: Floats, recall: Floats, alpha: float) -> Floats:
    """Compute the F-measure of ROUGE-1.5.5 from the printed precision and recall."""
    total = (1 - alpha) * precision + alpha * recall
    return precision * recall / np.where(total > 0, total, 1.0)


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

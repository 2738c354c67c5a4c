"""All pairs of units of each group, in the order of their differences of scores."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...resampling.draws import Floats


class SortedPairs(NamedTuple):
    """All pairs of units of a group, in the order of their differences of scores.

    Attributes:
        first: one unit of each pair of a group.
        second: the other unit.
        group: number of the group of each pair in order.
        pair: its place in ``first`` and ``second``.
        differences: absolute differences of scores, ascending.
        stops: the last of each run of equal differences.
        concordant: 1 if scores and ratings have the units in the same order, else 0.
        change: 1 if a tie would be correct and the order is not, -1 for the reverse, else 0.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    group: NDArray[np.int64]
    pair: NDArray[np.int64]
    differences: Floats
    stops: NDArray[np.int64]
    concordant: Floats
    change: Floats


def sort_pairs(scores: Floats, ratings: Floats) -> SortedPairs:
    """Sort all pairs of units by how much their scores differ.

    Args:
        scores: shape (groups, units); finite; two units or more.
        ratings: shape (groups, units); finite.
    """
    # Parity: mt-metrics-eval (tau_optimization.py) compares differences of floats as they are.
    first, second = np.triu_indices(scores.shape[1], 1)
    steps = (scores[:, first] - scores[:, second]).ravel()
    rated = np.sign(ratings[:, first] - ratings[:, second]).ravel()
    order = np.argsort(np.abs(steps), kind="stable")
    differences: Floats = np.abs(steps)[order]
    group, pair = np.divmod(order, len(first))
    concordant = ((np.sign(steps) == rated)[order] & (differences > 0)).astype(np.float64)
    change: Floats = (rated[order] == 0).astype(np.float64) - concordant
    stops = np.append(np.flatnonzero(np.diff(differences)), len(differences) - 1)
    return SortedPairs(first, second, group, pair, differences, stops, concordant, change)

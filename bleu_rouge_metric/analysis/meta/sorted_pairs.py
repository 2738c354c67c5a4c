"""All pairs of units of each group, in the order of their differences of scores."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...resampling.draws import Floats


class SortedPairs(NamedTuple):
    """All pairs of units of a group, in the order of their differences of scores.

    Attributes:
        group: number of the group.
        first: number of one unit.
        second: number of the other.
        differences: absolute differences of scores.
        is_concordant: whether scores and ratings have them in the same order.
        change: 1 if a tie would be correct and the order is not, -1 for the reverse, else 0.
    """

    group: NDArray[np.int32]
    first: NDArray[np.int32]
    second: NDArray[np.int32]
    differences: Floats
    is_concordant: NDArray[np.bool_]
    change: NDArray[np.int8]


def sort_pairs(scores: Floats, ratings: Floats) -> SortedPairs:
    """Sort all pairs of units by how much their scores differ.

    Args:
        scores: shape (groups, units); finite.
        ratings: shape (groups, units); finite.
    """
    first, second = np.triu_indices(scores.shape[1], 1)
    steps = (scores[:, first] - scores[:, second]).ravel()
    rated = np.sign(ratings[:, first] - ratings[:, second]).ravel()
    differences = np.abs(steps)
    order = np.argsort(differences, kind="stable")
    group, pair = np.divmod(order, len(first))
    is_concordant = (np.sign(steps) == rated)[order] & (differences[order] > 0)
    change = (rated[order] == 0).astype(np.int8) - is_concordant.astype(np.int8)
    return SortedPairs(
        group.astype(np.int32),
        first[pair].astype(np.int32),
        second[pair].astype(np.int32),
        differences[order],
        is_concordant,
        change,
    )

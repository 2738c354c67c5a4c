"""Scores and ratings in groups, with the ranks and ties that coefficients are computed from.

A resample gives each unit a weight, how often it was drawn. Ranks and orders are those of all
units, so that they are computed once for all resamples. A unit that was drawn twice makes no pair
with itself: such a pair would be tied in scores and in ratings, and count as an agreement.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...resampling.draws import Floats
from .sorted_pairs import SortedPairs, sort_pairs

Ranks = NDArray[np.int64]


class PairCounts(NamedTuple):
    """How many pairs of units of each group are in which order; float64, shape (groups,).

    Attributes:
        concordant: pairs that scores and ratings put in the same order.
        discordant: pairs in opposite orders.
        score_ties: pairs with equal scores, whatever their ratings.
        rating_ties: pairs with equal ratings, whatever their scores.
        common_ties: pairs with equal scores and equal ratings.
        total: all pairs.
    """

    concordant: Floats
    discordant: Floats
    score_ties: Floats
    rating_ties: Floats
    common_ties: Floats
    total: Floats


class _Level(NamedTuple):
    """One binary digit of the ranks of ratings; each array has the shape (groups, units).

    Attributes:
        order: the units: those with the same higher digits together, in the order of scores.
        digit: whether the digit of each is 1.
        start: where the units with the same higher digits begin.
    """

    order: Ranks
    digit: NDArray[np.bool_]
    start: Ranks


class RatedGroups:
    """Scores of a metric and ratings by people, in groups of the same size.

    Attributes:
        scores: shape (groups, units); finite.
        ratings: shape (groups, units); finite.
    """

    def __init__(self, scores: Floats, ratings: Floats) -> None:
        self.scores, self.ratings = scores, ratings

    @cached_property
    def score_ranks(self) -> Ranks:
        """Ranks of the scores in their group, from 0 up; equal scores have the same rank."""
        return rank_densely(self.scores)

    @cached_property
    def rating_ranks(self) -> Ranks:
        """Ranks of the ratings in their group, from 0 up; equal ratings have the same rank."""
        return rank_densely(self.ratings)

    @cached_property
    def sorted_pairs(self) -> SortedPairs:
        """All pairs of units of a group, in the order of their differences of scores."""
        return sort_pairs(self.scores, self.ratings)

    def is_constant(self, weights: Floats) -> NDArray[np.bool_]:
        """Return for each group whether all its scores, or all its ratings, are equal.

        Args:
            weights: shape (groups, units) or (1, units); units with the weight 0 are left out.
        """
        score_values = count_distinct(self.score_ranks, weights)
        rating_values = count_distinct(self.rating_ranks, weights)
        return np.minimum(score_values, rating_values) < 2

    def count_pairs(self, weights: Floats) -> PairCounts:
        """Count pairs of units.

        Args:
            weights: as for :meth:`is_constant`; whole numbers.
        """
        full = np.broadcast_to(weights, self.scores.shape)
        own = np.square(full).sum(axis=1)
        total = (np.square(full.sum(axis=1)) - own) / 2
        score_ties, rating_ties, common_ties = (
            (np.square(sum_by_rank(ranks, full)).sum(axis=1) - own) / 2
            for ranks in (self.score_ranks, self.rating_ranks, self._common_ranks)
        )
        concordant = np.zeros(len(full))
        for level in self._levels:
            drawn = np.take_along_axis(full, level.order, axis=1)
            before = np.zeros((len(full), full.shape[1] + 1))
            np.cumsum(np.where(level.digit, 0, drawn), axis=1, out=before[:, 1:])
            lower = before[:, :-1] - np.take_along_axis(before, level.start, axis=1)
            concordant += np.where(level.digit, drawn * lower, 0).sum(axis=1)
        discordant = total - score_ties - rating_ties + common_ties - concordant
        return PairCounts(concordant, discordant, score_ties, rating_ties, common_ties, total)

    @cached_property
    def _common_ranks(self) -> Ranks:
        return rank_densely(self.score_ranks * self.scores.shape[1] + self.rating_ranks)

    @cached_property
    def _levels(self) -> list[_Level]:
        """The digits of the ranks of ratings, the highest first.

        Two units differ in a highest digit. They are concordant if the unit with the lower score
        has a 0 there, and the other a 1. So each concordant pair is counted at one level.
        """
        size = self.scores.shape[1]
        # Of units with equal scores the higher rating comes first, so that none is concordant.
        order = np.argsort(
            self.score_ranks * size + (size - 1 - self.rating_ranks), axis=1, kind="stable"
        )
        levels = []
        places = np.broadcast_to(np.arange(size), order.shape)
        for digit in reversed(range(int(self.rating_ranks.max()).bit_length())):
            ranks = np.take_along_axis(self.rating_ranks, order, axis=1)
            higher = ranks >> (digit + 1)
            is_first = np.diff(higher, axis=1, prepend=-1) != 0
            start = np.maximum.accumulate(np.where(is_first, places, 0), axis=1)
            levels.append(_Level(order, (ranks >> digit & 1).astype(bool), start))
            order = np.take_along_axis(
                order, np.argsort(ranks >> digit, axis=1, kind="stable"), axis=1
            )
        return levels


def rank_densely(values: Floats | Ranks) -> Ranks:
    """Return the rank of each value in its row, from 0 up; equal values have the same rank.

    >>> rank_densely(np.array([[0.5, 0.1, 0.5], [3.0, 2.0, 1.0]])).tolist()
    [[1, 0, 1], [2, 1, 0]]
    """
    order = np.argsort(values, axis=1, kind="stable")
    steps = np.diff(np.take_along_axis(values, order, axis=1), axis=1) != 0
    ranks = np.zeros(values.shape, np.int64)
    sorted_ranks = np.zeros(values.shape, np.int64)
    np.cumsum(steps, axis=1, out=sorted_ranks[:, 1:])
    np.put_along_axis(ranks, order, sorted_ranks, axis=1)
    return ranks


def sum_by_rank(ranks: Ranks, weights: Floats) -> Floats:
    """Return the sum of the weights of each rank in each row, shape (groups, units)."""
    rows, size = ranks.shape
    places = ranks + np.arange(rows)[:, np.newaxis] * size
    drawn = np.broadcast_to(weights, ranks.shape).ravel()
    sums: Floats = np.bincount(places.ravel(), drawn, rows * size).astype(np.float64, copy=False)
    return sums.reshape(rows, size)


def count_distinct(ranks: Ranks, weights: Floats) -> NDArray[np.int64]:
    """Return how many ranks of each row have a weight above 0, shape (groups,)."""
    counts: NDArray[np.int64] = np.count_nonzero(sum_by_rank(ranks, weights), axis=1)
    return counts

"""Coefficients of agreement between scores and ratings, for groups of weighted units.

Pearson's and Spearman's correlation, Kendall's tau-b and tau-c (Kendall 1945, Stuart 1953) are
those of ``scipy.stats``, with weights: a resample gives each unit a weight, how often it was drawn.
Ranks and orders are those of all units, so that they are computed once for all resamples.

The accuracy of pairs (Kocmi et al. 2021) counts the pairs that a metric orders as people do; in its
general form (acc_eq of Deutsch et al. 2023) a pair that both find tied is correct too. The
calibrated accuracy (acc*_eq, WMT23) counts a pair as tied if the scores differ by at most the
threshold that gives the highest accuracy, because a metric almost never ties.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...messages import value_error
from ...resampling.draws import Floats

Grouping = Literal["item", "system", "none"]

LEVELS: Final = ("segment", "system", "both")
GROUPINGS: Final = ("item", "system", "none")


class Weights(NamedTuple):
    """How often units and groups count.

    Attributes:
        units: shape (1, units of a group).
        groups: shape (groups,).
    """

    units: Floats
    groups: Floats


def group_texts(matrix: Floats, grouping: Grouping) -> Floats:
    """Return the numbers of texts in their groups.

    Args:
        matrix: shape (systems, items).
        grouping: ``item`` for a group of each item, ``system``, or ``none`` for one group.

    Returns:
        Shape (groups, units).
    """
    if grouping == "none":
        return matrix.reshape(1, -1)
    return np.ascontiguousarray(matrix.T) if grouping == "item" else matrix


def group_weights(systems: Floats, items: Floats, grouping: Grouping) -> Weights:
    """Return the weights of texts and of their groups.

    Args:
        systems: how often each system counts, shape (systems,).
        items: how often each item counts, shape (items,).
        grouping: as for :func:`group_texts`.
    """
    if grouping == "none":
        return Weights(np.outer(systems, items).reshape(1, -1), np.ones(1))
    if grouping == "item":
        return Weights(systems[np.newaxis], items)
    return Weights(items[np.newaxis], systems)


# Of the largest mean; a thousand times what the sum of a thousand numbers of one size may lose.
_RELATIVE: Final = 1e-12


def merge_ties(means: Floats) -> Floats:
    """Return the means with the smallest of those that are equal but for rounding errors.

    Args:
        means: finite; of the systems, on the last axis.

    >>> merge_ties(np.array([0.3, 0.1 + 0.2, 0.25])).tolist()
    [0.3, 0.3, 0.25]
    """
    order = np.argsort(means, axis=-1, kind="stable")
    ordered = np.take_along_axis(means, order, axis=-1)
    noise = np.abs(means).max(axis=-1, keepdims=True) * _RELATIVE
    is_new = np.diff(ordered, axis=-1, prepend=-np.inf) > noise
    places = np.maximum.accumulate(np.where(is_new, np.arange(means.shape[-1]), 0), axis=-1)
    merged = np.empty_like(means)
    np.put_along_axis(merged, order, np.take_along_axis(ordered, places, axis=-1), axis=-1)
    return merged


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


# Every resample adds them up once, which takes 0.1 s for so many.
MOST_PAIRS: Final = 2_000_000


class Calibration(NamedTuple):
    """The accuracy with the best threshold.

    Attributes:
        accuracy: in [0, 1]; NaN if there is no pair.
        threshold: scores that differ by at most this are tied, in the units of the scores.
    """

    accuracy: float
    threshold: float


def check_pairs(n_groups: int, size: int) -> None:
    """Raise ValueError if there are too many pairs to try all thresholds."""
    pairs = n_groups * (size * (size - 1) // 2)
    if pairs > MOST_PAIRS:
        raise value_error(
            "{coefficients} has 'calibrated_accuracy', which sorts all {} pairs of texts",
            f"{pairs:,}",
            expected=f"expected at most {MOST_PAIRS:,} pairs.",
            remedy="Leave it out, or use grouping='item', as WMT23 does.",
        )


def calibrate(groups: RatedGroups, weights: Floats, group_weights: Floats) -> Calibration:
    """Find the threshold below which a difference of scores is a tie, and the accuracy with it.

    Args:
        groups: of scores and ratings.
        weights: whole numbers, shape (1, units): all groups have the same.
        group_weights: how often each group counts, shape (groups,).

    >>> groups = RatedGroups(np.array([[0.1, 0.2, 0.9]]), np.array([[3.0, 3.0, 5.0]]))
    >>> calibrate(groups, np.ones((1, 3)), np.ones(1))
    Calibration(accuracy=1.0, threshold=0.1)
    """
    pairs = groups.sorted_pairs
    drawn = weights[0, pairs.first] * weights[0, pairs.second]
    counted = drawn[pairs.pair] * group_weights[pairs.group]
    total = float(counted.sum())
    if total == 0:
        return Calibration(np.nan, np.nan)
    # With every pair that becomes a tie, pairs that are tied in the ratings become correct, and
    # pairs that were in the same order become wrong. Pairs with equal differences become ties
    # together.
    # A product of BLAS would be as exact, but its threads slow down a busy machine.
    untied = float((counted * pairs.concordant).sum())
    correct = untied + np.cumsum(counted * pairs.change)[pairs.stops]
    thresholds = pairs.differences[pairs.stops]
    if thresholds[0] > 0:
        correct = np.append(untied, correct)
        thresholds = np.append(0.0, thresholds)
    best = int(np.argmax(correct))
    return Calibration(float(correct[best]) / total, float(thresholds[best]))


CALIBRATED: Final = "calibrated_accuracy"


def pearson(groups: RatedGroups, weights: Floats) -> Floats:
    """Compute Pearson's correlation of each group.

    Args:
        groups: of scores and ratings.
        weights: whole numbers, shape (groups, units), or (1, units) if they are those of all.

    Returns:
        In [-1, 1], shape (groups,); NaN if all scores or all ratings of a group are equal.
    """
    return _correlate(groups.scores, groups.ratings, weights, groups.is_constant(weights))


def spearman(groups: RatedGroups, weights: Floats) -> Floats:
    """Compute Spearman's correlation of each group; equal values share the mean of their ranks.

    The arguments and the values are those of :func:`pearson`.
    """
    scores, ratings = (
        _average_ranks(ranks, weights) for ranks in (groups.score_ranks, groups.rating_ranks)
    )
    return _correlate(scores, ratings, weights, groups.is_constant(weights))


def kendall_b(groups: RatedGroups, weights: Floats) -> Floats:
    """Compute Kendall's tau-b of each group; the arguments and values are those of pearson."""
    counts = groups.count_pairs(weights)
    with np.errstate(invalid="ignore", divide="ignore"):
        # Parity: scipy.stats.kendalltau divides by one root after the other.
        tau = (
            (counts.concordant - counts.discordant)
            / np.sqrt(counts.total - counts.score_ties)
            / np.sqrt(counts.total - counts.rating_ties)
        )
    return _limit(tau, groups.is_constant(weights))


def kendall_c(groups: RatedGroups, weights: Floats) -> Floats:
    """Compute Kendall's tau-c of each group; the arguments and values are those of pearson."""
    counts = groups.count_pairs(weights)
    classes = np.minimum(
        count_distinct(groups.score_ranks, weights), count_distinct(groups.rating_ranks, weights)
    )
    sizes = np.broadcast_to(weights, groups.scores.shape).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        # Parity: the order of operations of scipy.stats.kendalltau.
        tau = (
            2
            * (counts.concordant - counts.discordant)
            / (np.square(sizes) * (classes - 1) / classes)
        )
    return _limit(tau, classes < 2)


def accuracy(groups: RatedGroups, weights: Floats) -> Floats:
    """Compute the share of pairs of each group that scores order as ratings do.

    The arguments are those of :func:`pearson`.

    Returns:
        In [0, 1], shape (groups,); NaN for a group without a pair of different units.
    """
    counts = groups.count_pairs(weights)
    with np.errstate(invalid="ignore"):
        shares: Floats = (counts.concordant + counts.common_ties) / counts.total
    return shares


COEFFICIENTS: Final[dict[str, Callable[[RatedGroups, Floats], Floats]]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall_b": kendall_b,
    "kendall_c": kendall_c,
    "accuracy": accuracy,
}


def correlate(
    coefficient: str, groups: RatedGroups, weights: Floats, group_weights: Floats
) -> float:
    """Compute the mean of a coefficient over the groups in which it is defined.

    Args:
        coefficient: one of ``COEFFICIENTS``, or ``CALIBRATED``.
        groups: of scores and ratings.
        weights: as for :func:`pearson`.
        group_weights: how often each group counts, shape (groups,).

    Returns:
        NaN if it is defined in no group.
    """
    if coefficient == CALIBRATED:
        return calibrate(groups, weights, group_weights).accuracy
    return average(COEFFICIENTS[coefficient](groups, weights), group_weights)


def average(values: Floats, weights: Floats) -> float:
    """Return the weighted mean of the values that are not NaN; NaN if there are none."""
    known = np.where(np.isnan(values), 0.0, weights)
    total = float(known.sum())
    return float(np.nansum(values * known)) / total if total else np.nan


def _average_ranks(ranks: Ranks, weights: Floats) -> Floats:
    """Return the mean rank of each value, from 1 up, among the units as often as they are drawn."""
    sizes = sum_by_rank(ranks, weights)
    means = np.cumsum(sizes, axis=1) - (sizes - 1) / 2
    return np.take_along_axis(means, ranks, axis=1)


def _correlate(
    scores: Floats, ratings: Floats, weights: Floats, is_constant: NDArray[np.bool_]
) -> Floats:
    """Return the weighted product-moment correlation of each row."""
    totals = np.broadcast_to(weights, scores.shape).sum(axis=1, keepdims=True)
    x, y = (
        values - (values * weights).sum(axis=1, keepdims=True) / totals
        for values in (scores, ratings)
    )
    # Each sum of squares has its own root, because their product may underflow.
    spread = np.sqrt((x * x * weights).sum(axis=1)) * np.sqrt((y * y * weights).sum(axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return _limit((x * y * weights).sum(axis=1) / spread, is_constant)


def _limit(values: Floats, is_undefined: NDArray[np.bool_]) -> Floats:
    """Return correlations without the rounding errors beyond -1 and 1."""
    limited: Floats = np.where(is_undefined, np.nan, np.clip(values, -1.0, 1.0))
    return limited

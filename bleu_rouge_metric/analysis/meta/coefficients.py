"""Coefficients of agreement between scores and ratings, for groups of weighted units.

Pearson's and Spearman's correlation, Kendall's tau-b and tau-c (Kendall 1945, Stuart 1953) are
those of ``scipy.stats``. The accuracy of pairs (Kocmi et al. 2021) counts the pairs that a metric
orders as people do; in its general form (acc_eq of Deutsch et al. 2023) a pair that both find tied
is correct too. The calibrated accuracy (acc*_eq, WMT23) is in ``calibration.py``.
"""

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...resampling.draws import Floats
from .calibration import calibrate
from .rated_groups import Ranks, RatedGroups, count_distinct, sum_by_rank

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

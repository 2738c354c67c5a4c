"""Resample a coefficient for its interval, and swap scores to test a difference.

Intervals: systems, items or both are drawn with replacement (Deutsch et al. 2021). An interval from
resampled systems is about other systems, one from resampled items about other inputs.

Tests: if two metrics were equally good, each of their scores could as well be the other's. So
standardized scores of whole items or systems are swapped at random (Deutsch et al. 2021). Williams'
test (Graham and Baldwin 2014) is for Pearson's correlation, and assumes normal distributions.
"""

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, Literal, NamedTuple

import numpy as np

from ...resampling.draws import Floats, Weights, all_swaps, bootstrap_weights, swap_weights
from ...resampling.paired import bootstrap
from ...resampling.student import student_tail
from .coefficients import (
    CALIBRATED,
    COEFFICIENTS,
    Grouping,
    RatedGroups,
    average,
    calibrate,
    correlate,
    group_texts,
    group_weights,
    merge_ties,
)
from .coefficients import Weights as GroupWeights
from .rated_systems import RatedSystems

Resampled = Literal["both", "items", "systems"]
RESAMPLED: Final = ("both", "items", "systems")


def draw_systems(n_systems: int, n_resamples: int, seed: int, resampled: Resampled) -> Floats:
    """Return how often each system is drawn, shape (n_resamples, systems)."""
    if resampled == "items":
        return np.ones((n_resamples, n_systems))
    # A stream of its own: that of ``bootstrap_weights`` draws items.
    generator = np.random.default_rng([seed, 2])
    shares = np.full(n_systems, 1 / n_systems)
    return generator.multinomial(n_systems, shares, n_resamples).astype(np.float64)


def _draw_items(
    n_items: int, n_resamples: int, seed: int, resampled: Resampled
) -> Iterator[Floats]:
    """Iterate over the resamples: how often each item is drawn, shape (items,)."""
    if resampled == "systems":
        for _ in range(n_resamples):
            yield np.ones(n_items)
        return
    for block in bootstrap_weights(n_items, n_resamples, seed):
        yield from block.astype(np.float64)


def resample_systems(
    rated: RatedSystems,
    coefficients: list[str],
    *,
    n_resamples: int,
    seed: int,
    resampled: Resampled,
) -> Floats:
    """Compute coefficients at the level of systems in each resample.

    Args:
        rated: the scores and ratings.
        coefficients: their names.
        n_resamples: how many.
        seed: 0 or more.
        resampled: what is drawn.

    Returns:
        Shape (metrics, coefficients, n_resamples); NaN where one is undefined.
    """
    drawn = draw_systems(len(rated.systems), n_resamples, seed, resampled)
    if resampled == "systems":
        values = np.repeat(rated.values[:, np.newaxis], n_resamples, axis=1)
        ratings = np.repeat(rated.mean_ratings[np.newaxis], n_resamples, axis=0)
    else:
        # Both have the same items in each resample, because the stream is the same.
        values = merge_ties(bootstrap(rated.tables, n_resamples, seed).transpose(1, 2, 0))
        ratings = merge_ties(bootstrap(rated.rating_tables, n_resamples, seed)[:, 0].T)
    found = np.empty((len(rated.metrics), len(coefficients), n_resamples))
    for metric, scores in enumerate(values):
        for place, coefficient in enumerate(coefficients):
            found[metric, place] = correlate_rows(coefficient, scores, ratings, drawn)
    return found


def correlate_rows(coefficient: str, scores: Floats, ratings: Floats, weights: Floats) -> Floats:
    """Compute a coefficient of each row.

    Args:
        coefficient: its name.
        scores: shape (rows, systems).
        ratings: shape (rows, systems).
        weights: shape (rows, systems), or (1, systems).
    """
    if coefficient != CALIBRATED:
        return COEFFICIENTS[coefficient](RatedGroups(scores, ratings), weights)
    # A group of its own for each row would share the threshold.
    full = np.broadcast_to(weights, scores.shape)
    return np.array(
        [
            correlate(
                CALIBRATED,
                RatedGroups(row[np.newaxis], rating[np.newaxis]),
                weight[np.newaxis],
                np.ones(1),
            )
            for row, rating, weight in zip(scores, ratings, full, strict=True)
        ]
    )


def resample_texts(
    groups: list[RatedGroups],
    coefficients: list[str],
    shape: tuple[int, int],
    grouping: Grouping,
    *,
    n_resamples: int,
    seed: int,
    resampled: Resampled,
) -> Floats:
    """Compute coefficients at the level of segments in each resample.

    Args:
        groups: of each metric.
        coefficients: their names.
        shape: the numbers of systems and items.
        grouping: of the texts.
        n_resamples: how many.
        seed: 0 or more.
        resampled: what is drawn.

    Returns:
        Shape (metrics, coefficients, n_resamples); NaN where one is undefined.
    """
    systems = draw_systems(shape[0], n_resamples, seed, resampled)
    items = _draw_items(shape[1], n_resamples, seed, resampled)
    found = np.empty((len(groups), len(coefficients), n_resamples))
    for number, drawn in enumerate(zip(systems, items, strict=True)):
        weights = group_weights(*drawn, grouping)
        for metric, group in enumerate(groups):
            for place, coefficient in enumerate(coefficients):
                found[metric, place, number] = correlate(coefficient, group, *weights)
    return found


Swapped = Literal["items", "systems"]
SWAPPED: Final = ("items", "systems")

# Scores that are correlated at once, with about 100 bytes each.
_NUMBERS_PER_BLOCK: Final = 1 << 16

# Two differences that are equal in exact arithmetic differ by less than this.
_TOLERANCE: Final = 1e-12


class Permutation(NamedTuple):
    """The result of a permutation test.

    Attributes:
        p_value: in (0, 1]; None if a coefficient is undefined.
        n_resamples: how many ways to swap were tried.
        is_exact: whether these were all ways.
    """

    p_value: float | None
    n_resamples: int
    is_exact: bool


def permute_systems(
    coefficient: str, values: Floats, ratings: Floats, *, n_resamples: int, seed: int
) -> Permutation:
    """Test two metrics at the level of systems; the scores of whole systems are swapped.

    Args:
        coefficient: its name.
        values: scores of the systems, shape (2, systems).
        ratings: shape (systems,).
        n_resamples: as for :func:`approximate_randomization`.
        seed: 0 or more.
    """
    first, second = map(_standardize, values)

    def compare(swaps: Weights) -> Floats:
        given = np.broadcast_to(ratings, swaps.shape)
        ones = np.ones((1, len(ratings)))
        x, y = np.where(swaps, second, first), np.where(swaps, first, second)
        return correlate_rows(coefficient, x, given, ones) - correlate_rows(
            coefficient, y, given, ones
        )

    return _count_swaps(compare, len(ratings), n_resamples, seed)


def permute_texts(
    coefficient: str,
    samples: Floats,
    ratings: Floats,
    grouping: Grouping,
    swapped: Swapped,
    *,
    n_resamples: int,
    seed: int,
) -> Permutation:
    """Test two metrics at the level of segments.

    Args:
        coefficient: its name.
        samples: scores of texts, shape (2, systems, items).
        ratings: shape (systems, items).
        grouping: of the texts.
        swapped: whether the scores of whole items or of whole systems are swapped.
        n_resamples: as for :func:`approximate_randomization`.
        seed: 0 or more.
    """
    first, second = map(_standardize, samples)
    n_systems, n_items = ratings.shape
    given = group_texts(ratings, grouping)
    weights = group_weights(np.ones(n_systems), np.ones(n_items), grouping)
    units = n_items if swapped == "items" else n_systems

    rows = max(1, _NUMBERS_PER_BLOCK // ratings.size)

    def compare_mixed(swaps: Weights) -> Floats:
        found = []
        for start in range(0, len(swaps), rows):
            block = swaps[start : start + rows].astype(bool)
            mask = block[:, np.newaxis] if swapped == "items" else block[:, :, np.newaxis]
            x, y = (
                _correlate_each(coefficient, mixed, given, grouping, weights)
                for mixed in (np.where(mask, second, first), np.where(mask, first, second))
            )
            found.append(x - y)
        return np.concatenate(found)

    compare: Callable[[Weights], Floats] = compare_mixed
    # Fast path: equals the above if whole groups are swapped. Their coefficients are then swapped;
    # 100 swaps take 0.01 s in place of 0.95 s, with 1,000 items of 16 systems. The calibrated
    # accuracy takes 0.5 s in place of 3.9 s: the pairs of both metrics are sorted once, and each
    # group counts for one of them.
    if grouping == swapped.removesuffix("s"):
        scores = [group_texts(matrix, grouping) for matrix in (first, second)]
        if coefficient == CALIBRATED:
            both = RatedGroups(np.concatenate(scores), np.tile(given, (2, 1)))
            compare = partial(_swap_pairs, both=both, weights=weights.units)
        else:
            x, y = (
                COEFFICIENTS[coefficient](RatedGroups(one, given), weights.units) for one in scores
            )
            compare = partial(_swap_groups, first=x, second=y)
    return _count_swaps(compare, units, n_resamples, seed)


def _correlate_each(
    coefficient: str, mixed: Floats, given: Floats, grouping: Grouping, weights: GroupWeights
) -> Floats:
    """Compute the coefficient of each of several matrices of scores.

    Args:
        coefficient: its name.
        mixed: shape (rows, systems, items).
        given: the ratings, shape (groups, units).
        grouping: of the texts.
        weights: of units and groups, 1 each.
    """
    scores = np.stack([group_texts(matrix, grouping) for matrix in mixed])
    if coefficient == CALIBRATED:
        # Each matrix has a threshold of its own.
        return np.array([calibrate(RatedGroups(one, given), *weights).accuracy for one in scores])
    n_rows, n_groups, size = scores.shape
    groups = RatedGroups(scores.reshape(-1, size), np.tile(given, (n_rows, 1)))
    values = COEFFICIENTS[coefficient](groups, weights.units).reshape(n_rows, n_groups)
    return np.array([average(row, weights.groups) for row in values])


def _swap_groups(swaps: Weights, first: Floats, second: Floats) -> Floats:
    """Return the differences of the means of coefficients of groups after each row of swaps."""
    mask = swaps.astype(np.float64)

    def mix(ours: Floats, theirs: Floats) -> Floats:
        mixed: Floats = mask @ theirs + (1 - mask) @ ours
        return mixed

    values = [np.nan_to_num(one) for one in (first, second)]
    known = [(~np.isnan(one)).astype(np.float64) for one in (first, second)]
    with np.errstate(invalid="ignore"):
        ours = mix(values[0], values[1]) / mix(known[0], known[1])
        theirs = mix(values[1], values[0]) / mix(known[1], known[0])
    return ours - theirs


def _swap_pairs(swaps: Weights, both: RatedGroups, weights: Floats) -> Floats:
    """Return the differences of calibrated accuracies after each row of swaps of groups."""
    found = []
    for swap in swaps.astype(np.float64):
        ours, theirs = np.concatenate([1 - swap, swap]), np.concatenate([swap, 1 - swap])
        found.append(
            calibrate(both, weights, ours).accuracy - calibrate(both, weights, theirs).accuracy
        )
    return np.array(found)


def _count_swaps(
    compare: Callable[[Weights], Floats], units: int, n_resamples: int, seed: int
) -> Permutation:
    """Return the p-value of a difference.

    Args:
        compare: returns the difference after each row of swaps, shape (rows,).
        units: how many are swapped.
        n_resamples: how many ways to swap are tried at most.
        seed: 0 or more.
    """
    observed = abs(float(compare(np.zeros((1, units), np.uint8))[0]))
    if math.isnan(observed):
        return Permutation(None, 0, False)  # noqa: FBT003
    is_exact = units < n_resamples.bit_length()  # 2 ** units <= n_resamples
    tried = 1 << units if is_exact else n_resamples
    blocks: Iterator[Weights] = all_swaps(units) if is_exact else swap_weights(units, tried, seed)
    hits = 0
    for swaps in blocks:
        # A coefficient that is undefined after a swap counts as a difference as large.
        hits += int(np.count_nonzero(~(np.abs(compare(swaps)) < observed - _TOLERANCE)))
    # The scores as they are count as one more way to swap; among all ways they are already.
    p_value = hits / tried if is_exact else (hits + 1) / (tried + 1)
    return Permutation(p_value, tried, is_exact)


def _standardize(scores: Floats) -> Floats:
    """Return the scores with the mean 0 and the standard deviation 1; constant ones as zeros."""
    centred = scores - scores.mean()
    spread = float(centred.std())
    # Scores that are all equal may have a mean that rounding moves off them.
    return centred / spread if np.ptp(scores) > 0 else np.zeros_like(scores)


def williams(first: float, second: float, between: float, units: int) -> float | None:
    """Return the two-sided p-value of Williams' test.

    Args:
        first: correlation of one metric with the ratings.
        second: correlation of the other metric with the ratings.
        between: correlation of the two metrics.
        units: how many units were correlated.

    Returns:
        None with fewer than 4 units, or if the statistic is undefined, as for equal metrics.

    >>> round(williams(0.9, 0.7, 0.6, 20), 4)
    0.0435
    """
    if units < 4 or math.isnan(first + second + between):
        return None
    # Source: Graham and Baldwin (2014), section 3; Steiger (1980), equation 7.
    determinant = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    mean = (first + second) / 2
    variance = 2 * (units - 1) / (units - 3) * determinant + mean**2 * (1 - between) ** 3
    if variance <= _TOLERANCE:
        return None
    statistic = (first - second) * math.sqrt((units - 1) * (1 + between) / variance)
    return 2 * student_tail(abs(statistic), units - 3)

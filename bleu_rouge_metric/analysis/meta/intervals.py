"""Resample a coefficient by drawing systems, items or both with replacement.

Deutsch et al. (2021) compare the three: an interval from resampled systems is about other systems,
one from resampled items about other inputs, and one from both about both.
"""

from collections.abc import Iterator
from typing import Final, Literal

import numpy as np

from ...resampling.draws import Floats, bootstrap_weights
from ...resampling.paired import bootstrap
from .coefficients import CALIBRATED, COEFFICIENTS, correlate
from .levels import Grouping, group_weights
from .rated_groups import RatedGroups
from .rated_systems import RatedSystems
from .ties import merge_ties

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

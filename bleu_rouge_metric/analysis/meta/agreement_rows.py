"""Compute the rows of a meta-evaluation: coefficients with intervals, and tests between metrics."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ...resampling.draws import Floats
from ...resampling.student import widen_tail
from .agreement_plan import Plan
from .agreement_results import MetricAgreement, MetricDifference
from .calibration import calibrate
from .coefficients import CALIBRATED, COEFFICIENTS, average, correlate
from .intervals import resample_systems, resample_texts
from .levels import Weights, group_texts, group_weights
from .paired_tests import Permutation, permute_systems, permute_texts, williams
from .rated_groups import RatedGroups
from .rated_systems import RatedSystems

Rows = tuple[list[MetricAgreement], list[MetricDifference]]


class _Level(NamedTuple):
    """What is correlated at a level.

    Attributes:
        name: ``system`` or ``segment``.
        groups: scores and ratings of each metric.
        weights: of units and groups, 1 each.
        resampled: shape (metrics, coefficients, n_resamples); NaN where one is undefined.
    """

    name: str
    groups: list[RatedGroups]
    weights: Weights
    resampled: Floats


def compare_on_systems(rated: RatedSystems, plan: Plan, pairs: list[tuple[int, int]]) -> Rows:
    """Correlate the scores of whole systems with their mean ratings, and test the differences.

    Args:
        rated: scores and ratings.
        plan: what is computed.
        pairs: the numbers of the metrics that are compared.
    """
    ratings = rated.mean_ratings
    level = _Level(
        "system",
        [RatedGroups(values[np.newaxis], ratings[np.newaxis]) for values in rated.values],
        Weights(np.ones((1, len(ratings))), np.ones(1)),
        resample_systems(
            rated,
            plan.list_coefficients("system"),
            n_resamples=plan.n_resamples,
            seed=plan.seed,
            resampled=plan.resampled,
        ),
    )

    def test(coefficient: str, pair: list[int]) -> Permutation:
        return permute_systems(
            coefficient,
            rated.values[pair],
            ratings,
            n_resamples=plan.n_resamples,
            seed=plan.seed,
        )

    rows = list(_make_rows(rated, plan, level))
    return rows, list(_make_differences(rows, pairs, level, test=test, swapped="systems"))


def compare_on_texts(rated: RatedSystems, plan: Plan, pairs: list[tuple[int, int]]) -> Rows:
    """Correlate the scores of texts with their ratings, and test the differences.

    The arguments are those of :func:`compare_on_systems`.
    """
    n_systems, n_items = rated.ratings.shape
    ratings = group_texts(rated.ratings, plan.grouping)
    groups = [RatedGroups(group_texts(one, plan.grouping), ratings) for one in rated.samples]
    level = _Level(
        "segment",
        groups,
        group_weights(np.ones(n_systems), np.ones(n_items), plan.grouping),
        resample_texts(
            groups,
            plan.list_coefficients("segment"),
            (n_systems, n_items),
            plan.grouping,
            n_resamples=plan.n_resamples,
            seed=plan.seed,
            resampled=plan.resampled,
        ),
    )
    swapped = plan.swapped or "items"

    def test(coefficient: str, pair: list[int]) -> Permutation:
        return permute_texts(
            coefficient,
            rated.samples[pair],
            rated.ratings,
            plan.grouping,
            swapped,
            n_resamples=plan.n_resamples,
            seed=plan.seed,
        )

    rows = list(_make_rows(rated, plan, level))
    return rows, list(_make_differences(rows, pairs, level, test=test, swapped=swapped))


def _make_rows(rated: RatedSystems, plan: Plan, level: _Level) -> Iterator[MetricAgreement]:
    """Iterate over the rows of a level: all metrics of a coefficient, then those of the next."""
    units = {"items": rated.n_items, "systems": len(rated.systems)}
    tail = widen_tail((1 - plan.confidence) / 2, units.get(plan.resampled, min(units.values())))
    for place, coefficient in enumerate(plan.list_coefficients(level.name)):
        for metric, group in enumerate(level.groups):
            threshold, n_undefined = None, 0
            if coefficient == CALIBRATED:
                value, threshold = calibrate(group, *level.weights)
            else:
                each = COEFFICIENTS[coefficient](group, level.weights.units)
                value = average(each, level.weights.groups)
                n_undefined = int(np.isnan(each).sum())
            known = level.resampled[metric, place]
            known = known[~np.isnan(known)]
            low = high = None
            if not math.isnan(value) and len(known):
                low, high = map(float, np.percentile(known, [100 * tail, 100 * (1 - tail)]))
            yield MetricAgreement(
                rated.metrics[metric],
                level.name,
                coefficient,
                None if math.isnan(value) else value,
                low,
                high,
                len(group.scores),
                n_undefined,
                plan.n_resamples - len(known),
                _explain_undefined(group) if math.isnan(value) else None,
                threshold,
            )


def _explain_undefined(groups: RatedGroups) -> str:
    """Return why a correlation is defined in no group."""
    where = " in each group" if len(groups.scores) > 1 else ""
    for what, values in (("ratings", groups.ratings), ("scores", groups.scores)):
        if (np.ptp(values, axis=1) == 0).all():
            return f"all {what}{where} are equal"
    return f"all scores or all ratings{where} are equal"


def _make_differences(
    rows: Sequence[MetricAgreement],
    pairs: list[tuple[int, int]],
    level: _Level,
    *,
    test: Callable[[str, list[int]], Permutation],
    swapped: str,
) -> Iterator[MetricDifference]:
    """Iterate over the differences of a level: all pairs of a coefficient, then the next."""
    found = {(row.coefficient, row.metric): row.value for row in rows}
    metrics = list(dict.fromkeys(row.metric for row in rows))
    for coefficient in dict.fromkeys(row.coefficient for row in rows):
        for pair in pairs:
            names = [metrics[place] for place in pair]
            first, second = (found[coefficient, name] for name in names)
            tested = test(coefficient, list(pair))
            p_williams = delta = None
            if first is not None and second is not None:
                delta = first - second
                # With several groups there is no single number of units.
                if coefficient == "pearson" and len(level.groups[0].scores) == 1:
                    x, y = (level.groups[place].scores for place in pair)
                    between = correlate("pearson", RatedGroups(x, y), *level.weights)
                    p_williams = williams(first, second, between, x.size)
            yield MetricDifference(
                metric=names[0],
                other=names[1],
                level=level.name,
                coefficient=coefficient,
                delta=delta,
                p_value=tested.p_value,
                p_corrected=None,
                p_williams=p_williams,
                swapped=swapped,
                n_resamples=tested.n_resamples,
                is_exact=tested.is_exact,
            )

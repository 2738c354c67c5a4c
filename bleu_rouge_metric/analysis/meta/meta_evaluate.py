"""Measure how far metrics agree with ratings by people: meta-evaluation.

Deutsch et al. (2021) introduce the resampling of systems and items, Deutsch et al. (2023) the
groupings and the accuracy with ties that WMT has used since 2023.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast, get_args

import numpy as np

from ...checks import check_choice, is_sequence
from ...messages import format_message, type_error, value_error
from ...resampling.corrections import Correction, correct_rows
from ...resampling.draws import Floats
from ...resampling.student import widen_tail
from ...schema.checks import check_confidence, check_resamples, choose_seed
from .coefficients import (
    CALIBRATED,
    COEFFICIENTS,
    GROUPINGS,
    LEVELS,
    Grouping,
    RatedGroups,
    Weights,
    average,
    calibrate,
    check_pairs,
    correlate,
    group_texts,
    group_weights,
)
from .rated_systems import RatedSystems, gather_ratings
from .resampling import (
    RESAMPLED,
    SWAPPED,
    Permutation,
    Resampled,
    Swapped,
    permute_systems,
    permute_texts,
    resample_systems,
    resample_texts,
    williams,
)
from .results import MetaEvaluation, MetricAgreement, MetricDifference

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...options.keywords import ComparedKeywords
    from ...options.profiles import Family


_CORRELATIONS: Final = ("pearson", "spearman", "kendall_b")

# What other libraries and papers call them.
_FOREIGN: Final = {
    "kendall": "kendall_b",
    "kendalltau": "kendall_b",
    "tau": "kendall_b",
    "acc_eq": "accuracy",
    "pairwise_accuracy": "accuracy",
}

# With fewer systems, every correlation of systems is -1, 1 or undefined.
_FEWEST_SYSTEMS: Final = 3


class Plan(NamedTuple):
    """What is computed; the fields are documented at ``meta_evaluate``."""

    levels: tuple[str, ...]
    grouping: Grouping
    coefficients: tuple[str, ...] | None
    resampled: Resampled
    swapped: Swapped | None
    n_resamples: int
    confidence: float
    seed: int
    correction: Correction | None

    def list_coefficients(self, level: str) -> list[str]:
        """Return the coefficients of a level."""
        if self.coefficients is not None:
            return list(self.coefficients)
        if level == "system":
            return [*_CORRELATIONS, "accuracy"]
        return [*_CORRELATIONS, *([CALIBRATED] if self.grouping == "item" else [])]


def check_plan(
    *,
    level: object,
    grouping: object,
    coefficients: object,
    resampled: object,
    swapped: object,
    n_resamples: object,
    confidence: object,
    seed: object,
    correction: object,
) -> Plan:
    """Check the arguments that need no data."""
    name = check_choice("level", level, LEVELS)
    chosen = None
    if coefficients is not None:
        known = [*COEFFICIENTS, CALIBRATED]
        if not is_sequence(coefficients):
            raise type_error(
                "{coefficients} is {!r}",
                coefficients,
                expected=f"expected a sequence of {', '.join(map(repr, known))}.",
            )
        items: Any = coefficients
        names = [check_choice("coefficients", item, known, foreign=_FOREIGN) for item in items]
        chosen = tuple(dict.fromkeys(names))
        if not chosen:
            raise value_error("{coefficients} is empty", remedy="name at least one.")
    if correction is not None:
        check_choice("correction", correction, get_args(Correction))
    return Plan(
        ("system", "segment") if name == "both" else (name,),
        cast("Grouping", check_choice("grouping", grouping, GROUPINGS)),
        chosen,
        cast("Resampled", check_choice("resampled", resampled, RESAMPLED)),
        None if swapped is None else cast("Swapped", check_choice("swapped", swapped, SWAPPED)),
        check_resamples("n_resamples", n_resamples),
        float(check_confidence("confidence", confidence)),
        choose_seed(seed),
        cast("Correction | None", correction),
    )


def check_size(plan: Plan, rated: RatedSystems, level: str) -> None:
    """Raise unless there are enough systems, and not too many pairs of texts."""
    n_systems = len(rated.systems)
    if "system" in plan.levels and n_systems < _FEWEST_SYSTEMS:
        raise value_error(
            "{level} is {!r}, but there are {} systems",
            level,
            n_systems,
            expected=f"expected at least {_FEWEST_SYSTEMS} to correlate.",
            remedy=format_message("Use {level='segment'}."),
        )
    if "segment" in plan.levels and CALIBRATED in plan.list_coefficients("segment"):
        check_pairs(*group_texts(rated.ratings, plan.grouping).shape)


def list_pairs(metrics: Sequence[str], baseline: str | None) -> list[tuple[int, int]]:
    """Return the pairs of metrics to compare: the metric, then the other."""
    if baseline is None:
        return [(second, first) for first, second in combinations(range(len(metrics)), 2)]
    if baseline not in metrics:
        raise value_error(
            "{baseline} is {!r}",
            baseline,
            expected=f"expected one of {', '.join(map(repr, metrics))}.",
        )
    place = metrics.index(baseline)
    return [(other, place) for other in range(len(metrics)) if other != place]


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


def meta_evaluate(
    scores: Mapping[str, Mapping[str, Any]] | None,
    human: Mapping[str, Any],
    *,
    level: str = "both",
    grouping: str = "item",
    coefficients: Sequence[str] | None = None,
    baseline: str | None = None,
    systems: Mapping[str, Any] | None = None,
    references: object = None,
    resampled: str = "both",
    swapped: str | None = None,
    n_resamples: int = 1000,
    confidence: float = 0.95,
    seed: int | None = 12345,
    correction: str | None = None,
    family: "Family | None" = None,
    **options: "Unpack[ComparedKeywords]",
) -> MetaEvaluation:
    """Measure how far metrics agree with ratings by people, with intervals and paired tests.

    Args:
        scores: numbers of metrics, one per item: ``{"comet": {"A": [...], "B": [...]}}``; higher
            is better, so negate error rates. None if only BLEU and ROUGE are wanted.
        human: ratings, one per item: ``{"A": [...], "B": [...]}``; the mean of several people.
        level: ``system`` (one score per system, three systems or more), ``segment`` (one score per
            text) or ``both``.
        grouping: of texts at the level of segments: ``item`` (as WMT23), ``system`` or ``none``.
            The coefficient is the mean over the groups in which it is defined.
        coefficients: ``pearson``, ``spearman``, ``kendall_b``, ``kendall_c``, ``accuracy`` (of
            pairs), ``calibrated_accuracy`` (of pairs, with ties). None for the first three, and the
            accuracy of systems or the calibrated accuracy of texts grouped by item.
        baseline: the metric that the others are compared with; None to compare all pairs.
        systems: predictions or ``Scorer`` objects by system, to compute BLEU and ROUGE too. BLEU of
            a text is smoothed as in ``compare_systems``.
        references: of the predictions; left out for scorers.
        resampled: what the bootstrap draws: ``both``, ``items`` or ``systems``.
        swapped: whether the test of texts swaps the scores of whole ``items`` or ``systems``; None
            for items. The test of systems always swaps systems.
        n_resamples: of intervals and tests, from 1 to 1,000,000. With few units, tests try all
            ways to swap.
        confidence: of the intervals, above 0 and below 1.
        seed: from 0 to 2 ** 32 - 1; None to draw one.
        correction: of all p-values together: ``holm``, ``bonferroni``, ``fdr_bh`` or None.
        family: ``bleu`` or ``rouge`` for one family; None for all that the profile has.
        **options: options of BLEU and ROUGE, as for ``compare_systems``.

    Returns:
        A row for each level, coefficient and metric, and one for each pair of metrics.

    Raises:
        TypeError: a value is of a wrong type, or an option is unknown.
        ValueError: a value is out of range, a rating is missing, or scores and ratings do not have
            the same systems and items.

    >>> human = {"A": [1, 2, 3, 3], "B": [2, 3, 3, 4], "C": [1, 1, 2, 2]}
    >>> scores = {"length": {"A": [5, 6, 7, 8], "B": [6, 7, 9, 9], "C": [5, 4, 6, 5]}}
    >>> result = meta_evaluate(scores, human, level="segment", coefficients=["kendall_b"])
    >>> round(result.rows[0].value, 4)
    0.9541
    """
    plan = check_plan(
        level=level,
        grouping=grouping,
        coefficients=coefficients,
        resampled=resampled,
        swapped=swapped,
        n_resamples=n_resamples,
        confidence=confidence,
        seed=seed,
        correction=correction,
    )
    keywords: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    rated = gather_ratings(
        scores,
        human,
        systems=systems,
        references=references,
        seed=plan.seed,
        family=family,
        options=keywords,
    )
    check_size(plan, rated, level)
    pairs = list_pairs(rated.metrics, baseline)
    rows: list[MetricAgreement] = []
    differences: list[MetricDifference] = []
    for each in plan.levels:
        found, compared = (compare_on_systems if each == "system" else compare_on_texts)(
            rated, plan, pairs
        )
        rows += found
        differences += compared
    n_tests = sum(row.p_value is not None for row in differences)
    return MetaEvaluation(
        rows=tuple(rows),
        differences=correct_rows([differences], plan.correction)[0],
        systems=tuple(rated.systems),
        n_items=rated.n_items,
        grouping=plan.grouping,
        resampled=plan.resampled,
        n_resamples=plan.n_resamples,
        seed=plan.seed,
        confidence=plan.confidence,
        correction=plan.correction,
        n_tests=None if plan.correction is None else n_tests,
        options=rated.options,
    )

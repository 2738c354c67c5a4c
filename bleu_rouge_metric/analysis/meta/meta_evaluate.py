"""Measure how far metrics agree with ratings by people: meta-evaluation.

Deutsch et al. (2021) introduce the resampling of systems and items, Deutsch et al. (2023) the
groupings and the accuracy with ties that WMT has used since 2023.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...resampling.paired import correct
from .agreement_plan import check_plan, check_size, list_pairs
from .agreement_results import MetaEvaluation, MetricAgreement, MetricDifference
from .agreement_rows import compare_on_systems, compare_on_texts
from .rated_systems import gather_ratings

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...options.keywords import ComparedKeywords
    from ...options.profiles import Family


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
    p_values = [row.p_value for row in differences if row.p_value is not None]
    if plan.correction is not None and p_values:
        corrected = iter(correct(np.array(p_values), plan.correction).tolist())
        differences = [
            row if row.p_value is None else row._replace(p_corrected=next(corrected))
            for row in differences
        ]
    return MetaEvaluation(
        rows=tuple(rows),
        differences=tuple(differences),
        systems=tuple(rated.systems),
        n_items=rated.n_items,
        grouping=plan.grouping,
        resampled=plan.resampled,
        n_resamples=plan.n_resamples,
        seed=plan.seed,
        confidence=plan.confidence,
        correction=plan.correction,
        n_tests=None if plan.correction is None else len(p_values),
        options=rated.options,
    )

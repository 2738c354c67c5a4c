"""Combine comparisons of systems on several test sets: means, and how many sets are won."""

from collections.abc import Mapping
from functools import partial
from math import sqrt
from typing import Any, cast

import numpy as np

from ...resampling.corrections import Correction, combine_p_values, correct, count_effects
from ...resampling.pair_tests import Alternative, find_level, student_p_values
from ...resampling.student import student_quantile
from ..significance_correction import correct_comparisons
from ..significance_results import divide
from ..system_comparison import SystemComparison, SystemScore
from .set_comparison import MacroScore, SetComparison


def combine_sets(
    comparisons: Mapping[str, SystemComparison],
    correction: Correction | None,
    lower_is_better: Any = (),
    *,
    independent: bool,
) -> SetComparison:
    """Combine comparisons of the same systems and scores, one per test set.

    Args:
        comparisons: without corrections, by the name of the set.
        correction: of all p-values of the sets together, and of those of the means.
        lower_is_better: names of scores.
        independent: whether the sets are.

    Raises:
        ValueError: a set was not tested.
    """
    for name, each in comparisons.items():
        if each.untested_reason is not None:
            raise ValueError(
                f"The test set {name!r} was not tested, because {each.untested_reason}; "
                "leave it out."
            )
    corrected = correct_comparisons(list(comparisons.values()), correction)
    first = corrected[0]
    rows = [
        _combine(
            [each.rows[place] for each in corrected],
            [(each.n_clusters or each.n_samples) - 1 for each in corrected],
            first,
            -1 if row.score in lower_is_better else 1,
            independent=independent,
        )
        for place, row in enumerate(first.rows)
    ]
    if correction is not None:
        p_values = [row.p_value for row in rows if row.p_value is not None]
        found = iter(correct(np.array(p_values), correction).tolist())
        rows = [
            row if row.p_value is None else row._replace(p_corrected=next(found)) for row in rows
        ]
    return SetComparison(
        rows=tuple(rows),
        sets=dict(zip(comparisons, corrected, strict=True)),
        baseline=first.baseline,
        confidence=first.confidence,
        alternative=first.alternative,
        correction=correction,
        independent=independent,
    )


def _combine(
    rows: list[SystemScore],
    degrees: list[int],
    design: SystemComparison,
    sign: int,
    *,
    independent: bool,
) -> MacroScore:
    """Combine one score of one system on all sets.

    Args:
        rows: of the sets.
        degrees: of freedom, of each set.
        design: how each set was tested.
        sign: 1 if a higher score is better, -1 if a lower one is.
        independent: whether the sets are.
    """
    value = float(np.mean([row.value for row in rows]))
    join = partial(_join_errors, degrees=degrees, independent=independent)
    error, freedom = join([row.error for row in rows])
    tail = (1 - design.confidence) / 2
    width = student_quantile(1 - tail, freedom) * error
    found = MacroScore(rows[0].system, rows[0].score, value, value - width, value + width)
    found = found._replace(scale=rows[0].scale)
    if rows[0].delta is None:
        return found
    delta = float(np.mean([row.delta for row in rows]))
    error, freedom = join([row.delta_error for row in rows])
    width = student_quantile(1 - tail, freedom) * error
    alternative = cast("Alternative", design.alternative)
    ratio = divide(np.array([sign * delta]), np.array([error]))
    p_value = float(student_p_values(ratio, np.array([freedom]), alternative)[0])
    better = [_find_side(row, alternative, sign) for row in rows]
    worse = [_find_side(row, alternative, -sign) for row in rows]
    level = find_level(design.confidence)
    combined = combine_p_values(better, independent=independent)
    lost = None
    if alternative == "two-sided":
        combined = min(1.0, 2 * min(combined, combine_p_values(worse, independent=independent)))
        # Both directions are looked for, each at half of the level.
        level /= 2
        lost = count_effects(worse, level, independent=independent)
    return found._replace(
        delta=delta,
        delta_low=delta - width,
        delta_high=delta + width,
        p_value=p_value,
        p_combined=combined,
        won=count_effects(better, level, independent=independent),
        lost=lost,
    )


def _join_errors(
    errors: list[float | None], degrees: list[int], *, independent: bool
) -> tuple[float, int]:
    """Return the standard error of the mean of sets, and its degrees of freedom."""
    found = np.array([np.nan if error is None else error for error in errors])
    if not independent:
        # The standard deviation of a sum is at most the sum of the standard deviations.
        return float(found.sum()) / len(errors), min(degrees)
    variances = found**2
    total = float(variances.sum())
    # Source: Satterthwaite (1946), "An Approximate Distribution of Estimates of Variance
    # Components".
    spread = float((variances**2 / np.array(degrees)).sum())
    freedom = int(total**2 / spread) if spread > 0 else sum(degrees)
    return sqrt(total) / len(errors), max(1, freedom)


def _find_side(row: SystemScore, alternative: Alternative, sign: int) -> float:
    """Return the one-sided p-value of one set, from that of the test."""
    p_value, delta = row.p_value or 0.0, sign * (row.delta or 0.0)
    if alternative != "two-sided":
        return p_value
    # The distribution of a difference under exchanged systems is symmetric.
    return p_value / 2 if delta > 0 else 1 - p_value / 2

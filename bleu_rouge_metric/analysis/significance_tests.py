"""Resample systems, and test the differences of pairs.

All pairs have the same resamples: what is resampled of a system is summed once, and a pair costs
only the scores of its sums.
"""

from typing import Any

import numpy as np

from ..resampling.draws import Progress
from ..resampling.pair_tests import (
    Pairs,
    approximate_randomization,
    bootstrap_p_values,
    smallest_p,
    student_p_values,
    subtract_pairs,
)
from ..resampling.paired import bootstrap
from ..resampling.student import standard_errors, student_quantile, widen_tail
from .run_tests import compare_runs
from .significance_design import Design
from .significance_power import count_errors
from .significance_results import PairResults, divide
from .system_scores import SystemScores


def run_tests(
    gathered: list[SystemScores],
    pairs: Pairs,
    design: Design,
    n_tests: int,
    progress: Progress | None,
) -> PairResults:
    """Resample all systems, and test the pairs.

    Args:
        gathered: the scores of the systems.
        pairs: places of the baseline and of the system of each pair.
        design: how they are tested.
        n_tests: how many p-values a correction is over.
        progress: called with how many resamples are done and how many there are.
    """
    if gathered[0].runs:
        return compare_runs(gathered, pairs, design, n_tests, progress)
    tables = [scores.table for scores in gathered]
    units, intervals = len(tables[0].columns), design.interval_resamples
    total = intervals + (design.n_resamples if design.swaps else 0)

    def report(offset: int) -> Progress | None:
        return progress and (lambda done, _: progress(offset + done, total))

    resampled = bootstrap(tables, intervals, design.seed, report(0))
    n_resamples, is_exact = intervals, False
    if design.swaps:
        p_values, n_resamples, is_exact = approximate_randomization(
            tables,
            design.n_resamples,
            design.seed,
            design.alternative,
            report(intervals),
            pairs=pairs,
        )
    observed = np.array([table.score_all() for table in tables])
    tail = (1 - design.confidence) / 2
    cut = 100 * widen_tail(tail, units)
    low, high = np.percentile(resampled, [cut, 100 - cut], axis=2)
    errors = np.stack(
        [standard_errors(resampled[ours] - resampled[theirs], units) for theirs, ours in pairs]
    )
    least = smallest_p(design.test, n_resamples, design.alternative, is_exact=is_exact)
    if design.test == "bootstrap":
        p_values = bootstrap_p_values(
            resampled, observed, design.alternative, pairs=pairs, signs=tables[0].signs
        )
    elif not design.swaps:
        gains = subtract_pairs(observed, pairs) * tables[0].signs
        p_values = student_p_values(
            divide(gains + design.list_margins(gathered[0].scales), errors),
            np.full(errors.shape, units - 1),
            design.alternative,
        )
    return PairResults(
        low,
        high,
        standard_errors(resampled, units),
        p_values,
        errors,
        student_quantile(1 - tail, units - 1) * errors,
        count_errors(design, units, n_tests, least) * errors,
        n_resamples,
        is_exact,
        intervals,
    )


def compare_samples(ours: SystemScores, baseline: SystemScores, score: str) -> dict[str, Any]:
    """Return the difference of a system from a baseline, and in how many samples it is better."""
    sign = ours.signs[score]
    differences = ours.samples[score] - baseline.samples[score]
    spread = float(differences.std(ddof=1)) if len(differences) > 1 else 0.0
    return {
        "delta": ours.values[score] - baseline.values[score],
        "wins": int(np.count_nonzero(sign * differences > 0)),
        "ties": int(np.count_nonzero(differences == 0)),
        "losses": int(np.count_nonzero(sign * differences < 0)),
        "effect_size": float(differences.mean()) / spread if spread else None,
    }

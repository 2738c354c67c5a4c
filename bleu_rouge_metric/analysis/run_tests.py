"""Test the differences of systems that have several runs each."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..resampling.draws import Floats, Progress
from ..resampling.pair_tests import (
    Pairs,
    bootstrap_p_values,
    smallest_p,
    student_p_values,
    subtract_pairs,
)
from ..resampling.paired import bootstrap
from ..resampling.runs import (
    RunVariances,
    draw_runs,
    estimate_run_variances,
    stratified_randomization,
)
from ..resampling.student import standard_errors, student_quantile
from .significance_design import Design
from .significance_power import count_errors
from .significance_results import PairResults, divide
from .system_scores import SystemScores


class _Spread(NamedTuple):
    """How much scores or differences vary; each of shape (..., scores).

    Attributes:
        errors: standard errors.
        degrees: degrees of freedom.
        share: of the variance that comes from runs; NaN if nothing varies.
    """

    errors: Floats
    degrees: NDArray[np.int64]
    share: Floats


def compare_runs(
    gathered: list[SystemScores],
    pairs: Pairs,
    design: Design,
    n_tests: int,
    progress: Progress | None,
) -> PairResults:
    """Resample the runs of all systems, and test the pairs.

    The arguments are those of ``run_tests``.
    """
    tables = [run.table for scores in gathered for run in scores.runs]
    stops = np.cumsum([len(scores.runs) for scores in gathered])[:-1]
    units, intervals = len(tables[0].columns), design.interval_resamples
    total = intervals + design.swaps * design.n_resamples * len(pairs)

    def report(offset: int) -> Progress | None:
        return progress and (lambda done, _: progress(offset + done, total))

    resampled = np.split(bootstrap(tables, intervals, design.seed, report(0)), stops)
    observed = np.split(np.array([table.score_all() for table in tables]), stops)
    means = np.stack([scores.mean(axis=0) for scores in observed])
    drawn = np.stack([scores.mean(axis=0) for scores in resampled])
    variances = [
        estimate_run_variances(scores, drawn_scores, units)
        for scores, drawn_scores in zip(observed, resampled, strict=True)
    ]
    n_resamples = design.n_resamples if design.swaps else intervals
    least = smallest_p(design.test, n_resamples, design.alternative, is_exact=False)
    spread = _measure(
        [
            (drawn[ours] - drawn[theirs], [variances[ours], variances[theirs]])
            for theirs, ours in pairs
        ],
        units,
    )
    if design.swaps:
        p_values = np.stack(
            [
                stratified_randomization(
                    [run.table for run in gathered[theirs].runs],
                    [run.table for run in gathered[ours].runs],
                    design.n_resamples,
                    design.seed,
                    alternative=design.alternative,
                    progress=report(intervals + index * design.n_resamples),
                )
                for index, (theirs, ours) in enumerate(pairs)
            ]
        )
    elif design.test == "bootstrap":
        p_values = bootstrap_p_values(
            draw_runs(resampled, design.seed),
            means,
            design.alternative,
            pairs=pairs,
            signs=tables[0].signs,
        )
    else:
        gains = subtract_pairs(means, pairs) * tables[0].signs
        margins = design.list_margins(gathered[0].scales)
        ratios = divide(gains + margins, spread.errors)
        p_values = student_p_values(ratios, spread.degrees, design.alternative)
    tail = (1 - design.confidence) / 2
    alone = _measure(
        [(scores, [each]) for scores, each in zip(drawn, variances, strict=True)], units
    )
    widths = _map(partial(student_quantile, 1 - tail), alone.degrees) * alone.errors
    return PairResults(
        means - widths,
        means + widths,
        alone.errors,
        p_values,
        spread.errors,
        _map(partial(student_quantile, 1 - tail), spread.degrees) * spread.errors,
        _map(lambda degrees: count_errors(design, degrees + 1, n_tests, least), spread.degrees)
        * spread.errors,
        n_resamples,
        is_exact=False,
        interval_resamples=intervals,
        run_shares=spread.share,
    )


def _measure(measured: Sequence[tuple[Floats, Sequence[RunVariances]]], units: int) -> _Spread:
    """Measure how much scores or differences vary.

    Args:
        measured: of each: resampled with all runs, shape (scores, n_resamples), and the variances
            of the runs of the systems in it.
        units: how many samples or clusters were resampled.
    """
    samples = np.stack([standard_errors(resampled, units) ** 2 for resampled, _ in measured])
    runs = np.stack([np.sum([each.runs for each in parts], axis=0) for _, parts in measured])
    total = samples + runs
    # Source: Satterthwaite (1946), "An Approximate Distribution of Estimates of Variance
    # Components". The variance of the runs has few degrees of freedom, even if it is 0 by chance:
    # it counts as all that is seen between runs.
    spread = samples**2 / (units - 1) + np.stack(
        [
            np.sum([each.between**2 / each.degrees for each in parts], axis=0)
            for _, parts in measured
        ]
    )
    degrees = np.floor(np.nan_to_num(divide(total**2, spread), nan=units - 1))
    return _Spread(
        np.sqrt(total),
        np.clip(degrees, 1, units - 1).astype(np.int64),
        divide(runs, total),
    )


def _map(function: Callable[[int], float], degrees: NDArray[np.int64]) -> Floats:
    """Apply a function to each number of degrees of freedom."""
    return np.array([function(each) for each in degrees.ravel().tolist()]).reshape(degrees.shape)

"""Resample systems, and test the differences of pairs.

All pairs have the same resamples: what is resampled of a system is summed once, and a pair costs
only the scores of its sums. A system may have several runs, such as trainings with several seeds;
its score is then the mean of theirs, and the variance of the runs adds to that of the samples.
"""

import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from ..resampling.draws import Floats, Progress, bootstrap
from ..resampling.student import (
    RunVariances,
    estimate_run_variances,
    standard_errors,
    student_quantile,
    widen_tail,
)
from ..resampling.tests import (
    Pairs,
    approximate_randomization,
    bootstrap_p_values,
    find_level,
    find_margins,
    smallest_p,
    student_p_values,
    subtract_pairs,
)
from .design import Design, count_resamples
from .system_scores import SystemScores

# The probability to find a difference that is there (Cohen 1988).
_POWER: Final = 0.8


class PairResults(NamedTuple):
    """What resampling found; arrays have the shape (systems, scores) or (pairs, scores).

    NaN stands for what is unknown. ``value_errors`` are those of scores, ``errors`` and ``margins``
    those of differences, which are between ``least`` and ``most``. ``run_shares`` are the shares of
    the variances of differences that come from runs.
    """

    low: Floats
    high: Floats
    value_errors: Floats
    p_values: Floats
    errors: Floats
    margins: Floats
    least: Floats
    most: Floats
    detectable: Floats
    n_resamples: int
    is_exact: bool
    interval_resamples: int
    run_shares: Floats | None = None

    def describe_system(self, system: int, score: int) -> dict[str, float]:
        """Return the interval and the standard error of the score of a system."""
        place = system, score
        return _list_numbers(
            low=self.low[place], high=self.high[place], error=self.value_errors[place]
        )

    def describe_pair(
        self, pair: int, score: int, delta: float, scale: int | None
    ) -> dict[str, float]:
        """Return what a row of a pair has besides its difference, which is on this scale."""
        place = pair, score
        margin, detectable = self.margins[place], self.detectable[place]
        # No difference is larger than the scale.
        if not 0 < detectable <= (np.inf if scale is None else scale):
            detectable = np.nan
        return _list_numbers(
            p_value=self.p_values[place],
            delta_low=np.maximum(delta - margin, min(delta, self.least[place])),
            delta_high=np.minimum(delta + margin, max(delta, self.most[place])),
            delta_error=self.errors[place],
            detectable=detectable,
            run_share=np.nan if self.run_shares is None else self.run_shares[place],
        )


def _list_numbers(**numbers: Any) -> dict[str, float]:
    """Return the numbers that are known."""
    return {name: float(number) for name, number in numbers.items() if not np.isnan(number)}


def run_tests(
    gathered: list[SystemScores],
    pairs: Pairs,
    design: Design,
    *,
    n_tests: int = 1,
    units: float | None = None,
    progress: Progress | None = None,
) -> PairResults:
    """Resample all systems, and test the pairs.

    ``units`` is the effective number of samples or clusters; None for one per resampled row.
    """
    runs = [[run.table for run in scores.runs] or [scores.table] for scores in gathered]
    has_runs = bool(gathered[0].runs)
    tables = [table for each in runs for table in each]
    stops = np.cumsum([len(each) for each in runs])[:-1]
    signs, units = tables[0].signs, len(tables[0].columns) if units is None else units
    n_resamples, intervals, is_exact = design.n_resamples, design.interval_resamples, False
    total = intervals + design.swaps * n_resamples

    def report(offset: int) -> Progress | None:
        return progress and (lambda done, _: progress(offset + done, total))

    resampled = np.split(bootstrap(tables, intervals, design.seed, report(0)), stops)
    observed = np.split(np.array([table.score_all() for table in tables]), stops)
    means = np.stack([scores.mean(axis=0) for scores in observed])
    drawn = np.stack([scores.mean(axis=0) for scores in resampled])
    variances: list[list[RunVariances]] = [
        [estimate_run_variances(*each, units)] if has_runs else []
        for each in zip(observed, resampled, strict=True)
    ]
    spread = _measure(
        [drawn[ours] - drawn[theirs] for theirs, ours in pairs],
        [variances[ours] + variances[theirs] for theirs, ours in pairs],
        units,
    )
    deltas, roundings = subtract_pairs(means, pairs), find_margins(means, pairs)
    # Differences that are equal in all resamples have no standard error.
    is_constant = spread.errors <= roundings
    if design.swaps:
        p_values, n_resamples, is_exact = approximate_randomization(
            tables, n_resamples, design.seed, design.alternative, report(intervals), pairs=pairs
        )
    elif design.test == "bootstrap":
        p_values = bootstrap_p_values(drawn, means, design.alternative, pairs=pairs, signs=signs)
    else:
        p_values = student_p_values(
            divide(deltas * signs, spread.errors), spread.degrees, design.alternative
        )
    if has_runs:
        p_values[is_constant] = np.nan
    elif not design.swaps and is_constant.any():
        differ, swapped = np.abs(deltas) > roundings, np.ones_like(deltas)
        if (is_constant & differ).any():
            n_swaps = count_resamples("approximate_randomization", len(tables[0].columns))
            swapped, *_ = approximate_randomization(
                tables, n_swaps, design.seed, design.alternative, pairs=pairs
            )
        p_values = np.where(is_constant, np.where(differ, swapped, 1.0), p_values)
    tail = (1 - design.confidence) / 2
    alone = _measure(list(drawn), variances, units)
    scales = np.array([np.inf if scale is None else scale for scale in gathered[0].scales.values()])
    floors = np.where(np.isinf(scales), -np.inf, 0.0)
    if has_runs:
        widths = alone.widen(1 - tail)
        low, high = np.maximum(means - widths, floors), np.minimum(means + widths, scales)
    else:
        cut = 100 * widen_tail(tail, units)
        low, high = np.percentile(drawn, [cut, 100 - cut], axis=2)
    nothing_varies = alone.errors <= find_margins(means, [(at, at) for at in range(len(means))])
    low, high = (np.where(nothing_varies, np.nan, ends) for ends in (low, high))
    # A score that never varies is taken for the true one.
    lowest, highest = (np.where(nothing_varies, means, ends) for ends in (floors, scales))
    theirs, ours = (list(places) for places in zip(*pairs, strict=True))
    least = np.maximum(lowest[ours] - scales, floors - highest[theirs])
    most = np.minimum(highest[ours] - floors, scales - lowest[theirs])
    smallest = smallest_p(design.test, n_resamples, design.alternative, is_exact=is_exact)
    factors = [
        count_errors(design, each, n_tests, smallest) for each in spread.degrees.ravel().tolist()
    ]
    return PairResults(
        low,
        high,
        alone.errors,
        p_values,
        spread.errors,
        np.where(is_constant, np.nan, spread.widen(1 - tail)),
        least,
        most,
        np.where(is_constant, np.nan, np.reshape(factors, spread.errors.shape) * spread.errors),
        n_resamples if design.swaps else intervals,
        is_exact,
        intervals,
        spread.share if has_runs else None,
    )


class _Spread(NamedTuple):
    """How much scores or differences vary; each of shape (..., scores).

    ``share``: of the variance that comes from runs; NaN if nothing varies.
    """

    errors: Floats
    degrees: Floats
    share: Floats

    def widen(self, probability: float) -> Floats:
        """Return as many standard errors as Student's quantile of a probability."""
        quantiles = [student_quantile(probability, each) for each in self.degrees.flat]
        return np.reshape(quantiles, self.errors.shape) * self.errors


def _measure(
    resampled: Sequence[Floats], variances: Sequence[Sequence[RunVariances]], units: float
) -> _Spread:
    """Return how much scores or differences vary.

    ``resampled``: each of shape (scores, n_resamples). ``variances``: of the runs of the systems in
    each; empty for single runs.
    """
    samples = np.stack([standard_errors(each, units) ** 2 for each in resampled])
    runs, chance = np.zeros_like(samples), np.zeros_like(samples)
    for place, parts in enumerate(variances):
        runs[place] = sum(each.runs for each in parts)
        if any(each.degrees == 1 for each in parts):
            # Two runs do not say which of two systems varies more between its runs: together
            # their variances have the single degree of freedom of the one that does.
            chance[place] = sum(each.between for each in parts) ** 2
        else:
            chance[place] = sum(each.between**2 / each.degrees for each in parts)
    total = samples + runs
    # Source: Satterthwaite (1946), "An Approximate Distribution of Estimates of Variance
    # Components". The variance of the runs has few degrees of freedom, even if it is 0 by chance:
    # it counts as all that is seen between runs.
    most = max(1.0, units - 1.0)
    degrees = np.full(samples.shape, most)
    if chance.any():
        ratios = divide(total**2, samples**2 / (units - 1) + chance)
        # Rounding errors may leave a little less than a whole number.
        degrees = np.floor(np.nan_to_num(ratios, nan=most) + 1e-9)
        degrees = np.clip(degrees, 1, most)
    return _Spread(np.sqrt(total), degrees, divide(runs, total))


def count_errors(design: Design, degrees: float, n_tests: int, least: float) -> float:
    """Return how many standard errors a difference must have to be found with the power of 0.8.

    It is NaN if the test finds no difference. ``least`` is the smallest p-value of the test.
    """
    level = find_level(design.confidence)
    if design.correction is not None:
        # The level of Bonferroni, and of the first step of Holm, and of Benjamini and Hochberg: of
        # the smallest p-value, as if no other difference was found. Others make it easier to find.
        level /= n_tests
    # The largest p-value that the test can give and that is not above the level.
    reached = math.floor(level / least + 1e-9) * least
    if reached == 0:
        return math.nan
    if design.alternative == "two-sided":
        reached /= 2
    # Source: Miller (2024), and any textbook: the quantile of the test and that of the power.
    return student_quantile(1 - reached, degrees) + student_quantile(_POWER, degrees)


def divide(differences: Floats, errors: Floats) -> Floats:
    """Divide differences by their standard errors; 0 over 0 is NaN."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios: Floats = differences / errors
    return ratios

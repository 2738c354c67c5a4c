"""Resample systems, and test the differences of pairs.

All pairs have the same resamples: what is resampled of a system is summed once, and a pair costs
only the scores of its sums. A system may have several runs, such as trainings with several seeds;
its score is then the mean of theirs, and the variance of the runs adds to that of the samples.
"""

import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..resampling.draws import Floats, Progress
from ..resampling.pair_tests import (
    Pairs,
    approximate_randomization,
    bootstrap_p_values,
    find_level,
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
from ..resampling.student import standard_errors, student_quantile, widen_tail
from .significance_design import Design
from .systems import SystemScores

# The probability to find a difference that is there (Cohen 1988).
_POWER: Final = 0.8


class PairResults(NamedTuple):
    """What resampling found; arrays have the shape (systems, scores) or (pairs, scores).

    Attributes:
        low: lower ends of the intervals of scores.
        high: upper ends of the intervals of scores.
        value_errors: standard errors of scores; NaN if unknown.
        p_values: of pairs.
        errors: standard errors of the differences of pairs; NaN if unknown.
        margins: half the widths of the intervals of the differences.
        detectable: which differences are found with a power of 0.8.
        n_resamples: how many resamples the test made.
        is_exact: whether these were all there are.
        interval_resamples: how many resamples the intervals are made from.
        run_shares: shares of the variances of the differences that come from runs; None if each
            system has a single run.
    """

    low: Floats
    high: Floats
    value_errors: Floats
    p_values: Floats
    errors: Floats
    margins: Floats
    detectable: Floats
    n_resamples: int
    is_exact: bool
    interval_resamples: int
    run_shares: Floats | None = None

    def describe_system(self, system: int, score: int) -> dict[str, Any]:
        """Return the interval and the standard error of the score of a system."""
        place = system, score
        found = {"low": float(self.low[place]), "high": float(self.high[place])}
        if (error := float(self.value_errors[place])) >= 0:
            found["error"] = error
        return found

    def describe_pair(
        self, pair: int, score: int, delta: float, scale: int | None
    ) -> dict[str, Any]:
        """Return what a row of a pair has besides its difference, which is on this scale."""
        place = pair, score
        found = {"p_value": float(self.p_values[place])}
        margin = float(self.margins[place])
        # NaN: a single resample says nothing of errors. 0: the samples do not differ at all.
        if margin >= 0:
            found |= {"delta_low": delta - margin, "delta_high": delta + margin}
            found["delta_error"] = float(self.errors[place])
        # No difference is larger than the scale.
        if 0 < self.detectable[place] <= (np.inf if scale is None else scale):
            found["detectable"] = float(self.detectable[place])
        if self.run_shares is not None and np.isfinite(self.run_shares[place]):
            found["run_share"] = float(self.run_shares[place])
        return found


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
    runs = [[run.table for run in scores.runs] or [scores.table] for scores in gathered]
    has_runs = bool(gathered[0].runs)
    tables = [table for each in runs for table in each]
    stops = np.cumsum([len(each) for each in runs])[:-1]
    signs, units = tables[0].signs, len(tables[0].columns)
    n_resamples, intervals, is_exact = design.n_resamples, design.interval_resamples, False
    total = intervals + design.swaps * n_resamples * (len(pairs) if has_runs else 1)

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
    if design.swaps and has_runs:
        p_values = np.stack(
            [
                stratified_randomization(
                    runs[theirs],
                    runs[ours],
                    n_resamples,
                    design.seed,
                    alternative=design.alternative,
                    progress=report(intervals + index * n_resamples),
                )
                for index, (theirs, ours) in enumerate(pairs)
            ]
        )
    elif design.swaps:
        p_values, n_resamples, is_exact = approximate_randomization(
            tables, n_resamples, design.seed, design.alternative, report(intervals), pairs=pairs
        )
    elif design.test == "bootstrap":
        # With several runs, a resample draws runs too.
        shown = draw_runs(resampled, design.seed) if has_runs else drawn
        p_values = bootstrap_p_values(shown, means, design.alternative, pairs=pairs, signs=signs)
    else:
        gains = subtract_pairs(means, pairs) * signs + design.list_margins(gathered[0].scales)
        ratios = divide(gains, spread.errors)
        p_values = student_p_values(ratios, spread.degrees, design.alternative)
    tail = (1 - design.confidence) / 2
    alone = _measure(list(drawn), variances, units)
    if has_runs:
        widths = alone.widen(1 - tail)
        low, high = means - widths, means + widths
    else:
        cut = 100 * widen_tail(tail, units)
        low, high = np.percentile(drawn, [cut, 100 - cut], axis=2)
    least = smallest_p(design.test, n_resamples, design.alternative, is_exact=is_exact)
    factors = [
        count_errors(design, each + 1, n_tests, least) for each in spread.degrees.ravel().tolist()
    ]
    return PairResults(
        low,
        high,
        alone.errors,
        p_values,
        spread.errors,
        spread.widen(1 - tail),
        np.reshape(factors, spread.errors.shape) * spread.errors,
        n_resamples if design.swaps else intervals,
        is_exact,
        intervals,
        spread.share if has_runs else None,
    )


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

    def widen(self, probability: float) -> Floats:
        """Return as many standard errors as Student's quantile of a probability."""
        quantiles = [student_quantile(probability, each) for each in self.degrees.flat]
        return np.reshape(quantiles, self.errors.shape) * self.errors


def _measure(
    resampled: Sequence[Floats], variances: Sequence[Sequence[RunVariances]], units: int
) -> _Spread:
    """Measure how much scores or differences vary.

    Args:
        resampled: of each: shape (scores, n_resamples).
        variances: of each: those of the runs of the systems in it; empty for single runs.
        units: how many samples or clusters were resampled.
    """
    samples = np.stack([standard_errors(each, units) ** 2 for each in resampled])
    runs, chance = np.zeros_like(samples), np.zeros_like(samples)
    for place, parts in enumerate(variances):
        runs[place] = sum(each.runs for each in parts)
        chance[place] = sum(each.between**2 / each.degrees for each in parts)
    total = samples + runs
    # Source: Satterthwaite (1946), "An Approximate Distribution of Estimates of Variance
    # Components". The variance of the runs has few degrees of freedom, even if it is 0 by chance:
    # it counts as all that is seen between runs.
    degrees = np.full(samples.shape, units - 1)
    if chance.any():
        ratios = divide(total**2, samples**2 / (units - 1) + chance)
        degrees = np.floor(np.nan_to_num(ratios, nan=units - 1))
        degrees = np.clip(degrees, 1, units - 1).astype(np.int64)
    return _Spread(np.sqrt(total), degrees, divide(runs, total))


def count_errors(design: Design, units: int, n_tests: int, least: float) -> float:
    """Return how many standard errors a difference must have to be found with the power of 0.8.

    Args:
        design: the confidence, the alternative and the correction.
        units: how many samples or clusters are resampled.
        n_tests: how many p-values a correction is over.
        least: the smallest p-value of the test, of which all others are multiples.

    Returns:
        NaN if the test finds no difference, however large.
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
    return student_quantile(1 - reached, units - 1) + student_quantile(_POWER, units - 1)


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


def divide(differences: Floats, errors: Floats) -> Floats:
    """Divide differences by their standard errors; 0 over 0 is NaN."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios: Floats = differences / errors
    return ratios

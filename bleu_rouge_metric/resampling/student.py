"""Student's t distribution: how much wider intervals of few units must be.

The bootstrap of few units is too narrow for two reasons. Its variance is (units - 1) / units of the
unbiased variance, and it takes the estimated variance for the true one. Hesterberg (2015) corrects
both, for the standard error of the bootstrap and for its percentiles.
"""

import math
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Final, NamedTuple

import numpy as np

from .draws import Floats

# From so many degrees of freedom on, two terms of a series give 7 digits or more.
_MANY: Final = 1000

# The largest float below 1.
_LARGEST: Final = math.nextafter(1, 0)

# Each step of the bisection halves a range below 2; a float has 53 bits.
_STEPS: Final = 60


@lru_cache(maxsize=256)  # Two or three quantiles for each number of units.
def student_quantile(probability: float, degrees: float) -> float:
    """Return the quantile of Student's t distribution.

    >>> round(student_quantile(0.975, 1), 3), round(student_quantile(0.8, 11), 3)
    (12.706, 0.876)
    """
    if probability < 0.5:
        return -student_quantile(1 - probability, degrees)
    if degrees != int(degrees):
        return _between_whole(partial(student_quantile, probability), degrees)
    # A confidence close to 1 leaves a tail that 1 minus it rounds away.
    probability = min(probability, _LARGEST)
    if degrees >= _MANY:
        # Imported on demand, as it takes 5 ms.
        from statistics import NormalDist

        # Source: Abramowitz and Stegun (1964), 26.7.5.
        z = NormalDist().inv_cdf(probability)
        first, second = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
        return z + first / degrees + second / degrees**2
    low, high = 0.0, math.pi / 2
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if _central_probability(middle, degrees) < 2 * probability - 1:
            low = middle
        else:
            high = middle
    return math.sqrt(degrees) * math.tan(low)


def student_tail(value: float, degrees: float) -> float:
    """Return the probability that Student's t is at least a value."""
    if math.isinf(value):
        return float(value < 0)
    if degrees != int(degrees):
        return _between_whole(partial(student_tail, value), degrees)
    angle = math.atan2(abs(value), math.sqrt(degrees))
    tail = (1 - _central_probability(angle, degrees)) / 2
    # Rounding may leave a little less than nothing of a small tail.
    return max(tail, 0.0) if value >= 0 else 1 - max(tail, 0.0)


def _central_probability(angle: float, degrees: float) -> float:
    """Return the probability that |t| is below ``sqrt(degrees) * tan(angle)``."""
    # Source: Abramowitz and Stegun (1964), 26.7.3 and 26.7.4.
    is_odd = degrees % 2
    steps = np.arange(2 + is_odd, degrees - 1, 2)
    terms = np.cumprod((steps - 1) / steps * math.cos(angle) ** 2)
    total = math.sin(angle) * (1 + float(terms.sum()))
    if not is_odd:
        return total
    return 2 / math.pi * (angle + (total * math.cos(angle) if degrees > 1 else 0))


def _between_whole(function: Callable[[int], float], degrees: float) -> float:
    """Return the value for degrees that are not whole, linear in 1 / degrees."""
    low = math.floor(degrees)
    share = (1 / low - 1 / degrees) * low * (low + 1)
    return (1 - share) * function(low) + share * function(low + 1)


def widen_tail(tail: float, units: float) -> float:
    """Return the share of resamples that is cut off at each end of an interval.

    >>> round(widen_tail(0.025, 10), 4), round(widen_tail(0.025, 1000), 4)
    (0.0086, 0.0248)
    """
    if units <= 1:
        return tail
    # Source: Hesterberg (2015), the expanded percentile interval.
    distance = math.sqrt(units / (units - 1)) * student_quantile(1 - tail, max(1, units - 1))
    from statistics import NormalDist

    return NormalDist().cdf(-distance)


def standard_errors(resampled: Floats, units: float) -> Floats:
    """Return the unbiased standard errors of statistics, from their bootstrap resamples.

    ``resampled``: shape (..., n_resamples); the last axis is removed. A single resample gives NaN.
    """
    if resampled.shape[-1] == 1:
        return np.full(resampled.shape[:-1], np.nan)
    errors: Floats = resampled.std(axis=-1, ddof=1) * math.sqrt(units / (units - 1))
    return errors


class RunVariances(NamedTuple):
    """The variances of the mean of the runs of one system, each of shape (scores,).

    ``between``, with its ``degrees`` of freedom, is that of the scores of the runs. ``runs`` is the
    part of it that samples do not explain.
    """

    runs: Floats
    between: Floats
    degrees: int


def estimate_run_variances(observed: Floats, resampled: Floats, units: float) -> RunVariances:
    """Estimate how much the mean of some runs varies from one set of runs to another.

    ``observed``: shape (runs, scores), at least 2 runs. ``resampled``: shape (runs, scores,
    n_resamples), with the same samples of each run.
    """
    runs = len(observed)
    between = observed.var(axis=0, ddof=1) / runs
    # Samples on which a run differs from the others by chance make the scores of runs differ too.
    # The variance of the samples contains this part already.
    apart = standard_errors(resampled - resampled.mean(axis=0), units) ** 2
    chance = apart.mean(axis=0) / (runs - 1)
    return RunVariances(np.maximum(between - chance, 0.0), between, runs - 1)

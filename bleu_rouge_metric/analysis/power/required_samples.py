"""How many samples a comparison of two systems needs, from a pilot (Card et al. 2020).

Studies are simulated: samples are drawn from the pilot with replacement, and their difference is
moved to the one that is to be found. The power is the share of the studies whose test finds it.
"""

import math
from collections.abc import Callable, Mapping
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...messages import value_error
from ...resampling.draws import Floats
from ...resampling.student import student_quantile, widen_tail
from .pilots import Pilot, read_pilot
from .sample_size import SampleSize
from .studies import Study, check_study

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...options.keywords import ComparedKeywords
    from ...options.profiles import Family
    from ..system_comparison import SystemComparison

# A study of more is not possible.
_MOST: Final = 1_000_000_000

# Each step corrects the number of samples by what the simulation says of the last one.
_STEPS: Final = 6

# The sizes of the curve, as shares of the size that is needed.
_CURVE: Final = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0)

# Resamples of the pilot, for the interval.
_PILOTS: Final = 1000

# Numbers that are drawn at once: 16 MB.
_DRAWS_PER_BLOCK: Final = 1 << 21


def required_samples(
    pilot: "SystemComparison | Mapping[str, Any]",
    difference: float,
    *,
    power: float = 0.8,
    score: str | None = None,
    system: str | None = None,
    baseline: str | None = None,
    references: object = None,
    clusters: object = None,
    confidence: float = 0.95,
    alternative: str = "two-sided",
    n_tests: int = 1,
    n_resamples: int = 4000,
    seed: int | None = 12345,
    family: "Family | None" = None,
    **options: "Unpack[ComparedKeywords]",
) -> SampleSize:
    """Estimate how many samples are needed to find a difference between two systems.

    Args:
        pilot: the result of ``compare_systems`` on some samples of the kind, 20 or more; or a
            mapping of two systems to predictions, to ``Scorer`` objects, or to numbers, one per
            sample.
        difference: the smallest difference that is to be found, above 0, in the units of the score:
            half a point of BLEU is 0.5 under ``profile="sacrebleu"``, and 0.005 on a scale of 0 to
            1. The difference of the pilot itself is not used.
        power: the probability to find it, above 0 and below 1.
        score: ``bleu``, a ROUGE type; None for the first.
        system: the system that is compared with the baseline; None for the only one.
        baseline: None for the first system.
        references: of predictions, as for ``compare_systems``.
        clusters: one label per sample, such as its document; whole clusters are drawn.
        confidence: of the test, above 0 and below 1; a p of at most 1 minus this finds a
            difference.
        alternative: ``two-sided``, or ``greater``: the test asks only whether the system is better.
        n_tests: how many p-values will be corrected together; the level is divided by it.
        n_resamples: simulated studies of each size, from 1 to 1,000,000.
        seed: from 0 to 2 ** 32 - 1; None to draw one.
        family: ``bleu`` or ``rouge`` for one family; None for all that the profile has.
        **options: options of BLEU and ROUGE, as for ``compare_systems``.

    Returns:
        The number of samples, its interval, and the power with other numbers of samples.

    Raises:
        TypeError: a value is of a wrong type, or an option is unknown.
        ValueError: a value is out of range, the pilot has fewer than 20 samples or clusters, or
            its systems differ equally in all samples.

    >>> pilot = {"A": [0.1, 0.4, 0.3, 0.6] * 10, "B": [0.3, 0.3, 0.5, 0.5] * 10}
    >>> print(required_samples(pilot, 0.05))
    To find a difference of 0.05 score between B and A with a power of 0.8, a test set needs about \
73 samples (95% interval 64 to 74; two-sided test at the level 0.05; estimated from a pilot of 40 \
samples).
    """
    study = check_study(
        difference=difference,
        power=power,
        confidence=confidence,
        alternative=alternative,
        n_tests=n_tests,
        n_resamples=n_resamples,
        seed=seed,
    )
    found = read_pilot(
        pilot,
        references=references,
        system=system,
        baseline=baseline,
        score=score,
        clusters=clusters,
        family=family,
        options={name: value for name, value in options.items() if value is not None},
    )
    if found.scale is not None and study.difference >= found.scale:
        raise value_error(
            "{difference} is {}, but {} is from 0 to {}",
            *(difference, found.score, found.scale),
            expected="expected a smaller difference.",
        )
    values = found.values - found.values.mean() + study.difference

    def simulate(units: int) -> float:
        return _simulate_power(values, units, study)

    units = _search(values, study, simulate)
    per_unit = found.n_samples / len(found.values)
    sizes = sorted({max(study.fewest_units, round(units * share)) for share in _CURVE})
    low, high = _find_interval(found, study)
    return SampleSize(
        system=found.system,
        baseline=found.baseline,
        score=found.score,
        scale=found.scale,
        difference=study.difference,
        power=study.power,
        n_samples=math.ceil(units * per_unit),
        n_clusters=units if found.has_clusters else None,
        low=max(1, math.floor(units * low * per_unit)),
        high=math.ceil(units * high * per_unit),
        curve=tuple((math.ceil(size * per_unit), simulate(size)) for size in sizes),
        confidence=study.confidence,
        level=study.level,
        alternative=study.alternative,
        n_tests=study.n_tests,
        pilot_samples=found.n_samples,
        n_resamples=study.n_resamples,
        seed=study.seed,
    )


def _search(values: Floats, study: Study, simulate: Callable[[int], float]) -> int:
    """Return how many units are needed.

    Args:
        values: of the units of the pilot, with the difference as their mean.
        study: what is asked for.
        simulate: returns the power with a number of units.
    """
    quantile, fewest = NormalDist().inv_cdf, study.fewest_units
    at_level, at_power = quantile(1 - study.tail), quantile(study.power)
    # The standard error of a simulated power.
    tolerance = math.sqrt(study.power * (1 - study.power) / study.n_resamples)
    # Source: the number for a normal mean (any textbook); studies are simulated from there.
    units = ((at_level + at_power) * float(values.std(ddof=1)) / study.difference) ** 2
    for _ in range(_STEPS):
        if not units <= _MOST:
            raise value_error(
                "{difference} is {}, which needs more than {} samples",
                *(f"{study.difference:g}", f"{_MOST:,}"),
                expected="expected a larger difference.",
            )
        size = max(fewest, math.ceil(units))
        reached = simulate(size)
        if (size == fewest and reached >= study.power) or abs(reached - study.power) <= tolerance:
            break
        # All or none of the studies do not say how far the size is off.
        bounded = min(max(reached, 0.005), 0.995)
        ratio = (at_level + at_power) / max(at_level + quantile(bounded), 0.5)
        units = size * ratio**2
    return max(fewest, math.ceil(units))


def _simulate_power(values: Floats, units: int, study: Study) -> float:
    """Return the share of simulated studies that find the difference, with the right sign.

    Args:
        values: of the units of the pilot, with the difference as their mean.
        units: how many are drawn for a study.
        study: how it is tested.
    """
    generator = np.random.default_rng([study.seed, 3])
    shares = np.full(len(values), 1 / len(values))
    columns = np.stack([values, np.square(values)], axis=1)
    # Randomization tests of a mean are those of Student, but for few units with outliers.
    critical = student_quantile(1 - study.tail, units - 1)
    is_small = units < len(values)
    rows, hits = max(1, _DRAWS_PER_BLOCK // min(units, len(values))), 0
    for start in range(0, study.n_resamples, rows):
        size = min(rows, study.n_resamples - start)
        # Fast path: both draw with replacement; each draws as little as possible.
        if is_small:
            sums = columns[generator.integers(0, len(values), (size, units))].sum(axis=1)
        else:
            sums = generator.multinomial(units, shares, size) @ columns
        means, squares = (sums / units).T
        variances = np.maximum(squares - np.square(means), 0) * (units / (units - 1))
        hits += int(np.count_nonzero(means > critical * np.sqrt(variances / units)))
    return hits / study.n_resamples


def _find_interval(pilot: Pilot, study: Study) -> tuple[float, float]:
    """Return how much smaller or larger the number of units may be, from resamples of the pilot.

    The number is proportional to the variance of the values, which few units estimate badly.
    """
    values = pilot.values
    units = len(values)
    generator = np.random.default_rng([study.seed, 4])
    drawn = generator.multinomial(units, np.full(units, 1 / units), _PILOTS)
    means, squares = (drawn @ np.stack([values, np.square(values)], axis=1) / units).T
    tail = 100 * widen_tail((1 - study.confidence) / 2, units)
    ratios = (squares - np.square(means)) / values.var()
    low, high = np.percentile(ratios, [tail, 100 - tail])
    return float(low), float(high)

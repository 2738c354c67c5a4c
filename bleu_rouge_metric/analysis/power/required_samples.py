"""How many samples a comparison of two systems needs, from a pilot (Card et al. 2020).

Studies are simulated: samples are drawn from the pilot with replacement, and their difference is
moved to the one that is to be found. The power is the share of the studies whose test finds it.

A mean is the mean of its samples. A corpus BLEU is not, so that each sample gets its pseudo-value
(Tukey 1958): ``n`` times the score of all ``n`` samples minus ``n - 1`` times the score without it.
The mean of pseudo-values behaves as the score does, and for a mean they are the scores of samples.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ...checks import check_choice, check_number, check_range
from ...messages import describe_value, value_error
from ...options.profiles import Family
from ...resampling.draws import Floats
from ...resampling.pair_tests import find_level
from ...resampling.student import student_quantile, widen_tail
from ...schema.checks import check_confidence, check_resamples, choose_seed
from ...scoring.labels import check_labels
from ...scoring.scorer import Scorer
from ..influence import leave_out
from ..ranking.system_ranking import SystemRanking
from ..significance_design import FEWEST_UNITS
from ..system_comparison import SystemComparison
from ..systems import CountedSystems, check_numbers, choose_system, count_systems
from .sample_size import SampleSize

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...options.keywords import ComparedKeywords
    from ...options.profiles import Family
    from ..system_comparison import SystemComparison


# As many p-values are more than a table has.
_MOST_TESTS: Final = 1_000_000


class Study(NamedTuple):
    """What is asked for; the fields are documented at ``required_samples``."""

    difference: float
    power: float
    confidence: float
    alternative: str
    n_tests: int
    n_resamples: int
    seed: int

    @property
    def level(self) -> float:
        """Return the largest p-value that finds a difference."""
        return find_level(self.confidence) / self.n_tests

    @property
    def tail(self) -> float:
        """Return the probability that the test errs on the side of the difference."""
        return self.level if self.alternative == "greater" else self.level / 2

    @property
    def fewest_units(self) -> int:
        """Return the fewest samples or clusters of which a randomization test has such a p."""
        return max(2, math.ceil(math.log2(1 / self.tail)))


def check_study(
    *,
    difference: object,
    power: object,
    confidence: object,
    alternative: object,
    n_tests: object,
    n_resamples: object,
    seed: object,
) -> Study:
    """Check the arguments that need no pilot.

    Raises:
        TypeError: a value is of a wrong type.
        ValueError: a value is out of range.
    """
    expected = "expected a number above 0 and below 1, such as 0.8."
    share = check_number("power", power, expected)
    if not 0 < share < 1:
        raise ValueError(describe_value("power", str(power), expected))
    expected = "expected a number above 0, in the units of the score."
    amount = check_number("difference", difference, expected)
    if not 0 < amount < math.inf:
        raise ValueError(describe_value("difference", str(difference), expected))
    return Study(
        amount,
        share,
        float(check_confidence("confidence", confidence)),
        check_choice("alternative", alternative, ("two-sided", "greater")),
        check_range("n_tests", n_tests, 1, _MOST_TESTS),
        check_resamples("n_resamples", n_resamples),
        choose_seed(seed),
    )


class Pilot(NamedTuple):
    """What the units of a pilot say of the difference of two systems.

    Attributes:
        system: name of the system.
        baseline: the system that it is compared with.
        score: name of the score.
        scale: the score of a perfect system; None if it is not known.
        values: for each unit, what it adds to the difference of all; shape (units,).
        n_samples: number of samples; the units are samples, or clusters of them.
        has_clusters: whether the units are clusters.
    """

    system: str
    baseline: str
    score: str
    scale: int | None
    values: Floats
    n_samples: int
    has_clusters: bool


def read_pilot(
    pilot: object,
    *,
    references: object,
    system: str | None,
    baseline: str | None,
    score: str | None,
    clusters: object,
    family: Family | None,
    options: Mapping[str, Any],
) -> Pilot:
    """Check a pilot, and compute the values of its units.

    Args:
        pilot: a comparison, or a mapping of names to predictions, scorers or numbers.
        references: of predictions.
        system: name of the system; None for the only one besides the baseline.
        baseline: name of the other one; None for the first.
        score: name of the score; None for the first.
        clusters: one label per sample; None for none.
        family: ``bleu`` or ``rouge``; None for both.
        options: of the scores.

    Raises:
        TypeError: a value is of a wrong type.
        ValueError: there are too few units, a name is unknown, or no unit differs from another.
    """
    if isinstance(pilot, SystemRanking):
        raise TypeError(
            "pilot is a ranking of all pairs; give the comparison of two systems, which "
            "compare_systems returns without pairs."
        )
    if isinstance(pilot, SystemComparison):
        if references is not None or baseline is not None or family is not None or options:
            raise TypeError(
                "pilot is a comparison, which has references, a baseline and options; give them to "
                "compare_systems."
            )
        found = _read_counts(pilot.read_counts(), system, score)
    elif isinstance(pilot, Mapping) and references is None and not _has_scorers(pilot):
        found = _read_numbers(pilot, system, baseline, score)
    else:
        systems = count_systems(
            pilot, references, baseline=baseline, family=family, options=options
        )
        found = _read_counts(systems, system, score)
    if clusters is not None:
        found = _join_clusters(found, clusters)
    units = len(found.values)
    if units < FEWEST_UNITS:
        raise value_error(
            "{pilot} has {} {}",
            units,
            "clusters" if found.has_clusters else "samples",
            expected=f"expected at least {FEWEST_UNITS} to estimate how much they differ.",
        )
    # Differences that are equal but for rounding errors vary by less.
    if np.ptp(found.values) <= 1e-12 * np.abs(found.values).max():
        raise value_error(
            "{!r} and {!r} differ by the same {} in all samples of {pilot}",
            *(found.system, found.baseline, found.score),
            expected="expected systems whose differences vary.",
        )
    return found


def _has_scorers(pilot: Mapping[Any, Any]) -> bool:
    return any(isinstance(value, Scorer) for value in pilot.values())


def _read_counts(counted: CountedSystems, system: str | None, score: str | None) -> Pilot:
    """Return the pilot of systems whose texts are counted."""
    if counted.owners is not None:
        raise value_error(
            "{pilot} has several runs of each system, and more samples do not make them agree",
            remedy="give one run of each.",
        )
    chosen = choose_system(counted.names, system)
    plan = counted.options.plan(counted.families).scoring
    scales = {name: part.scale for part in plan.parts.values() for name in part.names}
    name = _choose_score(list(scales), score)
    values = []
    for each in (chosen, counted.names[0]):
        scores, without = leave_out(counted.counts[counted.names.index(each)], plan)
        n_samples = len(without[name])
        values.append(n_samples * scores[name] - (n_samples - 1) * without[name])
    ours, theirs = values
    return Pilot(
        chosen, counted.names[0], name, scales[name], ours - theirs, len(ours), has_clusters=False
    )


def _choose_score(names: Sequence[str], score: str | None) -> str:
    if score is None:
        return names[0]
    if score not in names:
        raise value_error(
            "{score} is {!r}", score, expected=f"expected one of {', '.join(map(repr, names))}."
        )
    return score


def _read_numbers(
    pilot: Mapping[Any, Any], system: str | None, baseline: str | None, score: str | None
) -> Pilot:
    """Return the pilot of scores that are numbers, one per sample."""
    names = [str(name) for name in pilot]
    if len(names) < 2:
        raise value_error(
            "{pilot} has {} system{}",
            *(len(names), "s" * (len(names) != 1)),
            expected="expected at least 2 to compare.",
        )
    if baseline is not None:
        names = [baseline, *(name for name in names if name != baseline)]
    if names[0] not in pilot:
        raise value_error(
            "{baseline} is {!r}",
            baseline,
            expected=f"expected one of {', '.join(map(repr, pilot))}.",
        )
    chosen = choose_system(names, system)
    first = pilot[names[0]]
    if not hasattr(first, "__len__") or isinstance(first, str):
        raise TypeError(
            f"pilot[{names[0]!r}] is of type {type(first).__name__}; expected one number for each "
            "sample, or texts with references."
        )
    if any(isinstance(item, str) for item in first):
        raise TypeError(f"pilot[{names[0]!r}] has texts, but references is missing; give it.")
    ours, theirs = (
        check_numbers(f"pilot[{name!r}]", pilot[name], len(first)) for name in (chosen, names[0])
    )
    return Pilot(
        chosen, names[0], score or "score", None, ours - theirs, len(ours), has_clusters=False
    )


def _join_clusters(pilot: Pilot, clusters: object) -> Pilot:
    """Return the pilot with a value for each cluster.

    The mean of the values is that of the samples; their spread is that of the sums of clusters.
    """
    labels = check_labels("clusters", clusters, pilot.n_samples)
    mean = float(pilot.values.mean())
    sums = np.bincount(labels.numbers, pilot.values - mean, len(labels.names))
    values = mean + sums * (len(labels.names) / pilot.n_samples)
    return pilot._replace(values=values.astype(np.float64), has_clusters=True)


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

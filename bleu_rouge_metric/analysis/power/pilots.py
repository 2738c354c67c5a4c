"""The pilot of a study: for each sample, what it adds to the difference of two systems.

A mean is the mean of its samples. A corpus BLEU is not, so that each sample gets its pseudo-value
(Tukey 1958): ``n`` times the score of all ``n`` samples minus ``n - 1`` times the score without it.
The mean of pseudo-values behaves as the score does, and for a mean they are the scores of samples.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...messages import value_error
from ...options.profiles import Family
from ...resampling.draws import Floats
from ...scoring.labels import check_labels
from ...scoring.scorer import Scorer
from ..influence import leave_out
from ..outside_scores import check_numbers
from ..ranking.system_ranking import SystemRanking
from ..significance_power import FEWEST_UNITS
from ..system_comparison import SystemComparison
from ..system_counts import CountedSystems, count_systems


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
        if pilot.counted is None:
            raise ValueError(
                "The comparison has no counts, because it is a copy or comes from a pickle; give "
                "the one that compare_systems has returned."
            )
        found = _read_counts(pilot.counted, system, score)
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


def _choose_system(names: Sequence[str], system: str | None) -> str:
    """Return the system to compare with the baseline, which is the first name."""
    others = list(names[1:])
    if system is None and len(others) == 1:
        return others[0]
    if system not in others:
        raise value_error(
            "{system} is {!r}", system, expected=f"expected one of {', '.join(map(repr, others))}."
        )
    return str(system)


def _read_counts(counted: CountedSystems, system: str | None, score: str | None) -> Pilot:
    """Return the pilot of systems whose texts are counted."""
    if counted.owners is not None:
        raise value_error(
            "{pilot} has several runs of each system, and more samples do not make them agree",
            remedy="give one run of each.",
        )
    chosen = _choose_system(counted.names, system)
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
    chosen = _choose_system(names, system)
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

"""The scores of systems on some samples: of each sample, of all, and what is resampled of them.

Scores of other metrics are one number per sample.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..families.counts import SampleCounts
from ..messages import value_error
from ..options.plans import Plan
from ..resampling.draws import Floats, Statistic, System, join_statistics
from ..scoring.intervals import make_mean_statistic, sum_clusters
from ..scoring.results import Labels
from .systems import CountedSystems


@dataclass(frozen=True)
class OutsideScore:
    """A score of one system by another metric.

    ``samples``: shape (samples,). ``sign``: 1 if a higher score is better, -1 if a lower one is.
    """

    samples: Floats
    sign: int = 1

    def select(self, indices: NDArray[np.int64]) -> "OutsideScore":
        """Return the score of some samples."""
        return replace(self, samples=self.samples[indices])


def make_statistics(
    scores: Sequence[OutsideScore], clusters: NDArray[np.int64] | None
) -> list[Statistic]:
    """Return what is resampled of one score, for each system; ``clusters`` has each sample's."""
    largest = max(float(np.abs(each.samples).max()) for each in scores)
    means = [make_mean_statistic(each.samples, largest, clusters) for each in scores]
    return [mean._replace(sign=each.sign) for mean, each in zip(means, scores, strict=True)]


def check_outside_scores(
    scores: object,
    systems: Sequence[str],
    samples: int,
    lower_is_better: object = (),
    computed: Container[str] = (),
) -> list[dict[str, OutsideScore]]:
    """Return the checked scores of samples by other metrics, for each system."""
    checked: list[dict[str, OutsideScore]] = [{} for _ in systems]
    expected = 'expected {"name": {"system": [one number for each sample]}}.'
    if scores is not None and not isinstance(scores, Mapping):
        raise TypeError(f"scores is of type {type(scores).__name__}; {expected}")
    named: Mapping[Any, Any] = {} if scores is None else scores
    lower = _check_lower(lower_is_better, list(named))
    for name, by_system in named.items():
        if not isinstance(name, str) or not isinstance(by_system, Mapping):
            raise TypeError(f"scores[{name!r}] is of type {type(by_system).__name__}; {expected}")
        if name in computed:
            raise value_error(
                "{scores} has the name {!r}, which is also a score computed here",
                name,
                expected="expected another name.",
            )
        if set(by_system) != set(systems):
            raise ValueError(
                f"scores[{name!r}] has the systems {', '.join(map(repr, by_system))}; expected "
                f"{', '.join(map(repr, systems))}."
            )
        for system, row in zip(systems, checked, strict=True):
            numbers = check_numbers(f"scores[{name!r}][{system!r}]", by_system[system], samples)
            row[name] = OutsideScore(numbers, -1 if name in lower else 1)
    return checked


def _check_lower(lower_is_better: object, names: list[str]) -> set[str]:
    """Check the names of the scores of which a lower one is better."""
    if isinstance(lower_is_better, str) or not isinstance(lower_is_better, Iterable):
        raise TypeError(
            f"lower_is_better is {lower_is_better!r}; expected the names of some scores of "
            "scores=, such as ['ter']."
        )
    lower = list(lower_is_better)
    if lower and not names:
        raise value_error(
            "{lower_is_better} is given, but {scores} is not",
            remedy="give the scores of other metrics, or leave it out.",
        )
    for name in lower:
        if name not in names:
            raise value_error(
                "{lower_is_better} has {!r}",
                name,
                expected=f"expected one of {', '.join(map(repr, names))}.",
            )
    return set(lower)


def check_numbers(place: str, numbers: Any, samples: int) -> Floats:
    """Check that there is one finite number per sample."""
    if isinstance(numbers, str | bytes | Mapping) or not isinstance(numbers, Iterable):
        raise TypeError(
            f"{place} is of type {type(numbers).__name__}; expected one number for each sample."
        )
    items: list[Any] = numbers.tolist() if hasattr(numbers, "tolist") else list(numbers)
    if len(items) != samples:
        raise ValueError(
            f"{place} has {len(items)} numbers, but there are {samples} samples; expected one "
            "number for each."
        )
    for index, item in enumerate(items):
        if isinstance(item, bool) or not isinstance(item, int | float | np.number):
            raise TypeError(f"{place}[{index}] is {item!r}; expected a number.")
        if not np.isfinite(item):
            raise ValueError(f"{place}[{index}] is {item}; expected a finite number.")
    return np.array(items, dtype=np.float64)


class SystemScores(NamedTuple):
    """The scores of one system, each under its name and in the same order.

    ``samples``: shape (samples,) per score. BLEU of samples is smoothed, so that a sentence without
    a match of four words is told from one without any match. If the system has several ``runs``,
    ``values`` and ``samples`` are their means, and ``table`` is that of the first run.
    """

    values: dict[str, float]
    samples: dict[str, Floats]
    table: System
    scales: dict[str, int | None]
    signs: dict[str, int]
    runs: "tuple[SystemScores, ...]" = ()


def gather_scores(
    systems: Sequence[SampleCounts],
    outside: Sequence[Mapping[str, OutsideScore]],
    plan: Plan,
    seed: int,
    clusters: NDArray[np.int64] | None,
) -> list[SystemScores]:
    """Return the scores of all systems; ``clusters`` are those of ``make_statistics``."""
    parts = plan.scores.values()
    scored = [
        [part.score_system(counts, plan.output, seed) for part in parts] for counts in systems
    ]
    values = [{name: one for own, _ in each for name, one in own.items()} for each in scored]
    scores = [
        {name: OutsideScore(one) for _, own in each for name, one in own.items()} for each in scored
    ]
    sums = [
        {name: one for part in parts for name, one in part.sums(each).items()} for each in systems
    ]
    for own, others in zip(scores, outside, strict=True):
        own.update(others)
    # BLEU is resampled from its counts, all others from the scores of samples.
    statistics = {
        name: [each[name].statistic for each in sums]
        if name in sums[0]
        else make_statistics([each[name] for each in scores], clusters)
        for name in scores[0]
    }
    scales: dict[str, int | None] = {name: part.scale for part in parts for name in part.names}
    scales = {name: scales.get(name) for name in [*values[0], *outside[0]]}
    signs = {name: scores[0][name].sign for name in scales}
    found = []
    for index, (whole, own) in enumerate(zip(values, scores, strict=True)):
        resampled = [each[index] for each in statistics.values()]
        if clusters is not None:
            resampled = [sum_clusters(statistic, clusters) for statistic in resampled]
        table = join_statistics(resampled)
        for name, score in outside[index].items():
            # The mean of NumPy, not that of the whole numbers that are resampled.
            whole[name] = float(np.mean(score.samples))
        samples = {name: score.samples for name, score in own.items()}
        found.append(SystemScores(whole, samples, table, scales, signs))
    return found


def average_runs(gathered: Sequence[SystemScores], owners: Sequence[int]) -> list[SystemScores]:
    """Return the scores of systems from those of all runs; ``owners``: the system of each run."""
    systems = []
    for system in range(max(owners) + 1):
        runs = [run for run, owner in zip(gathered, owners, strict=True) if owner == system]
        systems.append(
            runs[0]._replace(
                values={
                    name: float(np.mean([run.values[name] for run in runs]))
                    for name in runs[0].values
                },
                samples={
                    name: np.mean([run.samples[name] for run in runs], axis=0)
                    for name in runs[0].samples
                },
                runs=tuple(runs),
            )
        )
    return systems


def score_all(counts: SampleCounts, plan: Plan, seed: int = 0) -> dict[str, float]:
    """Return one number per score, as ``metric.compute`` gives it, in the order of results."""
    scores: dict[str, float] = {}
    for part in plan.scores.values():
        scores.update(part.score_plainly(counts, plan.output, seed))
    return scores


class Part(NamedTuple):
    """The samples that are compared together: all of them, or a group.

    ``indices`` is None for all samples. ``clusters`` are numbered from 0 up.
    """

    indices: NDArray[np.int64] | None
    n_samples: int
    clusters: NDArray[np.int64] | None

    @property
    def n_clusters(self) -> int | None:
        """Return the number of clusters; None if there are none."""
        return None if self.clusters is None else int(self.clusters.max()) + 1

    @property
    def n_units(self) -> int:
        """Return the number of clusters, or of samples if there are no clusters."""
        return self.n_samples if self.n_clusters is None else self.n_clusters

    @property
    def effective_clusters(self) -> float | None:
        """Return how many clusters of equal sizes say as much; None if there are none."""
        if self.clusters is None:
            return None
        # Source: Kish (1965), "Survey Sampling", the design effect of unequal weights.
        sizes = np.bincount(self.clusters)
        return float(sizes.sum() ** 2 / (sizes**2).sum())

    @property
    def untested_reason(self) -> str | None:
        """Return why the samples cannot be resampled; None if they can."""
        if self.n_samples == 1:
            return "there is only 1 sample"
        if self.n_clusters == 1:
            return f"all {self.n_samples:,} samples are in one cluster"
        return None

    def gather(
        self, counted: CountedSystems, outside: Sequence[Mapping[str, OutsideScore]], seed: int
    ) -> list[SystemScores]:
        """Return the scores of the systems."""
        plan = counted.options.plan(counted.families)
        if counted.owners is None:
            return gather_scores(counted.counts, outside, plan, seed, self.clusters)
        runs = gather_scores(counted.counts, [{}] * len(counted.counts), plan, seed, self.clusters)
        return average_runs(runs, counted.owners)


def list_parts(
    samples: int, clusters: NDArray[np.int64] | None, groups: Labels | None
) -> list[Part]:
    """List all samples, and then those of each group, in the order of their names."""
    parts = [Part(None, samples, clusters)]
    for indices in [] if groups is None else groups.list_indices():
        own = None if clusters is None else np.unique(clusters[indices], return_inverse=True)[1]
        parts.append(Part(indices, len(indices), own))
    return parts

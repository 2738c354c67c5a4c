"""Compare or rank systems on one set of samples: on all of them, or on a group."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..families.counts import select_counts
from ..resampling.corrections import Correction, correct_rows
from ..resampling.draws import Progress
from ..resampling.pair_tests import pair_with_first
from ..scoring.labels import Labels
from .ranking.system_ranking import RankedSystem, SystemPair, SystemRanking
from .sacrebleu_convention import compare_by_sacrebleu
from .significance_design import Design
from .significance_tests import PairResults, compare_samples, run_tests
from .system_comparison import SystemComparison, SystemScore
from .systems import (
    CountedSystems,
    OutsideScore,
    SystemScores,
    average_runs,
    describe_runs,
    gather_scores,
)

_ResultT = TypeVar("_ResultT", SystemComparison, SystemRanking)


class Part(NamedTuple):
    """The samples that are compared together.

    Attributes:
        counted: counts of the systems.
        clusters: the number of each sample's cluster, from 0 up; None if there are none.
        outside: scores of the samples by other metrics, for each system.
    """

    counted: CountedSystems
    clusters: NDArray[np.int64] | None
    outside: list[dict[str, OutsideScore]]

    @property
    def n_samples(self) -> int:
        """Number of samples."""
        return len(self.counted.counts[0].reference_counts)

    @property
    def n_clusters(self) -> int | None:
        """Number of clusters; None if there are none."""
        return None if self.clusters is None else int(self.clusters.max()) + 1

    @property
    def untested_reason(self) -> str | None:
        """Why the samples cannot be resampled; None if they can."""
        if self.n_samples == 1:
            return "there is only 1 sample"
        if self.n_clusters == 1:
            return f"all {self.n_samples:,} samples are in one cluster"
        return None

    def describe(self, design: Design) -> dict[str, Any]:
        """Return what every result says of its samples and tests; resampling may replace it."""
        return {
            "test": design.test,
            "n_resamples": 0,
            "is_exact": False,
            "seed": design.seed,
            "confidence": design.confidence,
            "alternative": design.alternative,
            "margin": design.margin,
            "correction": design.correction,
            "n_samples": self.n_samples,
            "n_clusters": self.n_clusters,
            "options": self.counted.options.write_signature(
                self.counted.families,
                reference_counts=self.counted.counts[0].reference_counts,
                seed=design.seed,
            ),
            "interval_resamples": 0,
            "untested_reason": self.untested_reason,
        }

    def gather(self, design: Design) -> list[SystemScores]:
        """Return the scores of the systems."""
        plan = self.counted.options.plan(self.counted.families).scoring
        counts, owners = self.counted.counts, self.counted.owners
        if owners is None:
            return gather_scores(counts, self.outside, plan, design.seed, self.clusters)
        runs = gather_scores(counts, [{}] * len(counts), plan, design.seed, self.clusters)
        return average_runs(runs, owners)


def list_parts(whole: Part, groups: Labels) -> list[Part]:
    """List the parts of all samples that the groups are, in the order of their names."""
    parts = []
    for indices in groups.list_indices():
        counts = [select_counts(counts, indices) for counts in whole.counted.counts]
        rows = [
            {score: row.select(indices) for score, row in rows.items()} for rows in whole.outside
        ]
        clusters = None
        if whole.clusters is not None:
            clusters = np.unique(whole.clusters[indices], return_inverse=True)[1]
        parts.append(Part(whole.counted._replace(counts=counts), clusters, rows))
    return parts


def compare_part(
    part: Part,
    design: Design,
    n_parts: int,
    progress: Progress | None,
    gathered: list[SystemScores] | None = None,
) -> SystemComparison:
    """Compare systems with the first one on one set of samples, without a correction of p-values.

    Args:
        part: the samples.
        design: how they are tested.
        n_parts: how many sets of samples are tested; a correction is over all of them.
        progress: called with how many resamples are done and how many there are.
        gathered: the scores of the systems; None for those of the part.
    """
    names, found = part.counted.names, gathered or part.gather(design)
    places = pair_with_first(len(names))
    facts, tested = part.describe(design), None
    if part.untested_reason is None and design.convention is None:
        n_tests = n_parts * len(places) * len(found[0].values)
        tested = run_tests(found, places, design, n_tests, progress)
    margins = iter([] if design.margin is None else design.list_margins(found[0].scales).tolist())
    rows = []
    for at, score in enumerate(found[0].values):
        margin = next(margins, None)
        for place, name in enumerate(names):
            row = _describe_system(found[place], score, tested, (place, at))
            if place:
                row |= _describe_pair(found[place], found[0], score, tested, (place - 1, at))
                row["margin"] = None if tested is None else margin
            rows.append(SystemScore(system=name, **row))
    if tested is not None:
        facts |= _describe_resamples(tested)
    elif part.untested_reason is None:
        rows = compare_by_sacrebleu(rows, part.counted, design, progress)
        intervals = 0 if design.swaps else design.n_resamples
        facts |= {"n_resamples": design.n_resamples, "interval_resamples": intervals}
    return SystemComparison(
        rows=tuple(rows),
        baseline=names[0],
        convention=design.convention,
        counted=part.counted,
        **facts,
    )


def rank_part(part: Part, design: Design, n_parts: int, progress: Progress | None) -> SystemRanking:
    """Test all pairs of systems on one set of samples, without a correction and without ranks.

    The arguments are those of :func:`compare_part`.
    """
    names, found = part.counted.names, part.gather(design)
    places = list(combinations(range(len(names)), 2))
    facts, tested = part.describe(design), None
    if part.untested_reason is None:
        n_tests = n_parts * len(places) * len(found[0].values)
        tested = run_tests(found, places, design, n_tests, progress)
        facts |= _describe_resamples(tested)
    rows, pairs = [], []
    for at, score in enumerate(found[0].values):
        ranked = []
        for place, name in enumerate(names):
            row = _describe_system(found[place], score, tested, (place, at))
            row.pop("error", None)
            ranked.append(RankedSystem(system=name, **row))
        sign = found[0].signs[score]
        rows += sorted(ranked, key=lambda row, sign=sign: -sign * row.value)  # type: ignore[misc]
        for index, (baseline, system) in enumerate(places):
            ours, theirs = found[system], found[baseline]
            pair = _describe_pair(ours, theirs, score, tested, (index, at))
            pairs.append(
                SystemPair(names[system], names[baseline], score, scale=ours.scales[score], **pair)
            )
    return SystemRanking(
        rows=tuple(rows), pairs=tuple(pairs), convention=design.convention, **facts
    )


def _describe_system(
    ours: SystemScores, score: str, tested: PairResults | None, place: tuple[int, int]
) -> dict[str, Any]:
    """Return what a row says of a system alone; ``place`` is that of the system and the score."""
    facts = {"score": score, "value": ours.values[score], "scale": ours.scales[score]}
    found = {} if tested is None else tested.describe_system(*place)
    return {**facts, **describe_runs(ours, score), **found}


def _describe_pair(
    ours: SystemScores,
    baseline: SystemScores,
    score: str,
    tested: PairResults | None,
    place: tuple[int, int],
) -> dict[str, Any]:
    """Return what a row says of two systems; ``place`` is that of the pair and the score."""
    facts = compare_samples(ours, baseline, score)
    if tested is not None:
        facts |= tested.describe_pair(*place, facts["delta"], ours.scales[score])
    return facts


def _describe_resamples(tested: PairResults) -> dict[str, Any]:
    """Return what a result says of its resamples."""
    names = ("n_resamples", "is_exact", "interval_resamples")
    return {name: getattr(tested, name) for name in names}


def correct_results(results: Sequence[_ResultT], correction: Correction | None) -> list[_ResultT]:
    """Correct the p-values of all samples and of all groups together."""
    tables = correct_rows([result.tested for result in results], correction)
    name = "pairs" if isinstance(results[0], SystemRanking) else "rows"
    n_tests = sum(row.p_value is not None for rows in tables for row in rows)
    changes: list[dict[str, Any]] = [
        {name: rows, "n_tests": None if correction is None else n_tests} for rows in tables
    ]
    return [replace(result, **each) for result, each in zip(results, changes, strict=True)]

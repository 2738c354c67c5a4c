"""Compare systems on one set of samples: on all of them, or on a group."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..families.counts import select_counts
from ..resampling.draws import Progress
from ..resampling.pair_tests import pair_with_first
from ..scoring.labels import Labels
from .outside_scores import OutsideScore
from .sacrebleu_convention import compare_by_sacrebleu
from .significance_design import Design
from .significance_results import PairResults
from .significance_tests import compare_samples, run_tests
from .system_comparison import SystemComparison, SystemScore
from .system_counts import CountedSystems
from .system_scores import SystemScores, average_runs, describe_runs, gather_scores


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


def describe_resamples(tested: PairResults) -> dict[str, Any]:
    """Return what a result says of its resamples."""
    return {
        "n_resamples": tested.n_resamples,
        "is_exact": tested.is_exact,
        "interval_resamples": tested.interval_resamples,
    }


def compare_part(
    part: Part, design: Design, n_parts: int, progress: Progress | None
) -> SystemComparison:
    """Compare systems with the first one on one set of samples, without a correction of p-values.

    Args:
        part: the samples.
        design: how they are tested.
        n_parts: how many sets of samples are tested; a correction is over all of them.
        progress: called with how many resamples are done and how many there are.
    """
    return compare_gathered(part, part.gather(design), design, n_parts, progress)


def compare_gathered(
    part: Part,
    gathered: list[SystemScores],
    design: Design,
    n_parts: int,
    progress: Progress | None,
) -> SystemComparison:
    """Compare systems by scores that are gathered; the other arguments are as above."""
    counted = part.counted
    rows = _make_rows(counted.names, gathered)
    facts = part.describe(design)
    if part.untested_reason is not None:
        pass
    elif design.convention is not None:
        rows = compare_by_sacrebleu(rows, counted, design, progress)
        intervals = 0 if design.swaps else design.n_resamples
        facts |= {"n_resamples": design.n_resamples, "interval_resamples": intervals}
    else:
        margins = design.list_margins(gathered[0].scales).tolist()
        pairs = pair_with_first(len(gathered))
        n_tests = n_parts * len(pairs) * len(gathered[0].values)
        tested = run_tests(gathered, pairs, design, n_tests, progress)
        rows = _add_tests(rows, tested, len(gathered))
        if design.margin is not None:
            rows = [
                row if row.delta is None else row._replace(margin=margins[index // len(gathered)])
                for index, row in enumerate(rows)
            ]
        facts |= describe_resamples(tested)
    return SystemComparison(
        rows=tuple(rows),
        baseline=counted.names[0],
        convention=design.convention,
        counted=counted,
        **facts,
    )


def _make_rows(names: list[str], gathered: list[SystemScores]) -> list[SystemScore]:
    """Make the rows with all that needs no resampling; the systems of one score after the other."""
    rows = []
    baseline = gathered[0]
    for score in baseline.values:
        for name, ours in zip(names, gathered, strict=True):
            row = SystemScore(
                name, score, ours.values[score], *(None,) * 12, scale=ours.scales[score]
            )._replace(**describe_runs(ours, score))
            if ours is not baseline:
                row = row._replace(**compare_samples(ours, baseline, score))
            rows.append(row)
    return rows


def _add_tests(rows: list[SystemScore], tested: PairResults, systems: int) -> list[SystemScore]:
    """Add intervals, p-values and detectable differences.

    Args:
        rows: from :func:`_make_rows`.
        tested: the pairs of the first system with each other one.
        systems: how many there are.
    """
    found = []
    for index, row in enumerate(rows):
        score, system = divmod(index, systems)
        changes: dict[str, Any] = {
            "low": float(tested.low[system, score]),
            "high": float(tested.high[system, score]),
        }
        if (error := float(tested.value_errors[system, score])) >= 0:
            changes["error"] = error
        if row.delta is not None:
            changes |= tested.describe((system - 1, score), row.delta, row.scale)
        found.append(row._replace(**changes))
    return found

"""Compare systems on one set of samples: on all of them, or on a group."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..resampling.draws import Floats, Progress
from ..resampling.paired import (
    approximate_randomization,
    bootstrap,
    bootstrap_p_values,
    smallest_p,
)
from ..resampling.student import standard_errors, student_quantile, widen_tail
from .sacrebleu_convention import compare_by_sacrebleu
from .significance_design import Design
from .significance_power import count_errors
from .system_comparison import SystemComparison, SystemScore
from .system_counts import CountedSystems
from .system_scores import SystemScores, gather_scores


class Part(NamedTuple):
    """The samples that are compared together.

    Attributes:
        counted: counts of the systems.
        clusters: the number of each sample's cluster, from 0 up; None if there are none.
        outside: scores of the samples by other metrics, for each system.
    """

    counted: CountedSystems
    clusters: NDArray[np.int64] | None
    outside: list[dict[str, Floats]]

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


class _Tested(NamedTuple):
    """What resampling found.

    Attributes:
        rows: with intervals and p-values.
        n_resamples: how many resamples the test made.
        is_exact: whether these were all there are.
        interval_resamples: how many resamples the intervals are made from.
    """

    rows: list[SystemScore]
    n_resamples: int = 0
    is_exact: bool = False
    interval_resamples: int = 0


def compare_part(
    part: Part, design: Design, n_parts: int, progress: Progress | None
) -> SystemComparison:
    """Compare systems on one set of samples, without a correction of p-values.

    Args:
        part: the samples.
        design: how they are tested.
        n_parts: how many sets of samples are tested; a correction is over all of them.
        progress: called with how many resamples are done and how many there are.
    """
    counted = part.counted
    plan = counted.options.plan(counted.families).scoring
    gathered = gather_scores(counted.counts, part.outside, plan, design.seed, part.clusters)
    return compare_gathered(part, gathered, design, n_parts, progress)


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
    n_tests = n_parts * sum(row.delta is not None for row in rows)
    if part.untested_reason is not None:
        tested = _Tested(rows)
    elif design.convention is not None:
        rows = compare_by_sacrebleu(rows, counted, design, progress)
        intervals = 0 if design.swaps else design.n_resamples
        tested = _Tested(rows, design.n_resamples, interval_resamples=intervals)
    else:
        tested = _test(rows, gathered, design, n_tests, progress)
    return SystemComparison(
        rows=tuple(tested.rows),
        baseline=counted.names[0],
        test=design.test,
        n_resamples=tested.n_resamples,
        is_exact=tested.is_exact,
        seed=design.seed,
        confidence=design.confidence,
        alternative=design.alternative,
        correction=design.correction,
        convention=design.convention,
        n_samples=part.n_samples,
        n_clusters=part.n_clusters,
        options=counted.options.write_signature(
            counted.families,
            reference_counts=counted.counts[0].reference_counts,
            seed=design.seed,
        ),
        interval_resamples=tested.interval_resamples,
        untested_reason=part.untested_reason,
        counted=counted,
    )


def _make_rows(names: list[str], gathered: list[SystemScores]) -> list[SystemScore]:
    """Make the rows with all that needs no resampling; the systems of one score after the other."""
    rows = []
    baseline = gathered[0]
    for score in baseline.values:
        for name, ours in zip(names, gathered, strict=True):
            row = SystemScore(
                name, score, ours.values[score], *(None,) * 12, scale=ours.scales[score]
            )
            if ours is not baseline:
                differences = ours.samples[score] - baseline.samples[score]
                spread = float(differences.std(ddof=1)) if len(differences) > 1 else 0.0
                row = row._replace(
                    delta=row.value - baseline.values[score],
                    wins=int(np.count_nonzero(differences > 0)),
                    ties=int(np.count_nonzero(differences == 0)),
                    losses=int(np.count_nonzero(differences < 0)),
                    effect_size=float(differences.mean()) / spread if spread else None,
                )
            rows.append(row)
    return rows


def _test(
    rows: list[SystemScore],
    gathered: list[SystemScores],
    design: Design,
    n_tests: int,
    progress: Progress | None,
) -> _Tested:
    """Add intervals, p-values and detectable differences.

    Args:
        rows: from :func:`_make_rows`.
        gathered: the scores of the systems.
        design: how they are tested.
        n_tests: how many p-values a correction is over.
        progress: called with how many resamples are done and how many there are.
    """
    tables = [scores.table for scores in gathered]
    units, intervals = len(tables[0].columns), design.interval_resamples
    total = intervals + (design.n_resamples if design.swaps else 0)

    def report(offset: int) -> Progress | None:
        return progress and (lambda done, _: progress(offset + done, total))

    resampled = bootstrap(tables, intervals, design.seed, report(0))
    n_resamples, is_exact = intervals, False
    if design.swaps:
        p_values, n_resamples, is_exact = approximate_randomization(
            tables,
            design.n_resamples,
            design.seed,
            design.alternative,
            report(intervals),
        )
    else:
        observed = np.array([table.score_all() for table in tables])
        p_values = bootstrap_p_values(resampled, observed, design.alternative)
    tail = (1 - design.confidence) / 2
    cut = 100 * widen_tail(tail, units)
    low, high = np.percentile(resampled, [cut, 100 - cut], axis=2)
    errors = standard_errors(resampled[1:] - resampled[0], units)
    margins = student_quantile(1 - tail, units - 1) * errors
    least = smallest_p(n_resamples, design.alternative, is_exact=is_exact)
    detectable = count_errors(design, units, n_tests, least) * errors
    found = []
    for index, row in enumerate(rows):
        score, system = divmod(index, len(tables))
        changes: dict[str, Any] = {
            "low": float(low[system, score]),
            "high": float(high[system, score]),
        }
        if row.delta is not None:
            place = system - 1, score
            changes["p_value"] = float(p_values[place])
            # NaN: a single resample says nothing of errors. 0: the samples do not differ at all.
            if margins[place] >= 0:
                changes["delta_low"] = row.delta - float(margins[place])
                changes["delta_high"] = row.delta + float(margins[place])
            if detectable[place] > 0:
                changes["detectable"] = float(detectable[place])
        found.append(row._replace(**changes))
    return _Tested(found, n_resamples, is_exact, intervals)

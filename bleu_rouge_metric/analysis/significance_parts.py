"""Compare systems on one set of samples: on all of them, or on a group."""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..resampling.draws import Floats, Progress
from ..resampling.paired import (
    Pair,
    approximate_randomization,
    bootstrap,
    bootstrap_p_values,
    pairs_with_first,
    smallest_p,
)
from ..resampling.student import standard_errors, student_quantile, widen_tail
from .sacrebleu_convention import compare_by_sacrebleu
from .significance_design import Design
from .significance_power import count_errors
from .system_comparison import SystemComparison
from .system_counts import CountedSystems
from .system_rows import SystemPair, SystemScore
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
        rows: with intervals.
        pairs: with intervals and p-values.
        n_resamples: how many resamples the test made.
        is_exact: whether these were all there are.
        interval_resamples: how many resamples the intervals are made from.
    """

    rows: list[SystemScore]
    pairs: list[SystemPair]
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
    is_ranking = design.pairs == "all"
    places = (
        list(combinations(range(len(gathered)), 2)) if is_ranking else pairs_with_first(gathered)
    )
    rows = _list_values(counted.names, gathered)
    pairs = _list_differences(counted.names, gathered, places)
    if part.untested_reason is not None:
        tested = _Tested(rows, pairs)
    elif design.convention is not None:
        rows = compare_by_sacrebleu(_merge(rows, pairs), counted, design, progress)
        intervals = 0 if design.swaps else design.n_resamples
        tested = _Tested(rows, [], design.n_resamples, interval_resamples=intervals)
    else:
        tested = _test(
            rows,
            pairs,
            places,
            gathered,
            design=design,
            n_tests=n_parts * len(pairs),
            progress=progress,
        )
    return SystemComparison(
        rows=tuple(tested.rows if is_ranking else _merge(tested.rows, tested.pairs)),
        pairs=tuple(tested.pairs) if is_ranking else (),
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


def _list_values(names: list[str], gathered: list[SystemScores]) -> list[SystemScore]:
    """Make a row of the value of each system; all systems of one score after the other."""
    return [
        SystemScore(name, score, ours.values[score], *(None,) * 12, scale=ours.scales[score])
        for score in gathered[0].values
        for name, ours in zip(names, gathered, strict=True)
    ]


def _list_differences(
    names: list[str], gathered: list[SystemScores], places: Sequence[Pair]
) -> list[SystemPair]:
    """Compare pairs of systems without resampling; all pairs of one score after the other."""
    pairs = []
    for score in gathered[0].values:
        for one, other in places:
            theirs, ours = gathered[one], gathered[other]
            differences = ours.samples[score] - theirs.samples[score]
            spread = float(differences.std(ddof=1)) if len(differences) > 1 else 0.0
            pair = SystemPair(
                names[one],
                names[other],
                score,
                ours.values[score] - theirs.values[score],
                *(None,) * 4,
                wins=int(np.count_nonzero(differences > 0)),
                ties=int(np.count_nonzero(differences == 0)),
                losses=int(np.count_nonzero(differences < 0)),
                effect_size=float(differences.mean()) / spread if spread else None,
                detectable=None,
                scale=ours.scales[score],
            )
            pairs.append(pair)
    return pairs


def _merge(rows: list[SystemScore], pairs: list[SystemPair]) -> list[SystemScore]:
    """Add to the rows of systems what compares them with the baseline."""
    found = {(pair.system, pair.score): pair for pair in pairs}
    keys = [(row.system, row.score) for row in rows]
    return [
        found[key].add_to(row) if key in found else row for key, row in zip(keys, rows, strict=True)
    ]


def _test(
    rows: list[SystemScore],
    pairs: list[SystemPair],
    places: Sequence[Pair],
    gathered: list[SystemScores],
    *,
    design: Design,
    n_tests: int,
    progress: Progress | None,
) -> _Tested:
    """Add intervals, p-values and detectable differences.

    Args:
        rows: from :func:`_list_values`.
        pairs: from :func:`_list_differences`.
        places: of the systems of the pairs.
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
            places,
            design.n_resamples,
            design.seed,
            design.alternative,
            progress=report(intervals),
        )
    else:
        observed = np.array([table.score_all() for table in tables])
        p_values = bootstrap_p_values(resampled, observed, places, design.alternative)
    tail = (1 - design.confidence) / 2
    cut = 100 * widen_tail(tail, units)
    low, high = np.percentile(resampled, [cut, 100 - cut], axis=2)
    bounded = [
        row._replace(low=bound, high=other)
        for row, bound, other in zip(
            rows, low.T.ravel().tolist(), high.T.ravel().tolist(), strict=True
        )
    ]
    # One pair after the other, because the resamples of all of them take much memory.
    errors = np.array(
        [standard_errors(resampled[other] - resampled[one], units) for one, other in places]
    )
    margins = student_quantile(1 - tail, units - 1) * errors
    least = smallest_p(n_resamples, design.alternative, is_exact=is_exact)
    detectable = count_errors(design, units, n_tests, least) * errors
    tested = []
    for index, pair in enumerate(pairs):
        score, place = divmod(index, len(places))
        margin, size = float(margins[place, score]), float(detectable[place, score])
        # NaN: a single resample says nothing of errors. 0: the samples do not differ at all.
        has_bounds = margin >= 0
        tested.append(
            pair._replace(
                p_value=float(p_values[place, score]),
                delta_low=pair.delta - margin if has_bounds else None,
                delta_high=pair.delta + margin if has_bounds else None,
                detectable=size if size > 0 else None,
            )
        )
    return _Tested(bounded, tested, n_resamples, is_exact, intervals)

"""What systems are compared by: the value of each score, its samples, and what is resampled."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..families.counts import SampleCounts
from ..families.sums import Sums
from ..messages import value_error
from ..options.plans import ScorePlan
from ..resampling.draws import Floats
from ..resampling.paired import System, join_statistics
from ..scoring.statistics import make_mean_statistic, sum_clusters
from .outside_scores import OutsideScore, make_statistics


class SystemScores(NamedTuple):
    """The scores of one system, each under its name and in the same order.

    Attributes:
        values: of all samples together.
        samples: of each sample, shape (samples,); BLEU is smoothed, so that a sentence without a
            match of four words is told from one without any match.
        table: what is resampled.
        scales: the score of a perfect system; None for outside scores.
        signs: 1 if a higher score is better, -1 if a lower one is.
        runs: the scores of each run, if the system has several; the values and samples are then
            their means, and the table is that of the first.
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
    plan: ScorePlan,
    seed: int,
    clusters: NDArray[np.int64] | None,
) -> list[SystemScores]:
    """Gather the scores of all systems.

    Args:
        systems: the counts of each.
        outside: scores of samples by other metrics, for each system.
        plan: of the options that the samples were counted with.
        seed: of the random stream of an aggregator that resamples.
        clusters: the number of each sample's cluster; None if there are none.

    Raises:
        ValueError: the options give no BLEU that can be resampled, or an outside score has the
            name of another score.
    """
    # BLEU is resampled from its counts, all others from the scores of samples.
    values: list[dict[str, float]] = []
    samples: list[dict[str, Floats]] = []
    means: list[dict[str, Floats]] = []
    summed: list[dict[str, Sums]] = []
    for counts, others in zip(systems, outside, strict=True):
        whole: dict[str, float] = {}
        single: dict[str, Floats] = {}
        sums: dict[str, Sums] = {}
        for part in plan.parts.values():
            scored, scored_samples = part.score_system(counts, plan.output, seed)
            whole.update(scored)
            single.update(scored_samples)
            sums.update(part.sum(counts))
        for name in others:
            if name in whole:
                raise value_error(
                    "{scores} has the name {!r}, which is also a score computed here",
                    name,
                    expected="expected another name.",
                )
        values.append(whole)
        summed.append(sums)
        means.append({name: scores for name, scores in single.items() if name not in sums})
        samples.append({**single, **{name: score.samples for name, score in others.items()}})
    largest = {
        name: max(float(np.abs(scores[name]).max()) for scores in means) for name in means[0]
    }
    statistics = {
        name: make_statistics([others[name] for others in outside], clusters) for name in outside[0]
    }
    scales: dict[str, int | None] = dict.fromkeys([*values[0], *statistics])
    for part in plan.parts.values():
        scales.update(dict.fromkeys(part.names, part.scale))
    signs = {name: outside[0][name].sign if name in outside[0] else 1 for name in scales}
    found = []
    for index, (sums, scores, whole, single) in enumerate(
        zip(summed, means, values, samples, strict=True)
    ):
        # In the order of the names.
        resampled = [
            sums[name].statistic
            if name in sums
            else statistics[name][index]
            if name in statistics
            else make_mean_statistic(scores[name], largest[name], clusters)
            for name in single
        ]
        if clusters is not None:
            resampled = [sum_clusters(statistic, clusters) for statistic in resampled]
        table = join_statistics(resampled)
        for name, score in outside[index].items():
            # A mean is that of NumPy, not that of the whole numbers that are resampled.
            whole[name] = (
                float(np.mean(score.samples))
                if score.columns is None
                else float(table.score_all()[list(single).index(name)])
            )
        found.append(SystemScores(whole, single, table, scales, signs))
    return found


def average_runs(gathered: Sequence[SystemScores], owners: Sequence[int]) -> list[SystemScores]:
    """Return the scores of systems from those of all their runs.

    Args:
        gathered: the scores of the runs.
        owners: the place of the system of each run.
    """
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


def describe_runs(scores: SystemScores, score: str) -> dict[str, Any]:
    """Return how many runs a system has, and how much their scores vary; empty for a single one."""
    if not scores.runs:
        return {}
    values = [run.values[score] for run in scores.runs]
    return {"runs": len(values), "run_std": float(np.std(values, ddof=1))}


def score_all(counts: SampleCounts, plan: ScorePlan, seed: int = 0) -> dict[str, float]:
    """Return one number per score, as ``metric.compute`` gives it, in the order of results.

    Args:
        counts: of all samples.
        plan: of the options; whatever else it asks for is left out.
        seed: of the random stream of an aggregator that resamples.
    """
    scores: dict[str, float] = {}
    for part in plan.parts.values():
        scores.update(part.score_plainly(counts, plan.output, seed))
    return scores

"""What systems are compared by: the value of each score, its samples, and what is resampled."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import to_offsets
from ..bleu.formula import SCALES
from ..bleu.gleu import score_gleu_sentences
from ..bleu.score import score_sentences
from ..options.plans import ScorePlan
from ..resampling.draws import Floats
from ..resampling.paired import System, join_statistics
from ..scoring.results import score_counts, score_rouge
from ..scoring.sample_counts import SampleCounts
from ..scoring.statistics import make_bleu_statistic, make_mean_statistic, sum_clusters

# Names of BLEU in the outputs of the profiles, and in a comparison.
_BLEU_KEYS: Final = {"bleu": "bleu", "score": "bleu", "google_bleu": "google_bleu"}


class SystemScores(NamedTuple):
    """The scores of one system, each under its name and in the same order.

    Attributes:
        values: of all samples together.
        samples: of each sample, shape (samples,); BLEU is smoothed, so that a sentence without a
            match of four words is told from one without any match.
        table: what is resampled.
        scales: the score of a perfect system; None for outside scores.
    """

    values: dict[str, float]
    samples: dict[str, Floats]
    table: System
    scales: dict[str, int | None]


def gather_scores(
    systems: Sequence[SampleCounts],
    outside: Sequence[Mapping[str, Floats]],
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
    values = [score_all(counts, plan, seed) for counts in systems]
    # BLEU is resampled from its counts, all others from the scores of samples.
    samples: list[dict[str, Floats]] = []
    means: list[dict[str, Floats]] = []
    for name in outside[0]:
        if name in values[0]:
            raise ValueError(
                f"scores has the name {name!r}, which is also a score computed here; expected "
                "another name."
            )
    for counts, others, whole in zip(systems, outside, values, strict=True):
        rouge = _score_rouge(counts, plan)
        means.append({**rouge, **others})
        samples.append({**_score_bleu(counts, plan), **means[-1]})
        whole.update({name: float(np.mean(scores)) for name, scores in others.items()})
    largest = {
        name: max(float(np.abs(scores[name]).max()) for scores in means) for name in means[0]
    }
    percent = SCALES[plan.bleu.arithmetic]
    scales = {
        name: None if name in outside[0] else int(percent if name == "bleu" else 1)
        for name in values[0]
    }
    found = []
    for counts, scores, whole, single in zip(systems, means, values, samples, strict=True):
        statistics = [] if _has_no_bleu(counts) else [make_bleu_statistic(counts, plan)]
        statistics += [
            make_mean_statistic(row, largest[name], clusters) for name, row in scores.items()
        ]
        if clusters is not None:
            statistics = [sum_clusters(statistic, clusters) for statistic in statistics]
        found.append(SystemScores(whole, single, join_statistics(statistics), scales))
    return found


def _has_no_bleu(counts: SampleCounts) -> bool:
    return counts.bleu is None and counts.overlap is None


def score_all(counts: SampleCounts, plan: ScorePlan, seed: int = 0) -> dict[str, float]:
    """Return one number per score, as ``metric.compute`` gives it, BLEU first.

    Args:
        counts: of all samples.
        plan: of the options; whatever else it asks for is left out.
        seed: of the random stream of an aggregator that resamples.
    """
    plan = plan._replace(
        sentence_bleu=False, use_aggregator=True, detailed=False, confidence=None, signature=False
    )
    scores: dict[str, Any] = score_counts(counts, plan, seed)
    names = {**_BLEU_KEYS, **{name: name for name in plan.rouge_types}}
    return {names[key]: value for key, value in scores.items() if key in names}


def _score_bleu(counts: SampleCounts, plan: ScorePlan) -> dict[str, Floats]:
    """Return the BLEU of each sample by the name of the score; empty if there is none.

    BLEU is smoothed as sacrebleu's ``sentence_bleu`` (``exp``, effective order), from 0 to 100.
    """
    offsets = to_offsets(counts.reference_counts)
    if counts.overlap is not None:
        gleu = score_gleu_sentences(counts.overlap, offsets, min_order=plan.min_order)
        return {"google_bleu": np.array(gleu)}
    if counts.bleu is None:
        return {}
    # Without smoothing most sentences score 0, and most samples would be ties.
    rules = plan.bleu._replace(
        arithmetic="sacrebleu",
        smooth="exp",
        smooth_value=None,
        effective_order=True,
        auto_reweigh=False,
    )
    return {"bleu": np.array(score_sentences(counts.bleu, offsets, rules))}


def _score_rouge(counts: SampleCounts, plan: ScorePlan) -> dict[str, Floats]:
    """Return the F-measures of each sample by type; empty if there are none."""
    if counts.rouge is None:
        return {}
    scores = score_rouge(counts.rouge, to_offsets(counts.reference_counts), plan)
    return {name: score.fmeasure for name, score in scores}

"""From counts of samples to the dict of scores that ``metric.compute`` returns."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from ..arrays import to_offsets
from ..bleu.gleu import score_gleu, score_gleu_sentences
from ..bleu.score import score_corpus, score_sentences
from ..counting.kernels import RougeCounts
from ..options.options import Options
from ..options.plans import ScorePlan
from ..resampling.bootstrap import bootstrap_percentiles
from ..resampling.paired import bootstrap, join_statistics
from ..resampling.rouge155 import rouge155_intervals
from ..resampling.student import widen_tail
from ..rouge.formulas import RougeScores
from ..rouge.references import score_samples
from ..rounding import exact_mean
from .sample_counts import SampleCounts
from .statistics import make_bleu_statistic

# One value for all samples, or one per sample, or the three of ROUGE by name; or the scores of
# each group.
Value = (
    float
    | int
    | str
    | list[float]
    | list[list[float]]
    | dict[str, float]
    | dict[str, list[float]]
    | dict[str, dict[str, Any]]
)

# The key of the scores of each group.
GROUPS: Final = "groups"

# Values that ``percent`` does not change.
_NO_SCORES: Final = frozenset(
    {
        GROUPS,
        *("brevity_penalty", "length_ratio", "translation_length", "reference_length"),
        *("counts", "totals", "bp", "sys_len", "ref_len"),
        "signature",
    }
)

Number = float | int

ScoresByType = Iterator[tuple[str, RougeScores]]


def score_counts(counts: SampleCounts, plan: ScorePlan, seed: int = 0) -> dict[str, Value]:
    """Return the dict of ``metric.compute``, but for the signature.

    Args:
        counts: of all samples.
        plan: of the options that the samples were counted with.
        seed: of the random streams of resampling.

    Returns:
        The keys of the profile's BLEU, then ``sentence_bleu`` if it is asked for, then the ROUGE
        types in their order; BLEU and each type with its interval if one is asked for. Python
        numbers, ready for JSON.
    """
    offsets = to_offsets(counts.reference_counts)
    result: dict[str, Value] = {}
    if counts.bleu is not None:
        result.update(score_corpus(counts.bleu, offsets, plan.bleu))
        result = _add_interval(result, counts, plan, seed)
        if plan.sentence_bleu:
            result["sentence_bleu"] = score_sentences(counts.bleu, offsets, plan.bleu)
    if counts.overlap is not None:
        shortest = plan.min_order
        result.update(score_gleu(counts.overlap, offsets, min_order=shortest))
        result = _add_interval(result, counts, plan, seed)
        if plan.sentence_bleu:
            result["sentence_bleu"] = score_gleu_sentences(
                counts.overlap, offsets, min_order=shortest
            )
    if counts.rouge is not None:
        scores = score_rouge(counts.rouge, offsets, plan)
        result.update(_summarise(scores, plan, seed))
    return result


def _add_interval(
    scores: dict[str, Value], counts: SampleCounts, plan: ScorePlan, seed: int
) -> dict[str, Value]:
    """Return the scores of BLEU with the bounds of its interval behind it, if one is asked for.

    They are percentiles of the BLEU of resampled samples (Koehn 2004), further out for few samples,
    as in ``compare_systems``.
    """
    if plan.confidence is None:
        return scores
    system = join_statistics([make_bleu_statistic(counts, plan)])
    resampled = bootstrap([system], plan.n_resamples, seed)[0, 0]
    cut = 100 * widen_tail((1 - plan.confidence) / 2, len(system.columns))
    low, high = np.percentile(resampled, [cut, 100 - cut]).tolist()
    name, value = next(iter(scores.items()))
    return {name: value, f"{name}_low": low, f"{name}_high": high, **scores}


def score_rouge(counts: RougeCounts, offsets: NDArray[np.int64], plan: ScorePlan) -> ScoresByType:
    """Iterate over ROUGE types with the scores of every sample, arrays of shape (samples,).

    Args:
        counts: of all samples.
        offsets: int64, shape (samples + 1,); where the pairs of each sample start.
        plan: of the options.
    """
    for name, counted in plan.rouge_types.items():
        yield name, score_samples(counts.of(counted), offsets, plan.rouge, counted)


def _summarise(scores: ScoresByType, plan: ScorePlan, seed: int) -> dict[str, Value]:
    """Return the value of each ROUGE type, and its interval if one is asked for.

    Args:
        scores: of every sample by type.
        plan: says what of them is wanted.
        seed: of the random stream of resampling.
    """
    parts = RougeScores._fields if plan.detailed else ("fmeasure",)
    rows = ((name, np.stack([getattr(score, part) for part in parts])) for name, score in scores)
    confidence = 0.95 if plan.confidence is None else plan.confidence
    result: dict[str, Value] = {}
    if plan.resampling is None:
        # One type at a time: the scores of all types need not be in memory together.
        for name, values in rows:
            result.update(_report(name, values, None, plan))
    elif plan.resampling == "rouge-1.5.5":
        # The program draws the same samples for every type.
        held = dict(rows)
        bounds = rouge155_intervals(
            np.concatenate(list(held.values())), plan.n_resamples, confidence
        )
        intervals = np.split(bounds[[1, 0, 2]], len(held), axis=1)
        for (name, values), interval in zip(held.items(), intervals, strict=True):
            result.update(_report(name, values, interval, plan))
    else:
        # Parity: evaluate's rouge draws for one type after the other from one stream, seeded with
        # the seed given to evaluate.load, and takes the middle percentile.
        generator = np.random.RandomState(seed)
        for name, values in rows:
            interval = bootstrap_percentiles(values, plan.n_resamples, generator, confidence)
            result.update(_report(name, values, interval, plan))
    return result


def _report(
    name: str, rows: NDArray[np.float64], interval: NDArray[np.float64] | None, plan: ScorePlan
) -> dict[str, Value]:
    """Return what a result says of one ROUGE type.

    Args:
        name: of the type.
        rows: shape (parts, samples): the F-measure, or all three parts.
        interval: shape (3, parts): low, middle and high of the means of resampled samples; None
            if nothing was resampled.
        plan: says what is wanted.
    """

    def pack(values: Any) -> Value:
        """Return the values by part, or the one value if there is only one part."""
        packed: Value = (
            dict(zip(RougeScores._fields, values, strict=True)) if plan.detailed else values[0]
        )
        return packed

    if not plan.use_aggregator:
        return {name: pack(rows.tolist())}
    if interval is None:
        return {name: pack(list(map(exact_mean, rows)))}
    low, middle, high = interval.tolist()
    value = list(map(exact_mean, rows)) if plan.is_mean else middle
    if plan.confidence is None:
        return {name: pack(value)}
    return {name: pack(value), f"{name}_low": pack(low), f"{name}_high": pack(high)}


def flatten(scores: Mapping[str, Value]) -> dict[str, Number]:
    """One name per number: ``precision_1`` to the maximal order, ``rouge1_recall`` and so on.

    >>> flatten({"bleu": 0.5, "precisions": [1.0, 0.25], "rouge1": {"precision": 1.0}})
    {'bleu': 0.5, 'precision_1': 1.0, 'precision_2': 0.25, 'rouge1_precision': 1.0}
    """
    numbers: dict[str, Number] = {}
    for name, value in scores.items():
        if isinstance(value, dict):
            # The lists of one value per sample, which the types allow here, do not come this far.
            parts = cast("dict[str, float]", value)
            numbers.update({f"{name}_{part}": number for part, number in parts.items()})
        elif isinstance(value, list):
            orders = cast("list[float]", value)
            singular = name.removesuffix("s")
            numbers.update(
                {f"{singular}_{order}": number for order, number in enumerate(orders, 1)}
            )
        else:
            numbers[name] = cast("float", value)
    return numbers


def list_logged(scores: Mapping[str, Value]) -> dict[str, Number]:
    """Return the numbers that a training loop logs: those of ``flatten``, and BLEU as ``bleu``.

    A loop that looks for BLEU finds it under one name, also in the profile ``sacrebleu``, which
    calls it ``score``.

    >>> list_logged({"score": 50.0, "precisions": [100.0, 25.0]})
    {'bleu': 50.0, 'score': 50.0, 'precision_1': 100.0, 'precision_2': 25.0}
    """
    numbers = flatten(scores)
    return {"bleu": numbers["score"], **numbers} if "score" in numbers else numbers


def choose_factor(options: Options, *, percent: bool) -> int:
    """Return what scores are multiplied by: 100 for percentages, or 1."""
    # Parity: the scores of sacrebleu are percentages already.
    return 100 if percent and options.profile != "sacrebleu" else 1


def scale(scores: Mapping[str, Value], factor: int) -> dict[str, Value]:
    """Multiply the scores by a factor, but not lengths, counts and the brevity penalty.

    >>> scale({"bleu": 0.5, "precisions": [1.0, 0.25], "reference_length": 8}, 100)
    {'bleu': 50.0, 'precisions': [100.0, 25.0], 'reference_length': 8}
    """

    def times(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {name: times(part) for name, part in value.items()}
        return [times(part) for part in value] if isinstance(value, list) else value * factor

    scaled = {name: value if name in _NO_SCORES else times(value) for name, value in scores.items()}
    if GROUPS in scores:
        groups = cast("dict[str, dict[str, Any]]", scores[GROUPS])
        scaled[GROUPS] = {label: scale(part, factor) for label, part in groups.items()}
    return scaled

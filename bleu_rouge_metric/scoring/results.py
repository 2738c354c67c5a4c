"""From counts of samples to the dict of scores that ``metric.compute`` returns."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from ..arrays import to_offsets
from ..bleu.gleu import score_gleu, score_gleu_sentences
from ..bleu.score import score_corpus, score_sentences
from ..counting.kernels import RougeCounts
from ..options.options import Options
from ..options.profiles import DEFAULTS, FAMILIES, Family
from ..resampling.bootstrap import bootstrap_percentiles
from ..resampling.rouge155 import rouge155_intervals
from ..rouge.formulas import RougeScores
from ..rouge.references import score_samples
from ..rounding import exact_mean
from ..text.warnings import warn_caller
from .sample_counts import SampleCounts

# One value for all samples, or one per sample, or the three of ROUGE by name.
Value = (
    float | int | str | list[float] | list[list[float]] | dict[str, float] | dict[str, list[float]]
)


Number = float | int

ScoresByType = Iterator[tuple[str, RougeScores]]


def score_counts(
    counts: SampleCounts,
    options: Options,
    seed: int | None = None,
    families: Sequence[Family] = FAMILIES,
) -> dict[str, Value]:
    """The dict that ``metric.compute`` returns.

    Args:
        counts: of all samples.
        options: those that the samples were counted with.
        seed: of the random stream of resampling; None for a fresh one.
        families: those that were asked for; named in the signature.

    Returns:
        The keys of the profile's BLEU, then ``sentence_bleu`` where it is asked for, then the
        ROUGE types in the order of ``options.rouge_types``, each with its interval where one is
        asked for, then ``signature`` where it is. Python numbers, ready for JSON.
    """
    offsets = to_offsets(counts.reference_counts)
    result: dict[str, Value] = {}
    if counts.bleu is not None:
        rules = options.bleu_rules
        result.update(score_corpus(counts.bleu, offsets, rules))
        if options.sentence_bleu:
            result["sentence_bleu"] = score_sentences(counts.bleu, offsets, rules)
    if counts.overlap is not None:
        shortest = options.min_order
        result.update(score_gleu(counts.overlap, offsets, min_order=shortest))
        if options.sentence_bleu:
            result["sentence_bleu"] = score_gleu_sentences(
                counts.overlap, offsets, min_order=shortest
            )
    if counts.rouge is not None:
        scores = score_rouge(counts.rouge, offsets, options)
        result.update(_summarise(scores, options, seed))
    if options.signature:
        result["signature"] = options.write_signature(
            families, reference_counts=counts.reference_counts, seed=seed
        )
    return result


_REMEDY: Final = "use aggregator='bootstrap' or confidence=0.95, or leave it out."


def warn_if_not_resampled(options: Options, families: Sequence[Family]) -> None:
    """Warns if a number of resamples has no effect on one result."""
    is_resampled = "rouge" in families and options.resamples
    if options.n_resamples != DEFAULTS["n_resamples"] and not is_resampled:
        warn_caller(f"n_resamples is {options.n_resamples}, but nothing is resampled; {_REMEDY}")


def warn_of_seed(options: Options, families: Sequence[Family], seed: int) -> None:
    """Warns if a seed that the caller gave has no effect on one result."""
    if options.uses_seed(families):
        return
    if "rouge" not in families:
        reason = "BLEU is not resampled; leave it out."
    elif options.resamples:
        reason = f"the profile {options.profile!r} has seeds of its own; leave it out."
    else:
        reason = f"nothing is resampled; {_REMEDY}"
    warn_caller(f"seed is {seed}, but {reason}")


def score_rouge(counts: RougeCounts, offsets: NDArray[np.int64], options: Options) -> ScoresByType:
    """Scores of every sample by ROUGE type, arrays of shape (samples,), one type after the other.

    Args:
        counts: of all samples.
        offsets: int64, shape (samples + 1,); where the pairs of each sample start.
        options: those that the samples were counted with.
    """
    rules = options.rouge_rules
    for name, counted in options.counted_rouge_types.items():
        yield name, score_samples(counts.of(counted), offsets, rules, counted)


def _summarise(scores: ScoresByType, options: Options, seed: int | None) -> dict[str, Value]:
    """The value of each ROUGE type, and its interval where one is asked for.

    Args:
        scores: of every sample by type.
        options: say what of them is wanted.
        seed: of the random stream of resampling.
    """
    parts = RougeScores._fields if options.detailed else ("fmeasure",)
    rows = ((name, np.stack([getattr(score, part) for part in parts])) for name, score in scores)
    confidence = 0.95 if options.confidence is None else options.confidence
    result: dict[str, Value] = {}
    if not options.resamples:
        # One type at a time: those of a million samples need not be held together.
        for name, values in rows:
            result.update(_report(name, values, None, options))
    elif options.rouge_rules.formula == "rouge-1.5.5":
        # The program draws the same samples for every type.
        held = dict(rows)
        bounds = rouge155_intervals(
            np.concatenate(list(held.values())), options.n_resamples, confidence
        )
        intervals = np.split(bounds[[1, 0, 2]], len(held), axis=1)
        for (name, values), interval in zip(held.items(), intervals, strict=True):
            result.update(_report(name, values, interval, options))
    else:
        # Parity: evaluate's rouge draws for one type after the other from one stream, seeded with
        # the seed given to evaluate.load, and takes the middle percentile.
        generator = np.random.RandomState(seed)
        for name, values in rows:
            interval = bootstrap_percentiles(values, options.n_resamples, generator, confidence)
            result.update(_report(name, values, interval, options))
    return result


def _report(
    name: str, rows: NDArray[np.float64], interval: NDArray[np.float64] | None, options: Options
) -> dict[str, Value]:
    """What is returned of one ROUGE type.

    Args:
        name: of the type.
        rows: shape (parts, samples): the F-measure, or all three parts.
        interval: shape (3, parts): low, middle and high of the means of resampled samples; None
            where nothing was resampled.
        options: say what is wanted.
    """

    def pack(values: Any) -> Value:
        """One value a part, or the only one by itself."""
        packed: Value = (
            dict(zip(RougeScores._fields, values, strict=True)) if options.detailed else values[0]
        )
        return packed

    if not options.use_aggregator:
        return {name: pack(rows.tolist())}
    if interval is None:
        return {name: pack(list(map(exact_mean, rows)))}
    low, middle, high = interval.tolist()
    value = list(map(exact_mean, rows)) if options.aggregator == "mean" else middle
    if options.confidence is None:
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

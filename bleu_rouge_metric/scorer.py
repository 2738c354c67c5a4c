"""From checked samples to the dict of scores: counting and scoring of both families.

The two steps are apart so that samples can be counted in portions: counts of portions concatenate,
and every score is made once, from all of them.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from .bleu import score_corpus, score_sentences
from .byte_limits import count_rouge_of_bytes
from .counts import BleuCounts, Integers, RougeCounts, count_bleu, count_rouge
from .gleu import score_gleu, score_gleu_sentences
from .inputs import Samples, to_offsets
from .options import Options
from .profiles import FAMILIES, Family, choose_families, find_profile
from .program_bootstrap import program_intervals
from .resampling import bootstrap_percentiles, exact_mean
from .rouge_formulas import Score
from .rouge_policies import score_samples
from .sentences import resolve_sentence_splitter, split_newline
from .text_warnings import warn_if_nothing_is_left, warn_if_sentences_share_lines
from .tokenization import resolve_tokenizer

# Samples counted at a time: what the counting of a portion needs is given back after it.
_PORTION: Final = 4096

# One value for all samples, or one per sample, or the three of ROUGE by name.
Value = (
    float | int | str | list[float] | list[list[float]] | dict[str, float] | dict[str, list[float]]
)


RougeScores = Iterator[tuple[str, Score]]


class SampleCounts(NamedTuple):
    """Counts of samples; those that are not asked for are None.

    Attributes:
        bleu: int32, as ``count_bleu`` gives them.
        overlap: shape (pairs, orders, 3); what ``google_bleu`` counts, as ``count_rouge`` does.
        rouge: as ``count_rouge`` gives them, integers in 32 bits where they fit.
        reference_counts: int64, shape (samples,); how many references each sample has.
    """

    bleu: BleuCounts | None
    overlap: Integers | None
    rouge: RougeCounts | None
    reference_counts: NDArray[np.int64]


def count_samples(
    samples: Samples, options: Options, families: Sequence[Family] = FAMILIES
) -> SampleCounts:
    """Counts of all the samples, for the families that are asked for and that the profile has."""
    counts = concatenate_counts(list(count_portions(samples, options, families)))
    warn_of_losses(samples, counts, options)
    return counts


def count_portions(
    samples: Samples, options: Options, families: Sequence[Family] = FAMILIES
) -> Iterator[SampleCounts]:
    """Counts of one portion of the samples after the other, in order."""
    families = choose_families(options.profile, families)
    for start in range(0, len(samples.predictions), _PORTION):
        portion = samples.select(start, start + _PORTION)
        bleu = overlap = rouge = None
        if "bleu" in families and find_profile(options.profile).bleu == "google_bleu":
            overlap = _count_overlap(portion, options)
        elif "bleu" in families:
            bleu = _count_bleu(portion, options)
        if "rouge" in families:
            rouge = _count_rouge(portion, options)
        yield SampleCounts(bleu, overlap, rouge, np.diff(portion.offsets))


def _prepare_bleu(samples: Samples, options: Options) -> Samples:
    """The samples as BLEU tokenizes them."""
    if options.lowercase:
        samples = samples.map_texts(str.lower)
    if find_profile(options.profile).bleu == "sacrebleu":
        # Parity: sacrebleu, BLEU._preprocess_segment: lower case first, then no white space at the
        # end, so that 13a keeps the hyphen of "-\n" there.
        samples = samples.map_texts(str.rstrip)
    return samples


def _count_bleu(samples: Samples, options: Options) -> BleuCounts:
    """Counts of BLEU in half the memory: a text has less than 2 ** 31 tokens."""
    counts = count_bleu(
        _prepare_bleu(samples, options), options.bleu_rules.counted_order, options.bleu_tokenize
    )
    return BleuCounts(*(array.astype(np.int32) for array in counts))


def _count_overlap(samples: Samples, options: Options) -> Integers:
    """Overlap of each prediction with each of its references, for orders 1 to the longest."""
    counts = count_rouge(
        _prepare_bleu(samples, options),
        [f"rouge{order}" for order in range(1, options.max_order + 1)],
        options.bleu_tokenize,
        split_newline,
    )
    return _shrink(counts.integers)


def _count_rouge(samples: Samples, options: Options) -> RougeCounts:
    """Counts of ROUGE, integers in half the memory where they fit."""
    types = list(dict.fromkeys(options.counted_rouge_types.values()))
    formula = options.rouge_rules.formula
    if formula == "rouge-1.5.5" and options.byte_limit is not None:
        split = resolve_sentence_splitter(options.sentence_splitter)
        counts = count_rouge_of_bytes(
            samples, types, options.rouge_tokenize, split, options.byte_limit
        )
    else:
        counts = count_rouge(
            samples,
            types,
            options.rouge_tokenize,
            options.split_sentences,
            paper=formula == "lin2004",
        )
    return counts._replace(integers=_shrink(counts.integers))


def _shrink(counts: Integers) -> Integers:
    """The counts in half the memory, where they fit; skip bigrams of long texts do not."""
    fits = not counts.size or counts.max() <= np.iinfo(np.int32).max
    return counts.astype(np.int32) if fits else counts


def _join(counts: Sequence[Integers]) -> Integers:
    """The counts of all portions; of 64 bits where one of them is."""
    return cast("Integers", np.concatenate(counts))


def warn_of_losses(samples: Samples, counts: SampleCounts, options: Options) -> None:
    """Warns where the options leave nothing of a text, or take several sentences for one."""
    if counts.bleu is not None:
        lengths = counts.bleu.prediction_lengths, counts.bleu.reference_lengths
        _warn_of_lost_texts(samples, "bleu_tokenizer", options, *lengths)
    if counts.overlap is not None:
        unigrams = counts.overlap[:, 0, 1:]
        lengths = unigrams[samples.offsets[:-1], 0], unigrams[:, 1]
        _warn_of_lost_texts(samples, "bleu_tokenizer", options, *lengths)
    if counts.rouge is not None:
        totals = counts.rouge.of(counts.rouge.types[0])[:, 1:]
        starts = samples.offsets[:-1]
        _warn_of_lost_texts(samples, "rouge_tokenizer", options, totals[starts, 0], totals[:, 1])
        warn_if_sentences_share_lines(samples, options.split_sentences, options.sentence_types)


def _warn_of_lost_texts(
    samples: Samples,
    option: str,
    options: Options,
    prediction_totals: NDArray[Any],
    reference_totals: NDArray[Any],
) -> None:
    """Warns where a tokenizer leaves nothing of a text; totals are 0 there."""
    if prediction_totals.all() and reference_totals.all():
        return
    choice = getattr(options, option)
    segmenter = options.segmenter if choice == "unicode" else None
    warn_if_nothing_is_left(
        samples,
        prediction_totals,
        reference_totals,
        option=option,
        choice=choice,
        # By itself: stop words are meant to go.
        tokenize=resolve_tokenizer(option, choice, segmenter=segmenter),
    )


def concatenate_counts(portions: Sequence[SampleCounts]) -> SampleCounts:
    """Counts of all portions, in order, as if their samples had been counted at once."""
    if len(portions) == 1:
        return portions[0]
    bleu = [portion.bleu for portion in portions if portion.bleu is not None]
    overlap = [portion.overlap for portion in portions if portion.overlap is not None]
    rouge = [portion.rouge for portion in portions if portion.rouge is not None]
    return SampleCounts(
        bleu=BleuCounts(*map(np.concatenate, zip(*bleu, strict=True))) if bleu else None,
        overlap=_join(overlap) if overlap else None,
        rouge=RougeCounts(
            rouge[0].types,
            _join([counts.integers for counts in rouge]),
            np.concatenate([counts.weighted for counts in rouge]),
        )
        if rouge
        else None,
        reference_counts=np.concatenate([portion.reference_counts for portion in portions]),
    )


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


def score_rouge(counts: RougeCounts, offsets: NDArray[np.int64], options: Options) -> RougeScores:
    """Scores of every sample by ROUGE type, arrays of shape (samples,), one type after the other.

    Args:
        counts: of all samples.
        offsets: int64, shape (samples + 1,); where the pairs of each sample start.
        options: those that the samples were counted with.
    """
    rules = options.rouge_rules
    for name, counted in options.counted_rouge_types.items():
        yield name, score_samples(counts.of(counted), offsets, rules, counted)


def _summarise(scores: RougeScores, options: Options, seed: int | None) -> dict[str, Value]:
    """The value of each ROUGE type, and its interval where one is asked for.

    Args:
        scores: of every sample by type.
        options: say what of them is wanted.
        seed: of the random stream of resampling.
    """
    parts = Score._fields if options.detailed else ("fmeasure",)
    rows = ((name, np.stack([getattr(score, part) for part in parts])) for name, score in scores)
    resamples = options.aggregator == "bootstrap" or options.confidence is not None
    confidence = 0.95 if options.confidence is None else options.confidence
    result: dict[str, Value] = {}
    if not options.use_aggregator or not resamples:
        # One type at a time: those of a million samples need not be held together.
        for name, values in rows:
            result.update(_report(name, values, None, options))
    elif options.rouge_rules.formula == "rouge-1.5.5":
        # The program draws the same samples for every type.
        held = dict(rows)
        bounds = program_intervals(
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
            dict(zip(Score._fields, values, strict=True)) if options.detailed else values[0]
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

"""Counts of samples for both families: from checked samples to arrays that can be joined.

They are all that scores are made from, so that samples can be counted in portions, on several
machines, and forgotten: counts concatenate, and ``scoring.py`` makes every score from all of them.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import to_offsets
from ..counting.byte_limit import count_rouge_of_bytes
from ..counting.kernels import BleuCounts, Integers, RougeCounts, count_bleu, count_rouge
from ..options.options import Options
from ..options.profiles import FAMILIES, Family, choose_families, find_profile
from ..samples.inputs import Samples
from ..samples.token_ids import IDS, IdRules
from ..text.script_warnings import warn_if_unsplit
from ..text.sentences import (
    MOST_PYSBD_CHARACTERS,
    NEWLINE,
    SplitError,
    resolve_sentence_splitter,
)
from ..text.tokenizers import Tokenizer, resolve_tokenizer, uses_segmenter
from ..text.warnings import (
    warn_if_nothing_is_left,
    warn_if_sentences_share_lines,
    warn_of_slow_splitting,
)

# Samples counted at a time: what the counting of a portion needs is given back after it.
_PORTION: Final = 4096

# The arrays of ``to_arrays`` that have a row a sample; the others have a row a reference.
PER_SAMPLE: Final = frozenset({"reference_counts", "bleu_matches", "bleu_prediction_lengths"})

Array = NDArray[np.int64] | NDArray[np.int32] | NDArray[np.float64]


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
    return concatenate_counts(list(count_portions(samples, options, families)))


def count_portions(
    samples: Samples,
    options: Options,
    families: Sequence[Family] = FAMILIES,
    portion_size: int = _PORTION,
) -> Iterator[SampleCounts]:
    """Counts of one portion of the samples after the other, in order."""
    families = choose_families(options.profile, families)
    _check_kind(samples, options, families)
    splits = "rouge" in families and bool(options.sentence_types)
    if splits and str(options.sentence_splitter).startswith("pysbd"):
        warn_of_slow_splitting(samples, MOST_PYSBD_CHARACTERS)
    for start in range(0, len(samples.predictions), portion_size):
        portion = samples.select(start, start + portion_size)
        if samples.are_ids:
            portion = _write_ids(portion, options.id_rules, start)
        bleu = overlap = rouge = None
        if "bleu" in families and find_profile(options.profile).bleu == "google_bleu":
            overlap = _count_overlap(portion, options)
        elif "bleu" in families:
            bleu = _count_bleu(portion, options)
        if "rouge" in families:
            try:
                rouge = _count_rouge(portion, options)
            except SplitError as error:
                raise ValueError(f"{_find_place(portion, error.text, start)}: {error}") from error
        yield SampleCounts(bleu, overlap, rouge, np.diff(portion.offsets))


def _check_kind(samples: Samples, options: Options, families: Sequence[Family]) -> None:
    """Raises TypeError where a tokenizer is for texts and the samples are token ids, or not."""
    for family in families:
        name = f"{family}_tokenizer"
        choice = getattr(options, name)
        if samples.are_ids and choice != IDS:
            raise TypeError(
                f"predictions are sequences of token ids, but {name} is {choice!r}, which is for "
                "texts; use tokenizer='ids', or decode the ids."
            )
        if choice == IDS and not samples.are_ids:
            raise TypeError(
                f"{name} is 'ids', but predictions are texts; leave it out, or give sequences of "
                "ints."
            )


def _find_place(samples: Samples, text: str, start: int) -> str:
    """Which sample has a text, or begins with it under a limit; the first has the index start."""
    for index, (prediction, references) in enumerate(samples.by_sample(), start):
        if prediction.startswith(text):
            return f"predictions[{index}]"
        if any(reference.startswith(text) for reference in references):
            return f"references[{index}]"
    return "A text"


def _write_ids(samples: Samples, rules: IdRules, start: int) -> Samples:
    """Samples of token ids as texts of numbers; the first has the index ``start``."""
    owners = np.repeat(range(len(samples.predictions)), np.diff(samples.offsets))
    return Samples(
        [
            rules.write(ids, f"predictions[{index}]")
            for index, ids in enumerate(samples.predictions, start)
        ],
        [
            rules.write(ids, f"references[{start + owner}]")
            for ids, owner in zip(samples.references, owners.tolist(), strict=True)
        ],
        samples.offsets,
    )


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
        NEWLINE,
    )
    return shrink(counts.integers)


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
            lin2004=formula == "lin2004",
        )
    return counts._replace(integers=shrink(counts.integers))


def shrink(counts: Integers) -> Integers:
    """The counts in half the memory, where they fit; skip bigrams of long texts do not."""
    fits = not counts.size or counts.max() <= np.iinfo(np.int32).max
    return counts.astype(np.int32) if fits else counts


def warn_of_texts(samples: Samples, counts: SampleCounts, options: Options) -> None:
    """Warns where the options leave nothing of a text, or take several sentences for one."""
    warn_of_lost_texts(samples, counts, options)
    if counts.rouge is not None and not samples.are_ids:
        warn_if_sentences_share_lines(samples, options.split_sentences, options.sentence_types)


def warn_of_lost_texts(samples: Samples, counts: SampleCounts, options: Options) -> bool:
    """Warns where the tokenizers leave nothing of a text, or all of it in one piece.

    Returns:
        Whether it warned.
    """
    if samples.are_ids:
        return False
    warned = False
    for option, _, _ in _list_totals(samples, counts):
        warned |= warn_if_unsplit(samples, option, getattr(options, option))
    for lost in find_lost_texts(samples, counts, options):
        warned |= warn_if_nothing_is_left(
            samples,
            lost.prediction_totals,
            lost.reference_totals,
            option=lost.option,
            choice=getattr(options, lost.option),
            tokenize=lost.tokenize,
        )
    return warned


class LostTexts(NamedTuple):
    """Where one tokenizer leaves nothing of a text, if only because the text is blank.

    Attributes:
        option: that chose the tokenizer.
        tokenize: the tokenizer by itself: stop words are meant to go.
        prediction_totals: ints, shape (samples,); 0 where no token is left.
        reference_totals: ints, shape (references,); likewise.
    """

    option: str
    tokenize: Tokenizer
    prediction_totals: NDArray[Any]
    reference_totals: NDArray[Any]


def find_lost_texts(
    samples: Samples, counts: SampleCounts, options: Options
) -> Iterator[LostTexts]:
    """The losses of each tokenizer that leaves nothing of some text."""
    for option, prediction_totals, reference_totals in _list_totals(samples, counts):
        if prediction_totals.all() and reference_totals.all():
            continue
        choice = getattr(options, option)
        segmenter = options.segmenter if uses_segmenter(choice) else None
        tokenize = resolve_tokenizer(option, choice, segmenter=segmenter)
        yield LostTexts(option, tokenize, prediction_totals, reference_totals)


def _list_totals(
    samples: Samples, counts: SampleCounts
) -> Iterator[tuple[str, NDArray[Any], NDArray[Any]]]:
    """For each tokenizer the totals of predictions and of references; 0 where no token is left."""
    starts = samples.offsets[:-1]
    if counts.bleu is not None:
        yield "bleu_tokenizer", counts.bleu.prediction_lengths, counts.bleu.reference_lengths
    if counts.overlap is not None:
        unigrams = counts.overlap[:, 0]
        yield "bleu_tokenizer", unigrams[starts, 1], unigrams[:, 2]
    if counts.rouge is not None:
        triples = counts.rouge.of(counts.rouge.types[0])
        yield "rouge_tokenizer", triples[starts, 1], triples[:, 2]


def to_arrays(counts: SampleCounts) -> dict[str, Array]:
    """Every array of the counts by its name: a row a sample, or a row a reference."""
    arrays: dict[str, Array] = {"reference_counts": counts.reference_counts}
    if counts.bleu is not None:
        arrays |= {f"bleu_{name}": array for name, array in counts.bleu._asdict().items()}
    if counts.overlap is not None:
        arrays["overlap"] = counts.overlap
    if counts.rouge is not None:
        arrays |= {"rouge": counts.rouge.integers, "rouge_weighted": counts.rouge.weighted}
    return arrays


def from_arrays(arrays: Mapping[str, Any], rouge_types: Sequence[str] = ()) -> SampleCounts:
    """The counts that ``to_arrays`` made the arrays of.

    Args:
        arrays: by name.
        rouge_types: those that were counted.
    """
    return SampleCounts(
        bleu=BleuCounts(*(arrays[f"bleu_{name}"] for name in BleuCounts._fields))
        if "bleu_matches" in arrays
        else None,
        overlap=arrays.get("overlap"),
        rouge=RougeCounts(tuple(rouge_types), arrays["rouge"], arrays["rouge_weighted"])
        if "rouge" in arrays
        else None,
        reference_counts=arrays["reference_counts"],
    )


def concatenate_counts(portions: Sequence[SampleCounts]) -> SampleCounts:
    """Counts of all portions, in order, as if their samples had been counted at once."""
    if len(portions) == 1:
        return portions[0]
    parts = [to_arrays(portion) for portion in portions]
    # Integers are of 64 bits where those of one portion are.
    joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return from_arrays(joined, portions[0].rouge.types if portions[0].rouge else ())


def select_counts(counts: SampleCounts, indices: NDArray[np.int64]) -> SampleCounts:
    """Counts of some of the samples.

    Args:
        counts: of all samples.
        indices: int64, shape (chosen,); of samples, in any order.
    """
    starts = to_offsets(counts.reference_counts)[indices]
    lengths = counts.reference_counts[indices]
    offsets = to_offsets(lengths)
    # The references of a sample stand one behind the other, there as here.
    references = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)
    chosen = {
        name: array[indices if name in PER_SAMPLE else references]
        for name, array in to_arrays(counts).items()
    }
    return from_arrays(chosen, counts.rouge.types if counts.rouge else ())

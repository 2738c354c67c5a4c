"""From checked samples to the dict of scores: counting and scoring of both families.

The two steps are apart so that samples can be counted in portions: counts of portions concatenate,
and every score is made once, from all of them.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .bleu import score_corpus, score_sentences
from .counts import BleuCounts, count_bleu, count_rouge
from .inputs import Samples, to_offsets
from .options import FAMILIES, Family, Options
from .resampling import bootstrap_percentiles
from .rouge import exact_mean
from .rouge_formulas import Score
from .rouge_policies import score_samples

# Samples counted at a time: what the counting of a portion needs is given back after it.
_PORTION: Final = 4096

# One value for all samples, or one per sample, or the three of ROUGE by name.
Value = float | int | list[float] | dict[str, float] | dict[str, list[float]]


class SampleCounts(NamedTuple):
    """Integer counts of samples; those of a family that is not asked for are None.

    Attributes:
        bleu: int32, as ``count_bleu`` gives them.
        rouge: int32, shape (pairs, rouge_types, 3), as ``count_rouge`` gives them.
        reference_counts: int64, shape (samples,); how many references each sample has.
    """

    bleu: BleuCounts | None
    rouge: NDArray[np.int32] | None
    reference_counts: NDArray[np.int64]


def count_samples(
    samples: Samples, options: Options, families: Sequence[Family] = FAMILIES
) -> SampleCounts:
    """Counts of all the samples, for the families that are asked for."""
    return concatenate_counts(list(count_portions(samples, options, families)))


def count_portions(
    samples: Samples, options: Options, families: Sequence[Family] = FAMILIES
) -> Iterator[SampleCounts]:
    """Counts of one portion of the samples after the other, in order."""
    for start in range(0, len(samples.predictions), _PORTION):
        yield _count_portion(samples.select(start, start + _PORTION), options, families)


def _count_portion(samples: Samples, options: Options, families: Sequence[Family]) -> SampleCounts:
    """Counts of some samples, in half the memory: a text has less than 2 ** 31 tokens."""
    bleu = rouge = None
    if "bleu" in families:
        counts = count_bleu(samples, options.max_order, options.bleu_tokenize)
        bleu = BleuCounts(*(array.astype(np.int32) for array in counts))
    if "rouge" in families:
        counted = count_rouge(
            samples, options.rouge_types, options.rouge_tokenize, options.split_sentences
        )
        rouge = counted.integers.astype(np.int32)
    return SampleCounts(bleu, rouge, np.diff(samples.offsets))


def concatenate_counts(portions: Sequence[SampleCounts]) -> SampleCounts:
    """Counts of all portions, in order, as if their samples had been counted at once."""
    if len(portions) == 1:
        return portions[0]
    bleu = [portion.bleu for portion in portions if portion.bleu is not None]
    rouge = [portion.rouge for portion in portions if portion.rouge is not None]
    return SampleCounts(
        bleu=BleuCounts(*map(np.concatenate, zip(*bleu, strict=True))) if bleu else None,
        rouge=np.concatenate(rouge) if rouge else None,
        reference_counts=np.concatenate([portion.reference_counts for portion in portions]),
    )


def score_counts(
    counts: SampleCounts, options: Options, seed: int | None = None
) -> dict[str, Value]:
    """The dict that ``metric.compute`` returns.

    Args:
        counts: of all samples.
        options: those that the samples were counted with.
        seed: of the random stream of ``aggregator="bootstrap"``; None for a fresh one.

    Returns:
        The keys of evaluate's ``bleu``, then ``sentence_bleu`` where it is asked for, then the
        ROUGE types in the order of ``options.rouge_types``. Python numbers, ready for JSON.
    """
    offsets = to_offsets(counts.reference_counts)
    result: dict[str, Value] = {}
    if counts.bleu is not None:
        smooth = options.smooth
        result.update(score_corpus(counts.bleu, offsets, smooth=smooth)._asdict())
        if options.sentence_bleu:
            result["sentence_bleu"] = score_sentences(counts.bleu, offsets, smooth=smooth)
    if counts.rouge is not None:
        generator = np.random.RandomState(seed) if options.aggregator == "bootstrap" else None
        for column, name in enumerate(options.rouge_types):
            scores = score_samples(counts.rouge[:, column], offsets)
            result[name] = _summarise(scores, options, generator)
    return result


def _summarise(scores: Score, options: Options, generator: np.random.RandomState | None) -> Value:
    """The value of one ROUGE type, from arrays of shape (samples,).

    Args:
        scores: of every sample.
        options: say what of them is wanted.
        generator: of ``aggregator="bootstrap"``; each type draws on from where the last stopped.
    """
    parts = scores._asdict() if options.detailed else {"fmeasure": scores.fmeasure}
    values: Any
    if not options.use_aggregator:
        values = [part.tolist() for part in parts.values()]
    elif generator is None:
        values = [exact_mean(part) for part in parts.values()]
    else:
        # Parity: evaluate's rouge draws for one type after the other from one stream, seeded with
        # the seed given to evaluate.load, and takes the middle percentile.
        rows = np.stack(list(parts.values()))
        values = bootstrap_percentiles(rows, options.n_resamples, generator)[1].tolist()
    summary: Value = dict(zip(parts, values, strict=True)) if options.detailed else values[0]
    return summary

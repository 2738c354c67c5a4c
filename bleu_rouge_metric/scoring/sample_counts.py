"""Counts of samples for both families: arrays that can be joined.

They are all that scores are made from, so that samples can be counted in portions, on several
machines, and forgotten: counts concatenate, and ``results.py`` makes every score from all of them.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import to_offsets
from ..counting.kernels import BleuCounts, Integers, RougeCounts

# The arrays of ``to_arrays`` that have one row per sample; the others have one row per reference.
PER_SAMPLE: Final = frozenset({"reference_counts", "bleu_matches", "bleu_prediction_lengths"})

Array = NDArray[np.int64] | NDArray[np.int32] | NDArray[np.float64]


class SampleCounts(NamedTuple):
    """Counts of samples; None for what is not asked for.

    Attributes:
        bleu: int32, as ``count_bleu`` gives them.
        overlap: shape (pairs, orders, 3); what ``google_bleu`` counts, as ``count_rouge`` does.
        rouge: as ``count_rouge`` gives them, integers in 32 bits if they fit.
        reference_counts: int64, shape (samples,); how many references each sample has.
    """

    bleu: BleuCounts | None
    overlap: Integers | None
    rouge: RougeCounts | None
    reference_counts: NDArray[np.int64]


def to_arrays(counts: SampleCounts) -> dict[str, Array]:
    """Every array of the counts by its name: one row per sample, or one row per reference."""
    arrays: dict[str, Array] = {"reference_counts": counts.reference_counts}
    if counts.bleu is not None:
        arrays |= {f"bleu_{name}": array for name, array in counts.bleu._asdict().items()}
    if counts.overlap is not None:
        arrays["overlap"] = counts.overlap
    if counts.rouge is not None:
        arrays |= {"rouge": counts.rouge.integers, "rouge_weighted": counts.rouge.weighted}
    return arrays


def from_arrays(arrays: Mapping[str, Any], rouge_types: Sequence[str] = ()) -> SampleCounts:
    """Return the counts that ``to_arrays`` made the arrays of.

    Args:
        arrays: by name.
        rouge_types: the types that were counted.
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
    """Return counts of all portions, in order, as if their samples had been counted at once."""
    if len(portions) == 1:
        return portions[0]
    parts = [to_arrays(portion) for portion in portions]
    # The integers have 64 bits if those of any portion do.
    joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return from_arrays(joined, portions[0].rouge.types if portions[0].rouge else ())


def select_counts(counts: SampleCounts, indices: NDArray[np.int64]) -> SampleCounts:
    """Return counts of some of the samples.

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


def slice_counts(
    counts: SampleCounts, offsets: NDArray[np.int64], start: int, stop: int
) -> SampleCounts:
    """Return the counts of the samples from ``start`` to ``stop``, without a copy.

    Args:
        counts: of all samples.
        offsets: int64, shape (samples + 1,); where the references of each sample start.
        start: the first sample.
        stop: the sample after the last one.
    """
    samples, references = slice(start, stop), slice(offsets[start], offsets[stop])
    chosen = {
        name: array[samples if name in PER_SAMPLE else references]
        for name, array in to_arrays(counts).items()
    }
    return from_arrays(chosen, counts.rouge.types if counts.rouge else ())


def shrink(counts: Integers) -> Integers:
    """Return the counts in half the memory if they fit; skip-bigrams of long texts do not."""
    fits = not counts.size or counts.max() <= np.iinfo(np.int32).max
    return counts.astype(np.int32) if fits else counts

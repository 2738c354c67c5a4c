"""From BLEU's counts of samples to the integers of one score: of the corpus, or of a sample."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..counting.kernels import BleuCounts, Integers
from .rules import BleuRules


class BleuStatistics(NamedTuple):
    """Everything that a BLEU score is made from; sequences hold orders from 1 up.

    Attributes:
        matches: clipped n-gram matches, ``rules.counted_order`` of them, as are the next two.
        totals: n-grams of the predictions.
        denominators: what matches are divided by: the totals, or what NLTK takes for them.
        prediction_length: tokens of the predictions.
        reference_length: tokens of one reference of each sample; not whole for the average.
        last_matches: matches of the last sample alone.
        last_length: tokens of the last prediction.
    """

    matches: Sequence[int]
    totals: Sequence[int]
    denominators: Sequence[int]
    prediction_length: int
    reference_length: int | float
    last_matches: Sequence[int]
    last_length: int


def gather_corpus(
    counts: BleuCounts, offsets: NDArray[np.int64], rules: BleuRules
) -> BleuStatistics:
    """Statistics of all samples together.

    Args:
        counts: of at least one sample, for ``rules.counted_order`` orders or more.
        offsets: int64, shape (samples + 1,); where the references of each sample start.
        rules: say which reference counts, and what NLTK would divide by.
    """
    lengths = counts.prediction_lengths
    orders = range(rules.counted_order)
    totals = [int(np.maximum(lengths - start, 0).sum(dtype=np.int64)) for start in orders]
    denominators = totals
    if rules.arithmetic == "nltk":
        # Parity: NLTK, modified_precision: every prediction that is too short for an order adds 1
        # to what its matches are divided by.
        denominators = [int(np.maximum(lengths - start, 1).sum(dtype=np.int64)) for start in orders]
    reference_lengths = choose_reference_lengths(counts, offsets, rules)
    return BleuStatistics(
        [int(counts.matches[:, start].sum(dtype=np.int64)) for start in orders],
        totals,
        denominators,
        int(lengths.sum(dtype=np.int64)),
        # Rounded once, so that the order of the samples does not count.
        math.fsum(reference_lengths)
        if rules.reference_length == "average"
        else int(reference_lengths.sum(dtype=np.int64)),
        counts.matches[-1].tolist(),
        int(lengths[-1]),
    )


def gather_sentences(
    counts: BleuCounts, offsets: NDArray[np.int64], rules: BleuRules
) -> Iterator[BleuStatistics]:
    """Statistics of each sample alone; arguments as in :func:`gather_corpus`."""
    orders = np.arange(rules.counted_order)
    differences = counts.prediction_lengths[:, np.newaxis] - orders
    all_totals = np.maximum(differences, 0).tolist()
    all_denominators = all_totals
    if rules.arithmetic == "nltk":
        all_denominators = np.maximum(differences, 1).tolist()
    for matches, totals, denominators, length, reference_length in zip(
        counts.matches[:, : rules.counted_order].tolist(),
        all_totals,
        all_denominators,
        counts.prediction_lengths.tolist(),
        choose_reference_lengths(counts, offsets, rules).tolist(),
        strict=True,
    ):
        yield BleuStatistics(
            matches, totals, denominators, length, reference_length, matches, length
        )


def choose_reference_lengths(
    counts: BleuCounts, offsets: NDArray[np.int64], rules: BleuRules
) -> Integers | NDArray[np.float64]:
    """The reference length of each sample, shape (samples,); float64 for the average."""
    lengths, starts = counts.reference_lengths, offsets[:-1]
    chosen: Integers | NDArray[np.float64]
    if rules.reference_length == "shortest":
        # Parity: tensorflow/nmt, compute_bleu: min(len(r) for r in references). The paper (section
        # 2.2.2) takes the best match length, that of the closest reference.
        chosen = np.minimum.reduceat(lengths, starts)
    elif rules.reference_length == "longest":
        chosen = np.maximum.reduceat(lengths, starts)
    elif rules.reference_length == "average":
        chosen = np.add.reduceat(lengths, starts, dtype=np.int64) / np.diff(offsets)
    else:
        # Parity: sacrebleu and NLTK take the shorter one on a tie. Lengths are below 2 ** 31, so
        # the least of distance * 2 ** 31 + length is the least distance, then the least length.
        wide = lengths.astype(np.int64)
        distances = np.abs(wide - np.repeat(counts.prediction_lengths, np.diff(offsets)))
        chosen = np.minimum.reduceat((distances << 31) + wide, starts) & (2**31 - 1)
    return chosen

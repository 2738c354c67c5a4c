"""Gather BLEU's counts into the statistics of one score: of the corpus, or of a sample."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...counting.kernels import BleuCounts, Integers
from .rules import BleuRules


class BleuStatistics(NamedTuple):
    """Everything that a BLEU score is computed from.

    The first three have one item for each of the orders 1 to ``rules.counted_order``.

    Attributes:
        matches: clipped n-gram matches.
        totals: n-grams of the predictions.
        denominators: what matches are divided by: the totals, or NLTK's numbers.
        prediction_length: tokens of the predictions.
        reference_length: tokens of one reference of each sample; a float for the average.
        last_matches: matches of the last sample.
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
    """Gather the statistics of all samples together.

    Args:
        counts: counts of at least one sample, for ``rules.counted_order`` orders or more.
        offsets: int64, shape (samples + 1,); index at which the references of each sample start.
        rules: rules that say which reference length counts, and which denominators.
    """
    lengths = counts.prediction_lengths
    orders = range(rules.counted_order)
    totals = [int(np.maximum(lengths - start, 0).sum(dtype=np.int64)) for start in orders]
    denominators = totals
    if rules.arithmetic == "nltk":
        # Parity: in NLTK's modified_precision, every prediction that is too short for an order adds
        # 1 to the denominator.
        denominators = [int(np.maximum(lengths - start, 1).sum(dtype=np.int64)) for start in orders]
    reference_lengths = choose_reference_lengths(counts, offsets, rules)
    return BleuStatistics(
        [int(counts.matches[:, start].sum(dtype=np.int64)) for start in orders],
        totals,
        denominators,
        int(lengths.sum(dtype=np.int64)),
        # The sum is rounded once, so that the order of the samples does not matter.
        math.fsum(reference_lengths)
        if rules.reference_length == "average"
        else int(reference_lengths.sum(dtype=np.int64)),
        counts.matches[-1].tolist(),
        int(lengths[-1]),
    )


def gather_sentences(
    counts: BleuCounts, offsets: NDArray[np.int64], rules: BleuRules
) -> Iterator[BleuStatistics]:
    """Gather the statistics of each sample; the arguments are those of :func:`gather_corpus`."""
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
    """Return the reference length of each sample, shape (samples,); float64 for the average."""
    lengths, starts = counts.reference_lengths, offsets[:-1]
    # Fast path: equals the choice below if each sample has one reference. That takes 7 ns per
    # sample, and the sentence BLEU of a matrix of translations 140.
    if len(lengths) == len(starts) and rules.reference_length != "average":
        return lengths
    chosen: Integers | NDArray[np.float64]
    if rules.reference_length == "shortest":
        # Parity: compute_bleu of tensorflow/nmt takes min(len(r) for r in references). The paper
        # (section 2.2.2) takes the best match length: the length of the closest reference.
        chosen = np.minimum.reduceat(lengths, starts)
    elif rules.reference_length == "longest":
        chosen = np.maximum.reduceat(lengths, starts)
    elif rules.reference_length == "average":
        chosen = np.add.reduceat(lengths, starts, dtype=np.int64) / np.diff(offsets)
    else:
        # Parity: if two references are equally close, sacrebleu and NLTK take the shorter one.
        # Lengths are below 2 ** 31, so the minimum of distance * 2 ** 31 + length has the smallest
        # distance and, of these, the smallest length.
        wide = lengths.astype(np.int64)
        distances = np.abs(wide - np.repeat(counts.prediction_lengths, np.diff(offsets)))
        chosen = np.minimum.reduceat((distances << 31) + wide, starts) & (2**31 - 1)
    return chosen


def prepare_reference_length(rules: BleuRules) -> Callable[[int, Sequence[int]], float]:
    """Return the function that chooses the reference length of one sample.

    It takes the length of the prediction and those of the references, and equals
    :func:`choose_reference_lengths` of one sample in a tenth of the time.
    """
    if rules.reference_length == "shortest":
        return lambda _, lengths: min(lengths)
    if rules.reference_length == "longest":
        return lambda _, lengths: max(lengths)
    if rules.reference_length == "average":
        return lambda _, lengths: sum(lengths) / len(lengths)
    return lambda length, lengths: min(lengths, key=lambda other: (abs(other - length), other))

"""Gather BLEU's counts: of the corpus, of a sample, or as one row of integers per sample.

BLEU depends on the sum of rows alone, so that a resample is scored from the sum of those drawn.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...counting.kernels import BleuCounts, Integers
from ..score import Floats
from .rules import BleuRules

Sums = NDArray[np.float64] | NDArray[np.float32]

# The mean length of references is not an integer; its column holds this many parts of a token. It
# is a power of two, so that no product with it is rounded.
PARTS: Final = 1 << 20


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


class StatisticRows(NamedTuple):
    """The first five statistics of many sums; the first three have the shape (rows, orders)."""

    matches: Sums
    totals: Sums
    denominators: Sums
    prediction_length: Floats
    reference_length: Floats


def make_statistics(
    matches: Sequence[int], length: int, reference_length: float, rules: BleuRules
) -> BleuStatistics:
    """Make the statistics of one sample from its counts."""
    totals = [length - start if length > start else 0 for start in range(rules.counted_order)]
    denominators = totals
    if rules.arithmetic == "nltk":
        # Parity: as gather_corpus does for NLTK.
        denominators = [total or 1 for total in totals]
    return BleuStatistics(matches, totals, denominators, length, reference_length, matches, length)


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
    for matches, length, reference_length in zip(
        counts.matches[:, : rules.counted_order].tolist(),
        counts.prediction_lengths.tolist(),
        choose_reference_lengths(counts, offsets, rules).tolist(),
        strict=True,
    ):
        yield make_statistics(matches, length, reference_length, rules)


def make_columns(
    counts: BleuCounts, offsets: NDArray[np.int64], rules: BleuRules
) -> NDArray[np.int64]:
    """Gather the counts of each sample that BLEU of a sum of samples needs.

    Args:
        counts: of all samples, for ``rules.counted_order`` orders or more.
        offsets: int64, shape (samples + 1,); index at which the references of each sample start.
        rules: of a smoothing that looks at nothing but sums.

    Returns:
        Shape (samples, columns): the prediction length, the reference length, the matches of each
        order, the n-grams of each order but the first, and for NLTK the denominators of each order.
    """
    order = rules.counted_order
    lengths = counts.prediction_lengths.astype(np.int64)
    reference_lengths = choose_reference_lengths(counts, offsets, rules)
    if rules.reference_length == "average":
        reference_lengths = np.rint(reference_lengths * PARTS).astype(np.int64)
    columns = [lengths, reference_lengths, *counts.matches[:, :order].T]
    columns += [np.maximum(lengths - start, 0) for start in range(1, order)]
    if rules.arithmetic == "nltk":
        columns += [np.maximum(lengths - start, 1) for start in range(order)]
    return np.stack(columns, axis=1).astype(np.int64, copy=False)


def split_columns(sums: Sums, rules: BleuRules) -> StatisticRows:
    """Return what sums of rows of ``make_columns`` hold."""
    order = rules.counted_order
    lengths, matches = sums[:, 0], sums[:, 2 : 2 + order]
    totals = np.concatenate([lengths[:, None], sums[:, 2 + order : 1 + 2 * order]], axis=1)
    denominators = sums[:, 1 + 2 * order :] if rules.arithmetic == "nltk" else totals
    reference_length = sums[:, 1].astype(np.float64)
    if rules.reference_length == "average":
        reference_length /= PARTS
    return StatisticRows(
        matches, totals, denominators, lengths.astype(np.float64), reference_length
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
    return find_closest_length


def find_closest_length(length: int, lengths: Iterable[int]) -> int:
    """Return the length of the closest reference, the shorter one of two."""
    return min(lengths, key=lambda other: (abs(other - length), other))

"""Gather BLEU's counts: of the corpus, of a sample, or as one row of integers per sample.

BLEU depends on the sum of rows alone, so that a resample is scored from the sum of those drawn.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...counting.kernels import BleuCounts, Integers
from .rules import BleuRules

# The mean length of references is not an integer; its column holds this many parts of a token. It
# is a power of two, so that no product with it is rounded.
PARTS: Final = 1 << 20


class BleuStatistics(NamedTuple):
    """Everything that BLEU is computed from; of many sums, each number is an array, shape (rows,).

    The first three have one item for each of the orders 1 to ``rules.counted_order``.

    Attributes:
        totals: n-grams of the predictions; the first is the number of their tokens.
        matches: clipped n-gram matches.
        denominators: what matches are divided by: the totals, or NLTK's numbers.
        reference_length: tokens of one reference of each sample; a float for the average.
        last_matches: matches of the last sample.
        last_length: tokens of the last prediction.
    """

    totals: Sequence[Any]
    matches: Sequence[Any]
    denominators: Sequence[Any]
    reference_length: Any
    last_matches: Sequence[int]
    last_length: int


def make_statistics(
    matches: Sequence[int], length: int, reference_length: float, rules: BleuRules
) -> BleuStatistics:
    """Make the statistics of one sample from its counts."""
    totals = [length - start if length > start else 0 for start in range(rules.counted_order)]
    denominators = totals
    if rules.arithmetic == "nltk":
        # Parity: as list_columns does for NLTK.
        denominators = [total or 1 for total in totals]
    return BleuStatistics(totals, matches, denominators, reference_length, matches, length)


def read_columns(columns: Any, rules: BleuRules) -> BleuStatistics:
    """Return what sums of ``list_columns`` hold: numbers, or arrays of shape (rows,)."""
    reference_length, order = columns[0], rules.counted_order
    if rules.reference_length == "average":
        reference_length = reference_length / PARTS
    totals, matches = columns[1 : 1 + order], columns[1 + order : 1 + 2 * order]
    denominators = columns[1 + 2 * order :] if rules.arithmetic == "nltk" else totals
    return BleuStatistics(totals, matches, denominators, reference_length, matches, totals[0])


def list_columns(
    counts: BleuCounts, offsets: NDArray[np.int64], rules: BleuRules
) -> Iterator[NDArray[Any]]:
    """Iterate over the integers of each sample whose sums decide BLEU, each of shape (samples,)."""
    lengths, orders = counts.prediction_lengths, range(rules.counted_order)
    references = choose_reference_lengths(counts, offsets, rules)
    is_average = rules.reference_length == "average"
    yield np.rint(references * PARTS).astype(np.int64) if is_average else references
    yield from (np.maximum(lengths - start, 0) for start in orders)
    yield from counts.matches.T[: rules.counted_order]
    if rules.arithmetic == "nltk":
        # Parity: in NLTK's modified_precision, every prediction that is too short for an order adds
        # 1 to the denominator.
        yield from (np.maximum(lengths - start, 1) for start in orders)


def make_columns(
    counts: BleuCounts, offsets: NDArray[np.int64], rules: BleuRules
) -> NDArray[np.int64]:
    """Return a row per sample, shape (samples, columns), for a smoothing that needs sums only."""
    columns = np.stack([*list_columns(counts, offsets, rules)], axis=1)
    return columns.astype(np.int64, copy=False)


def gather_corpus(
    counts: BleuCounts, offsets: NDArray[np.int64], rules: BleuRules
) -> BleuStatistics:
    """Gather the statistics of all samples, at least one, together."""
    columns = list_columns(counts, offsets, rules)
    sums: list[float] = [int(column.sum(dtype=np.int64)) for column in columns]
    if rules.reference_length == "average":
        # The sum is rounded once, so that the order of the samples does not matter.
        sums[0] = math.fsum(choose_reference_lengths(counts, offsets, rules)) * PARTS
    return read_columns(sums, rules)._replace(
        last_matches=counts.matches[-1].tolist(), last_length=int(counts.prediction_lengths[-1])
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
        # As find_closest_length. Lengths are below 2 ** 31, so the minimum of
        # distance * 2 ** 31 + length has the smallest distance and, of these, the smallest length.
        wide = lengths.astype(np.int64)
        distances = np.abs(wide - np.repeat(counts.prediction_lengths, np.diff(offsets)))
        chosen = np.minimum.reduceat((distances << 31) + wide, starts) & (2**31 - 1)
    return chosen


def find_closest_length(length: int, lengths: Iterable[int]) -> int:
    """Return the length of the reference that is closest to that of the prediction.

    >>> find_closest_length(12, [13, 11])
    11
    """
    # Parity: if two references are equally close, sacrebleu and NLTK take the shorter one.
    return min(lengths, key=lambda other: (abs(other - length), other))


def prepare_reference_length(rules: BleuRules) -> Callable[[int, Sequence[int]], float]:
    """Return ``choose_reference_lengths`` for one sample, which takes a tenth of the time."""
    if rules.reference_length == "shortest":
        return lambda _, lengths: min(lengths)
    if rules.reference_length == "longest":
        return lambda _, lengths: max(lengths)
    if rules.reference_length == "average":
        return lambda _, lengths: sum(lengths) / len(lengths)
    return find_closest_length

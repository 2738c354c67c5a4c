"""Compute BLEU of many sums of counts at once: of resamples, or of samples.

The counts of a sample are a row of integers, its columns. BLEU depends on the sum of rows alone, so
a resample is scored from the sum of the rows that were drawn. The scores equal those of
``formula.py`` bit for bit, row by row.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...counting.kernels import BleuCounts
from ...messages import value_error
from .distinct import map_distinct
from .formula import SCALES, score_statistics
from .means import average_rows
from .penalty import penalise, penalise_rows
from .rules import LAST_SAMPLE_SMOOTHINGS, BleuRules, check_one_set
from .smoothing import SAME_SMOOTHINGS, added_to_totals, smooth_precisions, smooth_rows
from .statistics import BleuStatistics, choose_reference_lengths

Floats = NDArray[np.float64]
Sums = NDArray[np.float64] | NDArray[np.float32]

# The mean length of references is not an integer; its column holds this many parts of a token. It
# is a power of two, so that no product with it is rounded.
PARTS: Final = 1 << 20

# Smoothings that are computed row by row, because they need NLTK's exact fractions.
_CORRECTED: Final = tuple(f"{name}-corrected" for name in LAST_SAMPLE_SMOOTHINGS)
_SINGLE: Final = ("method4", *LAST_SAMPLE_SMOOTHINGS, *_CORRECTED)

# How many rows are scored at once.
_BLOCK: Final = 1 << 14


class _Rows(NamedTuple):
    """The columns of the sums: those that end in ``s`` have the shape (rows, orders)."""

    matches: Sums
    totals: Sums
    denominators: Sums
    prediction_length: Floats
    reference_length: Floats


def check_resampled(rules: BleuRules) -> None:
    """Check that BLEU can be computed from summed counts, one score a sum.

    Raises:
        ValueError: the smoothing uses counts of the last sample, or there are several sets of
            weights.
    """
    if rules.smooth in LAST_SAMPLE_SMOOTHINGS:
        raise value_error(
            "{smooth} {!r} uses counts of the last sample, so resampling would change what is "
            "measured",
            rules.smooth,
            remedy=f"use {rules.smooth + '-corrected'!r}.",
        )
    check_one_set(rules, "one score is resampled")


def bleu_columns(
    counts: BleuCounts, offsets: NDArray[np.int64], rules: BleuRules
) -> NDArray[np.int64]:
    """Gather the counts of each sample that BLEU of a sum of samples needs.

    Args:
        counts: of all samples, for ``rules.counted_order`` orders or more.
        offsets: int64, shape (samples + 1,); index at which the references of each sample start.
        rules: as for :func:`score_rows`.

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


def has_rows(rules: BleuRules) -> bool:
    """Return whether sentence BLEU is one score of a row of integers."""
    return rules.reference_length != "average" and len(rules.weights or (None,)) == 1


def score_sentence_rows(counts: BleuCounts, offsets: NDArray[np.int64], rules: BleuRules) -> Floats:
    """Compute the sentence BLEU of each sample, shape (samples,).

    The arguments are those of :func:`bleu_columns`, with rules that ``has_rows`` accepts.
    """
    lengths, order = counts.prediction_lengths, rules.counted_order
    references = choose_reference_lengths(counts, offsets, rules)

    def average(rows: NDArray[np.int64]) -> Floats:
        # With a reference of the same length, the brevity penalty is 1.
        chosen = BleuCounts(counts.matches[rows], lengths[rows], lengths[rows])
        columns = bleu_columns(chosen, np.arange(len(rows) + 1), rules)
        return score_rows(columns, rules, is_sentence=True)

    def find_penalty(rows: NDArray[np.int64]) -> Floats:
        ours, theirs = lengths[rows].astype(np.float64), references[rows].astype(np.float64)
        return penalise_rows(ours, theirs, rules.arithmetic)

    # Fast path: equals score_rows of all rows. A matrix of translations takes a third of the time.
    means = map_distinct([lengths, *counts.matches[:, :order].T], average)
    scores = map_distinct([lengths, references], find_penalty) * means
    if rules.arithmetic == "hf":
        scores[references == 0] = 0
    return scores


def score_rows(
    sums: Sums | NDArray[np.int64], rules: BleuRules, *, is_sentence: bool = False
) -> Floats:
    """Compute BLEU of each row.

    Args:
        sums: shape (rows, columns), whole numbers; each row is the sum of some rows of
            :func:`bleu_columns`. With float32 the precisions are computed in float32.
        rules: checked with :func:`check_resampled`.
        is_sentence: whether each row is one sample, which sacrebleu scores with its effective
            order.

    Returns:
        Shape (rows,).
    """
    is_single = rules.auto_reweigh or rules.smooth in _SINGLE
    score = _score_one_by_one if is_single else _score_together
    # Fast path: equals one block of all rows; the memory of its temporary arrays is small.
    blocks = []
    for start in range(0, len(sums), _BLOCK):
        block: Any = sums[start : start + _BLOCK]
        if block.dtype != np.float32:
            block = block.astype(np.float64, copy=False)
        blocks.append(score(_split(block, rules), rules, is_sentence=is_sentence))
    return np.concatenate(blocks) if blocks else np.zeros(0)


def _score_together(rows: _Rows, rules: BleuRules, *, is_sentence: bool) -> Floats:
    # Fast path: equals _score_one_by_one; the formulas of many rows are beside those of one.
    scale, arithmetic = SCALES[rules.arithmetic], rules.arithmetic
    precisions = smooth_rows(rows.matches, rows.denominators, rules, scale)
    if arithmetic == "hf":
        has_score = (rows.prediction_length > 0) & (rows.reference_length > 0)
    else:
        has_score = rows.matches[:, 0] > 0
    if arithmetic == "nltk" and SAME_SMOOTHINGS.get(rules.smooth, rules.smooth) == "none":
        precisions = np.where(precisions == 0, np.finfo(np.float64).tiny, precisions)
    orders = np.full(len(precisions), rules.max_order)
    if rules.leaves_out_orders(is_sentence=is_sentence) and not added_to_totals(rules):
        orders -= (rows.totals == 0).sum(axis=1)
    means = average_rows(precisions, orders, rules)
    penalties = penalise_rows(rows.prediction_length, rows.reference_length, arithmetic)
    return np.where(has_score, penalties * means, 0.0)


def _split(sums: Sums, rules: BleuRules) -> _Rows:
    order = rules.counted_order
    lengths, matches = sums[:, 0], sums[:, 2 : 2 + order]
    totals = np.concatenate([lengths[:, None], sums[:, 2 + order : 1 + 2 * order]], axis=1)
    denominators = totals
    if rules.arithmetic == "nltk":
        denominators = sums[:, 1 + 2 * order :]
    reference_length = sums[:, 1].astype(np.float64)
    if rules.reference_length == "average":
        reference_length /= PARTS
    return _Rows(matches, totals, denominators, lengths.astype(np.float64), reference_length)


def _score_one_by_one(rows: _Rows, rules: BleuRules, *, is_sentence: bool) -> Floats:
    """Compute BLEU of each row by ``formula.py``."""
    scale = SCALES[rules.arithmetic]
    scores = []
    for matches, totals, denominators, length, reference_length in zip(
        *(column.astype(np.int64).tolist() for column in rows[:4]),
        rows.reference_length.tolist(),
        strict=True,
    ):
        statistics = BleuStatistics(
            matches, totals, denominators, length, reference_length, matches, length
        )
        (score,) = score_statistics(
            statistics,
            smooth_precisions(statistics, rules, scale),
            penalise(length, reference_length, rules.arithmetic),
            rules,
            leaves_out_orders=rules.leaves_out_orders(is_sentence=is_sentence),
        )
        scores.append(score)
    return np.array(scores)

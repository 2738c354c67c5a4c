"""Compute BLEU of many sums of counts at once: of resamples, or of samples.

The counts of a sample are a row of integers, its columns. BLEU depends on the sum of rows alone, so
a resample is scored from the sum of the rows that were drawn. The scores equal those of
``formula.py`` bit for bit, row by row.
"""

import math
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...counting.kernels import BleuCounts
from ...messages import value_error
from .formula import SCALES, adapt_weights, penalise, score_statistics
from .rules import LAST_SAMPLE_SMOOTHINGS, BleuRules, check_one_set
from .smoothing import SAME_SMOOTHINGS, added_to_totals, smooth_precisions
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
    # Fast path: equals _score_one_by_one. Sums, products and quotients of NumPy are those of
    # Python. Its log and exp are not, in the last bit, so those of Python are used.
    name = SAME_SMOOTHINGS.get(rules.smooth, rules.smooth)
    precisions = _smooth(rows, rules, name, SCALES[rules.arithmetic])
    if rules.arithmetic == "hf":
        has_score = (rows.prediction_length > 0) & (rows.reference_length > 0)
    else:
        has_score = rows.matches[:, 0] > 0
    if rules.arithmetic == "nltk" and name == "none":
        precisions = np.where(precisions == 0, np.finfo(np.float64).tiny, precisions)
    is_zero = precisions == 0
    logarithms = _map(math.log, np.where(is_zero, 1, precisions))
    means = _average(logarithms, is_zero, rows, rules, is_sentence=is_sentence)
    scores: Floats = _penalties(rows, rules) * means
    return np.where(has_score, scores, 0.0)


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


def _smooth(rows: _Rows, rules: BleuRules, name: str, scale: float) -> Sums:
    """Compute the smoothed precisions, shape (rows, orders), as ``smooth_precisions`` does."""
    matches, totals = rows.matches, rows.denominators
    if name == "add-one":
        return scale * (matches + 1) / (totals + 1)
    if name == "add-k":
        added = np.full(matches.shape[1], added_to_totals(rules), dtype=matches.dtype)
        added[0] = 0
        matches, totals = matches + added, totals + added
    scaled = scale * matches
    if name == "floor":
        scaled = np.where(matches == 0, np.array(scale * rules.parameter, matches.dtype), scaled)
    precisions: Sums = np.where(totals == 0, 0, scaled / np.where(totals == 0, 1, totals))
    if name == "exp":
        is_halved = (matches == 0) & (totals != 0)
        divisors = np.exp2(np.cumsum(is_halved, axis=1)).astype(matches.dtype)
        halved = scale / np.where(is_halved, divisors * totals, 1)
        precisions = np.where(is_halved, halved, precisions)
    return precisions


def _penalties(rows: _Rows, rules: BleuRules) -> Floats:
    """Compute the brevity penalty of each row, as ``penalise`` does."""
    lengths, is_short = rows.prediction_length, rows.prediction_length < rows.reference_length
    divisors = np.where(is_short & (lengths > 0), lengths, 1)
    references = np.where(is_short & (lengths > 0), rows.reference_length, 1)
    ratios = 1.0 / (divisors / references) if rules.arithmetic == "hf" else references / divisors
    return np.where(is_short & (lengths == 0), 0.0, _map(math.exp, 1 - ratios))


def _average(
    logarithms: Floats,
    is_zero: NDArray[np.bool_],
    rows: _Rows,
    rules: BleuRules,
    *,
    is_sentence: bool,
) -> Floats:
    """Compute the geometric mean of the precisions of each row.

    Args:
        logarithms: shape (rows, orders); 0 for a precision of 0.
        is_zero: which precisions are 0.
        rows: the sums.
        rules: arithmetic and weights.
        is_sentence: whether each row is one sample.
    """
    orders = np.full(len(logarithms), rules.max_order)
    if rules.leaves_out_orders(is_sentence=is_sentence) and not added_to_totals(rules):
        orders -= (rows.totals == 0).sum(axis=1)
    if rules.arithmetic == "sacrebleu" and rules.weights is None:
        is_used = np.arange(rules.max_order) < orders[:, None]
        total = np.zeros(len(logarithms))
        for order in range(rules.max_order):
            total += np.where(is_used[:, order], logarithms[:, order], 0)
        means = _map(math.exp, total / np.maximum(orders, 1))
        means[(is_zero & is_used).any(axis=1) | (orders == 0)] = 0
        return means
    weights = _spread_weights(orders, rules)
    if rules.arithmetic == "nltk":
        weighted = (weights * logarithms).tolist()
        means = _map(math.exp, np.array([math.fsum(row) for row in weighted]))
    else:
        total = np.zeros(len(logarithms))
        for order in range(rules.max_order):
            total += weights[:, order] * logarithms[:, order]
        means = _map(math.exp, total)
        means[(is_zero & (weights > 0)).any(axis=1)] = 0
    means[(weights == 0).all(axis=1)] = 0
    return means


def _spread_weights(orders: NDArray[np.int64], rules: BleuRules) -> Floats:
    """Compute the weights of each row, shape (rows, orders); 0 for an order that is left out."""
    (weights,) = rules.weights or (None,)
    cases = np.zeros((rules.max_order + 1, rules.max_order))
    for order in range(1, rules.max_order + 1):
        # The length of the predictions matters to auto_reweigh alone, which is not scored here.
        adapted = adapt_weights(weights, order, 0, rules)
        if isinstance(adapted, int):
            adapted = (1.0 / adapted,) * adapted
        cases[order, : len(adapted)] = adapted
    spread: Floats = cases[orders]
    return spread


def _map(function: Callable[[float], float], values: Sums) -> Floats:
    flat = values.reshape(-1).tolist()
    return np.fromiter(map(function, flat), np.float64, len(flat)).reshape(values.shape)

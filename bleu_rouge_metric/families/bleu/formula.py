"""Compute BLEU: brevity penalty times the weighted geometric mean of the precisions.

The scores of Papineni et al. (2002), bit for bit as three libraries compute them: evaluate 0.4.6's
``bleu`` (the ``compute_bleu`` of tensorflow/nmt), sacrebleu 2.6, and NLTK 3.10's ``corpus_bleu``
and ``sentence_bleu``. If a library divides by zero (for an empty text), the score here is 0.

:func:`score_statistics` of one set of counts, :func:`prepare_sentence_score` of single pairs and
:func:`score_rows` of many sums do the floating-point operations of a library in the same order
(``tests/bleu/test_formula.py``). Do not "simplify" a formula: that changes last digits.
"""

import math
import sys
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from numbers import Real
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...arrays import map_equal_rows
from ...checks import check_choice
from ...counting.kernels import BleuCounts
from ..score import Floats
from .rules import ARITHMETICS, Arithmetic, BleuRules
from .smoothing import (
    SAME_SMOOTHINGS,
    SINGLE_SMOOTHINGS,
    added_to_totals,
    smooth_precisions,
    smooth_rows,
)
from .statistics import (
    BleuStatistics,
    choose_reference_lengths,
    make_columns,
    make_statistics,
    read_columns,
)

SCALES: Final[dict[Arithmetic, float]] = {"hf": 1.0, "sacrebleu": 100.0, "nltk": 1.0}

# From the matches of each order, the prediction length and the reference length to BLEU.
SentenceScore = Callable[[Sequence[int], int, float], float]

# Fast path: up to this many n-grams of an order, the logarithms of all precisions are in a table,
# which equals computing them and takes 0.1 MB. By python -m timeit "score([14, 9, 6, 5], 17, 17)",
# a sentence takes 0.5 µs, and 0.9 with this at 0.
_MOST_TABLED: Final = 64

# How many rows are scored at once.
_BLOCK: Final = 1 << 14


def brevity_penalty(
    prediction_length: float, reference_length: float, *, arithmetic: Arithmetic = "hf"
) -> float:
    """Compute the factor that lowers the score of a prediction shorter than its reference.

    Papineni et al. (2002), section 2.2.2.

    Args:
        prediction_length: number of tokens, at least 0.
        reference_length: number of tokens, at least 0; may be a mean and not an integer.
        arithmetic: ``hf`` first divides the lengths, ``sacrebleu`` and ``nltk`` do not; the results
            differ in the last bit.

    Returns:
        A float in [0, 1]: 1 if the prediction is not shorter; 0 if only the prediction is empty.

    Raises:
        TypeError: a length is not a number.
        ValueError: a length is negative or not finite, or the arithmetic is unknown.

    >>> brevity_penalty(12, 12), brevity_penalty(0, 0), brevity_penalty(0, 3)
    (1.0, 1.0, 0.0)
    """
    lengths = {"prediction_length": prediction_length, "reference_length": reference_length}
    for name, length in lengths.items():
        if isinstance(length, bool) or not isinstance(length, Real):
            raise TypeError(f"{name} is {length!r}; expected a number of tokens.")
        if not 0 <= length < math.inf:
            raise ValueError(f"{name} is {length}; expected a number of tokens, 0 or more.")
    check_choice("arithmetic", arithmetic, ARITHMETICS)
    return penalise(prediction_length, reference_length, arithmetic)


def penalise(prediction_length: float, reference_length: float, arithmetic: Arithmetic) -> float:
    """Compute the brevity penalty for lengths that are checked already."""
    if prediction_length >= reference_length:
        return 1.0
    return math.exp(find_exponent(prediction_length, reference_length, arithmetic))


def find_exponent(
    prediction_length: float, reference_length: float, arithmetic: Arithmetic
) -> float:
    """Compute the logarithm of the brevity penalty, min(0, 1 - r / c); minus infinity if c is 0."""
    if prediction_length >= reference_length:
        return 0.0
    if not prediction_length:
        return -math.inf
    if arithmetic == "hf":
        # Parity: compute_bleu first computes the ratio; exp(1 - r / c) often differs in the last
        # bit.
        return 1 - 1.0 / (prediction_length / reference_length)
    return 1 - reference_length / prediction_length


def score_statistics(
    statistics: BleuStatistics, rules: BleuRules, *, is_sentence: bool
) -> tuple[list[float], list[float] | None, float]:
    """Return one score per set of weights, the smoothed precisions and the brevity penalty."""
    length, sets, arithmetic = statistics.totals[0], rules.weights or (None,), rules.arithmetic
    smoothed = smooth_precisions(statistics, rules, SCALES[arithmetic])
    penalty = penalise(length, statistics.reference_length, arithmetic)
    factors = choose_factors(statistics, smoothed, rules, is_sentence=is_sentence)
    if factors is None:
        return [0.0] * len(sets), smoothed, penalty
    precisions, orders = factors
    scores = []
    for weights in sets:
        adapted = adapt_weights(weights, orders, length, rules)
        scores.append(penalty * average(precisions, adapted, arithmetic))
    return scores, smoothed, penalty


def choose_factors(
    statistics: BleuStatistics,
    precisions: Sequence[float] | None,
    rules: BleuRules,
    *,
    is_sentence: bool,
) -> tuple[Sequence[float], int] | None:
    """Return the precisions that are averaged, and how many orders count; None for a score of 0."""
    if rules.arithmetic == "hf":
        # Parity: compute_bleu raises ZeroDivisionError for an empty text; here its score is 0.
        has_score = statistics.totals[0] and statistics.reference_length
    else:
        # Parity: sacrebleu and NLTK give 0 if there is no match, with any smoothing.
        has_score = statistics.matches[0]
    if not has_score or precisions is None:
        return None
    if rules.arithmetic == "nltk" and rules.smooth in ("none", "method0"):
        # Parity: with NLTK's default, method0, an order without a match makes the score tiny, not
        # 0.
        precisions = [precision or sys.float_info.min for precision in precisions]
    orders = rules.max_order
    if rules.leaves_out_orders(is_sentence=is_sentence) and not added_to_totals(rules):
        # Parity: in sacrebleu's compute_bleu, what add-k adds to the total counts as n-grams, so
        # no order is left out.
        orders -= statistics.totals[:orders].count(0)
    return precisions, orders


def adapt_weights(
    weights: Sequence[float] | None, orders: int, prediction_length: int, rules: BleuRules
) -> Sequence[float] | int:
    """Return the weights of the orders that count, or how many orders if all weights are equal."""
    if (
        rules.auto_reweigh
        and prediction_length < 4
        and (rules.max_order == 4 if weights is None else weights == (0.25,) * 4)
    ):
        # Parity: NLTK's corpus_bleu compares the number of tokens of the whole corpus.
        weights, orders = None, min(orders, prediction_length)
    if weights is None:
        return orders
    if orders >= len(weights):
        return weights
    first = weights[:orders]
    total = math.fsum(first)
    return [weight / total for weight in first] if total else []


def list_weights(orders: int, prediction_length: int, rules: BleuRules) -> list[float]:
    """Return the weight of each order; 0 for one that is left out."""
    (weights,) = rules.weights or (None,)
    adapted = adapt_weights(weights, orders, prediction_length, rules)
    if isinstance(adapted, int):
        adapted = [1.0 / adapted] * adapted if adapted else []
    return [*adapted, *[0.0] * rules.max_order][: rules.max_order]


def average(
    precisions: Sequence[float], weights: Sequence[float] | int, arithmetic: Arithmetic
) -> float:
    """Compute the weighted geometric mean of precisions; the mean of no orders is 0."""
    if not weights:
        return 0.0
    if arithmetic == "sacrebleu" and isinstance(weights, int):
        # Parity: sacrebleu's compute_bleu adds the logarithms first, and then divides.
        logarithm = 0.0
        for precision in precisions[:weights]:
            if not precision:
                return 0.0
            logarithm += math.log(precision)
        return math.exp(logarithm / weights)
    if isinstance(weights, int):
        weights = (1.0 / weights,) * weights
    pairs = zip(weights, precisions, strict=False)
    if arithmetic == "nltk":
        # Parity: NLTK's corpus_bleu rounds the sum once, and leaves out precisions of 0.
        return math.exp(math.fsum(weight * math.log(value) for weight, value in pairs if value > 0))
    # Parity: compute_bleu computes sum((1. / max_order) * math.log(p)) from left to right. This is
    # a loop, here and above, because sum() of floats is compensated since Python 3.12 and rounds
    # differently.
    logarithm = 0.0
    for weight, precision in pairs:
        if weight:
            if not precision:
                return 0.0
            logarithm += weight * math.log(precision)
    return math.exp(logarithm)


def prepare_sentence_score(rules: BleuRules) -> SentenceScore:
    """Return the function that computes sentence BLEU by the rules, which have no sets of weights.

    >>> prepare_sentence_score(BleuRules(max_order=2))([3, 2], 4, 4)
    0.7071067811865475
    """
    is_plain = rules.weights is None and not rules.auto_reweigh and rules.arithmetic != "nltk"
    if is_plain and rules.smooth in ("none", "exp"):
        return _prepare_plain(rules)

    def score(matches: Sequence[int], length: int, reference_length: float) -> float:
        statistics = make_statistics(matches, length, reference_length, rules)
        return score_statistics(statistics, rules, is_sentence=True)[0][0]

    return score


def _prepare_plain(rules: BleuRules) -> SentenceScore:
    """Return the function for equal weights of evaluate and sacrebleu."""
    scale, arithmetic, most = SCALES[rules.arithmetic], rules.arithmetic, rules.max_order
    leaves_out_orders = rules.leaves_out_orders(is_sentence=True)
    is_smoothed, divides_last = rules.smooth == "exp", arithmetic == "sacrebleu"
    logarithms = _tabulate_logarithms(scale)

    def score(matches: Sequence[int], length: int, reference_length: float) -> float:
        # Fast path: equals the score of prepare_sentence_score, in less than half the time.
        if not (matches[0] if divides_last else length and reference_length):
            return 0.0
        orders = length if leaves_out_orders and length < most else most
        if length < orders:
            return 0.0
        weight = 1.0 if divides_last else 1.0 / orders
        divisor, logarithm, total = 1.0, 0.0, length
        for match in matches if orders == most else matches[:orders]:
            if match and total <= _MOST_TABLED:
                logarithm += weight * logarithms[total][match]
            elif match:
                logarithm += weight * math.log(scale * match / total)
            elif is_smoothed:
                divisor *= 2
                logarithm += weight * math.log(scale / (divisor * total))
            else:
                return 0.0
            total -= 1
        mean = math.exp(logarithm / orders if divides_last else logarithm)
        if length >= reference_length:
            return mean
        return penalise(length, reference_length, arithmetic) * mean

    return score


@cache
def _tabulate_logarithms(scale: float) -> list[list[float]]:
    """Return the logarithms of precisions, by total and matches, for a scale of 1.0 or 100.0."""
    return [
        [0.0, *(math.log(scale * match / total) for match in range(1, total + 1))]
        for total in range(_MOST_TABLED + 1)
    ]


def score_sentences(counts: BleuCounts, offsets: NDArray[np.int64], rules: BleuRules) -> Floats:
    """Compute BLEU of each sample: shape (samples,), or (samples, sets) for sets of weights."""
    if rules.sets_of_weights > 1:
        sets = (rules._replace(weights=(weights,)) for weights in rules.weights or ())
        return np.stack([score_sentences(counts, offsets, each) for each in sets], axis=1)
    lengths, order = counts.prediction_lengths, rules.counted_order
    references = choose_reference_lengths(counts, offsets, rules)

    def find_means(rows: NDArray[np.int64]) -> Floats:
        # With a reference of the same length, the brevity penalty is 1.
        chosen = BleuCounts(counts.matches[rows], lengths[rows], lengths[rows])
        columns = make_columns(chosen, np.arange(len(rows) + 1), rules)
        return score_rows(columns, rules, is_sentence=True)

    def find_penalties(rows: Any) -> Floats:
        ours, theirs = lengths[rows].astype(np.float64), references[rows].astype(np.float64)
        return _penalise_rows(ours, theirs, rules.arithmetic)

    # Fast path: equals score_rows of all rows. A matrix of translations takes a third of the time.
    means = map_equal_rows([lengths, *counts.matches[:, :order].T], find_means)
    if rules.reference_length == "average":
        penalties = find_penalties(slice(None))
    else:
        penalties = map_equal_rows([lengths, references], find_penalties)
    scores = penalties * means
    if rules.arithmetic == "hf":
        scores[references == 0] = 0
    return scores


def score_rows(sums: Any, rules: BleuRules, *, is_sentence: bool = False) -> Floats:
    """Compute BLEU of each row, a sum of rows of ``make_columns``, by at most one set of weights.

    With float32 the precisions are computed in float32. ``is_sentence`` is whether each row is one
    sample, which sacrebleu scores with its effective order.
    """
    if rules.auto_reweigh or rules.smooth in SINGLE_SMOOTHINGS:
        whole = ([length, *map(int, counts)] for length, *counts in sums.tolist())
        each = (read_columns(row, rules) for row in whole)
        scores = [score_statistics(row, rules, is_sentence=is_sentence)[0] for row in each]
        return np.array(scores).reshape(-1)
    # Fast path: equals one block of all rows; the memory of its temporary arrays is small.
    blocks = []
    for start in range(0, len(sums), _BLOCK):
        block = sums[start : start + _BLOCK]
        if block.dtype != np.float32:
            block = block.astype(np.float64, copy=False)
        blocks.append(_score_together(read_columns(block.T, rules), rules, is_sentence=is_sentence))
    return np.concatenate(blocks) if blocks else np.zeros(0)


def _score_together(rows: Any, rules: BleuRules, *, is_sentence: bool) -> Floats:
    """Compute ``score_statistics`` of each row, from arrays of shape (orders, rows)."""
    lengths = rows.totals[0].astype(np.float64)
    references = rows.reference_length.astype(np.float64)
    precisions = smooth_rows(rows.matches, rows.denominators, rules, SCALES[rules.arithmetic])
    has_score = rows.matches[0] > 0
    if rules.arithmetic == "hf":
        has_score = (lengths > 0) & (references > 0)
    if rules.arithmetic == "nltk" and SAME_SMOOTHINGS.get(rules.smooth, rules.smooth) == "none":
        precisions = np.where(precisions == 0, np.finfo(np.float64).tiny, precisions)
    orders = np.full(len(lengths), rules.max_order)
    if rules.leaves_out_orders(is_sentence=is_sentence) and not added_to_totals(rules):
        orders -= (rows.totals == 0).sum(axis=0)
    means = _average_rows(precisions, orders, rules)
    return np.where(has_score, _penalise_rows(lengths, references, rules.arithmetic) * means, 0.0)


def _penalise_rows(lengths: Floats, reference_lengths: Floats, arithmetic: Arithmetic) -> Floats:
    """Compute the brevity penalty of each row, as ``penalise`` does; both have shape (rows,)."""
    is_short = lengths < reference_lengths
    divisors = np.where(is_short & (lengths > 0), lengths, 1)
    references = np.where(is_short & (lengths > 0), reference_lengths, 1)
    ratios = 1.0 / (divisors / references) if arithmetic == "hf" else references / divisors
    return np.where(is_short & (lengths == 0), 0.0, _map_floats(math.exp, 1 - ratios))


def _average_rows(precisions: NDArray[Any], orders: NDArray[np.int64], rules: BleuRules) -> Floats:
    """Compute the geometric mean of each row from shape (orders, rows), as ``average`` does."""
    # Sums, products and quotients of NumPy are those of Python. Its log and exp are not, in the
    # last bit, so those of Python are used.
    is_zero = precisions == 0
    logarithms = _map_floats(math.log, np.where(is_zero, 1, precisions))
    total = np.zeros(len(orders))
    if rules.arithmetic == "sacrebleu" and rules.weights is None:
        is_used = np.arange(rules.max_order)[:, None] < orders
        for logarithm in np.where(is_used, logarithms, 0):
            total += logarithm
        means = _map_floats(math.exp, total / np.maximum(orders, 1))
        means[(is_zero & is_used).any(axis=0) | (orders == 0)] = 0
        return means
    weights = _tabulate_weights(rules)[:, orders]
    weighted = weights * logarithms
    if rules.arithmetic == "nltk":
        means = _map_floats(math.exp, np.array([*map(math.fsum, weighted.T.tolist())]))
    else:
        for logarithm in weighted:
            total += logarithm
        means = _map_floats(math.exp, total)
        means[(is_zero & (weights > 0)).any(axis=0)] = 0
    means[(weights == 0).all(axis=0)] = 0
    return means


# The last rules, as a comparison of systems scores many blocks by one; each has a few kilobytes.
@lru_cache(maxsize=16)
def _tabulate_weights(rules: BleuRules) -> Floats:
    """Return the weights for each number of orders that count, shape (orders, orders + 1)."""
    # The length of the predictions matters to auto_reweigh alone, which is not scored by it.
    return np.array([list_weights(order, 0, rules) for order in range(rules.max_order + 1)]).T


def _map_floats(function: Callable[[float], float], values: NDArray[Any]) -> Floats:
    """Apply a function of Python to every number of an array."""
    flat = values.reshape(-1).tolist()
    return np.fromiter(map(function, flat), np.float64, len(flat)).reshape(values.shape)

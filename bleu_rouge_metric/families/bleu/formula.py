"""Compute BLEU: brevity penalty times the weighted geometric mean of the precisions.

Each formula does the floating-point operations of its library in the same order. Do not "simplify"
a formula: that changes last digits.
"""

import math
import sys
from collections.abc import Sequence
from numbers import Real
from typing import Final

from ...checks import check_choice
from .rules import ARITHMETICS, Arithmetic, BleuRules
from .smoothing import added_to_totals
from .statistics import BleuStatistics

SCALES: Final[dict[Arithmetic, float]] = {"hf": 1.0, "sacrebleu": 100.0, "nltk": 1.0}


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
    statistics: BleuStatistics,
    precisions: Sequence[float] | None,
    penalty: float,
    rules: BleuRules,
    *,
    leaves_out_orders: bool,
) -> list[float]:
    """Compute one score per set of weights.

    Args:
        statistics: counts of the corpus or of one sample.
        precisions: smoothed precisions; None if they are undefined, which makes the score 0.
        penalty: brevity penalty.
        rules: arithmetic and weights.
        leaves_out_orders: whether orders are left out for which no prediction is long enough.
    """
    weight_sets = rules.weights or (None,)
    factors = choose_factors(statistics, precisions, rules, leaves_out_orders=leaves_out_orders)
    if factors is None:
        return [0.0] * len(weight_sets)
    precisions, orders = factors
    scores: list[float] = []
    for weights in weight_sets:
        adapted = adapt_weights(weights, orders, statistics.prediction_length, rules)
        scores.append(penalty * _geometric_mean(precisions, adapted, rules.arithmetic))
    return scores


def choose_factors(
    statistics: BleuStatistics,
    precisions: Sequence[float] | None,
    rules: BleuRules,
    *,
    leaves_out_orders: bool,
) -> tuple[Sequence[float], int] | None:
    """Return the precisions that are averaged, and how many of the orders count.

    The arguments are those of :func:`score_statistics`.

    Returns:
        None if the score is 0 whatever the precisions are.
    """
    if rules.arithmetic == "hf":
        # Parity: compute_bleu raises ZeroDivisionError for an empty text; here its score is 0.
        has_score = statistics.prediction_length and statistics.reference_length
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
    if leaves_out_orders and not added_to_totals(rules):
        # Parity: in sacrebleu's compute_bleu, what add-k adds to the total counts as n-grams, so
        # no order is left out.
        orders -= statistics.totals[:orders].count(0)
    return precisions, orders


def adapt_weights(
    weights: Sequence[float] | None, orders: int, prediction_length: int, rules: BleuRules
) -> Sequence[float] | int:
    """Return the weights of the first orders, or the number of orders if all weights are equal.

    Args:
        weights: one set of weights; None for equal weights.
        orders: number of orders that count, at least 1.
        prediction_length: tokens of all predictions.
        rules: rules that say whether short predictions get other weights.
    """
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


def _geometric_mean(
    precisions: Sequence[float], weights: Sequence[float] | int, arithmetic: Arithmetic
) -> float:
    """Compute the weighted geometric mean; the order of operations is part of the contract.

    Args:
        precisions: precisions of orders 1, 2 and so on.
        weights: weights of the first orders, or how many orders have equal weights. The mean of no
            orders is 0.
        arithmetic: the library whose order of operations is used.
    """
    if not weights:
        return 0.0
    if arithmetic == "sacrebleu" and isinstance(weights, int):
        # Parity: sacrebleu's compute_bleu adds the logarithms first, and then divides.
        logarithm, orders = 0.0, weights
        for precision in precisions[:orders]:
            if not precision:
                return 0.0
            logarithm += math.log(precision)
        return math.exp(logarithm / orders)
    if isinstance(weights, int):
        weights = (1.0 / weights,) * weights
    if arithmetic == "nltk":
        # Parity: NLTK's corpus_bleu rounds the sum once, and leaves out precisions of 0.
        return math.exp(
            math.fsum(
                weight * math.log(precision)
                for weight, precision in zip(weights, precisions, strict=False)
                if precision > 0
            )
        )
    # Parity: compute_bleu computes sum((1. / max_order) * math.log(p)) from left to right. This is
    # a loop, here and above, because sum() of floats is compensated since Python 3.12 and rounds
    # differently.
    logarithm = 0.0
    for weight, precision in zip(weights, precisions, strict=False):
        if weight:
            if not precision:
                return 0.0
            logarithm += weight * math.log(precision)
    return math.exp(logarithm)

"""The formula of BLEU: brevity penalty times the weighted geometric mean of the precisions.

Each library's floating-point operations in its order, which no formula here may be "simplified"
out of.
"""

import math
import sys
from collections.abc import Sequence
from numbers import Real
from typing import Final

from ..checks import check_choice
from .rules import ARITHMETICS, Arithmetic, BleuRules
from .smoothing import added_to_totals
from .statistics import BleuStatistics

SCALES: Final[dict[Arithmetic, float]] = {"hf": 1.0, "sacrebleu": 100.0, "nltk": 1.0}


def brevity_penalty(
    prediction_length: float, reference_length: float, *, arithmetic: Arithmetic = "hf"
) -> float:
    """What a prediction loses for being shorter than its reference.

    Papineni et al. (2002), section 2.2.2.

    Args:
        prediction_length: tokens, at least 0.
        reference_length: tokens, at least 0; not whole where it is a mean.
        arithmetic: ``hf`` computes by way of the ratio of the lengths, ``sacrebleu`` and ``nltk``
            do not; results differ in the last bit.

    Returns:
        A float in [0, 1]: 1 where the prediction is not shorter, 0 where it alone is empty.

    Raises:
        TypeError: a length is no number.
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
    """The brevity penalty of checked lengths."""
    if prediction_length >= reference_length:
        return 1.0
    if not prediction_length:
        return 0.0
    if arithmetic == "hf":
        # Parity: compute_bleu goes by way of the ratio; exp(1 - r / c) often differs in its last
        # bit.
        return math.exp(1 - 1.0 / (prediction_length / reference_length))
    return math.exp(1 - reference_length / prediction_length)


def score_statistics(
    statistics: BleuStatistics,
    precisions: Sequence[float] | None,
    penalty: float,
    rules: BleuRules,
    *,
    leaves_out_orders: bool,
) -> list[float]:
    """One score per set of weights, from smoothed precisions; None for undefined ones."""
    weight_sets = rules.weights or (None,)
    if rules.arithmetic == "hf":
        # Parity: compute_bleu raises ZeroDivisionError here; an empty text is a text, worth 0.
        has_score = statistics.prediction_length and statistics.reference_length
    else:
        # Parity: sacrebleu and NLTK score 0 without any match, however it would be smoothed.
        has_score = statistics.matches[0]
    if not has_score or precisions is None:
        return [0.0] * len(weight_sets)
    if rules.arithmetic == "nltk" and rules.smooth in ("none", "method0"):
        # Parity: NLTK, method0, its default: an order without a match makes the score tiny, not 0.
        precisions = [precision or sys.float_info.min for precision in precisions]
    orders = rules.max_order
    if leaves_out_orders and not added_to_totals(rules):
        # Parity: sacrebleu, compute_bleu: what add-k adds makes up for n-grams.
        orders -= statistics.totals[:orders].count(0)
    scores: list[float] = []
    for weights in weight_sets:
        adapted = _adapt_weights(weights, orders, statistics.prediction_length, rules)
        scores.append(penalty * _geometric_mean(precisions, adapted, rules.arithmetic))
    return scores


def _adapt_weights(
    weights: Sequence[float] | None, orders: int, prediction_length: int, rules: BleuRules
) -> Sequence[float] | int:
    """The weights of the first orders; a number of orders stands for equal ones.

    Args:
        weights: of one set; None for equal ones.
        orders: how many the predictions are long enough for, at least 1.
        prediction_length: tokens of the predictions.
        rules: say whether short predictions get other weights.
    """
    if (
        rules.auto_reweigh
        and prediction_length < 4
        and (rules.max_order == 4 if weights is None else weights == (0.25,) * 4)
    ):
        # Parity: NLTK, corpus_bleu, looks at the tokens of the whole corpus.
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
    """The weighted geometric mean; the order of its operations is part of the contract.

    Args:
        precisions: of orders from 1 up.
        weights: of the first orders, or how many of them have equal weights. None at all: 0.
        arithmetic: in whose order of operations.
    """
    if not weights:
        return 0.0
    if arithmetic == "sacrebleu" and isinstance(weights, int):
        # Parity: sacrebleu, compute_bleu: the logarithms are added first, then divided.
        logarithm, orders = 0.0, weights
        for precision in precisions[:orders]:
            if not precision:
                return 0.0
            logarithm += math.log(precision)
        return math.exp(logarithm / orders)
    if isinstance(weights, int):
        weights = (1.0 / weights,) * weights
    if arithmetic == "nltk":
        # Parity: NLTK, corpus_bleu: rounded once, and precisions of 0 are left out.
        return math.exp(
            math.fsum(
                weight * math.log(precision)
                for weight, precision in zip(weights, precisions, strict=False)
                if precision > 0
            )
        )
    # Parity: compute_bleu, sum((1. / max_order) * math.log(p)), from left to right. A loop, since
    # sum() of floats is compensated from Python 3.12 on and would round otherwise; so above.
    logarithm = 0.0
    for weight, precision in zip(weights, precisions, strict=False):
        if weight:
            if not precision:
                return 0.0
            logarithm += weight * math.log(precision)
    return math.exp(logarithm)

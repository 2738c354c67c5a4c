"""The weighted geometric mean of BLEU's precisions: of one sum of counts, and of many.

Both do the floating-point operations of each library in the same order; a law compares them
(``tests/bleu/test_rows.py``). Do not "simplify" a formula: that changes last digits.
"""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .rules import Arithmetic, BleuRules

Floats = NDArray[np.float64]


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


def average(
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


def average_rows(precisions: NDArray[Any], orders: NDArray[np.int64], rules: BleuRules) -> Floats:
    """Compute the geometric mean of each row, as ``average`` does with ``adapt_weights``.

    Args:
        precisions: shape (rows, orders).
        orders: int64, shape (rows,); how many orders count.
        rules: arithmetic and weights.
    """
    # Sums, products and quotients of NumPy are those of Python. Its log and exp are not, in the
    # last bit, so those of Python are used.
    is_zero = precisions == 0
    logarithms = map_floats(math.log, np.where(is_zero, 1, precisions))
    if rules.arithmetic == "sacrebleu" and rules.weights is None:
        is_used = np.arange(rules.max_order) < orders[:, None]
        total = np.zeros(len(logarithms))
        for order in range(rules.max_order):
            total += np.where(is_used[:, order], logarithms[:, order], 0)
        means = map_floats(math.exp, total / np.maximum(orders, 1))
        means[(is_zero & is_used).any(axis=1) | (orders == 0)] = 0
        return means
    # 0 for an order that is left out.
    weights = _list_weights(rules)[orders]
    if rules.arithmetic == "nltk":
        weighted = (weights * logarithms).tolist()
        means = map_floats(math.exp, np.array([math.fsum(row) for row in weighted]))
    else:
        total = np.zeros(len(logarithms))
        for order in range(rules.max_order):
            total += weights[:, order] * logarithms[:, order]
        means = map_floats(math.exp, total)
        means[(is_zero & (weights > 0)).any(axis=1)] = 0
    means[(weights == 0).all(axis=1)] = 0
    return means


# The last rules, as a comparison of systems scores many blocks by one; each has a few kilobytes.
@lru_cache(maxsize=16)
def _list_weights(rules: BleuRules) -> Floats:
    """Return the weights for each number of orders that count, shape (orders + 1, orders)."""
    (weights,) = rules.weights or (None,)
    cases = np.zeros((rules.max_order + 1, rules.max_order))
    for order in range(1, rules.max_order + 1):
        # The length of the predictions matters to auto_reweigh alone, which is not scored here.
        adapted = adapt_weights(weights, order, 0, rules)
        if isinstance(adapted, int):
            adapted = (1.0 / adapted,) * adapted
        cases[order, : len(adapted)] = adapted
    return cases


def map_floats(function: Callable[[float], float], values: NDArray[Any]) -> Floats:
    """Apply a function of Python to every number of an array."""
    flat = values.reshape(-1).tolist()
    return np.fromiter(map(function, flat), np.float64, len(flat)).reshape(values.shape)

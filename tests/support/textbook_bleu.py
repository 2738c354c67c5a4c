"""BLEU with the formula of the paper and simple code for each option; from 0 to 1.

The tests compare the package with it, except for rounding, for each smoothing of single orders.
"""

import math
import sys
from collections import Counter
from typing import NamedTuple

from bleu_rouge_metric.families.bleu.rules import BleuRules

from .textbook import ngrams, overlap

Tokens = list[str]


class Order(NamedTuple):
    """Counts of all samples for one order: matches, n-grams, and the divisor."""

    matches: float
    ngrams: float
    divisor: float


def score_bleu(corpus: list[tuple[str, list[str]]], rules: BleuRules) -> float:
    """Compute BLEU of texts whose tokens are separated by spaces."""
    samples = [(text.split(), [one.split() for one in texts]) for text, texts in corpus]
    length = sum(len(tokens) for tokens, _ in samples)
    reference_length = sum(choose_length(*sample, rules.reference_length) for sample in samples)
    orders = [count_order(samples, order, rules) for order in range(1, rules.max_order + 1)]
    scores_without_a_match = rules.arithmetic == "hf"
    if not length or not (orders[0].matches or scores_without_a_match):
        return 0.0
    if rules.arithmetic == "hf" and not reference_length:
        return 0.0
    smoothed = [add(order, index, rules) for index, order in enumerate(orders)]
    weights = choose_weights(smoothed, length, rules)
    if not sum(weights):
        return 0.0
    score = min(1.0, math.exp(1 - reference_length / length))
    for weight, precision in zip(weights, fill_zeros(smoothed, rules), strict=True):
        score *= precision ** (weight / sum(weights))
    return score


def choose_length(tokens: Tokens, references: list[Tokens], policy: str) -> float:
    """Return the reference length of one sample."""
    lengths = [len(reference) for reference in references]
    if policy == "average":
        return sum(lengths) / len(lengths)
    if policy == "closest":
        return min(lengths, key=lambda length: (abs(length - len(tokens)), length))
    return min(lengths) if policy == "shortest" else max(lengths)


def count_order(samples: list[tuple[Tokens, list[Tokens]]], order: int, rules: BleuRules) -> Order:
    """Count the n-grams of one order."""
    matches = total = divisor = 0
    for tokens, references in samples:
        limits: Counter[tuple[str, ...]] = Counter()
        for reference in references:
            limits |= ngrams(reference, order)
        found = ngrams(tokens, order)
        matches += overlap(found, limits)
        total += found.total()
        divisor += max(found.total(), rules.arithmetic == "nltk")
    return Order(matches, total, divisor)


def add(order: Order, index: int, rules: BleuRules) -> Order:
    """Apply a smoothing that adds to the counts of an order."""
    added = {"add-one": 1, "method2": 1, "add-k": rules.parameter}.get(rules.smooth, 0)
    if index == 0 and rules.smooth != "add-one":
        return order
    return Order(*(count + added for count in order))


def fill_zeros(orders: list[Order], rules: BleuRules) -> list[float]:
    """Compute the precisions, and apply a smoothing that changes orders without a match."""
    precisions: list[float] = []
    zeros = 0
    for matches, _, divisor in orders:
        filled = matches
        if not matches and divisor:
            if rules.smooth in ("exp", "method3"):
                zeros += 1
                filled = 0.5**zeros
            elif rules.smooth in ("floor", "method1"):
                filled = rules.parameter
            elif rules.arithmetic == "nltk":
                filled = sys.float_info.min * divisor
        precisions.append(filled / divisor if divisor else 0.0)
    return precisions


def choose_weights(orders: list[Order], length: int, rules: BleuRules) -> list[float]:
    """Return the weights of all orders; their sum may differ from 1."""
    weights: list[float] = [1 / rules.max_order] * rules.max_order
    if rules.weights is not None:
        weights = list(rules.weights[0])
    if rules.auto_reweigh and length < 4 and weights == [0.25] * 4:
        weights = [1 / length] * length + [0.0] * (4 - length)
    leaves_out = rules.effective_order
    return [
        weight if order.ngrams or not leaves_out else 0.0
        for weight, order in zip(weights, orders, strict=True)
    ]

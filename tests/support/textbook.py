"""Slow, plain versions of what the package computes, as a textbook would write them.

The tests compare the package with them on generated inputs. They share no code with the package.
"""

import math
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

# The rules of BLEU, of the package; only their values are read.
Rules = Any


def ngrams(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    """Count how often each n-gram occurs."""
    return Counter(tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1))


def overlap(first: Counter[tuple[str, ...]], second: Counter[tuple[str, ...]]) -> int:
    """Return the size of the intersection of two multisets."""
    return (first & second).total()


def lcs_length(first: Sequence[str], second: Sequence[str]) -> int:
    """Compute the length of the longest common subsequence with the table."""
    row = [0] * (len(second) + 1)
    for token in first:
        above = row
        row = [0]
        for column, other in enumerate(second):
            row.append(above[column] + 1 if token == other else max(row[column], above[column + 1]))
    return row[-1]


def evaluate_bleu(
    predictions: Sequence[Sequence[str]],
    references: Sequence[Sequence[Sequence[str]]],
    max_order: int = 4,
    *,
    smooth: bool = False,
) -> dict[str, Any]:
    """Compute the outputs of evaluate's ``bleu`` for tokens; raise ZeroDivisionError as it does."""
    matches = [0] * max_order
    totals = [0] * max_order
    for prediction, sample in zip(predictions, references, strict=True):
        for order in range(1, max_order + 1):
            most: Counter[tuple[str, ...]] = Counter()
            for reference in sample:
                most |= ngrams(reference, order)
            matches[order - 1] += overlap(ngrams(prediction, order), most)
            totals[order - 1] += max(len(prediction) - order + 1, 0)
    if smooth:
        precisions = [(m + 1.0) / (t + 1.0) for m, t in zip(matches, totals, strict=True)]
    else:
        precisions = [m / t if t else 0.0 for m, t in zip(matches, totals, strict=True)]
    log_mean = 0.0
    if min(precisions) > 0:
        for precision in precisions:
            log_mean += 1.0 / max_order * math.log(precision)
        mean = math.exp(log_mean)
    else:
        mean = 0.0
    length = sum(map(len, predictions))
    reference_length = sum(min(map(len, sample)) for sample in references)
    ratio = length / reference_length
    penalty = 1.0 if ratio > 1.0 else math.exp(1 - 1.0 / ratio)
    return {
        "bleu": mean * penalty,
        "precisions": precisions,
        "brevity_penalty": penalty,
        "length_ratio": ratio,
        "translation_length": length,
        "reference_length": reference_length,
    }


Tokens = list[str]


class Order(NamedTuple):
    """Counts of all samples for one order: matches, n-grams, and the divisor."""

    matches: float
    ngrams: float
    divisor: float


def score_bleu(corpus: list[tuple[str, list[str]]], rules: Rules) -> float:
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
    smoothed = [smooth_order(order, index, rules) for index, order in enumerate(orders)]
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


def count_order(samples: list[tuple[Tokens, list[Tokens]]], order: int, rules: Rules) -> Order:
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


def smooth_order(order: Order, index: int, rules: Rules) -> Order:
    """Apply a smoothing that adds to the counts of an order."""
    added = {"add-one": 1, "method2": 1, "add-k": rules.parameter}.get(rules.smooth, 0)
    if index == 0 and rules.smooth != "add-one":
        return order
    return Order(*(count + added for count in order))


def fill_zeros(orders: list[Order], rules: Rules) -> list[float]:
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


def choose_weights(orders: list[Order], length: int, rules: Rules) -> list[float]:
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


TINY, SMALL = 1e-15, 1e-9


def count_sample(prediction: str, references: Sequence[str]) -> list[int]:
    """Return prediction and reference length, then matches and n-grams of orders 1 to 4."""
    tokens, others = prediction.split(), [text.split() for text in references]
    length = len(tokens)
    closest = min((abs(len(other) - length), len(other)) for other in others)[1]
    numbers = [length, closest]
    for order in range(1, 5):
        most: Counter[tuple[str, ...]] = Counter()
        for other in others:
            most |= ngrams(other, order)
        found = ngrams(tokens, order)
        numbers += [(found & most).total(), found.total()]
    return numbers


def coco_bleu(samples: Sequence[Sequence[int]]) -> list[float]:
    """Return the scores of the sums of some counts."""
    length, reference_length, *numbers = map(sum, zip(*samples, strict=True))
    product, scores = 1.0, []
    for order in range(4):
        match, total = numbers[2 * order : 2 * order + 2]
        product *= (match + TINY) / (total + SMALL)
        scores.append(product ** (1 / (order + 1)))
    ratio = (length + TINY) / (reference_length + SMALL)
    return [score * math.exp(1 - 1 / ratio) for score in scores] if ratio < 1 else scores


def coco_rouge(prediction: str, references: Sequence[str]) -> tuple[float, float, float]:
    """Return precision, recall and F-measure."""
    tokens = prediction.split(" ")
    pairs = [(lcs_length(tokens, text.split(" ")), len(text.split(" "))) for text in references]
    precision = max(hits / len(tokens) for hits, _ in pairs)
    recall = max(hits / total for hits, total in pairs)
    if not precision or not recall:
        return precision, recall, 0.0
    return precision, recall, 2.44 * precision * recall / (recall + 1.44 * precision)

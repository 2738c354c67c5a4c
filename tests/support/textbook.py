"""Slow, plain versions of what the package computes, as a textbook would write them.

The tests compare the package with them on generated inputs. They share no code with the package.
"""

import math
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import chain, combinations
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


def weighted_lcs_table(
    first: Sequence[str], second: Sequence[str], weight: float
) -> list[list[float]]:
    """Compute the weighted LCS of all prefixes; a run of k matches counts k ** weight."""
    scores = [[0.0] * (len(second) + 1) for _ in range(len(first) + 1)]
    runs = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, token in enumerate(first):
        for j, other in enumerate(second):
            if token == other:
                run = runs[i][j]
                scores[i + 1][j + 1] = scores[i][j] + (run + 1) ** weight - run**weight
                runs[i + 1][j + 1] = run + 1
            else:
                scores[i + 1][j + 1] = max(scores[i][j + 1], scores[i + 1][j])
    return scores


def weighted_lcs_positions(
    reference: Sequence[str], prediction: Sequence[str], weight: float
) -> set[int]:
    """Return the reference positions of matches on the way back; go up if two ways are equal."""
    scores = weighted_lcs_table(reference, prediction, weight)
    positions = set()
    i, j = len(reference), len(prediction)
    while i and j:
        if reference[i - 1] == prediction[j - 1]:
            i, j = i - 1, j - 1
            positions.add(i)
        elif scores[i - 1][j] >= scores[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return positions


def weighted_union(
    references: Sequence[Sequence[str]], predictions: Sequence[Sequence[str]], weight: float
) -> tuple[float, float]:
    """Compute hits and base of ROUGE-1.5.5's ROUGE-W."""
    left = Counter(token for sentence in predictions for token in sentence)
    hits = base = 0.0
    for reference in references:
        base += float(len(reference)) ** weight
        union: set[int] = set()
        for prediction in predictions:
            union |= weighted_lcs_positions(reference, prediction, weight)
        run = 0
        for position in sorted(union):
            if left[reference[position]] > 0:
                left[reference[position]] -= 1
                run += 1
                if position + 1 not in union:
                    hits += float(run) ** weight
                    run = 0
    return hits, base


def skip_bigrams(tokens: Sequence[str], gap: int | None) -> Counter[tuple[str, ...]]:
    """Count how often each ordered pair occurs with at most ``gap`` tokens between its two."""
    return Counter(
        (first, second)
        for (i, first), (j, second) in combinations(enumerate(tokens), 2)
        if gap is None or j - i - 1 <= gap
    )


Words = Sequence[str]


def count_sets(prediction: Words, reference: Words, order: int) -> list[int]:
    """Return the distinct n-grams of both texts, of the prediction and of the reference."""
    sides = [
        {tuple(words[start : start + order]) for start in range(len(words) - order + 1)}
        for words in (prediction, reference)
    ]
    return [len(sides[0] & sides[1]), len(sides[0]), len(sides[1])]


def count_pair_words(prediction: Sequence[Words], reference: Sequence[Words]) -> list[int]:
    """Return the distinct words of one LCS per pair of sentences, and those of both texts."""
    found: set[str] = set()
    for theirs in reference:
        for ours in prediction:
            found.update(list_lcs(theirs, ours))
    return [len(found), *(len(set(chain.from_iterable(side))) for side in (prediction, reference))]


def sum_pairs(prediction: Sequence[Words], reference: Sequence[Words]) -> list[int]:
    """Return the sum of the lengths of the LCS of all pairs, and the words of both texts."""
    lengths = (len(list_lcs(theirs, ours)) for theirs in reference for ours in prediction)
    return [sum(lengths), *(sum(map(len, side)) for side in (prediction, reference))]


def list_lcs(reference: Words, prediction: Words) -> list[str]:
    """List the words of the LCS that going back from the ends of both sentences finds."""
    table = [[0] * (len(prediction) + 1) for _ in range(len(reference) + 1)]
    for i, word in enumerate(reference, 1):
        for j, other in enumerate(prediction, 1):
            longest = max(table[i - 1][j], table[i][j - 1])
            table[i][j] = table[i - 1][j - 1] + 1 if word == other else longest
    words: list[str] = []
    i, j = len(reference), len(prediction)
    while i and j:
        if reference[i - 1] == prediction[j - 1]:
            words.append(reference[i - 1])
            i, j = i - 1, j - 1
        elif table[i - 1][j] > table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return words


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

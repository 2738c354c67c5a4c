"""The scores of captions, computed slowly: exact fractions where there is no root.

The references of the tests of ``coco``; written from its formulas, with whole numbers counted here.
"""

import math
from collections import Counter
from collections.abc import Sequence

TINY, SMALL = 1e-15, 1e-9


def count_ngrams(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def count_sample(prediction: str, references: Sequence[str]) -> list[int]:
    """Return prediction and reference length, then matches and n-grams of orders 1 to 4."""
    tokens, others = prediction.split(), [text.split() for text in references]
    length = len(tokens)
    closest = min((abs(len(other) - length), len(other)) for other in others)[1]
    numbers = [length, closest]
    for order in range(1, 5):
        most: Counter[tuple[str, ...]] = Counter()
        for other in others:
            most |= count_ngrams(other, order)
        found = count_ngrams(tokens, order)
        numbers += [(found & most).total(), found.total()]
    return numbers


def bleu(samples: Sequence[Sequence[int]]) -> list[float]:
    """Return the scores of the sums of some counts."""
    length, reference_length, *numbers = map(sum, zip(*samples, strict=True))
    product, scores = 1.0, []
    for order in range(4):
        match, total = numbers[2 * order : 2 * order + 2]
        product *= (match + TINY) / (total + SMALL)
        scores.append(product ** (1 / (order + 1)))
    ratio = (length + TINY) / (reference_length + SMALL)
    return [score * math.exp(1 - 1 / ratio) for score in scores] if ratio < 1 else scores


def lcs(first: Sequence[str], second: Sequence[str]) -> int:
    row = [0] * (len(second) + 1)
    for token in first:
        last = 0
        for place, other in enumerate(second, 1):
            last, row[place] = (
                row[place],
                (last + 1 if token == other else max(row[place], row[place - 1])),
            )
    return row[-1]


def rouge(prediction: str, references: Sequence[str]) -> tuple[float, float, float]:
    """Return precision, recall and F-measure."""
    tokens = prediction.split(" ")
    pairs = [(lcs(tokens, text.split(" ")), len(text.split(" "))) for text in references]
    precision = max(hits / len(tokens) for hits, _ in pairs)
    recall = max(hits / total for hits, total in pairs)
    if not precision or not recall:
        return precision, recall, 0.0
    return precision, recall, 2.44 * precision * recall / (recall + 1.44 * precision)

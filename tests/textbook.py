"""Slow, plain twins of what the package computes, as a textbook would write them.

They judge the package on generated inputs. Nothing here is shared with it.
"""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any


def ngrams(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    """How often each n-gram occurs."""
    return Counter(tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1))


def overlap(first: Counter[tuple[str, ...]], second: Counter[tuple[str, ...]]) -> int:
    """Size of the intersection of two multisets."""
    return (first & second).total()


def lcs_length(first: Sequence[str], second: Sequence[str]) -> int:
    """Length of the longest common subsequence, by the table."""
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
    """The outputs of evaluate's ``bleu`` for tokens; raises ZeroDivisionError where it does."""
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

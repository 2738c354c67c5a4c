"""Slow, plain versions of what the package computes, as a textbook would write them.

The tests compare the package with them on generated inputs. They share no code with the package.
"""

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any


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

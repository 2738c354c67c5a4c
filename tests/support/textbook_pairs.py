"""Distinct n-grams, and the LCS of pairs of sentences, counted as their definitions say."""

from collections.abc import Sequence
from itertools import chain

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

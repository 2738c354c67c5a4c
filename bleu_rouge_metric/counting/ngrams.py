"""N-gram overlap in Python: intersections of multisets, as ROUGE-N and BLEU count them."""

from collections.abc import Hashable, Iterable, Sequence

Tokens = Sequence[Hashable]


def list_ngrams(tokens: Tokens, order: int) -> Tokens:
    """List all n-grams of the tokens, in order; return the tokens themselves if ``order`` is 1.

    >>> list_ngrams(["a", "b", "c"], 2)
    [('a', 'b'), ('b', 'c')]
    """
    if order == 1:
        return tokens
    return list(zip(*(tokens[start:] for start in range(order)), strict=False))


def count_overlap(prediction: Tokens, reference: Tokens) -> int:
    """Count the items of the intersection of two multisets.

    >>> count_overlap(["the", "the", "cat"], ["the", "cat", "cat"])
    2
    """
    remaining: dict[Hashable, int] = {}
    for item in reference:
        remaining[item] = remaining.get(item, 0) + 1
    return _take(prediction, remaining)


def _take(items: Iterable[Hashable], remaining: dict[Hashable, int]) -> int:
    """Take as many of the items as possible from ``remaining``; return how many were taken."""
    taken = 0
    for item in items:
        count = remaining.get(item)
        if count:
            taken += 1
            remaining[item] = count - 1
    return taken


def count_distinct(prediction: Tokens, reference: Tokens) -> tuple[int, int, int]:
    """Count the items of the intersection of two sets, and those of each set.

    >>> count_distinct(["the", "the", "cat"], ["the", "cat", "cat", "sat"])
    (2, 2, 3)
    """
    predicted, referred = set(prediction), set(reference)
    return len(predicted & referred), len(predicted), len(referred)


def count_clipped_matches(
    prediction: Tokens, references: Sequence[Tokens], max_order: int
) -> list[int]:
    """Count the n-gram matches of BLEU for orders 1 to ``max_order``.

    An n-gram of the prediction matches at most as often as it occurs in the reference that has it
    most often.

    >>> count_clipped_matches("the the the".split(), ["the cat".split(), "the the".split()], 2)
    [2, 1]
    """
    matches: list[int] = []
    for order in range(1, max_order + 1):
        limits: dict[Hashable, int] = {}
        for reference in references:
            counts: dict[Hashable, int] = {}
            for ngram in list_ngrams(reference, order):
                counts[ngram] = counts.get(ngram, 0) + 1
            if limits:
                for ngram, count in counts.items():
                    if count > limits.get(ngram, 0):
                        limits[ngram] = count
            else:
                limits = counts
        matches.append(_take(list_ngrams(prediction, order), limits))
        if not matches[-1]:
            # Without a match of this order there is none of a longer order.
            matches += [0] * (max_order - order)
            break
    return matches

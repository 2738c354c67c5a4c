"""N-grams and skip-bigrams in Python: intersections of multisets, for BLEU, ROUGE-N, S and SU."""

from collections.abc import Hashable, Iterable, Sequence
from itertools import pairwise

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


def count_shared(prediction: Tokens, reference: Tokens) -> tuple[int, int, int]:
    """Count the items of the intersection of two multisets, and those of each."""
    return count_overlap(prediction, reference), len(prediction), len(reference)


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


def count_skip_bigrams(tokens: int, distance: int) -> int:
    """Return how many pairs of a text of ``tokens`` tokens are at most ``distance`` apart.

    >>> count_skip_bigrams(4, 10), count_skip_bigrams(4, 1), count_skip_bigrams(4, 2)
    (6, 3, 5)
    """
    distance = max(min(distance, tokens - 1), 0)
    return distance * tokens - distance * (distance + 1) // 2


def count_skip_overlap(prediction: Tokens, reference: Tokens, distance: int) -> int:
    """Count the skip-bigrams that both texts have: the size of the multisets' intersection.

    The pairs of a text are not listed: for each first token the tokens that follow it are counted,
    in memory proportional to the text (Lin 2004, section 5).

    >>> count_skip_overlap("a b c d".split(), "a d b c".split(), 9)
    4
    >>> count_skip_overlap("a b c d".split(), "a d b c".split(), 1)
    1
    """
    common = set(prediction) & set(reference)
    is_any = distance >= max(len(prediction), len(reference)) - 1
    if is_any:
        # Distances do not matter, so tokens that only one text has can be dropped.
        prediction = [token for token in prediction if token in common]
        reference = [token for token in reference if token in common]
    predicted_at, referred_at = _positions(prediction, common), _positions(reference, common)
    hits = 0
    for token, positions in predicted_at.items():
        followers = _count_followers(reference, referred_at[token], distance)
        limits = _count_followers(prediction, positions, distance)
        for follower, count in followers.items():
            limit = limits.get(follower, 0)
            hits += min(count, limit)
    return hits


def _positions(tokens: Tokens, wanted: set[Hashable]) -> dict[Hashable, list[int]]:
    """Return the positions of each of the wanted tokens."""
    positions: dict[Hashable, list[int]] = {token: [] for token in wanted}
    for position, token in enumerate(tokens):
        if token in wanted:
            positions[token].append(position)
    return positions


def _count_followers(
    tokens: Tokens, positions: Sequence[int], distance: int
) -> dict[Hashable, int]:
    """Count how often each token follows one of the positions at most ``distance`` later."""
    counts: dict[Hashable, int] = {}
    distance = min(distance, len(tokens))
    if len(positions) * distance <= len(tokens):
        for position in positions:
            for token in tokens[position + 1 : position + 1 + distance]:
                counts[token] = counts.get(token, 0) + 1
        return counts
    # Fast path: equals the loop above, but visits a token that follows many positions only once:
    # "a" 100,000 times with a gap of 89,999 takes 0.5 s instead of half an hour.
    changes = [(position + 1, 1) for position in positions]
    changes += [(position + 1 + distance, -1) for position in positions]
    changes.sort()
    times = 0  # how many positions come before, at most ``distance`` away
    for (begin, change), (end, _) in pairwise(changes):
        times += change
        if times:
            for token in tokens[begin:end]:
                counts[token] = counts.get(token, 0) + times
    return counts

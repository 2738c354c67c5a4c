"""Skip-bigrams in Python: count ordered pairs of tokens, for ROUGE-S and ROUGE-SU.

The pairs of a text are not listed: for each first token the tokens that follow it are counted, in
memory proportional to the text (Lin 2004, section 5).
"""

from collections.abc import Hashable, Sequence
from itertools import pairwise

from .ngrams import Tokens


def count_skip_bigrams(tokens: int, distance: int) -> int:
    """Return how many pairs of a text of ``tokens`` tokens are at most ``distance`` apart.

    >>> count_skip_bigrams(4, 10), count_skip_bigrams(4, 1), count_skip_bigrams(4, 2)
    (6, 3, 5)
    """
    distance = max(min(distance, tokens - 1), 0)
    return distance * tokens - distance * (distance + 1) // 2


def count_skip_overlap(prediction: Tokens, reference: Tokens, distance: int) -> int:
    """Count the skip-bigrams that both texts have: the size of the multisets' intersection.

    Args:
        prediction: tokens.
        reference: tokens.
        distance: largest distance between the two tokens of a skip-bigram, at least 1.

    Returns:
        An int in ``[0, min(count_skip_bigrams(len(prediction), distance), ...)]``.

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

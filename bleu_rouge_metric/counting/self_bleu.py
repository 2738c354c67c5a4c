"""Count for each text what BLEU needs if all other texts of its group are its references.

BLEU clips the count of an n-gram by the largest count in any reference. Of ``n`` texts that are
references of each other, that is the largest count over all texts, or the second largest for the
text that alone has the largest. So the counts of all texts suffice: no set of ``n - 1`` references
is made, and the work grows with the number of tokens.

Not done here: precision, brevity penalty and score, which are those of ``families/bleu``.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from ..arrays import to_offsets
from ..text.tokenizer import Tokenizer
from .kernels import BleuCounts
from .pools import Ints

# Further than any length: the distance to the length of a text that is not there.
_FAR: Final = 1 << 62


def count_self_bleu(
    texts: Sequence[str], groups: Ints, max_order: int, tokenizer: Tokenizer
) -> BleuCounts:
    """Count clipped matches and lengths of each text against all others of its group.

    Args:
        texts: each is tokenized once.
        groups: int64, shape (texts,), from 0; the number of the group of each text.
        max_order: the longest n-gram counted, at least 1.
        tokenizer: from a text to its tokens.

    Returns:
        The counts, int64. Each text has one reference length: the closest of the others.

    >>> split = Tokenizer("split", str.split)
    >>> counts = count_self_bleu(["a b a", "a a", "b"], np.zeros(3, dtype=np.int64), 2, split)
    >>> counts.matches.tolist(), counts.reference_lengths.tolist()
    ([[3, 0], [2, 0], [1, 0]], [2, 1, 2])
    """
    numbers: dict[str, int] = {}
    ids: list[int] = []
    lengths = np.empty(len(texts), dtype=np.int64)
    for index, text in enumerate(texts):
        tokens = tokenizer(text)
        lengths[index] = len(tokens)
        ids += [numbers.setdefault(token, len(numbers)) for token in tokens]
    matches = count_self_matches(
        np.array(ids, dtype=np.int64), to_offsets(lengths), max_order, groups
    )
    return BleuCounts(matches, lengths, find_closest_lengths(lengths, groups))


def count_self_matches(
    tokens: Ints, bounds: Ints, max_order: int, groups: Ints | None = None
) -> Ints:
    """Count the n-grams of each text, clipped by their largest count in another text.

    Args:
        tokens: int64, shape (tokens,), at least 0; the token ids of all texts, in order. Memory and
            time do not depend on their size, which is below 2 ** 31.
        bounds: int64, shape (texts + 1,), from 0 to the number of tokens; index at which the tokens
            of each text start.
        max_order: the longest n-gram counted, at least 1.
        groups: int64, shape (texts,), from 0; texts of different groups do not count for each
            other. None for one group.

    Returns:
        int64, shape (texts, max_order): clipped matches by order; 0 for a text without others.

    >>> tokens, bounds = np.array([7, 8, 7, 7, 8, 7]), np.array([0, 3, 5, 6])
    >>> count_self_matches(tokens, bounds, 2).tolist()  # "a b a", "a b" and "a"
    [[2, 1], [2, 1], [1, 0]]
    """
    n_texts, lengths = len(bounds) - 1, np.diff(bounds)
    matches = np.zeros((n_texts, max_order), dtype=np.int64)
    owners = np.repeat(np.arange(n_texts), lengths)
    stops = np.repeat(bounds[1:], lengths)
    n_ids = int(tokens.max(initial=0)) + 1
    # Where n-grams start, and the number of the n-gram of the order before: at first, of the group.
    places = np.arange(len(tokens))
    grams = np.zeros_like(places) if groups is None else groups[owners]
    for order in range(max_order):
        has_next = places + order < stops[places]
        places, grams = places[has_next], grams[has_next]
        if not len(places):
            break
        # An n-gram is the one before it and a token. There are no more n-grams than tokens, so
        # that the product is below 2 ** 63.
        codes = grams * n_ids + tokens[places + order]
        grams = np.unique(codes, return_inverse=True)[1]
        holders, counts, starts = _count_holders(grams, owners[places], n_texts)
        clipped = np.minimum(counts, _find_largest_of_others(counts, starts))
        np.add.at(matches[:, order], holders, clipped)
        # Fast path: equals counting all n-grams of the next order. One that two texts share begins
        # with one that they share, and few long n-grams are shared.
        is_shared = np.diff(starts, append=len(holders)) > 1
        kept = is_shared[grams]
        places, grams = places[kept], grams[kept]
    return matches


def find_closest_lengths(lengths: Ints, groups: Ints) -> Ints:
    """Find for each text the closest length among the other texts of its group.

    Args:
        lengths: int64, shape (texts,).
        groups: int64, shape (texts,).

    Returns:
        int64, shape (texts,): of two equally close lengths the shorter one; 0 for a text without
        others.

    >>> find_closest_lengths(np.array([5, 9, 7, 4]), np.array([0, 0, 0, 1])).tolist()
    [7, 7, 5, 0]
    """
    order = np.lexsort((lengths, groups))
    ordered, ordered_groups = lengths[order], groups[order]
    # The closest length of another text is beside the text's own length in the sorted lengths.
    is_same = ordered_groups[1:] == ordered_groups[:-1]
    gaps = np.full(len(lengths) + 1, _FAR)
    gaps[1:-1] = np.where(is_same, np.diff(ordered), _FAR)
    to_shorter, to_longer = gaps[:-1], gaps[1:]
    # Parity: NLTK's closest_ref_length and sacrebleu's _get_closest_ref_len take the shorter one.
    nearest = np.where(to_shorter <= to_longer, ordered - to_shorter, ordered + to_longer)
    closest = np.empty_like(lengths)
    closest[order] = np.where(np.minimum(to_shorter, to_longer) == _FAR, 0, nearest)
    return closest


def _count_holders(grams: Ints, owners: Ints, n_texts: int) -> tuple[Ints, Ints, Ints]:
    """Return the texts that have each n-gram, its counts there, and where its texts start."""
    keys, counts = np.unique(grams * n_texts + owners, return_counts=True)
    found, holders = np.divmod(keys, n_texts)
    return holders, counts, np.flatnonzero(np.diff(found, prepend=-1))


def _find_largest_of_others(counts: Ints, starts: Ints) -> Ints:
    """Find for each count of a segment the largest of the other counts; 0 if there is no other."""
    sizes = np.diff(starts, append=len(counts))
    largest = np.maximum.reduceat(counts, starts)
    is_largest = counts == np.repeat(largest, sizes)
    is_alone = np.add.reduceat(is_largest, starts, dtype=np.int64) == 1
    second = np.maximum.reduceat(np.where(is_largest, 0, counts), starts)
    of_others = is_largest & np.repeat(is_alone, sizes)
    return np.where(of_others, np.repeat(second, sizes), np.repeat(largest, sizes))

"""Convert sequences of token ids to the flat arrays that the compiled kernel reads."""

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import to_offsets

Ints = NDArray[np.int64]


class IdArrays(NamedTuple):
    """Texts of token ids, one after the other.

    Attributes:
        tokens: int64; the tokens of all texts.
        bounds: int64, shape (texts + 1,); index at which the tokens of each text start.
        sentence_tokens: the tokens of the sentences of all texts; empty if not needed.
        sentence_bounds: as ``bounds``, for ``sentence_tokens``.
        ends: int64, shape (sentences,); the end of each sentence, counted in tokens of its text.
        ends_bounds: int64, shape (texts + 1,); index at which the sentences of each text start.
    """

    tokens: Ints
    bounds: Ints
    sentence_tokens: Ints
    sentence_bounds: Ints
    ends: Ints
    ends_bounds: Ints


def flatten_ids(
    texts: Sequence[Sequence[int]], separator: int | None, *, wants_sentences: bool
) -> IdArrays:
    """Convert sequences of ids to flat arrays.

    Args:
        texts: ids of each text, at least 0.
        separator: the id between sentences, which is not a token; None if there is none.
        wants_sentences: whether the sentences are needed.

    >>> arrays = flatten_ids([(7, 8, 2, 9), ()], separator=2, wants_sentences=True)
    >>> arrays.tokens.tolist(), arrays.bounds.tolist()
    ([7, 8, 9], [0, 3, 3])
    >>> arrays.ends.tolist(), arrays.ends_bounds.tolist()
    ([2, 3], [0, 2, 2])
    """
    offsets = to_offsets(np.fromiter(map(len, texts), np.int64, len(texts)))
    ids = np.fromiter(chain.from_iterable(texts), np.int64, int(offsets[-1]))
    is_token = np.ones(len(ids), dtype=bool) if separator is None else ids != separator
    # The number of tokens before each position.
    before = to_offsets(is_token)
    bounds, tokens = before[offsets], ids[is_token]
    none = np.empty(0, dtype=np.int64)
    if not wants_sentences:
        return IdArrays(tokens, bounds, none, none, none, none)
    # A sentence ends with the last token of its text, or with a token before a separator.
    is_last = np.append(~is_token[1:], True)
    is_last[offsets[1:][offsets[1:] > offsets[:-1]] - 1] = True
    ends = before[1:][is_token & is_last]
    owners = np.searchsorted(bounds, ends, side="left") - 1
    return IdArrays(
        tokens,
        bounds,
        tokens,
        bounds,
        ends - bounds[owners],
        to_offsets(np.bincount(owners, minlength=len(texts))),
    )

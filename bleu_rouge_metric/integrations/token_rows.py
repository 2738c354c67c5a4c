"""Token ids of many samples in two flat arrays, without padding.

Samples can be sliced and joined like arrays, even if they come from batches of different widths.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]


class TokenRows(NamedTuple):
    """The ids of some samples.

    Attributes:
        tokens: int64; the ids of all samples, one sample after the other.
        lengths: int64, shape (samples,); how many ids each sample has.
    """

    tokens: Ids
    lengths: Ids

    def select(self, start: int, stop: int | None = None) -> "TokenRows":
        """Return the samples of ``[start:stop]``, as a slice of a list."""
        stops = np.concatenate([[0], np.cumsum(self.lengths)])
        lengths = self.lengths[start:stop]
        first = int(stops[min(start, len(self.lengths))])
        return TokenRows(self.tokens[first : first + int(lengths.sum())], lengths)

    def take(self, samples: Ids) -> "TokenRows":
        """Return the samples at these indices, in this order.

        >>> TokenRows(np.array([7, 8, 9]), np.array([2, 0, 1])).take(np.array([2, 0, 2])).to_lists()
        [[9], [7, 8], [9]]
        """
        lengths = self.lengths[samples]
        starts = (np.cumsum(self.lengths) - self.lengths)[samples]
        # For every token: the start of its sample here minus the start in the result.
        moves = np.repeat(starts - (np.cumsum(lengths) - lengths), lengths)
        return TokenRows(self.tokens[moves + np.arange(len(moves))], lengths)

    def find_difference(self, other: "TokenRows") -> int:
        """Return the index of the first sample that is missing in ``other`` or has other ids there.

        Returns:
            The index, or the number of samples if there is no difference.

        >>> TokenRows(np.array([7, 8, 9]), np.array([2, 1])).find_difference(
        ...     TokenRows(np.array([7, 8, 6, 5]), np.array([2, 1, 1])))
        1
        """
        shared = min(len(self.lengths), len(other.lengths))
        differs = self.lengths[:shared] != other.lengths[:shared]
        same = int(np.argmax(differs)) if differs.any() else shared
        # Up to there the lengths are the same, so the tokens have the same positions.
        ids, other_ids = self.select(0, same).tokens, other.select(0, same).tokens
        differs = ids != other_ids
        if not differs.any():
            return same
        return int(np.searchsorted(np.cumsum(self.lengths), np.argmax(differs), side="right"))

    def count_others(self, ids: Sequence[int]) -> int:
        """Count the ids that are not among the given ones.

        >>> TokenRows(np.array([7, 8, 9]), np.array([2, 0, 1])).count_others([8])
        2
        """
        return len(self.tokens) - sum(int(np.count_nonzero(self.tokens == i)) for i in ids)

    def to_lists(self) -> list[list[int]]:
        """Return one list per sample.

        >>> TokenRows(np.array([7, 8, 9]), np.array([2, 0, 1])).to_lists()
        [[7, 8], [], [9]]
        """
        tokens = self.tokens.tolist()
        stops = np.cumsum(self.lengths).tolist()
        return [tokens[start:stop] for start, stop in pairwise([0, *stops])]


def drop_padding(name: str, ids: NDArray[Any], dropped: Sequence[int]) -> TokenRows:
    """Remove padding from an array of ids.

    Args:
        name: name of the array, for errors.
        ids: integers, shape (samples, width).
        dropped: ids that are not tokens; the first one is named in errors as the id to pad with.

    Raises:
        ValueError: an id below 0 remains.

    >>> drop_padding("predictions", np.array([[0, 7, 8, -100], [9, 0, 0, 0]]), (-100, 0)).to_lists()
    [[7, 8], [9]]
    """
    is_token = ids != dropped[0]
    for number in dropped[1:]:
        is_token &= ids != number
    tokens = ids[is_token].astype(np.int64)
    if tokens.size and tokens.min() < 0:
        row, column = np.argwhere(is_token & (ids < 0))[0].tolist()
        raise ValueError(
            f"{name}[{row}, {column}] is {ids[row, column]}; expected token ids from 0, and "
            f"{dropped[0]} where no token is. Pad with {dropped[0]}."
        )
    return TokenRows(tokens, is_token.sum(axis=1))


def join_rows(parts: Sequence[TokenRows]) -> TokenRows:
    """Return the samples of all parts, in order."""
    return TokenRows(*map(np.concatenate, zip(*parts, strict=True)))


def decode_rows(batch_decode: Callable[[Ids], list[str]], rows: TokenRows) -> list[str]:
    """Decode the text of every sample.

    Args:
        batch_decode: from ids, shape (samples, width), to texts. It is called with samples of the
            same length, so it gets no padding.
        rows: ids of all samples.
    """
    # Fast path: equals batch_decode(rows.to_lists()) in two thirds of the time, because
    # transformers converts lists id by id in Python.
    order = np.argsort(rows.lengths, kind="stable")
    starts = np.cumsum(rows.lengths) - rows.lengths
    texts: dict[int, str] = {}
    for length, samples in _group(rows.lengths, order):
        places = starts[samples, None] + np.arange(length)
        texts.update(zip(samples.tolist(), batch_decode(rows.tokens[places]), strict=True))
    return [texts[sample] for sample in range(len(order))]


def _group(lengths: Ids, order: Ids) -> list[tuple[int, Ids]]:
    """Return each length with the samples that have it."""
    found, counts = np.unique(lengths, return_counts=True)
    groups = np.split(order, np.cumsum(counts)[:-1])
    return list(zip(found.tolist(), groups, strict=True))

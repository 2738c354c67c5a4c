"""Token ids of many samples in two flat arrays, without padding.

So they are sliced and joined like arrays, whatever the widths of the batches they came from.
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
        tokens: int64; the ids of one sample after those of the other.
        lengths: int64, shape (samples,); how many ids each has.
    """

    tokens: Ids
    lengths: Ids

    def select(self, start: int, stop: int | None = None) -> "TokenRows":
        """The samples from ``start`` up to ``stop``, as a slice of a list would give them."""
        stops = np.concatenate([[0], np.cumsum(self.lengths)])
        lengths = self.lengths[start:stop]
        first = int(stops[min(start, len(self.lengths))])
        return TokenRows(self.tokens[first : first + int(lengths.sum())], lengths)

    def take(self, samples: Ids) -> "TokenRows":
        """The samples at these indices, in their order.

        >>> TokenRows(np.array([7, 8, 9]), np.array([2, 0, 1])).take(np.array([2, 0, 2])).to_lists()
        [[9], [7, 8], [9]]
        """
        lengths = self.lengths[samples]
        starts = (np.cumsum(self.lengths) - self.lengths)[samples]
        # Of every token: where its sample starts here, less where it starts there.
        moves = np.repeat(starts - (np.cumsum(lengths) - lengths), lengths)
        return TokenRows(self.tokens[moves + np.arange(len(moves))], lengths)

    def find_difference(self, other: "TokenRows") -> int:
        """The index of the first sample that ``other`` lacks or has other ids of.

        Returns:
            The number of samples if there is none.

        >>> TokenRows(np.array([7, 8, 9]), np.array([2, 1])).find_difference(
        ...     TokenRows(np.array([7, 8, 6, 5]), np.array([2, 1, 1])))
        1
        """
        shared = min(len(self.lengths), len(other.lengths))
        differs = self.lengths[:shared] != other.lengths[:shared]
        same = int(np.argmax(differs)) if differs.any() else shared
        # Up to there the samples are as long as one another, so tokens stand at the same places.
        ids, other_ids = self.select(0, same).tokens, other.select(0, same).tokens
        differs = ids != other_ids
        if not differs.any():
            return same
        return int(np.searchsorted(np.cumsum(self.lengths), np.argmax(differs), side="right"))

    def count_others(self, ids: Sequence[int]) -> int:
        """How many ids there are beside these.

        >>> TokenRows(np.array([7, 8, 9]), np.array([2, 0, 1])).count_others([8])
        2
        """
        return len(self.tokens) - sum(int(np.count_nonzero(self.tokens == i)) for i in ids)

    def to_lists(self) -> list[list[int]]:
        """One list a sample.

        >>> TokenRows(np.array([7, 8, 9]), np.array([2, 0, 1])).to_lists()
        [[7, 8], [], [9]]
        """
        tokens = self.tokens.tolist()
        stops = np.cumsum(self.lengths).tolist()
        return [tokens[start:stop] for start, stop in pairwise([0, *stops])]


def drop_padding(name: str, ids: NDArray[Any], dropped: Sequence[int]) -> TokenRows:
    """The ids that stand for tokens.

    Args:
        name: of the array, for errors.
        ids: integers, shape (samples, width).
        dropped: ids that stand for no token; what to pad with first.

    Raises:
        ValueError: an id below 0 is left.

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
    """The samples of all parts, in order."""
    return TokenRows(*map(np.concatenate, zip(*parts, strict=True)))


def decode_rows(batch_decode: Callable[[Ids], list[str]], rows: TokenRows) -> list[str]:
    """The text of every sample.

    Args:
        batch_decode: from ids, shape (samples, width), to texts; of samples that are as long as one
            another, so that it meets no padding.
        rows: of all samples.
    """
    # Fast path: equals batch_decode(rows.to_lists()), which transformers goes through id by id in
    # Python, in two thirds of the time.
    order = np.argsort(rows.lengths, kind="stable")
    starts = np.cumsum(rows.lengths) - rows.lengths
    texts: dict[int, str] = {}
    for length, samples in _group(rows.lengths, order):
        places = starts[samples, None] + np.arange(length)
        texts.update(zip(samples.tolist(), batch_decode(rows.tokens[places]), strict=True))
    return [texts[sample] for sample in range(len(order))]


def _group(lengths: Ids, order: Ids) -> list[tuple[int, Ids]]:
    """Each length, with the samples that have it."""
    found, counts = np.unique(lengths, return_counts=True)
    groups = np.split(order, np.cumsum(counts)[:-1])
    return list(zip(found.tolist(), groups, strict=True))

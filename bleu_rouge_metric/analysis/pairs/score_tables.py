"""Tables of scores by counts, with which texts are searched without dividing."""

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from ...counting.nearest import ScoreTable
from ...counting.pools import Ints
from ...families.base import Floats

# The tables are cleared when they have more values than this: 32 MB.
_MOST_VALUES: Final = 1 << 22


class ScoreTables:
    """The scores of all numbers of hits, by the numbers of tokens of two texts.

    Candidates of the same number of tokens are of one kind, which has a column of the tables. The
    scores of a pair of numbers are computed when they are first needed.
    """

    def __init__(self, score: Callable[[Ints], Floats]) -> None:
        """Start without scores.

        Args:
            score: from hits, total of the prediction and total of the reference, shape (pairs, 3),
                to the scores; they never fall if hits are added.
        """
        self._score = score
        self._kinds: dict[int, int] = {}
        self._totals: list[int] = []  # by kind
        self._starts: dict[int, list[int]] = {}  # by the total of a text, then by kind
        self._values = np.zeros(1 << 12)
        self._size = 0

    def find_kinds(self, totals: Ints) -> Ints:
        """Return the kinds of candidates of these totals."""
        kinds = self._kinds
        for total in np.unique(totals).tolist():
            if total not in kinds:
                kinds[total] = len(kinds)
                self._totals.append(total)
        return np.array([kinds[total] for total in totals.tolist()], dtype=np.int64)

    def split(self, totals: Ints) -> Iterator[tuple[Ints, ScoreTable]]:
        """Split the distinct totals of texts into parts, each with a table that has a row for each.

        A table is valid until the next one.
        """
        distinct = np.unique(totals)
        # The scores of a text are those of 0 hits to the smaller total, for each kind.
        sizes = np.minimum.outer(distinct, np.array(self._totals, np.int64)).sum(axis=1)
        parts = np.cumsum(sizes + len(self._totals)) // _MOST_VALUES
        for part in np.split(distinct, np.flatnonzero(np.diff(parts)) + 1):
            yield part, self._make_table(part)

    def _make_table(self, totals: Ints) -> ScoreTable:
        if self._size > _MOST_VALUES:
            self._starts.clear()
            self._size = 0
        for total in totals.tolist():
            self._extend(total)
        rows = [self._starts[total] for total in totals.tolist()]
        starts = np.array(rows, dtype=np.int64).reshape(len(rows), len(self._totals))
        # A text is never compared with more hits than it has tokens.
        self._reserve(int(totals.max(initial=0)) + 1)
        return ScoreTable(self._values, starts)

    def _extend(self, total: int) -> None:
        """Add the scores of texts of this total with the candidates of the latest kinds."""
        starts = self._starts.setdefault(total, [])
        others = np.array(self._totals[len(starts) :], dtype=np.int64)
        if not len(others):
            return
        counts = np.minimum(others, total) + 1
        firsts = np.cumsum(counts) - counts
        triples = np.empty((int(counts.sum()), 3), dtype=np.int64)
        triples[:, 0] = np.arange(len(triples)) - np.repeat(firsts, counts)
        triples[:, 1] = total
        triples[:, 2] = np.repeat(others, counts)
        self._reserve(len(triples))
        self._values[self._size : self._size + len(triples)] = self._score(triples)
        starts += (firsts + self._size).tolist()
        self._size += len(triples)

    def _reserve(self, count: int) -> None:
        """Make room for more values."""
        needed = self._size + count
        if needed > len(self._values):
            grown = np.zeros(max(needed, 2 * len(self._values)))
            grown[: self._size] = self._values[: self._size]
            self._values = grown

"""Find the nearest texts of many, without counting the hits of every pair.

The tokens that two texts share bound their hits, and so their score. An index lists for each token
the texts that have it, so that one pass over the lists of a text gives the bounds of all. Hits are
counted only where the bound is above the worst of the nearest texts so far. The result is that of a
comparison with each text.

The scores of all possible counts are a table, which callers make: nothing is divided here.
``native_pools.NativeIndex`` is the compiled twin.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..text.sentences import SentenceSplitter
from ..text.tokenizer import Tokenizer
from .pools import Ints, Pool, PoolPairs
from .python_kernel import count_rouge
from .rouge_types import RougePlan

# Number of candidates that are counted together, as in ``nearest.hpp``.
_TOGETHER: Final = 16


class ScoreTable(NamedTuple):
    """Scores of all numbers of hits, by the kinds of two texts.

    The score of ``hits`` is ``values[starts[kind of the text, kind of the candidate] + hits]``. It
    never falls if hits are added. Texts of a kind have the same number of tokens that count. After
    each start there are more values than any text has such tokens.

    Attributes:
        values: float64.
        starts: int64, shape (kinds of texts, kinds of candidates).
    """

    values: NDArray[np.float64]
    starts: Ints


class Nearest(NamedTuple):
    """The nearest candidates of some texts.

    Attributes:
        places: shape (texts, most); indices of candidates in the order in which they were added:
            those with the highest score first, and of equal scores the first candidate first. -1
            if there are fewer.
        scores: shape (texts, most); indices of ``ScoreTable.values``; -1 if there are fewer.
        compared: shape (texts,); how many candidates the hits were counted of.
    """

    places: Ints
    scores: Ints
    compared: Ints


class NearestIndex(Protocol):
    """Candidates in which the nearest to a text are searched."""

    def add(self, texts: Ints, kinds: Ints) -> None:
        """Add candidates.

        Args:
            texts: indices of texts of the pool.
            kinds: the column of each in the tables of scores.
        """

    def search(self, texts: Ints, kinds: Ints, table: ScoreTable, most: int) -> Nearest:
        """Find the nearest candidates of texts.

        Args:
            texts: indices of texts of the pool.
            kinds: the row of each in the table.
            table: of scores.
            most: how many candidates are wanted, at least 1.
        """


class PythonIndex:
    """An index in plain Python; its arguments are those of ``kernels.make_nearest_index``."""

    def __init__(
        self,
        pool: Pool,
        plan: RougePlan,
        tokenizer: Tokenizer,
        split_sentences: SentenceSplitter,
    ) -> None:
        self._pool = pool
        self._plan = plan
        self._tokenizer = tokenizer
        self._split = split_sentences
        self._lists: dict[tuple[str, int], list[int]] = {}
        self._texts: list[int] = []
        self._kinds: list[int] = []

    def add(self, texts: Ints, kinds: Ints) -> None:
        """Add candidates."""
        for text, kind in zip(texts.tolist(), kinds.tolist(), strict=True):
            place = len(self._texts)
            for item in self._list_items(text):
                self._lists.setdefault(item, []).append(place)
            self._texts.append(text)
            self._kinds.append(kind)

    def search(self, texts: Ints, kinds: Ints, table: ScoreTable, most: int) -> Nearest:
        """Find the nearest candidates of texts."""
        found = Nearest(
            np.full((len(texts), most), -1),
            np.full((len(texts), most), -1),
            np.zeros(len(texts), dtype=np.int64),
        )
        for row, (text, kind) in enumerate(zip(texts.tolist(), kinds.tolist(), strict=True)):
            nearest, found.compared[row] = self._search(text, table.starts[kind], table, most)
            if nearest:
                found.places[row, : len(nearest)], found.scores[row, : len(nearest)] = zip(
                    *nearest, strict=True
                )
        return found

    def _list_items(self, text: int) -> Iterator[tuple[str, int]]:
        """Iterate over the items of the bag of a text: occurrences of tokens, or distinct ones."""
        written = self._pool.texts[text]
        if self._plan.needs_sentences:
            tokenize = (self._tokenizer.of_sentences or self._tokenizer).function
            tokens: Sequence[str] = [*chain.from_iterable(map(tokenize, self._split(written)))]
        else:
            tokens = self._tokenizer(written)
        for token, count in Counter(tokens).items():
            for occurrence in range(1 if self._plan.once else count):
                yield token, occurrence

    def _search(
        self, text: int, starts: Ints, table: ScoreTable, most: int
    ) -> tuple[list[tuple[int, int]], int]:
        """Return the place and the score of each of the nearest, and how many were compared."""
        shared = np.zeros(len(self._texts), dtype=np.int64)
        for item in self._list_items(text):
            shared[self._lists.get(item, [])] += 1
        bounds = table.values[starts[self._kinds] + shared]
        nearest: list[tuple[float, int, int]] = []
        compared = place = 0
        while place < len(bounds):
            if len(nearest) == most:
                # Of equal scores the first candidate stays.
                waiting = place + np.flatnonzero(bounds[place:] > -nearest[-1][0])[:_TOGETHER]
            else:
                waiting = np.arange(place, min(place + _TOGETHER, len(bounds)))
            if not len(waiting):
                break
            place = int(waiting[-1]) + 1
            compared += len(waiting)
            for candidate, hits in zip(waiting.tolist(), self._count(text, waiting), strict=True):
                score = int(starts[self._kinds[candidate]]) + hits
                nearest.append((-float(table.values[score]), candidate, score))
            nearest = sorted(nearest)[:most]
        return [(candidate, score) for _, candidate, score in nearest], compared

    def _count(self, text: int, places: Ints) -> list[int]:
        columns = np.array([self._texts[place] for place in places.tolist()])
        offsets = np.array([0, len(columns)])
        pairs = PoolPairs(self._pool, np.array([text]), offsets, columns)
        counts, _ = count_rouge(pairs, self._plan, self._tokenizer, self._split)
        hits: list[int] = counts[:, 0, 0].tolist()
        return hits

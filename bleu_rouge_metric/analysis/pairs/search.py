"""Find the nearest texts of a pool.

An index serves scores that shared tokens bound; for others each text is compared with each.
Both searches return the same.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple, Protocol

import numpy as np

from ...counting.kernels import make_nearest_index
from ...counting.pools import Ints, PoolPairs
from ...families.base import Floats, SearchPlan
from ...families.counts import from_pairs
from .score_tables import ScoreTables
from .scored_pool import ScoredPool

# The most scores that are in memory at once, if each text is compared with each: 8 MB.
_MOST_SCORES: Final = 1 << 20


class Found(NamedTuple):
    """The nearest candidates of some texts, those with the highest score first.

    Of equal scores the candidate that was added first is first.

    Attributes:
        texts: int64, shape (texts, most); indices of the candidates; -1 if there are fewer.
        scores: float64, of the same shape; NaN if there are fewer.
        compared: how many pairs were counted.
    """

    texts: Ints
    scores: Floats
    compared: int


class Search(Protocol):
    """Candidates among the texts of a pool."""

    @property
    def count(self) -> int:
        """Return the number of candidates."""

    def add(self, texts: Ints) -> None:
        """Add candidates."""

    def find(self, texts: Ints, most: int) -> Found:
        """Find the nearest candidates of some texts."""


class FullSearch:
    """Compares each text with each candidate."""

    def __init__(self, pool: ScoredPool) -> None:
        self._pool = pool
        self._candidates = np.empty(0, dtype=np.int64)

    @property
    def count(self) -> int:
        """Return the number of candidates."""
        return len(self._candidates)

    def add(self, texts: Ints) -> None:
        """Add candidates."""
        self._candidates = np.append(self._candidates, texts)

    def find(self, texts: Ints, most: int) -> Found:
        """Find the nearest candidates of some texts."""
        candidates = self._candidates
        found = Found(
            np.full((len(texts), most), -1),
            np.full((len(texts), most), np.nan),
            len(texts) * len(candidates),
        )
        height = max(1, _MOST_SCORES // max(1, len(candidates)))
        for start in range(0, len(texts), height):
            (scores,) = self._pool.score_block(texts[start : start + height], candidates).values()
            for row, values in enumerate(scores, start):
                places = list_best(values, most)
                found.texts[row, : len(places)] = candidates[places]
                found.scores[row, : len(places)] = values[places]
        return found


class IndexedSearch:
    """Counts only those pairs that may be among the nearest."""

    def __init__(self, pool: ScoredPool, plan: SearchPlan, tables: ScoreTables) -> None:
        self._counting, _, self._texts = pool.find_only()
        self._array = plan.array
        self._tables = tables
        steps = self._counting.tokenizer, plan.split_sentences
        self._index = make_nearest_index(self._texts, plan.plan, *steps)
        self._candidates: list[int] = []

    @property
    def count(self) -> int:
        """Return the number of candidates."""
        return len(self._candidates)

    def add(self, texts: Ints) -> None:
        """Add candidates."""
        self._index.add(texts, self._tables.find_kinds(self._count_totals(texts)))
        self._candidates += texts.tolist()

    def find(self, texts: Ints, most: int) -> Found:
        """Find the nearest candidates of some texts."""
        found = Found(np.full((len(texts), most), -1), np.full((len(texts), most), np.nan), 0)
        if not self._candidates:
            return found
        totals = self._count_totals(texts)
        compared = 0
        for distinct, table in self._tables.split(totals):
            rows = np.flatnonzero(np.isin(totals, distinct))
            kinds = np.searchsorted(distinct, totals[rows])
            nearest = self._index.search(texts[rows], kinds, table, most)
            is_found = nearest.places >= 0
            candidates = np.full(is_found.shape, -1)
            places = nearest.places[is_found].tolist()
            candidates[is_found] = [self._candidates[place] for place in places]
            found.texts[rows] = candidates
            found.scores[rows] = np.where(is_found, table.values[nearest.scores], np.nan)
            compared += int(nearest.compared.sum())
        return found._replace(compared=compared)

    def _count_totals(self, texts: Ints) -> Ints:
        """Return how many tokens of each text count."""
        pairs = PoolPairs(self._texts, texts, np.arange(len(texts) + 1), texts)
        totals: Ints = self._counting.count(pairs)[self._array][:, 0, 2].astype(np.int64)
        return totals


def prepare_search(pool: ScoredPool) -> Callable[[], Search]:
    """Return what makes an empty search of a pool with one score."""
    counting, scoring, _ = pool.find_only()
    plan = counting.plan_search()
    if plan is None:
        return lambda: FullSearch(pool)
    (name,) = pool.names
    layouts, array = counting.layout(), plan.array

    def score(triples: Ints) -> Floats:
        arrays: dict[str, Any] = {
            name: np.zeros((len(triples), *layout.row)) for name, layout in layouts.items()
        }
        arrays[array] = triples[:, np.newaxis]
        return scoring.score_details(from_pairs(arrays, layouts, len(triples)))[name]

    # All searches share the tables.
    return partial(IndexedSearch, pool, plan, ScoreTables(score))


def list_best(scores: Floats, most: int) -> Ints:
    """List the indices of the highest scores, the highest first and of equal ones the first first.

    >>> list_best(np.array([0.5, 1.0, 0.5, 0.75, 1.0]), 3).tolist()
    [1, 4, 3]
    """
    if len(scores) <= most:
        return np.argsort(-scores, kind="stable")
    # Fast path: equals sorting all scores.
    worst = np.partition(scores, len(scores) - most)[len(scores) - most]
    places = np.flatnonzero(scores >= worst)
    best: Ints = places[np.argsort(-scores[places], kind="stable")][:most]
    return best

"""Find the nearest texts of a pool, and keep those texts that are not too near.

An index serves scores that shared tokens bound; for others each text is compared with each. Both
searches return the same.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np

from ...counting.kernels import make_nearest_index
from ...counting.pools import Ints, PoolPairs, ScoreTable
from ...families.counts import from_pairs
from ...families.score import Floats, SearchPlan
from .pool import ScoredPool, pair_with_earlier, split_rows

# The most scores that are in memory at once, if each text is compared with each: 8 MB.
_MOST_SCORES: Final = 1 << 20

# The tables are cleared when they have more values than this: 32 MB.
_MOST_VALUES: Final = 1 << 22

# Number of texts that are searched for together, and then compared with each other.
_BATCH: Final = 256


class NearestTexts(NamedTuple):
    """The nearest candidates of some texts, the highest score first, then the first that was added.

    ``texts`` and ``scores`` have the shape (texts, most); they are -1 and NaN if there are fewer.
    ``compared`` is how many pairs were counted.
    """

    texts: Ints
    scores: Floats
    compared: int

    @classmethod
    def make(cls, count: int, most: int, compared: int = 0) -> "NearestTexts":
        """Return the places for the nearest candidates of ``count`` texts."""
        return cls(np.full((count, most), -1), np.full((count, most), np.nan), compared)

    def put(self, row: int, texts: Ints, scores: Floats) -> None:
        """Write the candidates with the highest scores into a row."""
        best = list_best(scores, self.texts.shape[1])
        self.texts[row, : len(best)] = texts[best]
        self.scores[row, : len(best)] = scores[best]


class FullSearch:
    """Compares each text with each candidate."""

    def __init__(self, pool: ScoredPool) -> None:
        self._pool = pool
        self._candidates = np.empty(0, dtype=np.int64)

    def __len__(self) -> int:
        return len(self._candidates)

    def add(self, texts: Ints) -> None:
        """Add texts of the pool as candidates."""
        self._candidates = np.append(self._candidates, texts)

    def find(self, texts: Ints, most: int) -> NearestTexts:
        """Find the nearest candidates of some texts of the pool."""
        candidates = self._candidates
        nearest = NearestTexts.make(len(texts), most, len(texts) * len(candidates))
        height = max(1, _MOST_SCORES // max(1, len(candidates)))
        for start in range(0, len(texts), height):
            (scores,) = self._pool.score_block(texts[start : start + height], candidates).values()
            for row, values in enumerate(scores, start):
                nearest.put(row, candidates, values)
        return nearest


class IndexedSearch:
    """Counts only those pairs that may be among the nearest."""

    def __init__(self, pool: ScoredPool, plan: SearchPlan, tables: "ScoreTables") -> None:
        self._score, self._texts = pool.find_only()
        self._array = plan.array
        self._tables = tables
        steps = self._score.tokenizer, plan.split_sentences
        self._index = make_nearest_index(self._texts, plan.plan, *steps)
        self._candidates: list[int] = []

    def __len__(self) -> int:
        return len(self._candidates)

    def add(self, texts: Ints) -> None:
        """Add texts of the pool as candidates."""
        self._index.add(texts, self._tables.find_kinds(self._count_totals(texts)))
        self._candidates += texts.tolist()

    def find(self, texts: Ints, most: int) -> NearestTexts:
        """Find the nearest candidates of some texts of the pool."""
        nearest = NearestTexts.make(len(texts), most)
        if not self._candidates:
            return nearest
        totals = self._count_totals(texts)
        compared = 0
        for distinct, table in self._tables.split(totals):
            rows = np.flatnonzero(np.isin(totals, distinct))
            kinds = np.searchsorted(distinct, totals[rows])
            found = self._index.search(texts[rows], kinds, table, most)
            is_found = found.places >= 0
            candidates = np.full(is_found.shape, -1)
            places = found.places[is_found].tolist()
            candidates[is_found] = [self._candidates[place] for place in places]
            nearest.texts[rows] = candidates
            nearest.scores[rows] = np.where(is_found, table.values[found.scores], np.nan)
            compared += int(found.compared.sum())
        return nearest._replace(compared=compared)

    def _count_totals(self, texts: Ints) -> Ints:
        """Return how many tokens of each text count."""
        pairs = PoolPairs(self._texts, texts, np.arange(len(texts) + 1), texts)
        totals: Ints = self._score.count(pairs)[self._array][:, 0, 2].astype(np.int64)
        return totals


Search = FullSearch | IndexedSearch


def prepare_search(pool: ScoredPool) -> Callable[[], Search]:
    """Return what makes an empty search of a pool with one score."""
    scoring, _ = pool.find_only()
    plan = scoring.plan_search()
    if plan is None:
        return lambda: FullSearch(pool)
    (name,) = pool.names
    layouts, array = scoring.layout(), plan.array

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


class ScoreTables:
    """The scores of all numbers of hits, by the numbers of tokens of two texts.

    Candidates of the same number of tokens are of one kind, which has a column of the tables. The
    scores of a pair of numbers are computed when they are first needed.
    """

    def __init__(self, score: Callable[[Ints], Floats]) -> None:
        """Start empty; ``score`` maps (hits, total, total of the candidate) of pairs to scores."""
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
        """Split the distinct totals of texts into parts; each has a table, valid until the next."""
        distinct = np.unique(totals)
        # The scores of a text are those of 0 hits to the smaller total, for each kind.
        sizes = np.minimum.outer(distinct, np.array(self._totals, np.int64)).sum(axis=1)
        parts = np.cumsum(sizes + len(self._totals)) // _MOST_VALUES
        for part in np.split(distinct, np.flatnonzero(np.diff(parts)) + 1):
            yield part, self._make_table(part)

    def _make_table(self, totals: Ints) -> ScoreTable:
        """Return a table with a row for each of these totals."""
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


# Is called with the number of texts that were decided since the last call.
Report = Callable[[int], object]


class Filter:
    """Goes through the texts of a pool once, and decides which of them are kept.

    Of ``pairs`` of texts that are compared, ``compared`` were counted. ``parts`` are texts, and
    those that they are compared with: the same, or others.
    """

    def __init__(
        self, pool: ScoredPool, is_near: Callable[[Any], Any], most: int, report: Report
    ) -> None:
        """Prepare the search for the ``most`` nearest texts of each."""
        self._pool = pool
        self._is_near = is_near
        self._most = most
        self._report = report
        self._make_search = prepare_search(pool)
        self.is_kept = np.zeros(len(pool), dtype=bool)
        self.nearest = NearestTexts.make(len(pool), most)
        self.pairs = self.compared = 0
        self.parts: list[tuple[Ints, Ints]] = []

    def compare_with_earlier(self, parts: Sequence[Ints]) -> None:
        """Compare each text of each part with those before it in the part that are kept."""
        small = [part for part in parts if len(part) <= _BATCH]
        for some in split_rows(np.array([len(part) ** 2 // 2 for part in small])):
            self._decide(small[some], None)
        for part in parts:
            if len(part) > _BATCH:
                search = self._make_search()
                for batch in _split(part):
                    self._decide([batch], search.find(batch, self._most))
                    self.pairs += len(batch) * len(search)
                    search.add(batch[self.is_kept[batch]])
        self.parts = [(part, part) for part in parts]

    def compare(self, texts: Ints, others: Ints) -> None:
        """Compare each text with others."""
        search = self._make_search()
        search.add(others)
        for batch in _split(texts):
            found = search.find(batch, self._most)
            self.nearest.texts[batch], self.nearest.scores[batch] = found.texts, found.scores
            self.is_kept[batch] = ~self._is_near(found.scores[:, 0])
            self.compared += found.compared
            self._report(len(batch))
        self.is_kept[others] = True
        self.pairs = len(texts) * len(others)
        self.parts = [(texts, others)]

    def _decide(self, parts: Sequence[Ints], found: NearestTexts | None) -> None:
        """Decide which texts of some parts are kept, whose nearest texts before them are found."""
        texts = np.concatenate(parts)
        sizes = np.array([len(part) for part in parts])
        _, offsets, places = pair_with_earlier(sizes)
        columns = texts[places]
        (scores,) = self._pool.score(texts, offsets, columns).values()
        if found is not None:
            self.compared += found.compared
        stops = offsets.tolist()
        for index, row in enumerate(texts.tolist()):
            pairs = slice(stops[index], stops[index + 1])
            earlier, values = columns[pairs], scores[pairs]
            is_kept = self.is_kept[earlier]
            earlier, values = earlier[is_kept], values[is_kept]
            self.pairs += len(earlier)
            self.compared += len(earlier)
            if found is not None:
                is_found = found.texts[index] >= 0
                earlier = np.append(found.texts[index][is_found], earlier)
                values = np.append(found.scores[index][is_found], values)
            self.nearest.put(row, earlier, values)
            # The score of a text without others is NaN, which is not above anything.
            self.is_kept[row] = not self._is_near(self.nearest.scores[row, 0])
        self._report(len(texts))


def average_scores(
    pool: ScoredPool, parts: Sequence[tuple[Ints, Ints]], is_kept: Any, count: int
) -> Floats:
    """Return the mean score of the first texts of a pool, from the attributes of a ``Filter``."""
    means = np.zeros(count)
    for texts, others in parts:
        kept = others[is_kept[others]]
        # How many texts that are kept are before each; all of the others.
        before = np.cumsum(is_kept[texts]) - is_kept[texts]
        stops = np.full(len(texts), len(kept)) if texts is not others else before
        for some, ends in zip(_split(texts), _split(stops), strict=True):
            (scores,) = pool.score_block(some, kept[: ends[-1]]).values()
            for text, values, end in zip(some.tolist(), scores, ends.tolist(), strict=True):
                means[text] = values[:end].mean() if end else 0.0
    return means


def _split(texts: Ints) -> list[Ints]:
    """Split texts into batches."""
    return [texts[start : start + _BATCH] for start in range(0, len(texts), _BATCH)]

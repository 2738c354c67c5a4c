"""Decide which texts of a pool are kept, and collect the nearest texts of each."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from ...counting.pools import Ints
from ...families.base import Floats
from .nearest_texts import NearDuplicates
from .scored_pool import ScoredPool
from .search import Found, list_best, prepare_search

# Number of texts that are searched for together, and then compared with each other.
_BATCH: Final = 256

# How many pairs of small groups are counted together.
_PAIRS: Final = 1 << 16


Report = Callable[[int], object]


class Filter:
    """Goes through texts of a pool once."""

    def __init__(
        self, pool: ScoredPool, threshold: float, *, inclusive: bool, top: int, report: Report
    ) -> None:
        """Prepare the search.

        Args:
            pool: all texts.
            threshold: scores above it reject a text.
            inclusive: whether the threshold itself rejects a text too.
            top: how many of the nearest texts are kept.
            report: is called with the number of texts that were decided since the last call.
        """
        self._report = report
        self._pool = pool
        self._threshold = threshold
        self._inclusive = inclusive
        self._top = top
        self._most = max(top, 1)
        self._make_search = prepare_search(pool)
        self._is_kept = np.zeros(len(pool), dtype=bool)
        self._nearest = np.full((len(pool), self._most), -1)
        self._scores = np.full((len(pool), self._most), np.nan)
        self._parts: list[tuple[Ints, Ints]] = []
        self._pairs = self._compared = 0

    def compare_with_earlier(self, parts: Sequence[Ints]) -> None:
        """Compare each text of each part with those before it in the part that are kept."""
        for few in _join(part for part in parts if len(part) <= _BATCH):
            self._decide(few, None)
        for part in parts:
            if len(part) > _BATCH:
                self._filter(part)
        self._parts = [(part, part) for part in parts]

    def compare(self, texts: Ints, others: Ints) -> None:
        """Compare each text with others."""
        search = self._make_search()
        search.add(others)
        for start in range(0, len(texts), _BATCH):
            batch = texts[start : start + _BATCH]
            found = search.find(batch, self._most)
            self._nearest[batch], self._scores[batch] = found.texts, found.scores
            self._is_kept[batch] = ~self._is_near(found.scores[:, 0])
            self._compared += found.compared
            self._report(len(batch))
        self._is_kept[others] = True
        self._pairs = len(texts) * len(others)
        self._parts = [(texts, others)]

    def finish(self, first: int, count: int) -> NearDuplicates:
        """Return what was found.

        Args:
            first: the text of the pool whose index is 0 in ``nearest``.
            count: how many texts the result is about: the first ones of the pool.
        """
        top_nearest, top_scores = self._nearest[:count], self._scores[:count]
        top_nearest = np.where(top_nearest < 0, -1, top_nearest - first)
        return NearDuplicates.of(
            partial(_average, self._pool, self._parts, self._is_kept, count),
            kept=np.flatnonzero(self._is_kept[:count]),
            score=np.nan_to_num(top_scores[:, 0]),
            nearest=top_nearest[:, 0],
            top_nearest=top_nearest[:, : self._top],
            top_scores=top_scores[:, : self._top],
            pairs=self._pairs,
            compared=self._compared,
        )

    def _filter(self, part: Ints) -> None:
        """Go through one large part."""
        search = self._make_search()
        for start in range(0, len(part), _BATCH):
            batch = part[start : start + _BATCH]
            self._decide([batch], search.find(batch, self._most))
            self._pairs += len(batch) * search.count
            search.add(batch[self._is_kept[batch]])

    def _decide(self, parts: Sequence[Ints], found: Found | None) -> None:
        """Decide which texts of some parts are kept.

        Args:
            parts: texts that are compared with those before them in the same part.
            found: the nearest texts of earlier batches, by text; None if there are none.
        """
        rows, offsets, columns = _pair_with_earlier(parts)
        (scores,) = self._pool.score(rows, offsets, columns).values()
        if found is not None:
            self._compared += found.compared
        stops = offsets[1:].tolist()
        start = 0
        for index, (row, stop) in enumerate(zip(rows.tolist(), stops, strict=True)):
            earlier, values = columns[start:stop], scores[start:stop]
            start = stop
            is_kept = self._is_kept[earlier]
            earlier, values = earlier[is_kept], values[is_kept]
            self._pairs += len(earlier)
            self._compared += len(earlier)
            if found is not None:
                is_found = found.texts[index] >= 0
                earlier = np.append(found.texts[index][is_found], earlier)
                values = np.append(found.scores[index][is_found], values)
            best = list_best(values, self._most)
            self._nearest[row, : len(best)] = earlier[best]
            self._scores[row, : len(best)] = values[best]
            self._is_kept[row] = not (len(best) and self._is_near(values[best[0]]))
        self._report(len(rows))

    def _is_near(self, scores: Any) -> Any:
        return is_near(scores, self._threshold, inclusive=self._inclusive)


def is_near(scores: Any, threshold: float, *, inclusive: bool) -> Any:
    """Return whether a score, or each of an array, is that of near duplicates."""
    # The score of a text without others is NaN, which is not above anything.
    return scores >= threshold if inclusive else scores > threshold


def _join(parts: Iterable[Ints]) -> Iterator[list[Ints]]:
    """Join parts until they have many pairs."""
    joined: list[Ints] = []
    pairs = 0
    for part in parts:
        joined.append(part)
        pairs += len(part) ** 2 // 2
        if pairs > _PAIRS:
            yield joined
            joined, pairs = [], 0
    if joined:
        yield joined


def _pair_with_earlier(parts: Sequence[Ints]) -> tuple[Ints, Ints, Ints]:
    """Pair each text with those before it in its part; return rows, offsets and columns."""
    counts = [np.arange(len(part)) for part in parts]
    columns = [part[:index] for part in parts for index in range(len(part))]
    return (
        np.concatenate(parts),
        np.append(0, np.cumsum(np.concatenate(counts))),
        np.concatenate(columns),
    )


def _average(
    pool: ScoredPool, parts: Sequence[tuple[Ints, Ints]], is_kept: Any, count: int
) -> Floats:
    """Return the mean score of each text; see ``NearDuplicates.mean``.

    Args:
        pool: all texts.
        parts: texts, and those that they are compared with: the same, or others.
        is_kept: whether each text of the pool is kept.
        count: how many texts the result is about.
    """
    means = np.zeros(count)
    for texts, others in parts:
        kept = others[is_kept[others]]
        # How many texts that are kept are before each; all of the others.
        before = np.cumsum(is_kept[texts]) - is_kept[texts]
        stops = np.full(len(texts), len(kept)) if texts is not others else before
        for start in range(0, len(texts), _BATCH):
            some, ends = texts[start : start + _BATCH], stops[start : start + _BATCH]
            (scores,) = pool.score_block(some, kept[: ends[-1]]).values()
            for text, values, end in zip(some.tolist(), scores, ends.tolist(), strict=True):
                means[text] = values[:end].mean() if end else 0.0
    return means

"""Scores of sums: a sample has a row of whole numbers, and all samples the sum of the rows."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..resampling.draws import Statistic
from .counts import SampleCounts, shrink
from .score import Floats, Output, Score, Value
from .sums import Sums


@dataclass(frozen=True, kw_only=True)
class RowScore(Score):
    """Scores of a row of whole numbers; a subclass says what a row is and how it is scored."""

    # Whether ``sentence_bleu`` is a list per score, even if there is one score.
    lists_scores: ClassVar[bool] = False

    @abstractmethod
    def make_rows(self, counts: SampleCounts) -> NDArray[np.int64]:
        """Return a row per sample, shape (samples, columns)."""

    @abstractmethod
    def score_row(self, row: Sequence[int]) -> Sequence[float]:
        """Return the scores of a row, or of a sum of rows, in the order of the names."""

    def score_rows(self, rows: Any) -> Floats:
        """Return the last score of each row; the columns may be fewer than those of a row."""
        return np.array([self.score_row(row)[-1] for row in rows.tolist()])

    def count_columns(self, place: int) -> int | None:
        """Return how many columns the score at a place of the names depends on; None for all."""
        return None

    def score(self, counts: SampleCounts, output: Output, seed: int) -> dict[str, Value]:
        rows = self.make_rows(counts)
        found = self.score_row(rows.sum(axis=0).tolist())
        scores: dict[str, Value] = dict(zip(self.names, found, strict=True))
        scores = self.add_intervals(scores, counts, output, seed)
        if output.per_sample:
            columns = [values.tolist() for values in self._score_each(rows).values()]
            scores["sentence_bleu"] = columns if self.lists_scores else columns[0]
        return scores

    def score_samples(self, counts: SampleCounts) -> Mapping[str, Floats]:
        return self._score_each(self.make_rows(counts))

    def _score_each(self, rows: NDArray[np.int64]) -> dict[str, Floats]:
        return {
            name: self.score_rows(rows[:, : self.count_columns(place)])
            for place, name in enumerate(self.names)
        }

    def sums(self, counts: SampleCounts) -> Mapping[str, Sums]:
        rows = shrink(self.make_rows(counts))
        return {
            name: Sums(Statistic(rows[:, : self.count_columns(place)], self.score_rows))
            for place, name in enumerate(self.names)
        }

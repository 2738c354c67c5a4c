"""Statistics that are resampled, and the bootstrap of several systems on the same samples.

A statistic is a table of whole numbers, one row per unit, and the score of their sum. A unit is a
sample, or a cluster of samples that depend on each other, such as the sentences of a document
(Miller 2024). One row of weights resamples all systems and scores, so that they stay comparable.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from .draws import Floats, Integers, Progress, bootstrap_weights, sum_columns

Score = Callable[[Floats], Floats]


class Statistic(NamedTuple):
    """The counts of each unit for one score of one system.

    Attributes:
        columns: whole numbers, shape (units, columns).
        score: from sums of rows, shape (rows, columns), to their scores, shape (rows,).
        sign: 1 if a higher score is better, -1 if a lower one is.
    """

    columns: Integers
    score: Score
    sign: int = 1


class System(NamedTuple):
    """The statistics of all scores of one system, side by side.

    Attributes:
        columns: whole numbers, shape (units, all columns).
        stops: where the columns of each score end.
        scores: from the sums of its columns to each score.
        signs: 1 for each score of which a higher one is better, -1 for the others.
    """

    columns: Integers
    stops: tuple[int, ...]
    scores: tuple[Score, ...]
    signs: tuple[int, ...]

    def score(self, sums: Floats) -> Floats:
        """Compute all scores of sums of rows, shape (scores, rows)."""
        parts = np.split(sums, self.stops[:-1], axis=1)
        return np.stack([score(part) for score, part in zip(self.scores, parts, strict=True)])

    def score_all(self) -> Floats:
        """Compute the scores of all units together, shape (scores,)."""
        return self.score(self.sum_all()[np.newaxis])[:, 0]

    def sum_all(self) -> Floats:
        """Sum all rows, shape (columns,)."""
        sums: Floats = self.columns.sum(axis=0, dtype=np.int64).astype(np.float64)
        return sums


def join_statistics(statistics: Sequence[Statistic]) -> System:
    """Put the statistics of one system side by side."""
    return System(
        np.concatenate([statistic.columns for statistic in statistics], axis=1),
        tuple(np.cumsum([statistic.columns.shape[1] for statistic in statistics]).tolist()),
        tuple(statistic.score for statistic in statistics),
        tuple(statistic.sign for statistic in statistics),
    )


def bootstrap(
    systems: Sequence[System], n_resamples: int, seed: int, progress: Progress | None = None
) -> Floats:
    """Compute the scores of resamples that are drawn with replacement.

    Args:
        systems: of the same units.
        n_resamples: how many.
        seed: 0 or more.
        progress: called after each block.

    Returns:
        Shape (systems, scores, n_resamples).
    """
    scores = np.empty((len(systems), len(systems[0].scores), n_resamples))
    tables = [system.columns for system in systems]
    done = 0
    for weights in bootstrap_weights(len(tables[0]), n_resamples, seed):
        sums = np.split(sum_columns(weights, tables), len(systems), axis=1)
        block = slice(done, done + len(weights))
        for place, (system, part) in enumerate(zip(systems, sums, strict=True)):
            scores[place, :, block] = system.score(part)
        done += len(weights)
        if progress:
            progress(done, n_resamples)
    return scores

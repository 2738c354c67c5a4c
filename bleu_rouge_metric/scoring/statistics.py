"""Counts of samples as tables for resampling, with the score of summed rows."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..resampling.draws import Floats, Integers, average_sums, split_scores
from ..resampling.paired import Statistic


def make_mean_statistic(
    scores: Floats, largest: float, clusters: NDArray[np.int64] | None = None
) -> Statistic:
    """Return the statistic of the mean of a score of samples.

    Args:
        scores: shape (samples,); finite.
        largest: absolute value of the largest score of all systems, which are compared exactly.
        clusters: as for :func:`sum_clusters`, to which the statistic is given then.
    """
    columns = split_scores(scores, largest)
    if clusters is not None:
        # How many samples are drawn, which differs if clusters of different sizes are drawn.
        columns = np.concatenate([columns, np.ones((len(scores), 1), np.int32)], axis=1)
    return Statistic(columns, partial(average_sums, largest=largest, samples=len(scores)))


def sum_clusters(statistic: Statistic, clusters: NDArray[np.int64]) -> Statistic:
    """Return the statistic with one row per cluster.

    Args:
        statistic: with one row per sample.
        clusters: shape (samples,); the number of each sample's cluster, from 0 up, none left out.
    """
    order = np.argsort(clusters, kind="stable")
    starts = np.flatnonzero(np.diff(clusters[order], prepend=-1))
    columns: Integers = np.add.reduceat(statistic.columns[order], starts, axis=0, dtype=np.int64)
    return statistic._replace(columns=columns)

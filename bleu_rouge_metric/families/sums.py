"""Scores of summed counts: resampled, and with samples left out."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..resampling.draws import Statistic, bootstrap, join_statistics
from ..resampling.student import widen_tail


class Sums(NamedTuple):
    """A score that depends on the sums of the counts of samples.

    Attributes:
        statistic: columns of whole numbers, one row per sample, and the score of their sums.
        exact: for columns whose whole numbers are rounded: the exact values, shape (samples,), and
            the factor between them.
    """

    statistic: Statistic
    exact: Mapping[int, tuple[NDArray[np.float64], float]] = {}


def add_intervals(
    scores: dict[str, Any],
    sums: Mapping[str, Sums],
    n_resamples: int,
    confidence: float,
    seed: int,
) -> dict[str, Any]:
    """Return scores with the bounds of the intervals of those of ``sums``, each behind its score.

    They are percentiles of the scores of resampled samples (Koehn 2004), further out for few
    samples, as in ``compare_systems``. All scores have the same resamples.
    """
    system = join_statistics([item.statistic for item in sums.values()])
    resampled = bootstrap([system], n_resamples, seed)[0]
    cut = 100 * widen_tail((1 - confidence) / 2, len(system.columns))
    bounds = np.percentile(resampled, [cut, 100 - cut], axis=1).T.tolist()
    intervals = dict(zip(sums, bounds, strict=True))
    result: dict[str, Any] = {}
    for name, value in scores.items():
        result[name] = value
        if name in intervals:
            result[f"{name}_low"], result[f"{name}_high"] = intervals[name]
    return result

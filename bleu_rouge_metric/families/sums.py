"""Scores of summed counts: resampled, and with samples left out."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..resampling.paired import Statistic, bootstrap, join_statistics
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


def add_interval(
    scores: dict[str, Any], sums: Sums, *, n_resamples: int, confidence: float, seed: int
) -> dict[str, Any]:
    """Return scores with the bounds of the interval of the first one behind it.

    They are percentiles of the score of resampled samples (Koehn 2004), further out for few
    samples, as in ``compare_systems``.

    Args:
        scores: by name.
        sums: the first of them.
        n_resamples: how many resamples are drawn.
        confidence: of the interval, above 0 and below 1.
        seed: of the random stream.
    """
    resampled = bootstrap([join_statistics([sums.statistic])], n_resamples, seed)[0, 0]
    cut = 100 * widen_tail((1 - confidence) / 2, len(sums.statistic.columns))
    low, high = np.percentile(resampled, [cut, 100 - cut]).tolist()
    name, value = next(iter(scores.items()))
    return {name: value, f"{name}_low": low, f"{name}_high": high, **scores}

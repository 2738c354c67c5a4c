"""Pairwise accuracy with ties, calibrated: acc*_eq of Deutsch et al. (2023), used in WMT23.

People rate many pairs of texts as equal, a metric almost none. So a pair counts as tied by the
metric if its scores differ by at most a threshold. The threshold is the one that gives the highest
accuracy; it is the same for all groups.
"""

from typing import Final, NamedTuple

import numpy as np

from ...messages import value_error
from ...resampling.draws import Floats
from .rated_groups import RatedGroups

# Every resample adds them up once, which takes 0.1 s for so many.
MOST_PAIRS: Final = 2_000_000


class Calibration(NamedTuple):
    """The accuracy with the best threshold.

    Attributes:
        accuracy: in [0, 1]; NaN if there is no pair.
        threshold: scores that differ by at most this are tied, in the units of the scores.
    """

    accuracy: float
    threshold: float


def check_pairs(n_groups: int, size: int) -> None:
    """Raise ValueError if there are too many pairs to try all thresholds."""
    pairs = n_groups * (size * (size - 1) // 2)
    if pairs > MOST_PAIRS:
        raise value_error(
            "{coefficients} has 'calibrated_accuracy', which sorts all {} pairs of texts",
            f"{pairs:,}",
            expected=f"expected at most {MOST_PAIRS:,} pairs.",
            remedy="Leave it out, or use grouping='item', as WMT23 does.",
        )


def calibrate(groups: RatedGroups, weights: Floats, group_weights: Floats) -> Calibration:
    """Find the threshold below which a difference of scores is a tie, and the accuracy with it.

    Args:
        groups: of scores and ratings.
        weights: whole numbers, shape (1, units): all groups have the same.
        group_weights: how often each group counts, shape (groups,).

    >>> groups = RatedGroups(np.array([[0.1, 0.2, 0.9]]), np.array([[3.0, 3.0, 5.0]]))
    >>> calibrate(groups, np.ones((1, 3)), np.ones(1))
    Calibration(accuracy=1.0, threshold=0.1)
    """
    pairs = groups.sorted_pairs
    drawn = weights[0, pairs.first] * weights[0, pairs.second]
    counted = drawn[pairs.pair] * group_weights[pairs.group]
    total = float(counted.sum())
    if total == 0:
        return Calibration(np.nan, np.nan)
    # With every pair that becomes a tie, pairs that are tied in the ratings become correct, and
    # pairs that were in the same order become wrong. Pairs with equal differences become ties
    # together.
    # A product of BLAS would be as exact, but its threads slow down a busy machine.
    untied = float((counted * pairs.concordant).sum())
    correct = untied + np.cumsum(counted * pairs.change)[pairs.stops]
    thresholds = pairs.differences[pairs.stops]
    if thresholds[0] > 0:
        correct = np.append(untied, correct)
        thresholds = np.append(0.0, thresholds)
    best = int(np.argmax(correct))
    return Calibration(float(correct[best]) / total, float(thresholds[best]))

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
        weights: whole numbers, shape (groups, units) or (1, units).
        group_weights: how often each group counts, shape (groups,).

    >>> groups = RatedGroups(np.array([[0.1, 0.2, 0.9]]), np.array([[3.0, 3.0, 5.0]]))
    >>> calibrate(groups, np.ones((1, 3)), np.ones(1))
    Calibration(accuracy=1.0, threshold=0.1)
    """
    pairs = groups.sorted_pairs
    drawn = np.broadcast_to(weights, groups.scores.shape)
    counted = drawn[pairs.group, pairs.first] * drawn[pairs.group, pairs.second]
    counted = counted * group_weights[pairs.group]
    total = float(counted.sum())
    if total == 0:
        return Calibration(np.nan, np.nan)
    # With every pair that becomes a tie, pairs that are tied in the ratings become correct, and
    # pairs that were in the same order become wrong.
    correct = float(counted[pairs.is_concordant].sum()) + np.cumsum(counted * pairs.change)
    # Pairs with equal differences become ties together, and the threshold 0 is always possible.
    stops = np.append(np.flatnonzero(np.diff(pairs.differences)), len(correct) - 1)
    reached = correct[stops]
    thresholds = pairs.differences[stops]
    if thresholds[0] > 0:
        reached = np.append(float(counted[pairs.is_concordant].sum()), reached)
        thresholds = np.append(0.0, thresholds)
    best = int(np.argmax(reached))
    return Calibration(float(reached[best]) / total, float(thresholds[best]))

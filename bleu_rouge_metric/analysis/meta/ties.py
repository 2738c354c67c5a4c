"""Make means equal that differ only by the rounding errors of their sums.

Two systems whose texts have the same numbers in another order may have means that differ in the
last digit. Such differences would break ties by chance, and scores in other units would have
another rank correlation. Scores of single texts are compared as they are.
"""

from typing import Final

import numpy as np

from ...resampling.draws import Floats

# Of the largest mean; a thousand times what the sum of a thousand numbers of one size may lose.
_RELATIVE: Final = 1e-12


def merge_ties(means: Floats) -> Floats:
    """Return the means with the smallest of those that are equal but for rounding errors.

    Args:
        means: finite; of the systems, on the last axis.

    >>> merge_ties(np.array([0.3, 0.1 + 0.2, 0.25])).tolist()
    [0.3, 0.3, 0.25]
    """
    order = np.argsort(means, axis=-1, kind="stable")
    ordered = np.take_along_axis(means, order, axis=-1)
    noise = np.abs(means).max(axis=-1, keepdims=True) * _RELATIVE
    is_new = np.diff(ordered, axis=-1, prepend=-np.inf) > noise
    places = np.maximum.accumulate(np.where(is_new, np.arange(means.shape[-1]), 0), axis=-1)
    merged = np.empty_like(means)
    np.put_along_axis(merged, order, np.take_along_axis(ordered, places, axis=-1), axis=-1)
    return merged

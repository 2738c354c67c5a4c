"""Differences between scores whose options are the same: what ``compare_profiles`` describes.

They are scales, rounding, and rules that a library has no option for. Each part of the arithmetic
is changed alone, so that a reason is what was computed.
"""

import math
from typing import Final

# The largest relative difference of the same operations in another order.
_LAST_DIGITS: Final = 1e-12

OTHER_ORDER: Final = "the same operations in another order, which changes only the last digits"


def is_last_digits(before: float, after: float) -> bool:
    """Return whether two scores differ only in the last digits."""
    return math.isclose(before, after, rel_tol=_LAST_DIGITS)

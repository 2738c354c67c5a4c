"""Which difference a test finds with a power of 0.8."""

import math
from typing import Final

from ..resampling.pair_tests import find_level
from ..resampling.student import student_quantile
from .significance_design import Design

# The probability to find a difference that is there (Cohen 1988).
_POWER: Final = 0.8

# With fewer samples or clusters, their spread is not known well enough to plan with.
FEWEST_UNITS: Final = 20


def count_errors(design: Design, units: int, n_tests: int, least: float) -> float:
    """Return how many standard errors a difference must have to be found with the power of 0.8.

    Args:
        design: the confidence, the alternative and the correction.
        units: how many samples or clusters are resampled.
        n_tests: how many p-values a correction is over.
        least: the smallest p-value of the test, of which all others are multiples.

    Returns:
        NaN if the test finds no difference, however large.
    """
    level = find_level(design.confidence)
    if design.correction is not None:
        # The level of Bonferroni, and of the first step of Holm, and of Benjamini and Hochberg: of
        # the smallest p-value, as if no other difference was found. Others make it easier to find.
        level /= n_tests
    # The largest p-value that the test can give and that is not above the level.
    reached = math.floor(level / least + 1e-9) * least
    if reached == 0:
        return math.nan
    if design.alternative == "two-sided":
        reached /= 2
    # Source: Miller (2024), and any textbook: the quantile of the test and that of the power.
    return student_quantile(1 - reached, units - 1) + student_quantile(_POWER, units - 1)

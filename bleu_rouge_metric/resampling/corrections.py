"""Correct p-values for how many tests there are, and combine those of several data sets."""

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from .draws import Floats

Correction = Literal["holm", "bonferroni", "fdr_bh"]


def correct(p_values: Floats, correction: Correction) -> Floats:
    """Correct p-values for how many there are.

    Args:
        p_values: shape (tests,).
        correction: ``holm`` (Holm 1979) and ``bonferroni`` bound the probability of any false
            discovery; ``fdr_bh`` (Benjamini and Hochberg 1995) bounds the share of false
            discoveries.

    Returns:
        Shape (tests,), in (0, 1].

    >>> correct(np.array([0.01, 0.04, 0.03]), "holm").round(9).tolist()
    [0.03, 0.06, 0.06]
    """
    tests = len(p_values)
    if correction == "bonferroni":
        bounded: Floats = np.minimum(p_values * tests, 1.0)
        return bounded
    order = np.argsort(p_values, kind="stable")
    ranks = np.arange(tests)
    corrected = np.empty(tests)
    if correction == "holm":
        corrected[order] = np.maximum.accumulate(p_values[order] * (tests - ranks))
    else:
        steps = p_values[order] * tests / (ranks + 1)
        corrected[order] = np.minimum.accumulate(steps[::-1])[::-1]
    limited: Floats = np.minimum(corrected, 1.0)
    return limited


def correct_rows(
    tables: Sequence[Sequence[Any]], correction: Correction | None
) -> list[tuple[Any, ...]]:
    """Return the rows of all tables with ``p_corrected``, which is over all that have a p-value."""
    p_values = [row.p_value for rows in tables for row in rows if row.p_value is not None]
    if correction is None or not p_values:
        return list(map(tuple, tables))
    corrected = iter(correct(np.array(p_values), correction).tolist())
    return [
        tuple(
            row if row.p_value is None else row._replace(p_corrected=next(corrected))
            for row in rows
        )
        for rows in tables
    ]


def combine_p_values(p_values: Sequence[float], least: int = 1, *, independent: bool) -> float:
    """Return the p-value of "fewer than ``least`` of the data sets have an effect".

    Args:
        p_values: of each data set.
        least: from 1 to the number of data sets.
        independent: whether the data sets are; Fisher's method needs it, Bonferroni's does not.

    >>> round(combine_p_values([0.01, 0.2], independent=True), 4)
    0.0144
    >>> combine_p_values([0.01, 0.2], 2, independent=False)
    0.2
    """
    # Source: Dror et al. (2017), "Replicability Analysis for Natural Language Processing", section
    # 4, after Benjamini and Heller (2008): the smallest p-values are left out.
    kept = sorted(p_values)[least - 1 :]
    if not independent:
        return min(1.0, len(kept) * kept[0])
    if kept[0] == 0:
        return 0.0
    half = -math.fsum(map(math.log, kept))
    # The tail of the chi-squared distribution with an even number of degrees of freedom.
    term, total = 1.0, 1.0
    for place in range(1, len(kept)):
        term *= half / place
        total += term
    return min(1.0, math.exp(-half) * total)


def count_effects(p_values: Sequence[float], level: float, *, independent: bool) -> int:
    """Return in how many data sets there is an effect; it is too large with the level at most.

    Args:
        p_values: of each data set.
        level: such as 0.05.
        independent: as for :func:`combine_p_values`.

    >>> count_effects([0.001, 0.002, 0.8], 0.05, independent=True)
    2
    """
    # Source: Dror et al. (2017), section 4: the p-values of growing numbers never fall.
    for least in range(1, len(p_values) + 1):
        if combine_p_values(p_values, least, independent=independent) > level:
            return least - 1
    return len(p_values)

"""Correct p-values for how many tests there are."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from .draws import Floats

Correction = Literal["holm", "bonferroni", "fdr_bh"]


def correct(p_values: Floats, correction: Correction) -> Floats:
    """Return the p-values corrected for how many there are, in (0, 1].

    ``holm`` (Holm 1979) and ``bonferroni`` bound the probability of any false discovery; ``fdr_bh``
    (Benjamini and Hochberg 1995) bounds the share of false discoveries.

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

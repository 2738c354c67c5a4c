"""Correct p-values for how many tests there are."""

from typing import Literal

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

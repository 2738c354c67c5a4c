"""Correct the p-values of all samples and of all groups together."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from ..resampling.corrections import Correction, correct
from .ranking.system_ranking import SystemPair, SystemRanking
from .system_comparison import SystemComparison, SystemScore

_RowT = TypeVar("_RowT", SystemScore, SystemPair)


def correct_comparisons(
    comparisons: Sequence[SystemComparison], correction: Correction | None
) -> list[SystemComparison]:
    """Correct the p-values of all rows."""
    parts, n_tests = _correct_rows([comparison.rows for comparison in comparisons], correction)
    return [
        replace(comparison, rows=rows, n_tests=n_tests)
        for comparison, rows in zip(comparisons, parts, strict=True)
    ]


def correct_rankings(
    rankings: Sequence[SystemRanking], correction: Correction | None
) -> list[SystemRanking]:
    """Correct the p-values of all pairs."""
    parts, n_tests = _correct_rows([ranking.pairs for ranking in rankings], correction)
    return [
        replace(ranking, pairs=pairs, n_tests=n_tests)
        for ranking, pairs in zip(rankings, parts, strict=True)
    ]


def _correct_rows(
    parts: Sequence[tuple[_RowT, ...]], correction: Correction | None
) -> tuple[list[tuple[_RowT, ...]], int | None]:
    """Return all rows with corrected p-values, and how many there are; None if not corrected."""
    if correction is None:
        return list(parts), None
    p_values = [row.p_value for rows in parts for row in rows if row.p_value is not None]
    corrected = iter(correct(np.array(p_values), correction).tolist())
    found = [
        tuple(
            row if row.p_value is None else row._replace(p_corrected=next(corrected))
            for row in rows
        )
        for rows in parts
    ]
    return found, len(p_values)

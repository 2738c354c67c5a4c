"""Scores, numbers, p-values and differences in words, as every report writes them."""

import math
from collections.abc import Sequence
from typing import Any

from ..families.registry import find_family
from ..resampling.tests import TOLERANCE, find_level


def name_score(score: str) -> str:
    """Return the name of a score as papers write it, such as ``ROUGE-SU4``."""
    family = find_family(score)
    return score if family is None else family.write_name(score)


def write_p(value: float) -> str:
    """Write a p-value with three decimals.

    >>> write_p(0.0062), write_p(0.0002)
    ('0.006', '<0.001')
    """
    return "<0.001" if value < 0.0005 else f"{value:.3f}"


def compare_p(name: str, value: float) -> str:
    """Write what a p-value is, or that it is below 0.001."""
    return f"{name} < 0.001" if value < 0.0005 else f"{name} = {write_p(value)}"


def choose_decimals(rows: Sequence[Any]) -> int:
    """Return how many decimals the values of a score have: at least one digit of each error."""
    largest = max(abs(row.value) for row in rows)
    usual = 2 if largest > 1 else 4
    errors = [getattr(row, "delta_error", None) or 0.0 for row in rows]
    least = min((error for error in errors if error > TOLERANCE * largest), default=1.0)
    return max(usual, -math.floor(math.log10(least)))


def write_number(value: float, decimals: int, sign: str = "") -> str:
    """Write a number; what rounds to 0 has no minus. ``sign`` is ``+`` to write a plus."""
    return f"{round(value, decimals) + 0.0:{sign}.{decimals}f}"


def write_value(row: Any, decimals: int) -> str:
    """Write a value, with its interval in brackets, and with its standard deviation over runs."""
    value = write_number(row.value, decimals)
    if (deviation := getattr(row, "run_std", None)) is not None:
        value = f"{value} (sd {deviation:.{decimals}f})"
    if row.low is None or row.high is None:
        return value
    return f"{value} [{write_number(row.low, decimals)}, {write_number(row.high, decimals)}]"


def write_delta(delta: float | None, decimals: int) -> str:
    """Write a difference with its sign; None is empty."""
    return "" if delta is None else write_number(delta, decimals, "+")


def write_size(value: float, decimals: int) -> str:
    """Write a number above 0, which is not written as 0.

    >>> write_size(0.3798, 2), write_size(0.0003, 2)
    ('0.38', 'less than 0.01')
    """
    if value < (smallest := 10**-decimals) / 2:
        return f"less than {smallest:.{decimals}f}"
    return f"{value:.{decimals}f}"


def write_confidence(confidence: float) -> str:
    """Write a confidence in percent, such as ``99.9%``."""
    return f"{100 * confidence:g}%"


def find_p(row: Any) -> float | None:
    """Return the p-value that decides: the corrected one if there is one."""
    p: float | None = row.p_value if row.p_corrected is None else row.p_corrected
    return p


def is_clear(row: Any, confidence: float) -> bool:
    """Return whether the test calls the difference from the baseline more than chance."""
    p = find_p(row)
    return p is not None and p <= find_level(confidence)

"""Checks that many options share: flags, names, numbers. One clear error each."""

import difflib
import math
from collections.abc import Iterable

import numpy as np


def check_flag(name: str, value: object) -> bool:
    """The value as a bool; raises TypeError unless it is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} is {value!r}; expected True or False.")
    return bool(value)


def check_choice(name: str, value: object, choices: Iterable[str]) -> str:
    """The value; raises, with the closest choice, unless it is one of the names.

    Raises:
        TypeError: the value is no str.
        ValueError: it is none of the names.
    """
    names = list(choices)
    expected = f"expected one of {', '.join(map(repr, names))}."
    if not isinstance(value, str):
        raise TypeError(f"{name} is {value!r}; {expected}")
    if value not in names:
        closest = difflib.get_close_matches(value, names, n=1)
        hint = f" Did you mean {closest[0]!r}?" if closest else ""
        raise ValueError(f"Unknown {name} {value!r}; {expected}{hint}")
    return value


def check_number(name: str, value: object, expected: str) -> float:
    """The value as a float.

    Args:
        name: of the option.
        value: what was given.
        expected: the end of the error text.

    Raises:
        TypeError: it is no real number.
        ValueError: it is NaN, or too large for a float.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise TypeError(f"{name} is {value!r}; {expected}")
    try:
        number = float(value)
    except OverflowError:
        number = math.nan
    if math.isnan(number):
        raise ValueError(f"{name} is {value}; {expected}")
    return number

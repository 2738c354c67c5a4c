"""Check option values: flags, names and numbers; each check raises one clear error."""

import difflib
import math
from collections.abc import Iterable

import numpy as np


def check_flag(name: str, value: object) -> bool:
    """Return the value as a bool; raise TypeError unless it is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} is {value!r}; expected True or False.")
    return bool(value)


def check_choice(name: str, value: object, choices: Iterable[str]) -> str:
    """Return the value if it is one of the choices; the error names the closest choice.

    Raises:
        TypeError: the value is not a str.
        ValueError: the value is not one of the choices.
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
    """Return the value as a float.

    Args:
        name: name of the option.
        value: the value that the caller gave.
        expected: what is expected; the end of the error message.

    Raises:
        TypeError: the value is not a real number.
        ValueError: the value is NaN, or too large for a float.
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

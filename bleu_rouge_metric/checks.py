"""Check option values: flags, names and numbers; each check raises one clear error."""

import math
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from .messages import Argument, Message, PythonOnly, describe_value, format_message

# Beyond this a slip of the finger would fill the memory.
MOST_RESAMPLES: Final = 1_000_000

# Of numpy.random.RandomState.
LARGEST_SEED: Final = 2**32 - 1

_NONE: Final[Mapping[str, str]] = MappingProxyType({})


def is_sequence(value: object) -> bool:
    """Return whether a value is a sequence of items: not one text, a mapping or a single number.

    >>> is_sequence([1]), is_sequence("a"), is_sequence({}), is_sequence(np.array(1))
    (True, False, False, False)
    """
    if isinstance(value, str | bytes | Mapping) or not hasattr(value, "__len__"):
        return False
    # An array without dimensions has the method, which raises an error.
    return getattr(value, "ndim", 1) != 0


def check_flag(name: str, value: object) -> bool:
    """Return the value as a bool; raise TypeError unless it is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(describe_value(name, repr(value), "expected True or False."))
    return bool(value)


def find_closest(given: str, names: Iterable[str]) -> str | None:
    """Return the name that was probably meant; None if none is like the given one.

    Names of the same letters and digits come first, whatever their case and the signs between.

    >>> find_closest("13A", ["intl", "13a"]), find_closest("add_k", ["add-one", "add-k"])
    ('13a', 'add-k')
    """
    from difflib import get_close_matches

    known = list(names)
    plain = _keep_letters(given)
    same = [name for name in known if plain and _keep_letters(name) == plain]
    closest = same or get_close_matches(given, known, n=1)
    return closest[0] if closest else None


def _keep_letters(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


def hint_at(name: str | None) -> str:
    """Return the end of an error that asks whether a name was meant; empty if there is none."""
    return "" if name is None else f" Did you mean {name!r}?"


def describe_unknown(name: str, value: str, expected: str, meant: str | None) -> Message:
    """Return the message for an unknown name; ``meant`` is what was probably meant."""
    given = Argument(name), value
    return format_message("Unknown {} {!r}", *given, expected=expected, remedy=hint_at(meant)[1:])


def check_choice(
    name: str, value: object, choices: Iterable[str], *, foreign: Mapping[str, str] = _NONE
) -> str:
    """Return the value if it is one of the choices; the error names the closest choice.

    ``foreign`` is what other libraries call some of them.
    """
    names = list(choices)
    expected = f"expected one of {', '.join(map(repr, names))}."
    if not isinstance(value, str):
        raise TypeError(describe_value(name, repr(value), expected))
    if value not in names:
        meant = foreign.get(value) or find_closest(value, names)
        raise ValueError(describe_unknown(name, value, expected, meant))
    return value


def check_number(name: str, value: object, expected: str) -> float:
    """Return the value as a float; ``expected`` is the end of the error message."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise TypeError(describe_value(name, repr(value), expected))
    try:
        number = float(value)
    except OverflowError:
        number = math.nan
    if math.isnan(number):
        raise ValueError(describe_value(name, str(value), expected))
    return number


def check_range(name: str, value: object, least: int, most: int, expected: str = "") -> int:
    """Return the value; raise unless it is an int from ``least`` to ``most``."""
    expected = expected or f"expected an int from {least} to {most:,}."
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(describe_value(name, repr(value), expected))
    if not least <= value <= most:
        raise ValueError(describe_value(name, str(value), expected))
    return int(value)


def check_seed(seed: object) -> int | None:
    """Return the seed as an int of Python; None if there is none."""
    or_none = PythonOnly(", or None to draw one")
    expected = format_message("expected an int from 0 to {}{}.", LARGEST_SEED, or_none)
    return None if seed is None else check_range("seed", seed, 0, LARGEST_SEED, expected)


def choose_seed(seed: object) -> int:
    """Return the checked seed; draw one if there is none."""
    checked = check_seed(seed)
    if checked is not None:
        return checked
    # It takes as long to import as a small file to score.
    import secrets

    return secrets.randbits(32)


def check_limit(name: str, value: object) -> int:
    """Return the value; raise unless it is an int above 0."""
    return check_range(name, value, 1, 2**31 - 1)


def check_resamples(name: str, value: object) -> int:
    """Return the value; raise unless it is a number of resamples."""
    return check_range(name, value, 1, MOST_RESAMPLES)


def check_confidence(name: str, value: Any) -> Any:
    """Return the value; raise unless it is a probability."""
    expected = "expected a float above 0 and below 1, such as 0.95."
    if not 0 < check_number(name, value, expected) < 1:
        raise ValueError(describe_value(name, str(value), expected))
    return value

"""Checks of single values of options that several families have."""

from typing import Any, Final

import numpy as np

from ..checks import check_number, check_range
from ..messages import PythonOnly, describe_value, format_message
from ..samples.token_ids import to_ids

# Beyond this a slip of the finger would fill the memory.
MOST_RESAMPLES: Final = 1_000_000

# Of numpy.random.RandomState.
LARGEST_SEED: Final = 2**32 - 1


def check_seed(seed: object) -> int | None:
    """Return the seed as an int of Python; None if there is none.

    Raises:
        TypeError: it is not an int.
        ValueError: it is out of range.

    >>> check_seed(np.uint32(7))
    7
    """
    if seed is None:
        return None
    or_none = PythonOnly(", or None to draw one")
    expected = format_message("expected an int from 0 to {}{}.", LARGEST_SEED, or_none)
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer):
        raise TypeError(describe_value("seed", repr(seed), expected))
    if not 0 <= seed <= LARGEST_SEED:
        raise ValueError(describe_value("seed", str(seed), expected))
    return int(seed)


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


def to_id_option(name: str, value: object) -> int | tuple[int, ...] | None:
    """Return the id, or several as a tuple; None if there is none."""
    ids = to_ids(name, value)
    return (ids if len(ids) > 1 else ids[0]) if ids else None

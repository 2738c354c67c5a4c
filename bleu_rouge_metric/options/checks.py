"""Checks of single values of options: one clear error each, raised before any work."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from os import PathLike, fspath
from typing import Any, Final, cast

import numpy as np

from ..checks import check_number, check_range
from ..counting.rouge_types import parse_rouge_type
from ..samples.token_ids import to_ids

# Beyond this a slip of the finger would fill the memory.
_MOST_RESAMPLES: Final = 1_000_000

# The names of S, SU and W have a number, so there is no end of types. Each takes 24 bytes of counts
# per pair of texts, and 1,000 types take 12 times as long as 100.
_MOST_TYPES: Final = 100

AGGREGATORS: Final = ("mean", "bootstrap")

# Of numpy.random.RandomState.
LARGEST_SEED: Final = 2**32 - 1


def check_seed(seed: object) -> int | None:
    """Return the seed as an int of Python; None if there is none.

    Raises:
        TypeError: it is no int.
        ValueError: it is out of range.

    >>> check_seed(np.uint32(7))
    7
    """
    if seed is None:
        return None
    expected = f"expected an int from 0 to {LARGEST_SEED}, or None to draw one."
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer):
        raise TypeError(f"seed is {seed!r}; {expected}")
    if not 0 <= seed <= LARGEST_SEED:
        raise ValueError(f"seed is {seed}; {expected}")
    return int(seed)


def check_limit(name: str, value: object) -> int:
    """Return the value; raise unless it is an int above 0."""
    return check_range(name, value, 1, 2**31 - 1)


def check_resamples(name: str, value: object) -> int:
    """Return the value; raise unless it is a number of resamples."""
    return check_range(name, value, 1, _MOST_RESAMPLES)


def check_confidence(name: str, value: Any) -> Any:
    """Return the value; raise unless it is a probability."""
    expected = "expected a float above 0 and below 1, such as 0.95."
    if not 0 < check_number(name, value, expected) < 1:
        raise ValueError(f"{name} is {value}; {expected}")
    return value


def check_stemmer(name: str, value: Any) -> Any:
    """Return the value; raise unless it is a flag or a str."""
    if not isinstance(value, bool | np.bool_ | str):
        raise TypeError(
            f"{name} is {value!r}; expected True (Porter), False, or the language of a Snowball "
            "stemmer, such as 'german'."
        )
    return value


def to_id_option(name: str, value: object) -> int | tuple[int, ...] | None:
    """Return the id, or several as a tuple; None if there is none."""
    ids = to_ids(name, value)
    return (ids if len(ids) > 1 else ids[0]) if ids else None


def to_words(_: str, value: object) -> object:
    """Return several words as a tuple, sorted if they are a set; a name stays a str."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        return value
    return tuple(sorted(value) if isinstance(value, AbstractSet) else value)


def to_paths(_: str, value: object) -> object:
    """Return one path, or several, as a tuple of str."""
    if isinstance(value, str | PathLike):
        return (fspath(value),)
    if not isinstance(value, Iterable):
        return value
    return tuple(fspath(path) if isinstance(path, PathLike) else path for path in value)


def check_rouge_types(name: str, value: object) -> tuple[str, ...]:
    """Return the types as a tuple, each once, in the order of their first occurrence."""
    if isinstance(value, str):
        parts = [part.strip() for part in value.split(",")]
        raise TypeError(
            f"{name} is the str {value!r}; expected a sequence of types. Use {name}={parts!r}."
        )
    # The order of the types decides what "bootstrap" draws for each; a set has none.
    is_sequence = isinstance(value, Iterable) and not isinstance(value, AbstractSet)
    if not is_sequence or isinstance(value, bytes | Mapping):
        raise TypeError(f"{name} is of type {type(value).__name__}; expected a sequence of types.")
    types = tuple(cast("Iterable[str]", value))
    if not types:
        raise ValueError(f"{name} is empty; expected at least one type, such as 'rouge1'.")
    for item in types:
        parse_rouge_type(item if isinstance(item, str) else repr(item))
    # Parity: rouge_score's results are a dict by type, so a repeated type is scored once.
    distinct = tuple(dict.fromkeys(map(str, types)))
    if len(distinct) > _MOST_TYPES:
        raise ValueError(
            f"{name} has {len(distinct)} types; expected at most {_MOST_TYPES}. Score the others "
            "in another call."
        )
    return distinct

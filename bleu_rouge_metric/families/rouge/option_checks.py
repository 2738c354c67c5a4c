"""Checks of single values of ROUGE's options: one clear error each, raised before any work."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from os import PathLike, fspath
from typing import Any, Final, cast

import numpy as np

from ...counting.rouge_types import parse_rouge_type
from ...messages import Argument, describe_value, format_message, type_error, value_error

DEFAULT_ROUGE_TYPES: Final = ("rouge1", "rouge2", "rougeL", "rougeLsum")

# Spellings of types that some libraries have, and that only their profiles know.
LIBRARY_TYPES: Final = frozenset({*(f"rouge-{order}" for order in range(1, 6)), "rouge-l"})

AGGREGATORS: Final = ("mean", "bootstrap")

# The names of S, SU and W have a number, so there is no end of types. Each takes 24 bytes of counts
# per pair of texts, and 1,000 types take 12 times as long as 100.
_MOST_TYPES: Final = 100


def check_stemmer(name: str, value: Any) -> Any:
    """Return the value; raise unless it is a flag or a str."""
    if not isinstance(value, bool | np.bool_ | str):
        expected = (
            "expected True (Porter), False, or the language of a Snowball stemmer, such as "
            "'german'."
        )
        raise TypeError(describe_value(name, repr(value), expected))
    return value


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
    expected = "expected a sequence of types."
    if isinstance(value, str):
        parts = [part.strip() for part in value.split(",")]
        remedy = format_message("Use {}.", Argument(name, "=", parts))
        given = Argument(name), value
        raise type_error("{} is the str {!r}", *given, expected=expected, remedy=remedy)
    # The order of the types decides what "bootstrap" draws for each; a set has none.
    is_sequence = isinstance(value, Iterable) and not isinstance(value, AbstractSet)
    if not is_sequence or isinstance(value, bytes | Mapping):
        raise TypeError(describe_value(name, f"of type {type(value).__name__}", expected))
    types = tuple(cast("Iterable[str]", value))
    if not types:
        expected = "expected at least one type, such as 'rouge1'."
        raise ValueError(describe_value(name, "empty", expected))
    for item in types:
        if not isinstance(item, str) or item not in LIBRARY_TYPES:
            parse_rouge_type(item if isinstance(item, str) else repr(item))
    # Parity: rouge_score's results are a dict by type, so a repeated type is scored once.
    distinct = tuple(dict.fromkeys(map(str, types)))
    if len(distinct) > _MOST_TYPES:
        raise value_error(
            "{} has {} types",
            *(Argument(name), len(distinct)),
            expected=f"expected at most {_MOST_TYPES}.",
            remedy="Score the others in another call.",
        )
    return distinct

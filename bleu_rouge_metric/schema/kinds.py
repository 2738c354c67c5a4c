"""Kinds of values that options have, and how each is written in a signature and read back.

A value is written without ``|`` and ``:``, which separate the items of a signature.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import quote, unquote

_PLAIN: Final = " /*()[]<>!$&'+;=@~"

# How the name of a function begins. A signature can only name it.
CALLABLE: Final = "callable "


class Kind(NamedTuple):
    """A kind of values.

    Attributes:
        name: in the words of the manual.
        read: from the text of a signature; raises KeyError or ValueError if it cannot be read.
        write: to the text of a signature.
    """

    name: str
    read: Callable[[str], Any]
    write: Callable[[object], str]


def encode(value: object) -> str:
    """Return one value as text without ``|`` and ``:``.

    >>> encode(True), encode(0.5), encode(("rouge1", "rougeL")), encode(len)
    ('yes', '0.5', 'rouge1,rougeL', 'callable builtins.len')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return quote(value, safe=_PLAIN, errors="surrogatepass")
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Sequence):
        is_nested = value and isinstance(value[0], Sequence) and not isinstance(value[0], str)
        return (";" if is_nested else ",").join(map(encode, value))
    name = getattr(value, "__qualname__", type(value).__qualname__)
    return CALLABLE + quote(f"{getattr(value, '__module__', '')}.{name}", safe=_PLAIN)


def _encode_words(value: object) -> str:
    """Return the name of a list, or a list in brackets."""
    return encode(value) if isinstance(value, str) else f"[{encode(value)}]"


def _decode(text: str) -> str:
    return unquote(text, errors="surrogatepass")


def _to_flag(text: str) -> bool:
    return {"yes": True, "no": False}[text]


def _to_flag_or_name(text: str) -> bool | str:
    return text == "yes" if text in ("yes", "no") else _decode(text)


def _to_names(text: str) -> tuple[str, ...]:
    return tuple(map(_decode, text.split(","))) if text else ()


def _to_words(text: str) -> str | tuple[str, ...]:
    """Return a list in brackets, or the name of one."""
    is_list = text.startswith("[") and text.endswith("]")
    return _to_names(text[1:-1]) if is_list else _decode(text)


def _to_float(text: str) -> float:
    number = float(text)
    if math.isnan(number):
        raise ValueError(text)
    return number


def _to_number(text: str) -> float:
    """An int stays one: NLTK calculates with it in exact fractions."""
    return int(text) if text.isdecimal() else _to_float(text)


def _to_ids(text: str) -> tuple[int, ...]:
    """Return one id, or several; ``checks.to_id_option`` makes an int of one."""
    return tuple(map(int, text.split(",")))


def _to_weights(text: str) -> tuple[Any, ...]:
    """Return weights of one score, or of several."""
    sets = tuple(tuple(map(_to_float, part.split(","))) for part in text.split(";"))
    return sets if ";" in text else sets[0]


FLAG: Final = Kind("True or False", _to_flag, encode)
INT: Final = Kind("int", int, encode)
FLOAT: Final = Kind("float", _to_float, encode)
NUMBER: Final = Kind("int or float", _to_number, encode)
NAME: Final = Kind("str", _decode, encode)
NAMES: Final = Kind("sequence of str", _to_names, encode)
PATHS: Final = Kind("path, or sequence of paths", _to_names, encode)
WORDS: Final = Kind("str, or sequence of str", _to_words, _encode_words)
WEIGHTS: Final = Kind("sequence of float, or several such sequences", _to_weights, encode)
IDS: Final = Kind("int, or sequence of int", _to_ids, encode)
STEMMER: Final = Kind("True, False or str", _to_flag_or_name, encode)
SMOOTHING: Final = Kind("True, False or str", _decode, encode)
NAME_OR_FUNCTION: Final = Kind("str or callable", _decode, encode)

# Kinds whose values may be True or False.
WITH_FLAGS: Final = (FLAG, STEMMER, SMOOTHING)

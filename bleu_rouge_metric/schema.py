"""What is known of an option: its row in the table of options, with the kind of its values."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from types import NoneType
from typing import Any, Final, Literal, NamedTuple, get_args, get_origin
from urllib.parse import quote, unquote

# Characters that a signature has as they are; ``|`` and ``:`` separate its items.
_PLAIN: Final = " /*()[]<>!$&'+;=@~"

# How the name of a function begins. A signature can only name it.
CALLABLE: Final = "callable "


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


class Kind(NamedTuple):
    """A kind of values.

    Attributes:
        name: in the words of the manual.
        read: from the text of a signature; raises KeyError or ValueError if it cannot be read.
        write: to the text of a signature.
    """

    name: str
    read: Callable[[str], Any]
    write: Callable[[object], str] = encode


def _decode(text: str) -> str:
    return unquote(text, errors="surrogatepass")


def _to_names(text: str) -> tuple[str, ...]:
    return tuple(map(_decode, text.split(","))) if text else ()


def _to_float(text: str) -> float:
    number = float(text)
    if math.isnan(number):
        raise ValueError(text)
    return number


def _to_weights(text: str) -> tuple[Any, ...]:
    """Return weights of one score, or of several."""
    sets = tuple(tuple(map(_to_float, part.split(","))) for part in text.split(";"))
    return sets if ";" in text else sets[0]


_FLAGS: Final = {"yes": True, "no": False}

FLAG: Final = Kind("True or False", _FLAGS.__getitem__)
INT: Final = Kind("int", int)
FLOAT: Final = Kind("float", _to_float)
# An int stays one: NLTK calculates with it in exact fractions.
NUMBER: Final = Kind(
    "int or float", lambda text: int(text) if text.isdecimal() else _to_float(text)
)
NAME: Final = Kind("str", _decode)
NAMES: Final = Kind("sequence of str", _to_names)
PATHS: Final = Kind("path, or sequence of paths", _to_names)
# The name of a list, or a list in brackets.
WORDS: Final = Kind(
    "str, or sequence of str",
    lambda text: (
        _to_names(text[1:-1]) if text.startswith("[") and text.endswith("]") else _decode(text)
    ),
    lambda value: encode(value) if isinstance(value, str) else f"[{encode(value)}]",
)
WEIGHTS: Final = Kind("sequence of float, or several such sequences", _to_weights)
IDS: Final = Kind("int, or sequence of int", lambda text: tuple(map(int, text.split(","))))
STEMMER: Final = Kind(
    "True, False or str", lambda text: _FLAGS[text] if text in _FLAGS else _decode(text)
)
SMOOTHING: Final = Kind("True, False or str", _decode)
NAME_OR_FUNCTION: Final = Kind("str or callable", _decode)

# Kinds whose values may be True or False.
WITH_FLAGS: Final = (FLAG, STEMMER, SMOOTHING)

# The kind of an option by the type of its values, and what the command calls such a value.
_KINDS: Final = {bool: FLAG, int: INT, float: FLOAT, str: NAME}
_METAVARS: Final = {INT: "INT", FLOAT: "FLOAT", NUMBER: "FLOAT", FLAG: "", STEMMER: ""}
_LISTS: Final = (NAMES, PATHS, WEIGHTS)

# What an option decides: what is counted, how counts become the score of a sample, how the scores
# of samples become one, or what is given back.
Effect = Literal["counts", "scores", "aggregation", "output"]


@dataclass(frozen=True, kw_only=True)
class Flag:
    """A flag of the command for an option.

    Attributes:
        metavar: what its value is called; empty for a flag without a value.
        panel: the heading of the help that it is below; empty for the first.
        names: such as ``--rouge-type``; empty for that of the option.
        text: what the help says, if that is not what the option says.
        more: what the help says besides.
        is_list: whether it may be given several times.
        completions: values that a shell may complete, if the option does not name its choices.
    """

    metavar: str = ""
    panel: str = ""
    names: str = ""
    text: str = ""
    more: str = ""
    is_list: bool = False
    completions: tuple[str, ...] = ()


class Foreign(NamedTuple):
    """What other libraries call an option.

    Attributes:
        words: their keywords, which may be flags of a command too, ``smooth_method``, and those of
            their flags that are not keywords: ``-tok``.
        use: what to write here, if it is more than another name for the same value.
        command: what to write on the command line, if it is not ``use`` with flags; None if nothing
            there corresponds.
        is_opposite: whether True stands for False here.
    """

    words: str
    use: str = ""
    command: str | None = ""
    is_opposite: bool = False

    @property
    def names(self) -> list[str]:
        """Return the keywords."""
        return [word for word in self.words.split() if word[0] != "-"]

    @property
    def flags(self) -> list[str]:
        """Return the flags that are not keywords."""
        return [word for word in self.words.split() if word[0] == "-"]


@dataclass(frozen=True, kw_only=True)
class Option:
    """One option.

    Attributes:
        name: its keyword.
        kind: of its values; says how a signature has them.
        effect: what it decides.
        text: what it does, in one sentence without its end.
        families: the families that have it, as callers ask for them; empty for all.
        default: its value if neither the caller nor the profile gives one.
        unset: what None stands for, if that is the default.
        choices: the names that it may have, if these are all.
        check: takes the name and a value that was given; returns the value as it is kept. None if
            the value is checked with others, by ``Score.plan``.
        used_by: the names of the families that use it; empty for all of ``families``.
        samples: ``texts`` or ``ids`` if it means something to these alone.
        signed: whether a signature says it always, never, or if it is not the profile's.
        one_number: the value with which a score is one number, if other values make lists.
        flags: of the command.
        foreign: what other libraries call it, for the error if somebody gives that.
    """

    name: str
    kind: Kind
    effect: Effect
    text: str
    families: tuple[str, ...] = ()
    default: object = None
    unset: str = ""
    choices: tuple[str, ...] = ()
    check: Callable[[str, Any], Any] | None = None
    used_by: tuple[str, ...] = ()
    samples: Literal["texts", "ids"] | None = None
    signed: Literal["always", "changed", "never"] = "changed"
    one_number: bool | None = None
    flags: tuple[Flag, ...] = ()
    foreign: tuple[Foreign, ...] = ()

    def is_of(self, groups: Sequence[str]) -> bool:
        """Return whether one of these families has the option."""
        return not self.families or any(group in self.families for group in groups)


def row(text: str, effect: Effect, *flags: Flag, **facts: Any) -> Any:
    """Return the row of an option: a field of a dataclass, whose type says kind and choices."""
    return field(metadata={"text": text, "effect": effect, "flags": flags, **facts})


def read_rows(record: type, family: str = "") -> tuple[Option, ...]:
    """Return the options of a record of rows, in order; ``family`` is empty for all families."""
    return tuple(_read(item.name, item.type, family, **item.metadata) for item in fields(record))


def _read(name: str, hint: Any, family: str, flags: tuple[Flag, ...], **facts: Any) -> Option:
    """Return the option of a field."""
    parts = [part for part in get_args(hint) or (hint,) if part is not NoneType]
    if get_origin(hint) is Literal:
        facts = {"kind": NAME, "choices": tuple(parts), **facts}
    elif "kind" not in facts:
        facts["kind"] = NAME_OR_FUNCTION if len(parts) > 1 else _KINDS[parts[0]]
    # Files do not hold ids, so that their options have no flags.
    if not flags and facts.get("samples") != "ids":
        flags = (Flag(),)
    kind = facts["kind"]
    completed = tuple(
        replace(
            flag,
            metavar=flag.metavar or _METAVARS.get(kind, "NAME"),
            panel=flag.panel or family.upper(),
            is_list=kind in _LISTS,
        )
        for flag in flags
    )
    return Option(name=name, families=(family,) * bool(family), flags=completed, **facts)

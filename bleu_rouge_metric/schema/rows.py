"""Rows of the table of options, written as annotations of the keywords that type checkers read.

Name, type and choices of an option are those of the annotation; nothing says them twice.
"""

from collections.abc import Callable
from types import NoneType
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from . import kinds
from .option import Effect, Flag, Foreign, Option

_KINDS = {bool: kinds.FLAG, int: kinds.INT, float: kinds.FLOAT, str: kinds.NAME}
_METAVARS = {kinds.FLAG: "", kinds.INT: "INT", kinds.FLOAT: "FLOAT", kinds.NUMBER: "FLOAT"}


class Row(NamedTuple):
    """What an annotation does not say; the attributes are those of ``Option``.

    Attributes:
        foreign: keywords of other libraries for the same values, and flags of their commands.
        uses: likewise, with what to write here.
        flag: what its value is called on the command line; None for the usual word.
        panel: the heading of the help; empty for the family.
    """

    text: str
    effect: Effect
    default: Any = None
    unset: str = ""
    kind: kinds.Kind | None = None
    choices: tuple[str, ...] = ()
    check: Callable[[str, Any], Any] | None = None
    used_by: tuple[str, ...] = ()
    samples: Literal["texts", "ids"] | None = None
    signed: Literal["always", "changed", "never"] = "changed"
    one_number: bool | None = None
    foreign: str = ""
    uses: tuple[tuple[str, str], ...] = ()
    flag: str | None = None
    names: str = ""
    panel: str = ""
    help: str = ""
    completions: tuple[str, ...] = ()


def read_rows(keywords: type, family: str) -> tuple[Option, ...]:
    """Return the options of a family from the annotations of its keywords, in their order."""
    hints = get_type_hints(keywords, include_extras=True)
    return tuple(_read(name, hints[name], family) for name in keywords.__annotations__)


def _read(name: str, hint: Any, family: str) -> Option:
    kept, row = get_args(hint) if get_origin(hint) is Annotated else (hint, None)
    types = [each for each in get_args(kept) or (kept,) if each is not NoneType]
    is_literal = get_origin(types[0]) is Literal
    choices = get_args(types[0]) if is_literal else row.choices
    kind = row.kind or (kinds.NAME if is_literal else _KINDS[types[0]])
    metavar = _METAVARS.get(kind, "NAME") if row.flag is None else row.flag
    flag = Flag(
        metavar=metavar,
        panel=row.panel or family.upper(),
        names=row.names,
        text=row.help or f"{row.text[0].upper()}{row.text[1:]}.",
        is_list=kind in (kinds.NAMES, kinds.WEIGHTS, kinds.PATHS),
        completions=row.completions,
    )
    return Option(
        name=name,
        families=(family,),
        choices=choices,
        kind=kind,
        flags=(flag,),
        foreign=tuple(_read_foreign(row)),
        **{key: getattr(row, key) for key in _SAME},
    )


_SAME = (
    "text",
    "effect",
    "default",
    "unset",
    "check",
    "used_by",
    "samples",
    "signed",
    "one_number",
)


def _read_foreign(row: Row) -> "list[Foreign]":
    found = []
    for words, use in (*([(row.foreign, "")] if row.foreign else []), *row.uses):
        names = tuple(word for word in words.split() if word[0] not in "-!")
        flags = tuple(word for word in words.split() if word[0] == "-")
        found.append(Foreign(names, use, flags, is_opposite=words.endswith("!")))
    return found

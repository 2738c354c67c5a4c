"""What is known of an option: its row in the table of options, beside its type."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from types import NoneType
from typing import Any, Final, Literal, NamedTuple, get_args, get_origin

from . import kinds
from .kinds import Kind

# What an option decides: what is counted, how counts become the score of a sample, how the scores
# of samples become one, or what is given back.
Effect = Literal["counts", "scores", "aggregation", "output"]

# The kind of an option by the type of its values, and what the command calls such a value.
_KINDS: Final = {bool: kinds.FLAG, int: kinds.INT, float: kinds.FLOAT, str: kinds.NAME}
_METAVARS: Final = {
    kinds.INT: "INT",
    kinds.FLOAT: "FLOAT",
    kinds.NUMBER: "FLOAT",
    kinds.FLAG: "",
    kinds.STEMMER: "",
}
_LISTS: Final = (kinds.NAMES, kinds.PATHS, kinds.WEIGHTS)


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
            the value is checked with others, by ``resolve.py``.
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
    """Return the row of an option, as the field of a record whose type is that of its values.

    Args:
        text: as for ``Option``.
        effect: as for ``Option``.
        *flags: of the command; none for a flag without words of its own, or for ids, which files
            do not hold.
        **facts: other attributes of ``Option``, but for those that the type says: ``choices``, and
            the kind of flags, numbers, names, and names or functions.
    """
    return field(metadata={"text": text, "effect": effect, "flags": flags, **facts})


def read_rows(record: type, family: str = "") -> tuple[Option, ...]:
    """Return the options of a record of rows, in order.

    Args:
        record: a dataclass with the options as its fields.
        family: the family that has them, as callers ask for it; empty for all.

    >>> @dataclass
    ... class Toy:
    ...     repeats: int = row("how often it is played", "scores", default=1)
    >>> [(option.name, option.kind.name, option.default) for option in read_rows(Toy)]
    [('repeats', 'int', 1)]
    """
    return tuple(_read(item.name, item.type, family, **item.metadata) for item in fields(record))


def _read(name: str, hint: Any, family: str, flags: tuple[Flag, ...], **facts: Any) -> Option:
    """Return the option of a field."""
    parts = [part for part in get_args(hint) or (hint,) if part is not NoneType]
    if get_origin(hint) is Literal:
        facts = {"kind": kinds.NAME, "choices": tuple(parts), **facts}
    elif "kind" not in facts:
        facts["kind"] = kinds.NAME_OR_FUNCTION if len(parts) > 1 else _KINDS[parts[0]]
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

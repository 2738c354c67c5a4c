"""What is known of an option: the record of which the table of options is made."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from .kinds import Kind

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
        names: their keywords, which may be flags of a command too: ``--smooth-method``.
        use: what to write here, if it is more than another name for the same value.
        flags: those of their commands that are not keywords: ``-tok``.
        command: what to write on the command line, if it is not ``use`` with flags; None if nothing
            there corresponds.
        is_opposite: whether True stands for False here.
    """

    names: tuple[str, ...]
    use: str = ""
    flags: tuple[str, ...] = ()
    command: str | None = ""
    is_opposite: bool = False


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

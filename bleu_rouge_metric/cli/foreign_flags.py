"""Flags of other commands: each is an error that names the flag to give in its place.

The names are those of the table of options, so that whoever types ``--smooth-method exp`` reads
what ``smooth_method="exp"`` says in Python, in the words of the command. Other unknown flags are
errors of click, which proposes flags that look alike.
"""

import re
from collections.abc import Container, Iterator, Sequence
from functools import cache
from typing import Any, Final

from ..messages import format_message
from ..options.foreign import ARGUMENTS, NOT_NEEDED, OTHER_FLAGS
from ..options.table import OPTIONS
from ..schema.option import Foreign
from .flag_words import find_flag, write_flags
from .option_flags import to_flag

_FLAG: Final = re.compile(r"--[a-z-]+")

# What to do in place of giving a flag for the references; and in a command that has one.
_POSITIONAL: Final = ARGUMENTS["references"].command
_CALLED_REFERENCES: Final = "it is called --references here"


@cache
def list_foreign_flags() -> dict[str, list[str]]:
    """Return all foreign flags, each with what to do instead.

    Programs have the same flag for different things; then there are several remedies.

    >>> list_foreign_flags()["--smooth-method"]
    ['it is called --smooth here']
    """
    remedies: dict[str, list[str]] = {}
    for flag, remedy in _list_remedies():
        if remedy not in remedies.setdefault(flag, []):
            remedies[flag].append(remedy)
    return remedies


def _list_remedies() -> Iterator[tuple[str, str]]:
    """Iterate over flags with one thing to do instead, flags of several programs several times."""
    for foreign in ARGUMENTS.values():
        for flag in _list_flags(foreign):
            yield flag, foreign.command or ""
    for flags, remedy in OTHER_FLAGS.items():
        for flag in flags:
            yield flag, remedy
    for option in filter(lambda option: option.flags, OPTIONS.values()):
        for foreign in option.foreign:
            remedy = _write_remedy(option.name, foreign)
            for flag in _list_flags(foreign) if remedy else ():
                yield flag, remedy
    for name, remedy in NOT_NEEDED.items():
        yield to_flag(name), remedy


def _write_remedy(name: str, foreign: Foreign) -> str:
    """Write what to do in place of giving a flag for an option; empty if there is nothing."""
    if foreign.command is None:
        return ""
    if foreign.command:
        return f"use {foreign.command}"
    if foreign.use:
        return write_flags(format_message("use " + foreign.use))
    return f"it is called {find_flag(name)} here"


def _list_flags(foreign: Foreign) -> list[str]:
    return [*map(to_flag, foreign.names), *foreign.flags]


def find_remedy(unknown: str, arguments: Sequence[str], ours: Container[str]) -> str | None:
    """Return the error for a foreign flag; None if it is not known, or not in this command.

    Args:
        unknown: the flag that is unknown; of ``-tok`` it is the first letter, ``-t``.
        arguments: of the command.
        ours: the flags that the command has.
    """
    known = list_foreign_flags()
    # Each argument before its value, which may be behind "=".
    split = [part for argument in arguments for part in argument.split("=", 1)]
    names = [*split, unknown]
    for name, value in zip(names, [*names[1:], ""], strict=True):
        remedies = known.get(name.replace("_", "-"))
        if remedies and name.startswith(unknown):
            possible = [r for r in remedies if all(flag in ours for flag in _FLAG.findall(r))]
            possible = _choose_by_value(possible, value)
            if "--references" in ours:
                possible = [_CALLED_REFERENCES if r == _POSITIONAL else r for r in possible]
            return f"Unknown flag {name}; {'; or '.join(possible)}." if possible else None
    return None


def _choose_by_value(remedies: list[str], value: str) -> list[str]:
    """Keep the remedies of files, or of an option with a number, if a flag stands for both."""
    of_files = {foreign.command for foreign in ARGUMENTS.values()}
    is_number = value.replace(".", "", 1).isdecimal()
    return [r for r in remedies if (r in of_files) != is_number] or remedies

"""Messages of the package in the words of the command: flags in place of keywords.

Python writes ``max_order is 0``; who typed ``--max-order 0`` reads ``--max-order is 0``. The flags
are those of the table of options.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from ..messages import Argument, Message, PythonOnly
from ..options.table import OPTIONS
from .option_flags import name_flags, to_flag

_NONE: Final[Mapping[str, str]] = MappingProxyType({})


def write_flags(message: str, flags: Mapping[str, str] = _NONE) -> str:
    """Return the message with flags in place of the names of options.

    Args:
        message: one without parts stays as it is.
        flags: those of arguments that are no options, or have another flag in this command.

    >>> write_flags(Message(Argument("max_order"), " is 0; use ", Argument("max_order", "=", 3)))
    '--max-order is 0; use --max-order 3'
    """
    if not isinstance(message, Message):
        return message

    def write(part: Argument | PythonOnly) -> object:
        if isinstance(part, PythonOnly):
            return part.elsewhere
        name, bracket, index = part.name.partition("[")
        if name in flags:
            value = "" if part.value is None else f" {part.value}"
            return f"{flags[name]}{bracket}{index}{value}"
        return f"{_write_option(part._replace(name=name))}{bracket}{index}"

    return str(message.map(write))


def _write_option(part: Argument) -> object:
    """Write an option with its value; what has no flag stays as it is."""
    if not _has_flags(part.name):
        return part
    if isinstance(part.value, bool):
        switch = _find_switch(part.name, is_on=part.value)
        if part.sign == "=":
            return switch or part
        given = "" if switch or part.value else "not "
        return f"{switch or find_flag(part.name)} is {given}given"
    if part.value is None:
        return find_flag(part.name)
    values = part.value if isinstance(part.value, list) else [part.value]
    flag = find_flag(part.name, takes_value=True)
    return " ".join(f"{flag} {value}" for value in values)


def _has_flags(name: str) -> bool:
    return name == "seed" or (name in OPTIONS and bool(OPTIONS[name].flags))


def find_flag(name: str, *, takes_value: bool = False) -> str:
    """Return the first flag of an option, or the first that takes a value."""
    if name not in OPTIONS:
        return to_flag(name)
    option = OPTIONS[name]
    flags = [flag for flag in option.flags if flag.metavar or not takes_value]
    return name_flags(option, (flags or option.flags)[0])[0]


def _find_switch(name: str, *, is_on: bool) -> str:
    """Return the flag that turns an option on or off; empty if there is none."""
    option = OPTIONS[name]
    names = next((name_flags(option, flag) for flag in option.flags if not flag.metavar), [])
    return "".join(names[:1] if is_on else names[1:])

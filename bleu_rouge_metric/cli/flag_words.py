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
        flags: those of arguments that are not options, or have another flag in this command.

    >>> write_flags(Message([Argument("max_order"), " is 0; use ", Argument("max_order", "=", 3)]))
    '--max-order is 0; use --max-order 3'
    """
    if not isinstance(message, Message):
        return message

    def write(part: Argument | PythonOnly) -> object:
        if isinstance(part, PythonOnly):
            return part.elsewhere
        name, bracket, index = part.name.partition("[")
        is_known = name == "seed" or (name in OPTIONS and OPTIONS[name].flags)
        if name in flags or (is_known and part.value is None):
            return f"{flags.get(name) or find_flag(name)}{bracket}{index}"
        return _write_setting(part) if is_known else part

    return str(message.map(write))


def _write_setting(part: Argument) -> object:
    """Write an option with its value: ``max_order=3``, ``use_stemmer is False``."""
    if not isinstance(part.value, bool):
        flag = find_flag(part.name, takes_value=True)
        if isinstance(part.value, list):
            return " ".join(f"{flag} {item}" for item in part.value)
        return f"{flag} {' or '.join(map(str, part.list_values()))}"
    switches = [flag for flag in OPTIONS[part.name].flags if not flag.metavar]
    names = name_flags(OPTIONS[part.name], switches[0]) if switches else []
    switch = "".join(names[:1] if part.value else names[1:])
    if part.sign == "=":
        return switch or part
    return f"{switch} is given" if switch else f"{find_flag(part.name)} is not given"


def find_flag(name: str, *, takes_value: bool = False) -> str:
    """Return the first flag of an option, or the first that takes a value."""
    if name not in OPTIONS:
        return to_flag(name)
    option = OPTIONS[name]
    flags = [flag for flag in option.flags if flag.metavar or not takes_value]
    return name_flags(option, (flags or option.flags)[0])[0]

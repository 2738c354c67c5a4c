"""Messages of the package in the words of the command: flags in place of keywords.

The package speaks of options as Python has them, ``max_order is 0``; who typed ``--max-order 0``
reads ``--max-order is 0``. The flags are those of the table of options.
"""

import re
from typing import Final

from ..options.table import OPTIONS
from .option_flags import name_flags

# What is said to those who write Python alone.
_PYTHON: Final = {" or a callable str -> list[str]": "", "math.inf": "inf"}

# Longer names first: one may begin as another does.
_NAMES: Final = sorted(["seed", *(o.name for o in OPTIONS.values() if o.flags)], key=len)[::-1]
_KNOWN: Final = f"(?P<name>{'|'.join(_NAMES)})"
_UNMISTAKABLE: Final = f"(?P<name>{'|'.join(name for name in _NAMES if '_' in name)})"
# What may not precede a name, because the name may be part of a path, of a text or of a flag.
_APART: Final = r"(?<![\w'./-])"
_END: Final = r"(?![\w'/-])"

_VALUE: Final = re.compile(
    rf"{_APART}{_KNOWN}=(?P<value>'[^']*'(?: or '[^']*')?|True|False|\d+(?:\.\d+)?)"
)
_LIST: Final = re.compile(rf"{_APART}{_KNOWN}=\[(?P<items>'[^\]]*')\]")
_STATE: Final = re.compile(rf"{_APART}{_KNOWN} is (?P<value>True|False)\b")
_START: Final = re.compile(
    rf"(?P<before>^Unknown |^|(?<=, but ))(?P<quote>'?){_KNOWN}(?P=quote){_END}"
)
_MIDDLE: Final = re.compile(rf"{_APART}{_UNMISTAKABLE}=?{_END}")


def speak_of_flags(message: str) -> str:
    """Return the message with flags in place of the names of options.

    An option is spoken of at the start of a message, behind "but", with a value behind ``=``, and
    by any name with an underscore that is not quoted.

    >>> speak_of_flags("max_order is 0; use max_order=3 or smooth='exp'.")
    '--max-order is 0; use --max-order 3 or --smooth exp.'
    >>> speak_of_flags("'use_stemmer' applies to ROUGE only, but use_aggregator is False.")
    '--use-stemmer applies to ROUGE only, but --no-aggregator is given.'
    """
    for python, ours in _PYTHON.items():
        message = message.replace(python, ours)
    message = _LIST.sub(_write_list, message)
    message = _VALUE.sub(_write_value, message)
    message = _STATE.sub(_write_state, message)
    message = _START.sub(_write_name, message)
    return _MIDDLE.sub(_write_name, message)


def _write_value(found: re.Match[str]) -> str:
    """An option with a value: ``use_stemmer=True``, ``tokenizer='char'``."""
    name, value = found["name"], found["value"]
    if value in ("True", "False"):
        return _find_switch(name, is_on=value == "True") or found[0]
    return f"{find_flag(name, takes_value=True)} {value.replace(chr(39), '')}"


def _write_list(found: re.Match[str]) -> str:
    """An option with several values, whose flag is given as often: ``rouge_types=['rouge1']``."""
    items = re.findall("'([^']*)'", found["items"])
    flag = find_flag(found["name"], takes_value=True)
    return " ".join(f"{flag} {item}" for item in items)


def _write_state(found: re.Match[str]) -> str:
    """Write the state of an option, such as ``use_stemmer is False``, in words of flags."""
    is_on = found["value"] == "True"
    if switch := _find_switch(found["name"], is_on=is_on):
        return f"{switch} is given"
    return f"{find_flag(found['name'])} is {'' if is_on else 'not '}given"


def _write_name(found: re.Match[str]) -> str:
    return (found.groupdict().get("before") or "") + find_flag(found["name"])


def find_flag(name: str, *, takes_value: bool = False) -> str:
    """Return the first flag of an option, or the first that takes a value."""
    if name not in OPTIONS:
        return f"--{name}"
    option = OPTIONS[name]
    flags = [flag for flag in option.flags if flag.metavar or not takes_value]
    return name_flags(option, (flags or option.flags)[0])[0]


def _find_switch(name: str, *, is_on: bool) -> str:
    """Return the flag that turns an option on or off; empty if there is none."""
    if name not in OPTIONS:
        return ""
    option = OPTIONS[name]
    switches = [flag for flag in option.flags if not flag.metavar]
    names = name_flags(option, switches[0]) if switches else []
    if is_on:
        return names[0] if names else ""
    return names[1] if len(names) > 1 else ""

"""Errors and warnings of the command: one line each on standard error, with flags for keywords.

Python writes ``max_order is 0``; for ``--max-order 0`` the command writes ``--max-order is 0``. A
message names a flag only if the command has it, and the one that was typed if several set the same
option. Flags of other programs are errors that say what to give instead.
"""

import os
import re
import sys
import warnings
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from ..files.input import FileError, describe
from ..messages import Argument, Message, PythonOnly, format_message, get_message
from ..options.errors import ARGUMENTS, NOT_NEEDED, OTHER_FLAGS
from ..options.table import OPTIONS
from ..schema import Foreign
from ..tables import make_printable
from .flags import name_flags, to_flag

NAME: Final = "bleu-rouge"

_FAILED: Final = 2
# What a shell reports for a command that SIGINT or SIGPIPE ended.
_INTERRUPTED: Final = 130
_PIPE_CLOSED: Final = 141

_FLAG: Final = re.compile(r"--[a-z-]+")

# What ``--language`` chooses.
_CHOICES: Final = {
    "use_stemmer": "stemmer",
    "bleu_tokenizer": "BLEU tokenizer",
    "rouge_tokenizer": "ROUGE tokenizer",
}
_REFERENCES: Final = "--references"


class UsageError(Exception):
    """Options that do not go together, or a bad value of one."""


class Words(NamedTuple):
    """What a command calls the arguments of Python, with the flags on its command line."""

    flags: Mapping[str, str]  # by the argument; those of options come from the table
    options: Container[str]
    typed: Container[str] = ()
    language: str = ""  # the value of ``--language``

    def find_flag(self, name: str, *, takes_value: bool = False) -> str:
        """Return the flag of an option: the one that was typed, or else the first."""
        if name in self.flags:
            return self.flags[name]
        option = OPTIONS[name]
        flags = [flag for flag in option.flags if flag.metavar or not takes_value] or option.flags
        names = [name_flags(option, flag)[0] for flag in flags]
        return next((each for each in names if each in self.typed), names[0])

    def write(self, part: Argument | PythonOnly) -> object:
        """Write a part of a message."""
        if isinstance(part, PythonOnly):
            return part.elsewhere
        name, bracket, index = part.name.partition("[")
        is_option = name in self.options and name in OPTIONS and bool(OPTIONS[name].flags)
        if is_option and not part.sign and self.language and name in _CHOICES:
            flags = OPTIONS[name].flags
            names = {each for flag in flags for each in name_flags(OPTIONS[name], flag)}
            if not any(each in self.typed for each in {*names, "--tokenizer"}):
                return f"the {_CHOICES[name]} of --language {self.language}"
        if name in self.flags and bracket:
            return f"{name.removesuffix('s')} {index.removesuffix(']')}"
        if name in self.flags or (is_option and part.value is None):
            return f"{self.find_flag(name)}{bracket}{index}"
        return self._write_setting(part) if is_option else part

    def _write_setting(self, part: Argument) -> object:
        """Write an option with its value: ``max_order=3``, ``use_stemmer is False``."""
        if isinstance(part.value, bool):
            option = OPTIONS[part.name]
            names = next(
                (name_flags(option, flag) for flag in option.flags if not flag.metavar), []
            )
            switch = "".join(names[:1] if part.value else names[1:])
            if part.sign == "=":
                return switch or part
            return f"{switch} is given" if switch else f"{self.find_flag(part.name)} is not given"
        flag = self.find_flag(part.name, takes_value=True)
        if isinstance(part.value, list):
            return " ".join(f"{flag} {item}" for item in part.value)
        return f"{flag} {' or '.join(map(str, part.list_values()))}"


_ALL_WORDS: Final = Words(MappingProxyType({"seed": "--seed"}), OPTIONS)
# Those of the command that runs.
_words: Final = ContextVar("_words", default=_ALL_WORDS)


@contextmanager
def use_words(words: Words) -> Iterator[None]:
    """Write the messages of the block with the words of a command."""
    token = _words.set(words)
    try:
        yield
    finally:
        _words.reset(token)


def write_flags(message: str) -> str:
    """Return the message with flags in place of Python's arguments; one without parts as it is."""
    return str(message.map(_words.get().write)) if isinstance(message, Message) else message


def find_name(argument: str) -> str:
    """Return the flag of an argument of the command that runs."""
    return _words.get().find_flag(argument)


@contextmanager
def usage_errors() -> Iterator[None]:
    """Convert errors of checks of options, which elsewhere are faults, to ``UsageError``."""
    try:
        yield
    except (TypeError, ValueError, ImportError, LookupError) as error:
        raise UsageError(write_flags(get_message(error))) from error
    except OSError as error:
        raise UsageError(f"{error.filename}: {describe(error)}.") from error


@contextmanager
def name_file(path: str) -> Iterator[None]:
    """Name the file in errors of the block, which only counts samples of this file."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise FileError(path, write_flags(get_message(error))) from error


@contextmanager
def one_line_warnings() -> Iterator[None]:
    """Write each warning to standard error as one line, once."""
    shown: set[str] = set()

    def show(warning: Warning, *_: object, **__: object) -> None:
        message = write_flags(get_message(warning))
        if message not in shown:
            shown.add(message)
            print_error(f"warning: {message}")

    with warnings.catch_warnings():
        # Deprecations in libraries do not concern the user.
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = show  # type: ignore[assignment]
        yield


@contextmanager
def one_line_errors() -> Iterator[None]:
    """End the command with one line for a wrong file or option, a missing library and Ctrl-C."""
    try:
        yield
    except (FileError, UsageError, ImportError) as error:
        print_error(str(error))
        raise SystemExit(_FAILED) from error
    except BrokenPipeError as error:
        # The reader has what it wanted.
        discard_output()
        raise SystemExit(_PIPE_CLOSED) from error
    except KeyboardInterrupt as error:
        print_error("interrupted.")
        raise SystemExit(_INTERRUPTED) from error


def print_error(message: str) -> None:
    """Write one line to standard error."""
    if sys.stderr is not None:
        sys.stderr.write(make_printable(" ".join(f"{NAME}: {message}".splitlines())) + "\n")
        sys.stderr.flush()


def discard_output() -> None:
    """Discard the buffer of standard output, which Python would otherwise try to write again."""
    with suppress(OSError, ValueError), Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


@cache
def list_foreign_flags() -> dict[str, str]:
    """Return the flags of other programs, each with what to do instead."""
    rows = [
        *((foreign, foreign.command or "") for foreign in ARGUMENTS.values()),
        *((Foreign(" ".join(flags)), remedy) for flags, remedy in OTHER_FLAGS.items()),
        *(
            (foreign, _write_remedy(option.name, foreign))
            for option in OPTIONS.values()
            for foreign in option.foreign
            if option.flags and foreign.command is not None
        ),
        *((Foreign(name), remedy) for name, remedy in NOT_NEEDED.items()),
    ]
    remedies: dict[str, str] = {}
    for foreign, remedy in rows:
        for flag in (*map(to_flag, foreign.names), *foreign.flags):
            remedies.setdefault(flag, remedy)
    return remedies


def _write_remedy(name: str, foreign: Foreign) -> str:
    """Write what to do in place of giving a flag for an option."""
    if foreign.command:
        return f"use {foreign.command}"
    if foreign.use:
        return str(format_message("use " + foreign.use).map(_ALL_WORDS.write))
    return f"it is called {_ALL_WORDS.find_flag(name)} here"


def find_remedy(unknown: str, arguments: Sequence[str], ours: Container[str]) -> str | None:
    """Return the error for a flag of another program; None if nothing here corresponds to it.

    Of ``-tok``, the unknown flag is the first letter, ``-t``.
    """
    for name in (*(argument.partition("=")[0] for argument in arguments), unknown):
        remedy = list_foreign_flags().get(name.replace("_", "-"))
        if remedy and name.startswith(unknown):
            if _REFERENCES in ours and remedy == ARGUMENTS["references"].command:
                remedy = f"it is called {_REFERENCES} here"
            has_all = all(flag in ours for flag in _FLAG.findall(remedy))
            return f"Unknown flag {name}; {remedy}." if has_all else None
    return None

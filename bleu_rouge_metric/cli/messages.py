"""Errors and warnings of the command: one line each on standard error; and what it prints.

A wrong file or option is ``bleu-rouge: FILE:LINE: message``, and exit status 2.
"""

import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import Final

from ..files.input import FileError, describe
from ..messages import get_message
from ..tables import make_printable
from .flag_words import write_flags

NAME: Final = "bleu-rouge"

_FAILED: Final = 2
# An escape that sets a colour. Reports have colours; the names in them do not.
_COLOUR: Final = re.compile(r"(\x1b\[[\d;]*m)")
# What a shell reports for a command that SIGINT or SIGPIPE ended.
_INTERRUPTED: Final = 130
_PIPE_CLOSED: Final = 141
_NONE: Final[Mapping[str, str]] = MappingProxyType({})


class UsageError(Exception):
    """Options that do not go together, or a bad value of one."""


@contextmanager
def usage_errors(flags: Mapping[str, str] = _NONE) -> Iterator[None]:
    """Convert errors of a check of options, and of what options need, to ``UsageError``.

    Elsewhere such an error is a fault of the program, and keeps its traceback.

    Args:
        flags: those of arguments that are not options, as for ``write_flags``.
    """
    try:
        yield
    except (TypeError, ValueError, ImportError, LookupError) as error:
        raise UsageError(write_flags(get_message(error), flags)) from error
    except OSError as error:
        raise UsageError(f"{error.filename}: {describe(error)}.") from error


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
        # Those of this package; what libraries deprecate is nothing to the user.
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = show  # type: ignore[assignment]
        yield


@contextmanager
def one_line_errors() -> Iterator[None]:
    """End the command with one line on standard error if a file or an option is wrong.

    It does the same if a library is missing, which some tokenizers import with their first text,
    and after Ctrl-C.
    """
    try:
        yield
    except (FileError, UsageError, ImportError) as error:
        print_error(str(error))
        raise SystemExit(_FAILED) from error
    except BrokenPipeError as error:
        # The reader has what it wanted.
        _discard_output()
        raise SystemExit(_PIPE_CLOSED) from error
    except KeyboardInterrupt as error:
        print_error("interrupted.")
        raise SystemExit(_INTERRUPTED) from error


def print_error(message: str) -> None:
    """Write one line to standard error."""
    if sys.stderr is not None:
        sys.stderr.write(make_printable(" ".join(f"{NAME}: {message}".splitlines())) + "\n")
        sys.stderr.flush()


def print_report(make_report: Callable[[], str], *, has_colours: bool = False) -> None:
    """Write a report to standard output.

    Args:
        make_report: returns the report.
        has_colours: whether the report may have colours, and no names that could set them.

    Raises:
        FileError: it cannot be written, except to a closed pipe.
    """
    with _output_errors():
        # A table asks the terminal for its colours while it is made.
        text = make_report()
        if sys.stdout is not None and sys.stdout.isatty():
            # Where a pipe or a file gets data as they are, a terminal does not.
            pieces = _COLOUR.split(text) if has_colours else [text]
            pieces[::2] = map(make_printable, pieces[::2])
            text = "".join(pieces)
        # Names of systems may hold what the terminal cannot show.
        encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
        if sys.stdout is not None:
            sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
            sys.stdout.flush()


def print_content(content: bytes, encoding: str) -> None:
    """Write the content of a text file to standard output: unchanged, except to a terminal.

    Raises:
        FileError: it cannot be written, except to a closed pipe.
    """
    if sys.stdout is None or sys.stdout.isatty():
        print_report(lambda: content.decode(encoding))
        return
    with _output_errors():
        sys.stdout.buffer.write(content)
        sys.stdout.flush()


@contextmanager
def _output_errors() -> Iterator[None]:
    """Convert errors of standard output to ``FileError``, except that of a closed pipe."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        _discard_output()
        raise FileError("<stdout>", f"cannot be written: {describe(error)}.") from error


def _discard_output() -> None:
    """Discard the buffer of standard output, which Python would otherwise try to write again."""
    with suppress(OSError, ValueError), Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())

r"""Read the lines of a text file with their numbers: open, decompress and decode.

Lines end only at ``"\n"``, as in ``wc -l``; ``"\v"``, U+0085, U+2028 and the like stay inside
a line. Files are UTF-8, with or without a byte order mark at their start, unless the caller names
another encoding. If a file cannot be read,
a :class:`FileError` names the file and the line.
"""

import codecs
import gzip
import io
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from pathlib import Path, PurePath
from typing import Any, BinaryIO, Final, NamedTuple, cast

from ..checks import hint_at
from .encodings import UTF8
from .similar_names import find_similar

STDIN: Final = "-"

# In bytes. A longer line is not a text to score: it comes from a device or a file of another kind,
# and might fill the memory.
LONGEST_LINE: Final = 1 << 28

# How a file of UTF-16 begins.
_UTF16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class FileError(Exception):
    """A file cannot be read, written or scored; the error says where and why in one line.

    Attributes:
        path: path of the file, or ``-``.
        message: what is wrong.
        line: number of the line, from 1; None if the error is not about one line.

    >>> print(FileError("samples.csv", "the row has 1 field; expected 2.", 7))
    samples.csv:7: the row has 1 field; expected 2.
    """

    def __init__(self, path: str, message: str, line: int | None = None) -> None:
        name = "<stdin>" if path == STDIN else path
        place = name if line is None else f"{name}:{line}"
        # File names and messages of libraries may hold line breaks.
        super().__init__(" ".join(f"{place}: {message}".splitlines()))
        self.path = path
        self.message = message
        self.line = line

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to pickle the error: subclasses have other arguments than ``args``."""
        return type(self).__new__, (type(self), *self.args), self.__dict__

    def shift(self, lines: int) -> "FileError":
        """Return the same error with ``lines`` added to its line number."""
        line = None if self.line is None else self.line + lines
        return FileError(self.path, self.message, line)


class FileFormat(str, Enum):
    """Format of a file."""

    TEXT = "text"
    JSONL = "jsonl"
    JSON = "json"
    CSV = "csv"
    TSV = "tsv"
    PARQUET = "parquet"


_FORMATS: Final = {
    ".txt": FileFormat.TEXT,
    ".jsonl": FileFormat.JSONL,
    ".ndjson": FileFormat.JSONL,
    ".json": FileFormat.JSON,
    ".csv": FileFormat.CSV,
    ".tsv": FileFormat.TSV,
    ".parquet": FileFormat.PARQUET,
}


def detect_format(path: str) -> tuple[FileFormat | None, bool]:
    """Detect the format of a file, and whether it is compressed with gzip, from its name.

    Args:
        path: path of the file. Its suffix, or the suffix before ``.gz``, decides; upper and lower
            case are the same.

    Returns:
        The format, or None if the suffix is unknown; and whether the name ends in ``.gz``.

    Raises:
        FileError: the name ends in ``.parquet.gz``.

    >>> detect_format("samples.csv.gz")
    (<FileFormat.CSV: 'csv'>, True)
    """
    suffixes = PurePath(path.lower()).suffixes
    is_compressed = suffixes[-1:] == [".gz"]
    if is_compressed:
        suffixes.pop()
    file_format = _FORMATS.get(suffixes[-1]) if suffixes else None
    if is_compressed and file_format is FileFormat.PARQUET:
        raise FileError(
            path, "a Parquet file is compressed inside; .parquet.gz is neither read nor written."
        )
    return file_format, is_compressed


class InputFile(NamedTuple):
    """A file to read.

    Attributes:
        path: path of the file; ``-`` for standard input.
        format: format of its content.
        is_compressed: whether it is compressed with gzip.
        encoding: of its text, a name of ``check_encoding``.
        delimiter: between the fields of CSV and TSV; None for that of the format.
        content: all bytes, if they were read already; None for those of the file.
    """

    path: str
    format: FileFormat
    is_compressed: bool
    encoding: str = UTF8
    delimiter: str | None = None
    content: bytes | None = None

    @classmethod
    def from_path(
        cls,
        path: str,
        stdin_format: FileFormat = FileFormat.TEXT,
        *,
        encoding: str = UTF8,
        delimiter: str | None = None,
    ) -> "InputFile":
        """Return the file with the format that its name says; plain text if it says none."""
        file_format, is_compressed = (stdin_format, False) if path == STDIN else detect_format(path)
        return cls(path, file_format or FileFormat.TEXT, is_compressed, encoding, delimiter)


def find_file(path: str) -> os.stat_result | None:
    """Return the status of the file behind a path or standard input; None if there is no file."""
    if path == STDIN:
        return find_stream(sys.stdin)
    try:
        return Path(path).stat()
    except OSError:
        return None


def check_exists(path: str) -> None:
    """Raise FileError if there is no file of this name; standard input is always there."""
    try:
        if path != STDIN:
            Path(path).stat()
    except OSError as error:
        raise _cannot_open(path, error) from error


def _cannot_open(path: str, error: OSError) -> FileError:
    """Return the error for a file; of a missing one it names a similar one in the same folder."""
    similar = find_similar(path) if isinstance(error, FileNotFoundError) else None
    return FileError(path, f"{describe(error)}.{hint_at(similar)}")


def find_stream(stream: object) -> os.stat_result | None:
    """Return the status of the file behind a stream; None if it is closed or has no file."""
    try:
        return os.fstat(stream.fileno())  # type: ignore[attr-defined]
    except (AttributeError, OSError, ValueError):
        return None


@contextmanager
def open_binary(file: InputFile) -> Iterator[BinaryIO]:
    """Open a file for its decompressed bytes.

    Raises:
        FileError: the file cannot be opened.
    """
    if file.content is not None:
        yield io.BytesIO(file.content)
        return
    if file.path == STDIN:
        # sys.stdin is None if the caller has closed standard input.
        if sys.stdin is None:
            raise FileError(file.path, "standard input is closed.")
        yield sys.stdin.buffer
        return
    try:
        with Path(file.path).open("rb") as handle:
            if file.is_compressed:
                # The buffer makes reading line by line fast.
                stream = io.BufferedReader(cast("io.RawIOBase", gzip.GzipFile(fileobj=handle)))
                yield cast("BinaryIO", stream)
            else:
                yield handle
    except OSError as error:
        raise _cannot_open(file.path, error) from error


def read_lines(
    file: InputFile, start: int = 0, stop: int | None = None
) -> Iterator[tuple[int, str]]:
    r"""Iterate over the lines of a text file with their line ends, numbered from 1.

    A last line without a line end counts as a line.

    Args:
        file: the file to read.
        start: byte at which the first line to read begins; this line has the number 1.
        stop: byte at which the line after the last one begins; None for the end of the file.

    Raises:
        FileError: the file cannot be opened, read, decompressed or decoded.
    """
    number = 0
    with open_binary(file) as handle:
        try:
            is_plain = file.encoding == UTF8
            lines = _read_utf8(file, handle, start, stop) if is_plain else _decode(file, handle)
            for number, line in lines:
                yield number, line
        except UnicodeError as error:
            if not isinstance(error, UnicodeDecodeError) or file.encoding != UTF8:
                message = f"the text is not {file.encoding}; name another with --encoding."
                raise FileError(file.path, message, number + 1) from error
            byte = error.object[error.start]
            message = (
                f"byte {error.start + 1} of the line is 0x{byte:02x}, which is not UTF-8; "
                "save the file as UTF-8, or name its encoding with --encoding."
            )
            if number == 0 and error.object.startswith(_UTF16):
                message = "the file is UTF-16; save it as UTF-8, or use --encoding utf-16."
            raise FileError(file.path, message, number + 1) from error
        except (gzip.BadGzipFile, zlib.error) as error:
            message = f"the file is not valid gzip: {error}."
            raise FileError(file.path, message, number + 1) from error
        except EOFError as error:
            message = "the gzip data is cut off here."
            raise FileError(file.path, message, number + 1) from error
        except OSError as error:
            raise FileError(file.path, f"{describe(error)}.", number + 1) from error


def _read_utf8(
    file: InputFile, handle: BinaryIO, start: int, stop: int | None
) -> Iterator[tuple[int, str]]:
    """Iterate over the lines of ``read_lines`` in UTF-8; raise UnicodeDecodeError if they are not.

    A byte order mark at the start of the file is left out.
    """
    if start:
        handle.seek(start)
    position = start
    for number, line in enumerate(_split_lines(file, handle), start=1):
        position += len(line)
        if stop is not None and position > stop:
            return
        if number == 1 and start == 0 and line.startswith(codecs.BOM_UTF8):
            text = line[len(codecs.BOM_UTF8) :].decode()
            if text:
                yield number, text
        else:
            yield number, line.decode()


def _decode(file: InputFile, handle: BinaryIO) -> Iterator[tuple[int, str]]:
    """Iterate over the lines of a text that is not UTF-8, numbered from 1.

    Raises:
        UnicodeError: the text is not of the encoding; ``number`` may be some lines too low.
        FileError: a line is too long.
    """
    stream = io.TextIOWrapper(handle, file.encoding, newline="\n")
    try:
        lines = iter(lambda: stream.readline(LONGEST_LINE + 1), "")
        for number, line in enumerate(lines, start=1):
            if len(line) > LONGEST_LINE:
                raise _too_long(file, number)
            yield number, line.removeprefix("\ufeff") if number == 1 else line
    finally:
        # The caller closes the file, or has closed it already.
        with suppress(ValueError):
            stream.detach()


def _split_lines(file: InputFile, handle: BinaryIO) -> Iterator[bytes]:
    """Iterate over the lines with their line ends; raise FileError if a line is too long."""
    lines = iter(lambda: handle.readline(LONGEST_LINE + 1), b"")
    for number, line in enumerate(lines, start=1):
        if len(line) > LONGEST_LINE:
            raise _too_long(file, number)
        yield line


def _too_long(file: InputFile, number: int) -> FileError:
    """Return the error for a line that is not text to score."""
    message = (
        f"the line is longer than {LONGEST_LINE:,} bytes; "
        "expected lines of text that end with a line feed."
    )
    return FileError(file.path, message, number)


def is_same_path(one: str, other: str) -> bool:
    """Whether two paths name the same file; one may end with a slash."""
    return os.path.realpath(one) == os.path.realpath(other)


def describe(error: OSError) -> str:
    """Return what went wrong, in the words of the operating system."""
    return error.strerror or str(error)

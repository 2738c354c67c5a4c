"""Open a file that the user names: what kind it is, and its bytes.

The name and the first bytes say the format and the compression; binary files that contain no rows
of texts are errors that say what they are. If a file cannot be read, a :class:`FileError` names the
file and the line.
"""

import codecs
import difflib
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from itertools import islice
from pathlib import Path, PurePath
from typing import Any, BinaryIO, Final, NamedTuple, cast

from ..checks import hint_at
from .kinds import (
    COMPRESSIONS,
    PARQUET,
    decompress,
    decompression_errors,
    find_compression,
    name_kind,
)

STDIN: Final = "-"
UTF8: Final = "utf-8"

# In bytes: how much of a file shows what it is.
_HEAD: Final = 1 << 16

# The names of a large folder would take long to compare.
_MOST_COMPARED: Final = 1000
# How similar a name has to be, from 0 to 1. Names of equal suffixes have 0.6 easily.
_SIMILAR: Final = 0.8


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
    file_format, compression = _split_suffixes(path)
    return (
        (file_format, True)
        if compression == "gzip"
        else (None if compression else file_format, False)
    )


def _split_suffixes(path: str) -> tuple[FileFormat | None, str]:
    """Return the format and the compression that a name says; None and "" if it says none."""
    suffixes = PurePath(path.lower()).suffixes
    suffix = suffixes.pop() if suffixes and suffixes[-1] in COMPRESSIONS else ""
    file_format = _FORMATS.get(suffixes[-1]) if suffixes else None
    if suffix and file_format is FileFormat.PARQUET:
        raise _compressed_parquet(path, suffix)
    return file_format, COMPRESSIONS.get(suffix, "")


def _compressed_parquet(path: str, suffix: str) -> FileError:
    """Return the error for a Parquet file that is compressed as a whole."""
    message = f"a Parquet file is compressed inside; .parquet{suffix} is neither read nor written."
    return FileError(path, message)


class InputFile(NamedTuple):
    """A file to read.

    Attributes:
        path: path of the file; ``-`` for standard input.
        format: format of its content.
        compression: one of ``COMPRESSIONS``; empty if it is not compressed.
        encoding: of its text, a name of ``check_encoding``.
        delimiter: between the fields of CSV and TSV; None for that of the format.
        content: all decompressed bytes, if they were read already; None for those of the file.
        stream: the decompressed bytes of a pipe or of standard input that was opened already.
    """

    path: str
    format: FileFormat
    compression: str = ""
    encoding: str = UTF8
    delimiter: str | None = None
    content: bytes | None = None
    stream: BinaryIO | None = None

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
        file_format, compression = (stdin_format, "") if path == STDIN else _split_suffixes(path)
        return cls(path, file_format or FileFormat.TEXT, compression, encoding, delimiter)

    @property
    def is_compressed(self) -> bool:
        """Return whether the file is compressed."""
        return bool(self.compression)

    @property
    def is_stream(self) -> bool:
        """Return whether the file can be read only once."""
        if self.content is not None:
            return False
        path = Path(self.path)
        return self.path == STDIN or (path.exists() and not path.is_file())


def check_encoding(name: str) -> str:
    """Return the name of an encoding of Python.

    Raises:
        ValueError: there is no such encoding of texts.

    >>> check_encoding("UTF8"), check_encoding("latin-1")
    ('utf-8', 'iso8859-1')
    """
    try:
        "".encode(name)
        encoding = codecs.lookup(name).name
    except (LookupError, ValueError) as error:
        raise ValueError(
            f"Unknown encoding {name!r}; expected one of Python's, such as utf-8, utf-16, latin-1, "
            "cp1252, gb18030 or shift_jis."
        ) from error
    # Every file of UTF-8 may begin with a byte order mark.
    return UTF8 if encoding == "utf-8-sig" else encoding


def check_delimiter(text: str) -> str:
    r"""Return the character between the fields of CSV; ``tab`` and ``\t`` stand for a tab.

    Raises:
        ValueError: it is not one character, or cannot separate fields.

    >>> check_delimiter(";"), check_delimiter(r"\t")
    (';', '\t')
    """
    delimiter = "\t" if text in (r"\t", "tab") else text
    if len(delimiter) != 1 or delimiter in '"\r\n\0':
        raise ValueError(f"delimiter is {text!r}; expected one character, such as ';', or tab.")
    return delimiter


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
    similar = _find_similar(path) if isinstance(error, FileNotFoundError) else None
    return FileError(path, f"{describe(error)}.{hint_at(similar)}")


def _find_similar(path: str) -> str | None:
    """Return the path of a file in the same folder with a similar name; None if there is none."""
    given = PurePath(path)
    with suppress(OSError), os.scandir(given.parent) as entries:
        names = [entry.name for entry in islice(entries, _MOST_COMPARED)]
        for name in difflib.get_close_matches(given.name, names, 1, _SIMILAR):
            return str(given.with_name(name))
    return None


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
    if file.stream is not None:
        try:
            yield file.stream
        finally:
            if file.path != STDIN:
                file.stream.close()
        return
    with _open_raw(file.path) as handle:
        yield _decompress(file, handle) if file.compression else handle


@contextmanager
def _open_raw(path: str, buffering: int = -1) -> Iterator[BinaryIO]:
    """Open a file for its bytes."""
    if path == STDIN:
        # sys.stdin is None if the caller has closed standard input.
        if sys.stdin is None:
            raise FileError(path, "standard input is closed.")
        yield sys.stdin.buffer
        return
    try:
        handle = Path(path).open("rb", buffering)  # noqa: SIM115 - closed below
    except OSError as error:
        raise _cannot_open(path, error) from error
    with handle:
        yield handle


def _decompress(file: InputFile, handle: BinaryIO) -> BinaryIO:
    """Return the decompressed bytes; raise FileError if a package is missing."""
    try:
        return decompress(file.compression, handle)
    except ImportError as error:
        package = error.name or file.compression
        install = f": pip install {package}" if package == "zstandard" else "."
        message = f"reading {file.compression} needs the package {package}{install}"
        raise FileError(file.path, message) from error


def examine(file: InputFile) -> tuple[InputFile, bytes]:
    """Find out from the first bytes how a file is compressed, and whether it can be read.

    Args:
        file: a file as its name says it is.

    Returns:
        The file, with a compression and the format Parquet if its bytes say so, and with an open
        stream if it can be read only once; and its first decompressed bytes, which are empty if
        they cannot be read.

    Raises:
        FileError: the file cannot be opened, or is of a kind that is not read.
    """
    if file.content is not None:
        return file, file.content[:_HEAD]
    if file.stream is not None:
        return file, _peek(cast("io.BufferedReader", file.stream))
    if not file.is_stream:
        with _open_raw(file.path, _HEAD) as handle:
            return _examine(file, cast("io.BufferedReader", handle))[:2]
    if file.path == STDIN:
        with _open_raw(STDIN) as handle:
            raw = handle
    else:
        raw = Path(file.path).open("rb")  # noqa: SIM115 - closed when it is collected
    file, head, stream = _examine(file, io.BufferedReader(_Whole(raw), _HEAD))
    return file._replace(stream=stream), head


def begins_like_markup(file: InputFile, head: bytes) -> bool:
    """Return whether the text that begins with these bytes may be markup."""
    return head.decode(file.encoding, "ignore").lstrip("\ufeff \t\r\n").startswith("<")


def _examine(file: InputFile, handle: io.BufferedReader) -> tuple[InputFile, bytes, BinaryIO]:
    """Return what ``examine`` returns, and the stream of the decompressed bytes."""
    head, stream = _peek(handle), cast("BinaryIO", handle)
    compression = file.compression or find_compression(head)
    name = file.path
    if compression:
        file = file._replace(compression=compression)
        stream = _decompress(file, stream)
        head = _peek(cast("io.BufferedReader", stream))
        name = (
            str(PurePath(name).with_suffix("")) if PurePath(name).suffix in COMPRESSIONS else name
        )
    kind = name_kind(name, head)
    if kind is not None:
        raise FileError(file.path, kind)
    if head.startswith(PARQUET):
        if compression:
            raise _compressed_parquet(file.path, f", compressed with {compression},")
        file = file._replace(format=FileFormat.PARQUET)
    return file, head, stream


def _peek(stream: io.BufferedReader) -> bytes:
    """Return the next bytes of a stream, which stay in it; none if they cannot be read."""
    # Whoever reads on raises the same error, with the number of the line.
    with suppress(OSError, EOFError, *decompression_errors()):
        return stream.peek(_HEAD)[:_HEAD]
    return b""


class _Whole(io.RawIOBase):
    """A stream whose reads are as long as they can be, so that ``peek`` has a whole block."""

    def __init__(self, handle: BinaryIO) -> None:
        self._handle = handle

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        block = self._handle.read(len(buffer))
        buffer[: len(block)] = block
        return len(block)

    def close(self) -> None:
        if not self.closed and self._handle is not getattr(sys.stdin, "buffer", None):
            self._handle.close()
        super().close()


def is_same_path(one: str, other: str) -> bool:
    """Whether two paths name the same file; one may end with a slash."""
    return os.path.realpath(one) == os.path.realpath(other)


def describe(error: OSError) -> str:
    """Return what went wrong, in the words of the operating system."""
    return error.strerror or str(error)

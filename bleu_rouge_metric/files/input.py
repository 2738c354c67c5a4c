"""The files that the user names, and the errors about them."""

import codecs
import os
import stat
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from enum import Enum
from itertools import islice
from pathlib import Path, PurePath
from typing import Any, Final, NamedTuple

from ..checks import hint_at
from ..messages import describe_value

STDIN: Final = "-"
UTF8: Final = "utf-8"
NAME_FORMAT: Final = "name the format of a table on standard input with --stdin-format."

# By the last suffix of a name.
COMPRESSIONS: Final = {".gz": "gzip", ".xz": "xz", ".lzma": "xz", ".bz2": "bzip2", ".zst": "zstd"}


class FileError(Exception):
    """A file cannot be read, written or scored; the error says where and why in one line.

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


def warn_of_file(path: str, message: str, line: int | None = None) -> None:
    """Warn of a file, in the form of an error."""
    warnings.warn(str(FileError(path, message, line)), UserWarning, stacklevel=3)


class FileFormat(str, Enum):
    """Format of a file."""

    TEXT = "text"
    JSONL = "jsonl"
    JSON = "json"
    CSV = "csv"
    TSV = "tsv"
    PARQUET = "parquet"


_FORMATS: Final = {
    **{f".{one.value}": one for one in FileFormat},
    ".txt": FileFormat.TEXT,
    ".ndjson": FileFormat.JSONL,
}


def detect_format(path: str) -> tuple[FileFormat | None, bool]:
    """Return the format to write by the suffix of a path, None for an unknown; and whether as gzip.

    >>> detect_format("samples.csv.gz")
    (<FileFormat.CSV: 'csv'>, True)
    """
    file_format, compression = _split_suffixes(path)
    return file_format if compression in ("", "gzip") else None, compression == "gzip"


def _split_suffixes(path: str) -> tuple[FileFormat | None, str]:
    """Return the format and the compression that a name says; None and "" if it says none."""
    suffixes = PurePath(path.lower()).suffixes
    suffix = suffixes.pop() if suffixes and suffixes[-1] in COMPRESSIONS else ""
    file_format = _FORMATS.get(suffixes[-1]) if suffixes else None
    if suffix and file_format is FileFormat.PARQUET:
        raise compressed_parquet(path, suffix)
    return file_format, COMPRESSIONS.get(suffix, "")


def compressed_parquet(path: str, how: str) -> FileError:
    """Return the error for a Parquet file that is compressed as a whole."""
    message = f"a Parquet file is compressed inside; .parquet{how} is neither read nor written."
    return FileError(path, message)


class InputFile(NamedTuple):
    """A file to read, or a part of it."""

    path: str  # "-" for standard input
    format: FileFormat
    compression: str = ""  # one of COMPRESSIONS
    encoding: str = UTF8  # a name of ``check_encoding``
    delimiter: str | None = None  # of CSV and TSV; None for that of the format
    # All decompressed bytes, or their blocks, if a pipe or standard input was opened already.
    content: bytes | None = None
    stream: Iterator[bytes] | None = None
    # The bytes at which line 1 begins and the last one ends; only of a file without compression.
    start: int = 0
    stop: int | None = None

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


def check_encoding(name: str) -> str:
    """Return the name of an encoding of Python; raise ValueError if there is none of texts.

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
    r"""Return the character between the fields of CSV; raise ValueError if it cannot be one.

    >>> check_delimiter(";"), check_delimiter(r"\t"), check_delimiter("tab")
    (';', '\t', '\t')
    """
    delimiter = "\t" if text in (r"\t", "tab") else text
    if len(delimiter) != 1 or delimiter in '"\r\n\0':
        expected = "expected one character, such as ';', or tab."
        raise ValueError(describe_value("delimiter", repr(text), expected))
    return delimiter


def find_file(path: str) -> os.stat_result | None:
    """Return the status of the file behind a path or standard input; None if there is no file."""
    if path == STDIN:
        return find_stream(sys.stdin)
    try:
        return Path(path).stat()
    except OSError:
        return None


def find_stream(stream: object) -> os.stat_result | None:
    """Return the status of the file behind a stream; None if it is closed or has no file."""
    try:
        return os.fstat(stream.fileno())  # type: ignore[attr-defined]
    except (AttributeError, OSError, ValueError):
        return None


def check_paths(files: Sequence[InputFile]) -> None:
    """Raise FileError if a path is a folder, or plain text on standard input is given twice."""
    streams = [file.format for file in files if file.path == STDIN]
    if len(streams) > 1 and streams[0] is FileFormat.TEXT:
        message = (
            "standard input is given more than once, but plain text has no columns; name a format "
            "with --stdin-format."
        )
        raise FileError(STDIN, message)
    for file in files:
        status = find_file(file.path)
        if status is not None and stat.S_ISDIR(status.st_mode):
            message = (
                "this is a folder; give a file, or to bleu-rouge score one folder alone, of "
                "Parquet or JSON Lines files with both columns."
            )
            raise FileError(file.path, message)


def check_exists(path: str) -> None:
    """Raise FileError if there is no file of this name; standard input is always there."""
    try:
        if path != STDIN:
            Path(path).stat()
    except OSError as error:
        raise cannot_open(path, error) from error


def cannot_open(path: str, error: OSError) -> FileError:
    """Return the error for a file; of a missing one it names a similar one in the same folder."""
    similar: list[str] = []
    given = PurePath(path)
    if isinstance(error, FileNotFoundError):
        import difflib  # takes milliseconds

        with suppress(OSError), os.scandir(given.parent) as entries:
            # A large folder would take long. Names of equal suffixes have a similarity of 0.6.
            names = [entry.name for entry in islice(entries, 1000)]
            similar = difflib.get_close_matches(given.name, names, 1, 0.8)
    hint = hint_at(str(given.with_name(similar[0])) if similar else None)
    return FileError(path, f"{describe(error)}.{hint}")


def is_same_path(one: str, other: str) -> bool:
    """Return whether two paths name the same file; one may end with a slash."""
    return os.path.realpath(one) == os.path.realpath(other)


def describe(error: OSError) -> str:
    """Return what went wrong, in the words of the operating system."""
    return error.strerror or str(error)

"""Read columns of tables row by row: CSV, TSV, JSON Lines, JSON and Parquet.

The readers use ``bleu_rouge_metric.files``, as the command does; this module adds the page's limits
and error messages. Nothing is guessed: pandas would read the text "NA" as a missing value, a text
of digits as a number and a text such as "2024-01-01" as a date.
"""

import codecs
import csv
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from bleu_rouge_metric.files import lines as file_lines
from bleu_rouge_metric.files.delimited import WidthError
from bleu_rouge_metric.files.delimited import read_delimited as read_delimited_rows
from bleu_rouge_metric.files.encodings import UTF8
from bleu_rouge_metric.files.json_values import JsonValue, read_json
from bleu_rouge_metric.files.lines import FileError, InputFile
from bleu_rouge_metric.files.parquet_columns import holds_texts, iterate_rows

from .limits import MAX_ROW_CHARACTERS, InputError, too_large_row

_UTF16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_OTHER_DELIMITERS: Final = (";", "\t", "|")
_MAX_NAMED: Final = 20  # how many columns an error names
# Rows unpacked at once. It is small because rows may share a long text, which is unpacked for each.
_BATCH_ROWS: Final = 16

# The cells of a row in the wanted columns.
Cells = tuple[object, ...]
Reader = Callable[[Path, Sequence[str]], Iterator[Cells]]


def _choose_columns(name: str, columns: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """Return the names of the wanted columns in the file.

    Args:
        name: name of the file, for errors.
        columns: names of the columns that the file has.
        wanted: the names to look for; their plurals match too.

    Raises:
        InputError: a column is missing, or two columns have the same name.
    """
    seen: set[str] = set()
    for column in columns:
        if column in seen:
            raise InputError(f"{name} has the column {column[:40]!r} more than once.")
        seen.add(column)
    return [_choose(name, columns, column) for column in wanted]


def _choose(name: str, columns: Sequence[str], wanted: str) -> str:
    chosen = f"{wanted}s" if wanted not in columns and f"{wanted}s" in columns else wanted
    if chosen not in columns:
        named = ", ".join(repr(column[:40]) for column in columns[:_MAX_NAMED]) or "none"
        if len(columns) > _MAX_NAMED:
            named += f" and {len(columns) - _MAX_NAMED:,} more"
        raise InputError(
            f"{name} has no column {wanted!r}; it has {named}. "
            "Write the names of your columns into the boxes above."
        )
    return chosen


def open_input(path: Path) -> InputFile:
    """Return the file, with the encoding and the delimiter that its beginning shows."""
    with path.open("rb") as handle:
        head = handle.read(4096)
    encoding = "utf-16" if head.startswith(_UTF16) else UTF8
    delimiter = None
    if path.suffix.lower() == ".csv":
        header = head.decode(encoding, "ignore").partition("\n")[0]
        others = [sign for sign in _OTHER_DELIMITERS if sign in header]
        delimiter = max(others, key=header.count) if others and "," not in header else None
    return InputFile.from_path(str(path), encoding=encoding, delimiter=delimiter)


def describe_input(path: Path) -> str:
    """Say what is unusual about a file; empty for nothing.

    Raises:
        InputError: the file is empty.
    """
    if not path.stat().st_size:
        raise InputError(f"{path.name} is empty; expected one row or line for every sample.")
    file = open_input(path)
    names = {";": "semicolons", "\t": "tabs", "|": "vertical bars"}
    facts = ["UTF-16"] * (file.encoding != UTF8)
    facts += [f"separated by {names[file.delimiter]}"] if file.delimiter else []
    return f"{path.name} is read as {', '.join(facts)}." if facts else ""


def read_delimited(path: Path, wanted: Sequence[str]) -> Iterator[Cells]:
    """Read the rows of a CSV or TSV file; every cell is a text."""
    file = open_input(path)
    lines = _RowLines(file, path.name)
    with _page_errors(path.name):
        try:
            rows = read_delimited_rows(file, lines, skips_empty=True)
            header = next(rows, (0, []))[1]
            if not header:
                return
            lines.start_row()
            places = list(map(header.index, _choose_columns(path.name, header, wanted)))
            for lines.number, (_, cells) in enumerate(rows, start=1):
                lines.start_row()
                yield tuple(cells[place] for place in places)
        except WidthError as error:
            raise InputError(
                f"Row {lines.number + 1} has {error.found} cells, but the header has "
                f"{error.expected}; put a text that holds a delimiter between double quotes."
            ) from error


def read_header(path: Path) -> list[str]:
    """Return the names of the columns of a table; of JSON, the keys of the first object.

    Raises:
        InputError: the file cannot be read.
    """
    suffix = path.suffix.lower()
    if suffix in (".csv", ".tsv"):
        file = open_input(path)
        with _page_errors(path.name):
            rows = read_delimited_rows(file, _RowLines(file, path.name), skips_empty=True)
            return next(rows, (0, []))[1]
    if suffix == ".parquet":
        import pyarrow.parquet as pq  # noqa: PLC0415 - as above

        names: list[str] = pq.read_schema(path).names
        return names
    first = next((value for _, value, _ in _read_json(path)), None)
    return list(first) if isinstance(first, list | dict) else []


class _RowLines:
    """Lines of a file, with an error if a row is too long; a quoted cell may hold many lines."""

    def __init__(self, file: InputFile, name: str) -> None:
        self.number = 0  # number of the last row, counted after the header
        self._file = file
        self._name = name
        self._characters = 0

    def start_row(self) -> None:
        self._characters = 0

    def __iter__(self) -> Iterator[str]:
        for _, line in file_lines.read_lines(self._file):
            self._characters += len(line)
            if self._characters > MAX_ROW_CHARACTERS:
                raise too_large_row(self._name, self.number + 1)
            # An empty line is not a row.
            if not line.strip("\r\n") and self._characters == len(line):
                self._characters = 0
            yield line


def read_json_rows(path: Path, wanted: Sequence[str]) -> Iterator[Cells]:
    """Read the rows of a file of JSON objects: one object per line, or the items of an array."""
    columns: list[str] = []
    for number, row, kind in _read_json(path):
        if not isinstance(row, dict):
            raise InputError(
                f"{kind.title()} {number} of {path.name} is not a JSON object; "
                'expected one such as {"prediction": "…", "reference": "…"}.'
            )
        columns = columns or _choose_columns(path.name, list(row), wanted)
        yield tuple(map(row.get, columns))


def _read_json(path: Path) -> Iterator[JsonValue]:
    """Read the values of a JSON file; the ``line`` of an item of an array is its number."""
    file = open_input(path)
    with _page_errors(path.name):
        for number, item in enumerate(read_json(file, _read_json_lines(file, path.name)), start=1):
            yield item._replace(line=number) if item.kind == "item" else item


def _read_json_lines(file: InputFile, name: str) -> Iterator[tuple[int, str]]:
    """Read the lines; of JSON Lines skip empty lines, and raise InputError for a long line."""
    for number, line in file_lines.read_lines(file):
        if len(line) > MAX_ROW_CHARACTERS and file.format is not file_lines.FileFormat.JSON:
            raise too_large_row(name, number)
        if line.strip() or file.format is file_lines.FileFormat.JSON:
            yield number, line


def read_parquet_rows(path: Path, wanted: Sequence[str]) -> Iterator[Cells]:
    """Read the rows of a Parquet file; only the last column may hold lists of texts."""
    import pyarrow.parquet as pq  # noqa: PLC0415 - only in the process that reads such files

    file = pq.ParquetFile(path)
    schema = file.schema_arrow
    columns = _choose_columns(path.name, schema.names, wanted)
    for number, column in enumerate(columns, start=1):
        _check_type(column, schema.field(column).type, allows_lists=number == len(columns))
    yield from iterate_rows(file, columns, _BATCH_ROWS, use_threads=False)


def _check_type(column: str, kind: Any, *, allows_lists: bool) -> None:
    """Raise InputError unless a column holds texts, or lists of texts if they are allowed."""
    # A column of nulls has the type null; it is accepted here, and its first row is an error later.
    if not holds_texts(kind, allows_lists=allows_lists) and str(kind) != "null":
        expected = "texts, or lists of texts" if allows_lists else "texts"
        raise InputError(
            f"Column {column!r} is of the Parquet type {str(kind)[:40]}; expected {expected}, for "
            "nothing is converted."
        )


def read_texts(path: Path) -> Iterator[object]:
    """Read texts: the lines of a text file, also empty ones; or the items of a JSON array."""
    if path.suffix.lower() == ".json":
        yield from (value for _, value, _ in _read_json(path))
        return
    with _page_errors(path.name):
        for _, line in file_lines.read_lines(open_input(path)):
            yield line.removesuffix("\n").removesuffix("\r")


@contextmanager
def _page_errors(name: str) -> Iterator[None]:
    """Convert file errors to errors of the page."""
    try:
        yield
    except FileError as error:
        cause = error.__cause__
        message = f"{name} cannot be read: {error.message}"
        if isinstance(cause, UnicodeDecodeError):
            message = f"{name} is not UTF-8 text; save it as UTF-8 and upload it again."
        elif isinstance(cause, csv.Error):
            message = f"{name} cannot be read: line {error.line}, {cause}."
        elif isinstance(cause, (ValueError, RecursionError)):
            message = f"Line {error.line} of {name} is not valid JSON: {cause}."
        raise InputError(message) from error


TABLES: Final[dict[str, Reader]] = {
    ".csv": read_delimited,
    ".tsv": read_delimited,
    ".jsonl": read_json_rows,
    ".json": read_json_rows,
    ".parquet": read_parquet_rows,
}

"""Read columns of tables row by row: CSV, TSV, JSON Lines, JSON and Parquet.

The readers use ``bleu_rouge_metric.files``, as the command does; this module adds the page's limits
and error messages. Nothing is guessed: pandas would read the text "NA" as a missing value, a text
of digits as a number and a text such as "2024-01-01" as a date.
"""

import csv
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from bleu_rouge_metric.files import lines as file_lines
from bleu_rouge_metric.files.delimited import WidthError
from bleu_rouge_metric.files.delimited import read_delimited as read_delimited_rows
from bleu_rouge_metric.files.json_values import JsonValue, read_json
from bleu_rouge_metric.files.lines import FileError, InputFile

from .limits import (
    MAX_ROW_CHARACTERS,
    MAX_SECONDS,
    InputError,
    too_large_row,
    too_slow_to_read,
)
from .table_columns import choose_columns

_ROOT: Final = Path(__file__).resolve().parent.parent

# The cells of a row in the wanted columns.
Cells = tuple[object, ...]
Reader = Callable[[Path, Sequence[str]], Iterator[Cells]]


def read_delimited(path: Path, wanted: Sequence[str]) -> Iterator[Cells]:
    """Read the rows of a CSV or TSV file; every cell is a text."""
    file = InputFile.from_path(str(path))
    lines = _RowLines(file, path.name)
    with _own_words(path.name):
        try:
            rows = read_delimited_rows(file, lines, skips_empty=True)
            header = next(rows, (0, []))[1]
            if not header:
                return
            lines.start_row()
            places = list(map(header.index, choose_columns(path.name, header, wanted)))
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
        file = InputFile.from_path(str(path))
        with _own_words(path.name):
            rows = read_delimited_rows(file, _RowLines(file, path.name), skips_empty=True)
            return next(rows, (0, []))[1]
    if suffix == ".jsonl":
        first = next((value for _, value, _ in _read_json(path)), None)
    else:
        first = next((row[0] for row in read_apart(path, ())), None)
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
        columns = columns or choose_columns(path.name, list(row), wanted)
        yield tuple(map(row.get, columns))


def read_json_texts(path: Path) -> Iterator[tuple[object]]:
    """Read the values of a JSON file as rows of one cell."""
    for _, value, _ in _read_json(path):
        yield (value,)


def _read_json(path: Path) -> Iterator[JsonValue]:
    """Read the values of a JSON file; the ``line`` of an item of an array is its number."""
    file = InputFile.from_path(str(path))
    with _own_words(path.name):
        for number, found in enumerate(read_json(file, _read_json_lines(file, path.name)), start=1):
            yield found._replace(line=number) if found.kind == "item" else found


def _read_json_lines(file: InputFile, name: str) -> Iterator[tuple[int, str]]:
    """Read the lines; of JSON Lines skip empty lines, and raise InputError for a long line."""
    for number, line in file_lines.read_lines(file):
        if len(line) > MAX_ROW_CHARACTERS and file.format is not file_lines.FileFormat.JSON:
            raise too_large_row(name, number)
        if line.strip() or file.format is file_lines.FileFormat.JSON:
            yield number, line


def read_apart(path: Path, wanted: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Read the rows of a Parquet or JSON file in a separate process: ``rows_apart.py``."""
    program = [sys.executable, "-m", "space.rows_apart", str(path.resolve()), *wanted]
    # The system's memory pool frees memory at once, and its memory counts for the limit.
    environment = os.environ | {"ARROW_DEFAULT_MEMORY_POOL": "system", "PYTHONUTF8": "1"}
    try:
        done = subprocess.run(  # noqa: S603 - the same Python, and no shell
            program,
            cwd=_ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=MAX_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as reason:
        raise too_slow_to_read(path.name) from reason
    for line in done.stdout.splitlines():
        row: Any = json.loads(line)
        if isinstance(row, dict):
            raise InputError(row["error"])
        yield tuple(row)
    if done.returncode:
        kind = "Parquet" if path.suffix.lower() == ".parquet" else "JSON"
        raise InputError(f"{path.name} cannot be read as {kind}: the reader has failed.")


def read_texts(path: Path) -> Iterator[object]:
    """Read texts: the lines of a text file, also empty ones; or the items of a JSON array."""
    if path.suffix.lower() == ".json":
        for (text,) in read_apart(path, ()):
            yield text
        return
    with _own_words(path.name):
        for _, line in file_lines.read_lines(InputFile.from_path(str(path))):
            yield line.removesuffix("\n").removesuffix("\r")


@contextmanager
def _own_words(name: str) -> Iterator[None]:
    """Turn file errors into errors of the page."""
    try:
        yield
    except FileError as error:
        raise say(name, error) from error


def say(name: str, error: FileError) -> InputError:
    """Return the page's error for a file error."""
    cause = error.__cause__
    if isinstance(cause, UnicodeDecodeError):
        return InputError(f"{name} is not UTF-8 text; save it as UTF-8 and upload it again.")
    if isinstance(cause, csv.Error):
        return InputError(f"{name} cannot be read: line {error.line}, {cause}.")
    if isinstance(cause, (ValueError, RecursionError)):
        return InputError(f"Line {error.line} of {name} is not valid JSON: {cause}.")
    return InputError(f"{name} cannot be read: {error.message}")


TABLES: Final[dict[str, Reader]] = {
    ".csv": read_delimited,
    ".tsv": read_delimited,
    ".jsonl": read_json_rows,
    ".json": read_apart,
    ".parquet": read_apart,
}

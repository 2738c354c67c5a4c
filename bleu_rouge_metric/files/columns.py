"""Read one column of a file, row by row: plain text, JSON, JSON Lines, CSV, TSV and Parquet.

Values are texts or, if the caller allows it, lists of texts. Nothing is turned into text by
``str()``: any other value is an error that names its line. In a Parquet file, lines are rows.
"""

import io
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from ..extras import needs
from .cells import CellError, read_cell
from .delimited import read_delimited
from .json_values import JsonValue, array_error, read_json
from .lines import FileError, FileFormat, InputFile, describe, open_binary, read_lines
from .parquet_columns import holds_texts, iterate_rows

# The line number of a value, and the value: a text or a list of texts.
Row = tuple[int, str | list[str]]

_PARQUET_BATCH: Final = 4096

_NO_TOKENS: Final = "Join tokens with spaces, and choose the tokenizer whitespace."


class IntLabel(str):
    """The text of a label that is an int, and not the text of a label such as "1"."""

    __slots__ = ()


class MissingColumnError(FileError):
    """A file has no column with a default name."""


class ColumnChoice(NamedTuple):
    """Which column is read, and which values it may hold.

    Attributes:
        name: name of the column; None for the one name of ``defaults`` that the file has.
        defaults: default names of the column.
        flag: flag of the command that names the column, for errors.
        allows_lists: whether a value may be a list of texts.
        takes_only: whether the only column of a file is read whatever its name is.
        is_needed: whether the file must have columns.
        is_label: whether a value is a label, which may be an int too; it is read as a text.
        is_group: whether a value is a list of candidates, even of one; needs ``allows_lists``.
    """

    name: str | None
    defaults: tuple[str, ...]
    flag: str
    allows_lists: bool
    takes_only: bool = True
    is_needed: bool = False
    is_label: bool = False
    is_group: bool = False

    def choose(self, file: InputFile, columns: Sequence[str], line: int | None) -> str:
        """Return the name of the column to read.

        Args:
            file: the file, named in errors.
            columns: names of the columns that the file has.
            line: line that holds the names, for errors; None if the file has no lines.

        Raises:
            MissingColumnError: there is no column with a default name.
            FileError: there is no matching column, or more than one.
        """
        chosen = self.name
        if chosen is None:
            known = [name for name in self.defaults if name in columns]
            if len(known) > 1:
                names = " and ".join(map(repr, known))
                message = f"there are columns named {names}; {self._remedy(columns)}"
                raise FileError(file.path, message, line)
            if (
                not known
                and len(columns) == 1
                and any(separator in columns[0] for separator in ";\t,")
            ):
                message = (
                    f"the header is one column, {columns[0]!r}; expected columns separated by "
                    "commas in .csv and by tabs in .tsv; name others with --delimiter."
                )
                raise FileError(file.path, message, line)
            if not known and (len(columns) != 1 or not self.takes_only):
                names = " or ".join(map(repr, self.defaults))
                message = f"no column is named {names}; {self._remedy(columns)}"
                raise MissingColumnError(file.path, message, line)
            chosen = (known or columns)[0]
        if chosen not in columns:
            message = f"no column is named {chosen!r}; {self._remedy(columns)}"
            raise FileError(file.path, message, line)
        if columns.count(chosen) > 1:
            message = (
                f"more than one column is named {chosen!r}; rename all but one of them in the "
                f"file, or {self._remedy(columns, 'name another')}"
            )
            raise FileError(file.path, message, line)
        return chosen

    def _remedy(self, columns: Sequence[str], verb: str = "name one") -> str:
        names = ", ".join(map(repr, columns)) or "none"
        return f"{verb} with {self.flag}. Columns: {names}."


def read_column(file: InputFile, choice: ColumnChoice) -> Iterator[Row]:
    r"""Iterate over the values of one column, with their line numbers.

    Raises:
        FileError: the file cannot be read or has no such column, or a value is not a text.

    >>> import io, sys
    >>> sys.stdin = io.TextIOWrapper(io.BytesIO(b"First text.\n\nThird text."))
    >>> file = InputFile.from_path("-")
    >>> list(read_column(file, ColumnChoice(None, ("text",), "--column", allows_lists=False)))
    [(1, 'First text.'), (2, ''), (3, 'Third text.')]
    >>> sys.stdin = sys.__stdin__
    """
    return _READERS[file.format](file, choice)


def _read_text(file: InputFile, _: ColumnChoice) -> Iterator[Row]:
    """Read plain text: every line is a text; an empty line is an empty text."""
    for number, line in read_lines(file):
        yield number, line.removesuffix("\n").removesuffix("\r")


def _read_json(file: InputFile, choice: ColumnChoice) -> Iterator[Row]:
    """Read JSON: all values are objects that have the column as a key, or all values are texts."""
    column: str | None = None
    for index, found in enumerate(read_json(file, read_lines(file))):
        number, value, kind = found
        if index == 0 and kind == "line" and isinstance(value, list):
            raise array_error(file, number)
        if index == 0 and isinstance(value, dict):
            column = choice.choose(file, list(value), number)
        elif index == 0 and choice.name is not None:
            message = f"the {kind} is {_show(value)}; expected an object with {choice.name!r}."
            raise FileError(file.path, message, number)
        if column is None and choice.is_needed:
            message = (
                f"the {kind} is {_show(value)}; expected an object with a prediction and its "
                "references, or another file with the references."
            )
            raise FileError(file.path, message, number)
        if column is None:
            yield number, check_value(file, choice, value, f"the {kind}", number)
            continue
        yield number, take_value(file, choice, found, column)


def take_value(
    file: InputFile, choice: ColumnChoice, found: JsonValue, column: str
) -> str | list[str]:
    """Return the value that a JSON object has in a column.

    Raises:
        FileError: the JSON value is not an object or has no such column, or the value is not a
            text.
    """
    line, value, kind = found
    if not isinstance(value, dict):
        message = f"the {kind} is {_show(value)}; expected an object, as in {kind} 1."
        raise FileError(file.path, message, line)
    if column not in value:
        raise FileError(file.path, f"the object has no {column!r}.", line)
    return check_value(file, choice, value[column], repr(column), line)


def _read_delimited(file: InputFile, choice: ColumnChoice) -> Iterator[Row]:
    """Read the rows below a header; a cell may hold a list."""
    rows = read_delimited(file, (line for _, line in read_lines(file)))
    number, header = next(rows, (0, None))
    if header is None:
        raise FileError(file.path, "the file is empty; expected a header of column names.")
    name = choice.choose(file, header, number)
    column = header.index(name)
    for number, row in rows:
        try:
            value = read_cell(row[column], allows_lists=choice.allows_lists)
        except CellError as error:
            raise FileError(file.path, f"column {name!r}: {error}", number) from error
        yield number, check_value(file, choice, value, repr(name), number)


def _read_parquet(file: InputFile, choice: ColumnChoice) -> Iterator[Row]:
    """Read a Parquet column of strings, or of lists of strings."""
    # Importing pyarrow takes a quarter of a second, so it is imported only to read Parquet.
    with needs("Parquet", "cli"):
        import pyarrow as pa
        from pyarrow import parquet

    number = 0
    with open_binary(file) as handle:
        try:
            # Parquet is read from its end, so the content of a pipe is first read into memory.
            source = handle if handle.seekable() else io.BytesIO(handle.read())
            table = parquet.ParquetFile(source)
            schema = table.schema_arrow
            column = choice.choose(file, schema.names, None)
            check_parquet_type(file, choice, column, schema.field(column).type)
            rows = iterate_rows(table, [column], _PARQUET_BATCH)
            for number, (value,) in enumerate(rows, start=1):
                yield number, check_value(file, choice, value, repr(column), number)
        except UnicodeDecodeError as error:
            raise FileError(file.path, "the text is not UTF-8.", number + 1) from error
        except pa.ArrowException as error:
            raise FileError(file.path, f"not a readable Parquet file: {error}") from error
        except OSError as error:
            message = f"not a readable Parquet file: {describe(error)}"
            raise FileError(file.path, message) from error


def check_parquet_type(file: InputFile, choice: ColumnChoice, column: str, kind: Any) -> None:
    """Raise FileError unless the column holds texts, or lists of texts if they are allowed."""
    is_number = choice.is_label and str(kind).removeprefix("u").startswith("int")
    if not is_number and not holds_texts(kind, allows_lists=choice.allows_lists):
        others = " or list<string>" if choice.allows_lists else " or int" * choice.is_label
        expected = f"string{others}"
        remedy = f" {_NO_TOKENS}" if holds_texts(kind, allows_lists=True) else ""
        message = f"column {column!r} is of type {kind}; expected {expected}.{remedy}"
        raise FileError(file.path, message)


def check_value(
    file: InputFile, choice: ColumnChoice, value: Any, name: str, line: int | None
) -> str | list[str]:
    """Return the value; raise FileError unless it is a text or an allowed list of texts."""
    if isinstance(value, str) and not choice.is_group:
        return value
    if choice.is_label and isinstance(value, int) and not isinstance(value, bool):
        return IntLabel(value)
    if not (isinstance(value, list) and choice.allows_lists):
        others = " or a list of texts" if choice.allows_lists else " or an int" * choice.is_label
        expected = "a list of texts" if choice.is_group else f"a text{others}"
        remedy = " Fill it in, or leave the sample out." if value is None else ""
        if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
            remedy = f" {_NO_TOKENS}"
        raise FileError(file.path, f"{name} is {_show(value)}; expected {expected}.{remedy}", line)
    if not value:
        needs_one = "prediction needs at least one reference"
        if choice.is_group:
            needs_one = "group needs at least one candidate"
        message = f"{name} is an empty list; every {needs_one}."
        raise FileError(file.path, message, line)
    for index, item in enumerate(value):
        if not isinstance(item, str):
            message = f"{name}[{index}] is {_show(item)}; expected a text."
            raise FileError(file.path, message, line)
    return value


def _show(value: Any) -> str:
    """Describe a JSON value for an error."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, str):
        return "a text"
    shown = json.dumps(value)
    return shown if len(shown) <= 40 else shown[:37] + "..."


_READERS: Final[dict[FileFormat, Callable[[InputFile, ColumnChoice], Iterator[Row]]]] = {
    FileFormat.TEXT: _read_text,
    FileFormat.JSONL: _read_json,
    FileFormat.JSON: _read_json,
    FileFormat.CSV: _read_delimited,
    FileFormat.TSV: _read_delimited,
    FileFormat.PARQUET: _read_parquet,
}

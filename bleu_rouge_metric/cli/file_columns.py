"""One column of a file, row by row: plain text, JSON Lines, CSV, TSV and Parquet.

Values are texts or, where the caller allows it, lists of texts. Nothing is turned into text by
``str()``: any other value is an error that names its line. In a Parquet file rows count as lines.
"""

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple, cast

from .file_lines import FileError, FileFormat, InputFile, describe, open_binary, read_lines

# A text or a list of texts, with the number of its line.
Row = tuple[int, str | list[str]]

# The largest that every platform takes; Python's own limit is a field of 128 KiB.
_LARGEST_FIELD: Final = 2**31 - 1
_PARQUET_BATCH: Final = 4096


class ColumnChoice(NamedTuple):
    """Which column is read, and what it may hold.

    Attributes:
        name: of the column, or None for the one of ``defaults`` that there is.
        defaults: names, in order of preference.
        flag: of the command, for errors.
        allows_lists: whether a value may be a list of texts.
        takes_only: whether the only column of a file is read whatever its name is.
    """

    name: str | None
    defaults: tuple[str, ...]
    flag: str
    allows_lists: bool
    takes_only: bool = True

    def choose(self, file: InputFile, columns: Sequence[str], line: int | None) -> str:
        """The name of the column to read.

        Args:
            file: named in errors.
            columns: those that the file has.
            line: where the file says so; None where it is no line.

        Raises:
            FileError: there is no such column, or more than one.
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
                    "commas in .csv and by tabs in .tsv."
                )
                raise FileError(file.path, message, line)
            if not known and (len(columns) != 1 or not self.takes_only):
                names = " or ".join(map(repr, self.defaults))
                message = f"no column is named {names}; {self._remedy(columns)}"
                raise FileError(file.path, message, line)
            chosen = (known or columns)[0]
        if columns.count(chosen) != 1:
            count = "no" if chosen not in columns else "more than one"
            message = f"{count} column is named {chosen!r}; {self._remedy(columns)}"
            raise FileError(file.path, message, line)
        return chosen

    def _remedy(self, columns: Sequence[str]) -> str:
        names = ", ".join(map(repr, columns)) or "none"
        return f"name one with {self.flag}. Columns: {names}."


def read_column(file: InputFile, choice: ColumnChoice) -> Iterator[Row]:
    r"""The values of one column, with the numbers of their lines.

    Raises:
        FileError: the file cannot be read, has no such column, or a value is no text.

    >>> import io, sys
    >>> sys.stdin = io.TextIOWrapper(io.BytesIO(b"First text.\n\nThird text."))
    >>> file = InputFile.from_path("-")
    >>> list(read_column(file, ColumnChoice(None, ("text",), "--column", allows_lists=False)))
    [(1, 'First text.'), (2, ''), (3, 'Third text.')]
    >>> sys.stdin = sys.__stdin__
    """
    return _READERS[file.format](file, choice)


def _read_text(file: InputFile, _: ColumnChoice) -> Iterator[Row]:
    """Every line is a text; an empty line is an empty text."""
    for number, line in read_lines(file):
        yield number, line.removesuffix("\n").removesuffix("\r")


def _read_json_lines(file: InputFile, choice: ColumnChoice) -> Iterator[Row]:
    """Every line is an object with the column as a key, or every line is the value itself."""
    column: str | None = None
    for number, line in read_lines(file):
        value = parse_json(file, line, number)
        if number == 1 and isinstance(value, dict):
            column = choice.choose(file, list(value), number)
        elif number == 1 and choice.name is not None:
            message = f"the line is {_show(value)}; expected an object with {choice.name!r}."
            raise FileError(file.path, message, number)
        if column is None:
            if isinstance(value, list):
                message = "the line is a list; expected JSON Lines, one object or text a line."
                raise FileError(file.path, message, number)
            yield number, check_value(file, choice, value, "the line", number)
            continue
        yield number, take_value(file, choice, value, column, number)


def take_value(
    file: InputFile, choice: ColumnChoice, value: Any, column: str, line: int
) -> str | list[str]:
    """What the value of a line has in a column.

    Raises:
        FileError: the value is no object, has no such column, or no text there.
    """
    if not isinstance(value, dict):
        message = f"the line is {_show(value)}; expected an object, as in line 1."
        raise FileError(file.path, message, line)
    if column not in value:
        raise FileError(file.path, f"the object has no {column!r}.", line)
    return check_value(file, choice, value[column], repr(column), line)


def parse_json(file: InputFile, line: str, number: int) -> Any:
    """The value of a line; FileError where it is no JSON."""
    if not line.strip():
        raise FileError(file.path, "the line is empty; expected a JSON value.", number)
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        message = f"not valid JSON: {error.msg} (column {error.colno})."
        raise FileError(file.path, message, number) from error
    except RecursionError as error:
        raise FileError(file.path, "the JSON value is nested too deeply.", number) from error
    except ValueError as error:
        # Python reads no int of more than some thousands of digits.
        raise FileError(file.path, "a number in the JSON value is too long.", number) from error


def _read_csv(file: InputFile, choice: ColumnChoice) -> Iterator[Row]:
    """Rows below a header; quoted fields may hold line breaks."""
    dialect = "excel-tab" if file.format is FileFormat.TSV else "excel"
    limit = csv.field_size_limit(_LARGEST_FIELD)
    lines = (line for _, line in read_lines(file))
    reader = csv.reader(lines, dialect, strict=True)
    try:
        header = next(reader, None)
        if header is None:
            raise FileError(file.path, "the file is empty; expected a header of column names.")
        column = header.index(choice.choose(file, header, reader.line_num))
        width = len(header)
        for row in reader:
            if len(row) != width:
                fields = f"{len(row)} field{'' if len(row) == 1 else 's'}"
                message = (
                    f"the row has {fields}; the header has {width}. Put a text that holds a "
                    "delimiter between double quotes."
                )
                raise FileError(file.path, message, reader.line_num)
            cell = row[column]
            yield reader.line_num, _parse_list(cell) if choice.allows_lists else cell
    except csv.Error as error:
        message = f"not valid {file.format.value.upper()}: {error}."
        raise FileError(file.path, message, reader.line_num) from error
    finally:
        csv.field_size_limit(limit)


def _parse_list(cell: str) -> str | list[str]:
    """The texts of a cell such as ``["one", "two"]``; any other cell is itself the text."""
    try:
        items = json.loads(cell) if cell.startswith("[") else None
    except (ValueError, RecursionError):
        return cell
    is_list = isinstance(items, list) and items and all(isinstance(item, str) for item in items)
    return cast("list[str]", items) if is_list else cell


def _read_parquet(file: InputFile, choice: ColumnChoice) -> Iterator[Row]:
    """Rows of a column of strings, or of lists of strings."""
    # pyarrow takes a quarter of a second to import: only those who read Parquet pay for it.
    import pyarrow as pa
    from pyarrow import parquet

    number = 0
    with open_binary(file) as handle:
        try:
            # Parquet is read from its end; what comes through a pipe has to be held.
            source = handle if handle.seekable() else io.BytesIO(handle.read())
            table = parquet.ParquetFile(source)
            schema = table.schema_arrow
            column = choice.choose(file, schema.names, None)
            check_parquet_type(file, choice, column, schema.field(column).type)
            for number, value in enumerate(_iterate_parquet(table, column), start=1):
                yield number, check_value(file, choice, value, repr(column), number)
        except UnicodeDecodeError as error:
            raise FileError(file.path, "the text is not UTF-8.", number + 1) from error
        except pa.ArrowException as error:
            raise FileError(file.path, f"not a readable Parquet file: {error}") from error
        except OSError as error:
            message = f"not a readable Parquet file: {describe(error)}"
            raise FileError(file.path, message) from error


def _iterate_parquet(table: Any, column: str) -> Iterator[Any]:
    """The Python values of a column, without holding more than some of them."""
    for batch in table.iter_batches(_PARQUET_BATCH, columns=[column]):
        for value in batch.column(batch.schema.get_field_index(column)):
            yield value.as_py()


def check_parquet_type(file: InputFile, choice: ColumnChoice, column: str, kind: Any) -> None:
    """Raises FileError unless the column holds texts, or lists of them where they are allowed."""
    import pyarrow as pa

    lists = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)
    inner = kind
    if choice.allows_lists and any(is_list(kind) for is_list in lists):
        inner = kind.value_type
    if pa.types.is_dictionary(inner):
        inner = inner.value_type
    # string_view came with pyarrow 16; its name can be asked for in any version.
    if str(inner) not in ("string", "large_string", "string_view"):
        expected = "string or list<string>" if choice.allows_lists else "string"
        message = f"column {column!r} is of type {kind}; expected {expected}."
        raise FileError(file.path, message)


def check_value(
    file: InputFile, choice: ColumnChoice, value: Any, name: str, line: int
) -> str | list[str]:
    """The value; FileError unless it is a text, or a list of texts where that is allowed."""
    if isinstance(value, str):
        return value
    if not (isinstance(value, list) and choice.allows_lists):
        expected = "a text or a list of texts" if choice.allows_lists else "a text"
        remedy = " Fill it in, or leave the sample out." if value is None else ""
        raise FileError(file.path, f"{name} is {_show(value)}; expected {expected}.{remedy}", line)
    if not value:
        message = f"{name} is an empty list; every prediction needs at least one reference."
        raise FileError(file.path, message, line)
    for index, item in enumerate(value):
        if not isinstance(item, str):
            message = f"{name}[{index}] is {_show(item)}; expected a text."
            raise FileError(file.path, message, line)
    return value


def _show(value: Any) -> str:
    """A JSON value that is no text, in the words of JSON."""
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
    FileFormat.JSONL: _read_json_lines,
    FileFormat.CSV: _read_csv,
    FileFormat.TSV: _read_csv,
    FileFormat.PARQUET: _read_parquet,
}

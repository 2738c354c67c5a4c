"""Read the rows of a file: plain text, JSON, JSON Lines, CSV, TSV and Parquet.

A file is opened once, its header is read, and one pass gives the values of all columns that are
asked for. Values are as the format has them; ``columns.py`` checks that they are texts. In a
Parquet file, lines are rows.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import Any, Final, NamedTuple

from ..extras import needs
from .input import FileError, FileFormat, InputFile, describe, warn_of_file
from .json_values import (
    JSON,
    Document,
    JsonValue,
    array_error,
    find_columns,
    find_document,
    read_json,
    show,
)
from .lines import examine, read_blocks, read_bytes, read_lines

_BATCH: Final = 1024

# In bytes: columns of Parquet are read in parts of this size, not as a whole.
_PAGES: Final = 1 << 20

# The largest limit that every platform accepts; Python's default limit is 128 KiB.
_LARGEST_FIELD: Final = 2**31 - 1

# A row: the number of its line, from 1, and the values of the columns that were asked for.
Row = tuple[int, Sequence[Any]]
# Rows: the numbers of their lines, and the values of each column.
Batch = tuple[Sequence[int], list[list[Any]]]

NO_QUOTES: Final = (
    "TSV has no quotes; a quoted file is read as CSV under a name that ends in .csv, with "
    "--delimiter tab."
)
# A quoted field of CSV that contains quotation marks.
_QUOTED: Final = re.compile(r'"[^"]*""(?:[^"]|"")*"')

# What ``Rows.read`` calls the texts of another program, whose columns may have any name.
PREDICTIONS: Final = "\0predictions"
REFERENCES: Final = "\0references"


class Rows(NamedTuple):
    """The rows of a file, of which only the header was read; or a system of another program."""

    file: InputFile
    names: Sequence[str] | None  # of the columns; None if each row is one value without a name
    line: int | None  # of the header, for errors
    # Iterates over batches of rows with the values of some columns; with the one value if there
    # are no names.
    read: Callable[[Sequence[str]], Iterator[Batch]]
    kind: str = "row"  # what a row is, for errors: a line, an item of an array or a row
    first: JsonValue | None = None  # of JSON
    has_lines: bool = True  # each row has a line of the file
    # Of another program: its texts are checked, and its columns are ids or labels.
    program: str = ""
    system: str = ""  # its name, or the file of its texts, if recorded; else the file
    predictions: list[str] | None = None  # None if the file has only references
    references: list[list[str]] | None = None
    scores: Mapping[str, Sequence[float]] = {}  # finite numbers per sample, by metric
    is_open: bool = False  # samples may be left out, because other files have fewer


def open_rows(
    file: InputFile,
    document: Document | None = None,
    *,
    is_examined: bool = False,
    has_groups: bool = False,  # the rows of JSON have lists of candidates
) -> Rows:
    """Open a file and read its header; ``document`` is the value of JSON that was read already."""
    if not is_examined:
        file, head = examine(file)
        if head.startswith("<"):
            from .markup import check_no_markup

            check_no_markup(file, head)
        if file.format in JSON:
            file, document = find_document(file, head)
    if file.format is FileFormat.TEXT:
        return _open_text(file)
    if file.format is FileFormat.PARQUET:
        return _open_parquet(file)
    if file.format not in JSON:
        return _open_delimited(file)
    columns = None if document is None or has_groups else find_columns(file, document)
    return _open_json(file) if columns is None else _open_columns(file, columns)


def _open_text(file: InputFile) -> Rows:
    """Open plain text: every line is a text; an empty line is an empty text."""

    def read(_: Sequence[str]) -> Iterator[Batch]:
        for first, lines in read_blocks(file):
            texts = [line.removesuffix("\n").removesuffix("\r") for line in lines]
            yield range(first, first + len(texts)), [texts]

    return Rows(file, None, None, read, "line")


def _open_json(file: InputFile) -> Rows:
    """Open JSON: all values are objects that have the columns as keys, or none is."""
    values = read_json(file, read_lines(file))
    first = next(values, None)
    if first is None:
        return Rows(file, None, None, lambda _: iter(()), "line")
    if first.kind == "line" and isinstance(first.value, list):
        raise array_error(file, first.line)
    names = list(first.value) if isinstance(first.value, dict) else None

    def read(columns: Sequence[str]) -> Iterator[Batch]:
        found = chain([first], values)
        if names is None:
            return _to_batches((one.line, (one.value,)) for one in found)
        return _to_batches((one.line, take_values(file, one, columns)) for one in found)

    return Rows(file, names, first.line, read, first.kind, first)


def _to_batches(rows: Iterator[Row]) -> Iterator[Batch]:
    """Iterate over rows in batches."""
    while batch := list(islice(rows, _BATCH)):
        lines, cells = zip(*batch, strict=True)
        yield lines, list(map(list, zip(*cells, strict=True)))


def take_values(file: InputFile, found: JsonValue, columns: Sequence[str]) -> list[Any]:
    """Return the values that a JSON object has in some columns; raise FileError if it lacks one."""
    line, value, kind = found
    try:
        return [value[name] for name in columns]
    except (KeyError, TypeError, IndexError) as error:
        if not isinstance(value, dict):
            message = f"the {kind} is {show(value)}; expected an object, as in {kind} 1."
            raise FileError(file.path, message, line) from error
        name = next(name for name in columns if name not in value)
        raise FileError(file.path, f"the object has no {name!r}.", line) from error


def _open_columns(
    file: InputFile, columns: Mapping[str, Sequence[Any]], lines: Sequence[int] = ()
) -> Rows:
    """Open columns that are in memory."""

    def read(names: Sequence[str]) -> Iterator[Batch]:
        values = [list(columns[name]) for name in names]
        if values[0]:
            yield lines or range(1, len(values[0]) + 1), values

    return Rows(file, list(columns), None, read, has_lines=bool(lines))


def make_rows(
    program: str,
    file: InputFile,
    predictions: list[str] | None = None,
    references: list[list[str]] | None = None,
    columns: Mapping[str, Sequence[Any]] | None = None,
    *,
    lines: Sequence[int] = (),
    **others: Any,
) -> Rows:
    """Make the rows of a system of another program; ``columns`` hold ids and labels."""
    named = columns or {}
    texts: dict[str, Any] = {PREDICTIONS: predictions, REFERENCES: references, **named}
    own = {"predictions": predictions, "references": references, "system": file.path, **others}
    return _open_columns(file, texts, lines)._replace(names=list(named), program=program, **own)


def share_columns(rows: Sequence[Any], *read: str) -> dict[str, list[Any]]:
    """Return the columns that all rows have, but those read; none if a row is not an object."""
    if not all(isinstance(row, dict) for row in rows):
        return {}
    names = [name for name in rows[0] if name not in read and all(name in row for row in rows)]
    return {name: [row[name] for row in rows] for name in names}


def _open_delimited(file: InputFile) -> Rows:
    """Open CSV or TSV."""
    rows = read_delimited(file, (line for _, line in read_lines(file)))
    number, names = next(rows, (0, [""]))
    if not number:
        raise FileError(file.path, "the file is empty; expected a header of column names.")

    def read(columns: Sequence[str]) -> Iterator[Batch]:
        places = [names.index(name) for name in columns]
        return _to_batches((line, [row[place] for place in places]) for line, row in rows)

    return Rows(file, names, number, read)


def read_delimited(file: InputFile, lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Iterate over the header and the rows of CSV or TSV, each with the number of its last line."""
    is_tsv = file.format is FileFormat.TSV
    remedy = NO_QUOTES if is_tsv else "Put a text that holds a delimiter between double quotes."
    width = 0
    for number, row in _read_tsv(file, lines) if is_tsv else _read_csv(file, lines):
        width = width or len(row)
        if len(row) != width:
            fields = f"{len(row)} field{'' if len(row) == 1 else 's'}"
            message = f"the row has {fields}; the header has {width}. {remedy}"
            raise FileError(file.path, message, number)
        yield number, row


def _read_tsv(file: InputFile, lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Iterate over the rows of TSV, in which a quotation mark is a character."""
    delimiter = file.delimiter or "\t"
    has_warned = False
    for number, line in enumerate(lines, start=1):
        row = line.removesuffix("\n").removesuffix("\r").split(delimiter)
        if '""' in line and not has_warned and any(map(_QUOTED.fullmatch, row)):
            has_warned = True
            message = "a field is in quotation marks as in CSV, and is read with them:"
            warn_of_file(file.path, f"{message} {NO_QUOTES}", number)
        yield number, row


def _read_csv(file: InputFile, lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Iterate over the rows of CSV, whose fields may be quoted and have several lines."""
    # The limit is shared by all threads. It is not reset, because another thread may be reading.
    csv.field_size_limit(_LARGEST_FIELD)
    delimiter = file.delimiter or ","
    kept: list[str] = []

    def keep_lines() -> Iterator[str]:
        for line in lines:
            kept.append(line)
            yield line

    reader = csv.reader(keep_lines(), "excel", delimiter=delimiter, strict=True)
    has_warned = False
    try:
        for row in reader:
            # Each line would be a row if the file had no quotes.
            swallows = len(kept) > 1 < len(row) and not has_warned
            if swallows and all(line.count(delimiter) == len(row) - 1 for line in kept):
                has_warned = True
                message = (
                    f"a field has {len(kept):,} lines, each of which looks like a row. If the file "
                    "has no quotes, a quotation mark at the start of a field must be written as "
                    'three: """; or the file is TSV.'
                )
                warn_of_file(file.path, message, reader.line_num)
            kept.clear()
            yield reader.line_num, row
    except csv.Error as error:
        message = (
            f"not valid CSV: {error}. A field that begins with a quotation mark ends with one; "
            "those inside it are doubled."
        )
        raise FileError(file.path, message, reader.line_num) from error


def _open_parquet(file: InputFile) -> Rows:
    """Open Parquet."""
    # Importing pyarrow takes a quarter of a second, so it is imported only to read Parquet.
    with needs("Parquet", "cli"):
        import pyarrow as pa
        from pyarrow import parquet

    def fail(error: Exception) -> FileError:
        reason = describe(error) if isinstance(error, OSError) else error
        return FileError(file.path, f"not a readable Parquet file: {reason}")

    try:
        source: Any = file.path
        if file.content is not None or file.stream is not None:
            # Parquet is read from its end, so the content of a pipe is first read into memory.
            source = io.BytesIO(b"".join(read_bytes(file)))
        table = parquet.ParquetFile(source, pre_buffer=False, buffer_size=_PAGES)
        names = table.schema_arrow.names
    except (pa.ArrowException, OSError) as error:
        raise fail(error) from error

    def read(columns: Sequence[str]) -> Iterator[Batch]:
        number = 1
        wanted = list(dict.fromkeys(columns))
        try:
            for batch in table.iter_batches(_BATCH, columns=wanted):
                values = {name: _to_list(file, batch.column(name), number) for name in wanted}
                lines = range(number, number := number + batch.num_rows)
                yield lines, [list(values[name]) for name in columns]
        except (pa.ArrowException, OSError) as error:
            raise fail(error) from error

    return Rows(file, names, None, read)


def _to_list(file: InputFile, array: Any, first: int) -> list[Any]:
    """Return the Python values of an Arrow array, of which ``first`` is the number in the file."""
    import pyarrow as pa

    if str(array.type) in ("string", "large_string"):
        # Fast path: equals the expression below, in a fifth of the time.
        with suppress(UnicodeDecodeError, pa.ArrowException):
            texts: list[Any] = array.to_numpy(zero_copy_only=False).tolist()
            return texts
    values: list[Any] = []
    try:
        # After an error, it has the values before.
        values.extend(value.as_py() for value in array)
    except UnicodeDecodeError as error:
        raise FileError(file.path, "the text is not UTF-8.", first + len(values)) from error
    return values

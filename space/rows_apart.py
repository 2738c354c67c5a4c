"""Read a Parquet or JSON file in a separate process: ``python -m space.rows_apart``.

A small Parquet file can unpack to more than fits in memory, and the size in its metadata may be
wrong; an item of a JSON array can take many times the memory of its text. So these files are read
in a process with limited memory, in small batches, up to the page's limits. The program prints a
JSON list per row, and an object if there is an error.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from bleu_rouge_metric.files.lines import FileError
from bleu_rouge_metric.files.parquet_columns import holds_texts, iterate_rows

from .limits import (
    MAX_FILE_CHARACTERS,
    MAX_READER_MEGABYTES,
    MAX_ROWS,
    InputError,
    too_large_unpacked,
    too_many_rows,
    too_much_text,
)
from .readers import read_json_rows, read_json_texts, say
from .table_columns import choose_columns

# Rows unpacked at once. It is small because rows may share a long text, which is unpacked for each.
BATCH_ROWS: Final = 16


def limit_memory() -> None:
    """Limit the memory of this process, so that only it fails; does nothing on Windows."""
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return
    size = MAX_READER_MEGABYTES * 1_000_000
    resource.setrlimit(resource.RLIMIT_DATA, (size, size))


def read_parquet_rows(path: Path, wanted: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Iterate over the cells of the wanted columns, row by row; the last holds the references.

    Raises:
        InputError: a column is missing or does not hold texts, or there are too many rows.
    """
    file = pq.ParquetFile(path)
    schema = file.schema_arrow
    columns = choose_columns(path.name, schema.names, wanted)
    for number, column in enumerate(columns, start=1):
        allows_lists = number == len(columns)
        check_type(f"Column {column!r}", schema.field(column).type, allows_lists=allows_lists)
    if file.metadata.num_rows > MAX_ROWS:
        raise too_many_rows(path.name)
    return iterate_rows(file, columns, BATCH_ROWS, use_threads=False)


def limit_rows(name: str, rows: Iterator[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Iterate over the rows; raise InputError if there are too many rows or too much text."""
    characters = 0
    for number, row in enumerate(rows):
        if number == MAX_ROWS:
            raise too_many_rows(name)
        texts = [text for cell in row for text in (cell if isinstance(cell, list) else [cell])]
        characters += sum(len(text) for text in texts if isinstance(text, str))
        if characters > MAX_FILE_CHARACTERS:
            raise too_much_text(name)
        yield row


def check_type(place: str, found: pa.DataType, *, allows_lists: bool) -> None:
    """Raise InputError unless a column holds texts, or lists of texts if they are allowed."""
    # A column of nulls has the type null; it is accepted here, and its first row is an error later.
    if not holds_texts(found, allows_lists=allows_lists) and not pa.types.is_null(found):
        expected = "texts, or lists of texts" if allows_lists else "texts"
        raise InputError(
            f"{place} is of the Parquet type {str(found)[:40]}; expected {expected}, for nothing "
            "is converted."
        )


def main(path: Path, wanted: Sequence[str]) -> None:
    """Print the rows; the last line is an object with the key "error" if something is wrong.

    Args:
        path: path of the file.
        wanted: the names of columns, that of the references last; or none, for the texts of a
            JSON array, or for one row with the list of the columns of a Parquet file.
    """
    limit_memory()
    # A text of a JSON file may have lone surrogates.
    sys.stdout.reconfigure(errors="surrogatepass")  # type: ignore[union-attr]
    error: InputError | None = None
    try:
        for row in limit_rows(path.name, read_rows(path, wanted)):
            sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")
    except InputError as reason:
        error = reason
    except FileError as reason:
        error = say(path.name, reason)
    except (MemoryError, pa.ArrowMemoryError):
        error = too_large_unpacked(path.name)
    except (pa.ArrowException, OSError, ValueError, OverflowError) as reason:
        error = InputError(f"{path.name} cannot be read as Parquet: {reason}")
    if error is not None:
        sys.stdout.write(json.dumps({"error": str(error)}) + "\n")


def read_rows(path: Path, wanted: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Iterate over the rows of a file; the arguments are those of ``main``."""
    is_parquet = path.suffix.lower() == ".parquet"
    if not wanted:
        return iter([(pq.read_schema(path).names,)]) if is_parquet else read_json_texts(path)
    return read_parquet_rows(path, wanted) if is_parquet else read_json_rows(path, wanted)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])

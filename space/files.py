"""Files that people upload: their rows, read cell by cell.

Nothing is guessed: pandas would take the text "NA" for a missing value, a text of digits for a
number and a text such as "2024-01-01" for a date. Every fault is an ``InputError`` for the page.
"""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

MAX_CHARACTERS: Final = 20_000  # of one text
MAX_ROWS: Final = 10_000
MAX_MEGABYTES: Final = 20


class InputError(ValueError):
    """What the person at the page has to change; the page shows its text."""


def too_long(place: str, text: str) -> InputError:
    """The message on a text that is too long."""
    return InputError(
        f"{place} has {len(text):,} characters; "
        f"this page scores texts of up to {MAX_CHARACTERS:,} characters."
    )


def read_samples(
    path: Path, prediction_column: str, reference_column: str
) -> tuple[list[str], list[list[str]]]:
    """The checked predictions of a file, and the references of each."""
    rows = read_rows(path)
    # The plural is as good: both stand in files that people have.
    if prediction_column not in rows[0] and f"{prediction_column}s" in rows[0]:
        prediction_column += "s"
    if reference_column not in rows[0] and f"{reference_column}s" in rows[0]:
        reference_column += "s"
    for column in (prediction_column, reference_column):
        if column not in rows[0]:
            raise InputError(
                f"{path.name} has no column {column!r}; it has {', '.join(map(repr, rows[0]))}. "
                "Write the names of your columns into the boxes above."
            )
    predictions, references = [], []
    for number, row in enumerate(rows, start=1):
        place = f"Row {number}, column {prediction_column!r}:"
        predictions.append(check_text(place, row.get(prediction_column)))
        place = f"Row {number}, column {reference_column!r}:"
        cell = row.get(reference_column)
        if path.suffix.lower() in (".csv", ".tsv"):
            cell = parse_list(cell)
        texts = [check_text(place, text) for text in (cell if isinstance(cell, list) else [cell])]
        if not texts:
            raise InputError(f"{place} the list is empty; every sample needs a reference.")
        references.append(texts)
    return predictions, references


def read_rows(path: Path) -> list[dict[str, object]]:
    """The rows of a file of any kind, at least one and not too many."""
    read = READERS.get(path.suffix.lower())
    if read is None:
        raise InputError(
            f"{path.name} is of an unknown kind; expected a name that ends in {', '.join(READERS)}."
        )
    if (size := path.stat().st_size) > MAX_MEGABYTES * 1_000_000:
        raise InputError(
            f"{path.name} has {size / 1_000_000:.1f} MB; "
            f"this page reads files of up to {MAX_MEGABYTES} MB."
        )
    rows = read(path)
    if not rows:
        raise InputError(f"{path.name} has no rows; expected one for every sample.")
    if len(rows) > MAX_ROWS:
        raise too_many_rows(path, len(rows))
    return rows


def too_many_rows(path: Path, rows: int) -> InputError:
    """The message on a file that is too long."""
    return InputError(f"{path.name} has {rows:,} rows; this page scores up to {MAX_ROWS:,} rows.")


def check_text(place: str, value: object) -> str:
    """The value, if it is a text that can be scored."""
    if value is None:
        raise InputError(f"{place} the value is missing; fill it in, or remove the row.")
    if not isinstance(value, str):
        raise InputError(
            f"{place} {str(value)[:40]} is no text but of type {type(value).__name__}; "
            "write it as a text, for nothing is converted."
        )
    if len(value) > MAX_CHARACTERS:
        raise too_long(f"{place} the text", value)
    return value


def parse_list(cell: object) -> object:
    """The list in a cell such as '["one", "two"]'; any other cell, also "[1]", is a text."""
    try:
        items = json.loads(cell) if isinstance(cell, str) and cell.startswith("[") else None
    except (ValueError, RecursionError):
        return cell
    is_list = items == [] or (items and any(isinstance(item, str) for item in items))
    return items if is_list else cell


def read_delimited(path: Path, delimiter: str) -> list[dict[str, object]]:
    """Rows of a CSV or TSV file; every cell is a text."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, delimiter=delimiter, strict=True)
            # An empty line has no cells.
            header, *rows = [cells for cells in reader if cells] or [[]]
    except UnicodeDecodeError as reason:
        raise not_utf8(path) from reason
    except csv.Error as reason:
        raise InputError(
            f"{path.name} cannot be read: line {reader.line_num}, {reason}."
        ) from reason
    for name in header:
        if header.count(name) > 1:
            raise InputError(f"{path.name} has the column {name!r} more than once.")
    for number, cells in enumerate(rows, start=1):
        if len(cells) != len(header):
            raise InputError(
                f"Row {number} has {len(cells)} cells, but the header has {len(header)}; "
                "put a text that holds a delimiter between double quotes."
            )
    return [dict(zip(header, cells, strict=True)) for cells in rows]


def read_json_lines(path: Path) -> list[dict[str, object]]:
    """Rows of a file with one JSON object a line."""
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError as reason:
        raise not_utf8(path) from reason
    rows = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as reason:
            raise InputError(
                f"Line {number} of {path.name} is not valid JSON: {reason}."
            ) from reason
        if not isinstance(row, dict):
            raise InputError(
                f"Line {number} of {path.name} is no JSON object; "
                'expected one such as {"prediction": "…", "reference": "…"}.'
            )
        rows.append(row)
    return rows


def read_parquet(path: Path) -> list[dict[str, object]]:
    """Rows of a Parquet file."""
    try:
        # Compressed, a small file can hold far more than memory does.
        if (count := pq.read_metadata(path).num_rows) > MAX_ROWS:
            raise too_many_rows(path, count)
        rows: list[dict[str, object]] = pq.read_table(path).to_pylist()
    except (pa.ArrowException, OSError, UnicodeDecodeError) as reason:
        raise InputError(f"{path.name} cannot be read as Parquet: {reason}") from reason
    return rows


def not_utf8(path: Path) -> InputError:
    """The message on a text file of another encoding."""
    return InputError(f"{path.name} is not UTF-8 text; save it as UTF-8 and upload it again.")


READERS: Final[dict[str, Callable[[Path], list[dict[str, object]]]]] = {
    ".csv": lambda path: read_delimited(path, ","),
    ".tsv": lambda path: read_delimited(path, "\t"),
    ".jsonl": read_json_lines,
    ".parquet": read_parquet,
}

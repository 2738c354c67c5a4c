"""Read samples from uploaded files; every fault is an ``InputError`` for the page."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Final

from bleu_rouge_metric.files.cells import CellError, read_cell

from .limits import (
    MAX_FILE_CHARACTERS,
    MAX_MEGABYTES,
    MAX_ROWS,
    InputError,
    check_reference_count,
    check_text,
    too_large_file,
    too_many_rows,
    too_much_text,
)
from .readers import TABLES, read_texts

TEXT: Final = ".txt"
JSON: Final = ".json"
SUFFIXES: Final = (*TABLES, TEXT)

Samples = tuple[list[str], list[list[str]]]
# The predictions of each system, and the references of each sample.
Columns = tuple[list[list[str]], list[list[str]]]
# Predictions and, in the last cell, the references; and the places of all cells for errors.
_Row = tuple[Sequence[object], Sequence[str]]


def read_samples(
    path: Path, reference_paths: Sequence[Path], prediction_column: str, reference_column: str
) -> Samples:
    """Read and check the predictions of a file and their references.

    Args:
        path: a table; or a text file with one prediction per line, or a JSON array of predictions.
        reference_paths: for a text file or JSON array, files with one reference per line or item;
            several files are several references for each prediction. None for a table.
        prediction_column: name of the column of predictions in a table.
        reference_column: name of the column of references in a table.

    Raises:
        InputError: the files cannot be read; the message says where and why.
    """
    suffix = path.suffix.lower()
    if suffix == TEXT or (suffix == JSON and reference_paths):
        _check_uploads(path, *reference_paths)
        (predictions,), references = _check(path.name, _read_texts(path, reference_paths))
    else:
        columns = (prediction_column, reference_column)
        (predictions,), references = read_columns(path, reference_paths, columns)
    return predictions, references


def read_columns(path: Path, reference_paths: Sequence[Path], columns: Sequence[str]) -> Columns:
    """Read and check columns of a table.

    Args:
        path: a table.
        reference_paths: must be empty, because the references are in the table.
        columns: names of one or more columns of predictions, then that of the references.

    Raises:
        InputError: the file cannot be read; the message says where and why.
    """
    _check_uploads(path, *reference_paths)
    return _check(path.name, _read_table(path, reference_paths, columns))


def _check_uploads(*paths: Path) -> None:
    for path in paths:
        check_upload(path)


def check_upload(path: Path) -> None:
    """Raise InputError if an upload is too large, or has been deleted."""
    try:
        size = path.stat().st_size
    except FileNotFoundError as reason:
        raise InputError(
            f"{path.name} is no longer on the server, which keeps uploads for an hour; upload it "
            "again."
        ) from reason
    if size > MAX_MEGABYTES * 1_000_000:
        raise too_large_file(path.name, size)


def _check(name: str, rows: Iterator[_Row]) -> Columns:
    """Return the texts of all rows; each row is checked before the next is read."""
    predictions: list[list[str]] = []
    references: list[list[str]] = []
    characters = 0
    for (*outputs, reference), (*places, reference_place) in rows:
        if len(references) == MAX_ROWS:
            raise too_many_rows(name)
        predictions.append(
            [check_text(place, text) for place, text in zip(places, outputs, strict=True)]
        )
        texts = reference if isinstance(reference, list) else [reference]
        check_reference_count(reference_place, len(texts))
        references.append([check_text(reference_place, text) for text in texts])
        characters += sum(map(len, [*predictions[-1], *references[-1]]))
        if characters > MAX_FILE_CHARACTERS:
            raise too_much_text(name)
    if not references:
        raise InputError(f"{name} has no rows; expected one for every sample.")
    return list(map(list, zip(*predictions, strict=True))), references


def _read_table(
    path: Path, reference_paths: Sequence[Path], columns: Sequence[str]
) -> Iterator[_Row]:
    """Read the rows of a table; a cell of CSV or TSV may hold a list, as in the command."""
    suffix = path.suffix.lower()
    read = TABLES.get(suffix)
    if read is None:
        raise InputError(
            f"{path.name} is of an unknown kind; "
            f"expected a name that ends in {', '.join(SUFFIXES)}."
        )
    if reference_paths:
        raise InputError(
            f"{reference_paths[0].name} is not read: {path.name} has its references in a column. "
            "Remove the files of references; they go with predictions in a .txt file."
        )
    for column in columns:
        # A program that calls the page may pass None.
        check_text("The name of a column", column)
    for number, cells in enumerate(read(path, columns), start=1):
        places = [f"Row {number}, column {column!r}" for column in columns]
        if suffix in (".csv", ".tsv"):
            *outputs, reference = zip(places, map(str, cells), strict=True)
            parsed = [_parse_cell(place, cell, allows_lists=False) for place, cell in outputs]
            yield [*parsed, _parse_cell(*reference, allows_lists=True)], places
        else:
            yield cells, places


def _parse_cell(place: str, cell: str, *, allows_lists: bool) -> object:
    """Parse a cell of a CSV or TSV file as the command does."""
    try:
        return read_cell(cell, allows_lists=allows_lists)
    except CellError as reason:
        raise InputError(f"{place}: {reason}") from reason


def _read_texts(path: Path, reference_paths: Sequence[Path]) -> Iterator[_Row]:
    """Read text files: predictions from one file, references from the others."""
    if not reference_paths:
        raise InputError(
            f"{path.name} has one prediction per line; upload the references too, "
            "as .txt files with one reference per line."
        )
    for file in reference_paths:
        if file.suffix.lower() not in (TEXT, JSON):
            raise InputError(
                f"{file.name} is not a .txt file; the references of {path.name} are .txt files "
                "with one reference per line."
            )
    names = [file.name for file in (path, *reference_paths)]
    lines = zip_longest(*map(read_texts, (path, *reference_paths)))
    for number, (prediction, *texts) in enumerate(lines, start=1):
        ended = [
            name for name, text in zip(names, (prediction, *texts), strict=True) if text is None
        ]
        if ended:
            raise InputError(
                f"{ended[0]} has {number - 1:,} lines, and another file has more; expected one "
                "line for every sample in each file."
            )
        places = f"Line {number} of {path.name}", f"Line {number} of the references"
        yield (prediction, texts), places

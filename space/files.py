"""Read samples from uploaded files; every error is an ``InputError`` for the page."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from bleu_rouge_metric.files.cells import CellError, read_cell

from .limits import (
    ELSEWHERE,
    MAX_FILE_CHARACTERS,
    MAX_MEGABYTES,
    MAX_ROWS,
    MAX_SECONDS,
    InputError,
    check_reference_count,
    check_text,
)
from .readers import TABLES, describe_input, read_header, read_texts

TEXT: Final = ".txt"
JSON: Final = ".json"
SUFFIXES: Final = (*TABLES, TEXT)

# Files of these kinds may need far more memory than their size, so a separate process reads them.
_APART: Final = (JSON, ".parquet")
_ROOT: Final = Path(__file__).resolve().parent.parent

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
    columns = (prediction_column, reference_column)
    (predictions,), references = read_columns(path, reference_paths, columns)
    return predictions, references


def read_columns(path: Path, reference_paths: Sequence[Path], columns: Sequence[str]) -> Columns:
    """Read and check columns of a table, or text files.

    Args:
        path: as in ``read_samples``.
        reference_paths: as in ``read_samples``.
        columns: names of one or more columns of predictions, then that of the references; only for
            a table.

    Raises:
        InputError: the file cannot be read; the message says where and why.
    """
    predictions, references = _read([path, *reference_paths], columns)
    return predictions, references


def describe_files(paths: Sequence[Path]) -> str:
    """Say what is unusual about uploads; raise InputError if one is empty or too large."""
    for path in paths:
        _check_upload(path)
    return " ".join(filter(None, map(describe_input, paths)))


def list_columns(path: Path) -> list[str]:
    """Return the names of the columns of a table; of JSON, the keys of the first object.

    Raises:
        InputError: the file cannot be read.
    """
    names: list[str] = _read([path], ())
    return names


def _read(paths: Sequence[Path], columns: Sequence[str]) -> Any:
    """Check the sizes of uploads, and read them with ``read_here`` in a suitable process."""
    for path in paths:
        _check_upload(path)
    apart = [path for path in paths if path.suffix.lower() in _APART]
    return _read_apart(apart[0], paths, columns) if apart else read_here(paths, columns)


def _check_upload(path: Path) -> None:
    """Raise InputError if an upload is too large, or has been deleted."""
    try:
        size = path.stat().st_size
    except FileNotFoundError as reason:
        raise InputError(
            f"{path.name} is no longer on the server, which keeps uploads for an hour; upload it "
            "again."
        ) from reason
    if size > MAX_MEGABYTES * 1_000_000:
        raise InputError(
            f"{path.name} has {size / 1_000_000:.1f} MB; this page reads files of up to "
            f"{MAX_MEGABYTES} MB."
        )


def _read_apart(first: Path, paths: Sequence[Path], columns: Sequence[str]) -> Any:
    """Read files in a process with limited memory and time: ``read_apart.py``.

    Args:
        first: the first file that needs a separate process, for errors.
        paths: all files.
        columns: as in ``read_here``.
    """
    arguments = json.dumps([[str(path.resolve()) for path in paths], columns])
    # The system's memory pool frees memory at once, and its memory counts for the limit.
    environment = os.environ | {"ARROW_DEFAULT_MEMORY_POOL": "system", "PYTHONUTF8": "1"}
    try:
        done = subprocess.run(  # noqa: S603 - the same Python, and no shell
            [sys.executable, "-m", "space.read_apart", first.name, arguments],
            cwd=_ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=MAX_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as reason:
        raise InputError(
            f"Reading {first.name} took more than {MAX_SECONDS} seconds; score fewer rows at a "
            f"time, {ELSEWHERE}"
        ) from reason
    if done.returncode:
        kind = "JSON" if first.suffix.lower() == JSON else "Parquet"
        raise InputError(f"{first.name} cannot be read as {kind}: the reader has failed.")
    result: Any = json.loads(done.stdout)
    if isinstance(result, dict):
        raise InputError(result["error"])
    return result


def read_here(paths: Sequence[Path], columns: Sequence[str]) -> Columns | list[str]:
    """Read and check files in this process.

    Args:
        paths: a table; or files of predictions and references.
        columns: as in ``read_columns``; none for the names of the columns of a table.
    """
    path, *reference_paths = paths
    suffix = path.suffix.lower()
    if suffix == TEXT or (suffix == JSON and reference_paths):
        return _check(path.name, _read_texts(path, reference_paths))
    return (
        _check(path.name, _read_table(path, reference_paths, columns))
        if columns
        else (read_header(path))
    )


def _check(name: str, rows: Iterator[_Row]) -> Columns:
    """Return the texts of all rows; check each row before the next is read."""
    predictions: list[list[str]] = []
    references: list[list[str]] = []
    characters = 0
    for (*outputs, reference), (*places, reference_place) in rows:
        if len(references) == MAX_ROWS:
            raise InputError(
                f"{name} has more than {MAX_ROWS:,} rows; this page scores up to {MAX_ROWS:,} rows."
            )
        predictions.append(
            [check_text(place, text) for place, text in zip(places, outputs, strict=True)]
        )
        texts = reference if isinstance(reference, list) else [reference]
        check_reference_count(reference_place, len(texts))
        references.append([check_text(reference_place, text) for text in texts])
        characters += sum(map(len, [*predictions[-1], *references[-1]]))
        if characters > MAX_FILE_CHARACTERS:
            raise InputError(
                f"{name} has more than {MAX_FILE_CHARACTERS:,} characters of predictions and "
                f"references; score fewer rows at a time, {ELSEWHERE}"
            )
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

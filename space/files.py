"""Read samples from uploaded files; every error is an ``InputError`` for the page."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from bleu_rouge_metric.files.input import UTF8

from .limits import ELSEWHERE, MAX_MEGABYTES, MAX_SECONDS, InputError, check_text
from .read_apart import Columns, open_input

TEXT: Final = ".txt"
JSON: Final = ".json"
TABLES: Final = (".csv", ".tsv", ".jsonl", JSON, ".parquet")
SUFFIXES: Final = (*TABLES, TEXT)

_ROOT: Final = Path(__file__).resolve().parent.parent
_DELIMITERS: Final = {";": "semicolons", "\t": "tabs", "|": "vertical bars"}


def read_samples(
    path: Path, reference_paths: Sequence[Path], prediction_column: str, reference_column: str
) -> tuple[list[str], list[list[str]]]:
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
    paths = [path, *reference_paths]
    for one in paths:
        _check_upload(one)
    _check_kinds(path, reference_paths)
    if not reference_paths:
        # Nothing was chosen, or a program that calls the page passed something else.
        for number, column in enumerate(columns, start=1):
            if not column:
                kind = "references" if number == len(columns) else "predictions"
                raise InputError(f"Choose the column of the {kind} of {path.name}.")
            check_text("The name of a column", column)
    predictions, references = _read_apart(paths, columns)
    return predictions, references


def list_columns(path: Path) -> list[str]:
    """Return the names of the columns of a table; of JSON, the keys of the first object.

    Raises:
        InputError: the file cannot be read.
    """
    _check_upload(path)
    names: list[str] = _read_apart([path], ())
    return names


def describe_files(paths: Sequence[Path]) -> str:
    """Say what is unusual about uploads; raise InputError if one is empty or too large."""
    notes = []
    for path in paths:
        _check_upload(path)
        if not path.stat().st_size:
            raise InputError(f"{path.name} is empty; expected one row or line for every sample.")
        file = open_input(path)
        facts = ["UTF-16"] * (file.encoding != UTF8)
        facts += [f"separated by {_DELIMITERS[file.delimiter]}"] if file.delimiter else []
        notes += [f"{path.name} is read as {', '.join(facts)}."] if facts else []
    return " ".join(notes)


def list_format_flags(path: Path) -> list[str]:
    """Return the flags with which the command reads an unusual file as the page does."""
    file = open_input(path)
    encoding = [] if file.encoding == UTF8 else ["--encoding", file.encoding]
    return encoding if file.delimiter is None else [*encoding, "--delimiter", file.delimiter]


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


def _check_kinds(path: Path, reference_paths: Sequence[Path]) -> None:
    """Raise InputError unless the files are a table, or files of predictions and references."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(
            f"{path.name} is of an unknown kind; "
            f"expected a name that ends in {', '.join(SUFFIXES)}."
        )
    if suffix not in (TEXT, JSON) and reference_paths:
        raise InputError(
            f"{reference_paths[0].name} is not read: {path.name} has its references in a column. "
            "Remove the files of references; they go with predictions in a .txt file."
        )
    if suffix == TEXT and not reference_paths:
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


def _read_apart(paths: Sequence[Path], columns: Sequence[str]) -> Any:
    """Return what ``read_apart.read_here`` returns, in a process with limited memory and time."""
    name = paths[0].name
    arguments = json.dumps([[str(path.resolve()) for path in paths], columns])
    # The system's memory pool frees memory at once, and its memory counts for the limit.
    environment = os.environ | {"ARROW_DEFAULT_MEMORY_POOL": "system", "PYTHONUTF8": "1"}
    try:
        done = subprocess.run(  # noqa: S603 - the same Python, and no shell
            [sys.executable, "-m", "space.read_apart", name, arguments],
            cwd=_ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=MAX_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as reason:
        raise InputError(
            f"Reading {name} took more than {MAX_SECONDS} seconds; score fewer rows at a time, "
            f"{ELSEWHERE}"
        ) from reason
    if done.returncode:
        raise InputError(f"{name} cannot be read: the reader has failed.")
    result: Any = json.loads(done.stdout)
    if isinstance(result, dict):
        raise InputError(result["error"])
    return result

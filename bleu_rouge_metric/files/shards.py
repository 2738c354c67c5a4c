"""Cut files into shards, which any machine that sees the files can count one by one.

A shard is some row groups of a Parquet file, a range of lines of a JSON Lines file, or a whole
compressed JSON Lines file. Row groups are small enough for memory; lines are read as a stream.
"""

import os
import re
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from .columns import PREDICTION, REFERENCE, ColumnChoice, choose_columns
from .input import STDIN, FileError, FileFormat, InputFile, describe
from .lines import examine
from .rows import open_rows

# Size of a shard in bytes of lines or rows of Parquet: about a second of work.
SHARD_BYTES: Final = 1 << 25
SHARD_ROWS: Final = 1 << 16

_FORMATS: Final = (FileFormat.PARQUET, FileFormat.JSONL, FileFormat.JSON)


class Shard(NamedTuple):
    """Part of a file."""

    number: int  # from 0, in the order of the samples
    path: str
    prediction_column: str
    reference_column: str
    start: int  # first row group, or first byte
    stop: int | None  # the row group or the byte after the last one; None for the end of the file
    rows: int | None = None  # of Parquet
    strip: re.Pattern[str] | None = None  # what is removed from its texts


# How the columns of predictions and of references are chosen.
Choices = tuple[ColumnChoice, ColumnChoice]


def make_shared_choices(
    prediction_column: str | None = None, reference_column: str | None = None
) -> Choices:
    """Make the choices for files that hold both predictions and references."""
    return (
        PREDICTION._replace(name=prediction_column, takes_only=False),
        REFERENCE._replace(name=reference_column, takes_only=False),
    )


def list_files(path: str) -> list[InputFile]:
    """List the file itself, or all files below a folder, sorted by name; links are followed.

    Names that begin with ``.`` (hidden) or ``_`` (such as Spark's ``_SUCCESS``) are skipped.
    """
    if path == STDIN:
        raise FileError(path, "standard input cannot be read by several processes; give files.")
    files = sorted(_find_files(Path(path)))
    if not files:
        raise FileError(path, "the folder has no files; expected Parquet or JSON Lines.")
    return [_check_format(str(file)) for file in files]


def _find_files(path: Path, above: frozenset[Path] = frozenset()) -> Iterator[Path]:
    """Iterate over a file, or all files below a folder; links to folders above it are skipped."""
    try:
        is_folder = stat.S_ISDIR(path.stat().st_mode)
        paths = list(path.iterdir()) if is_folder else []
    except OSError as error:
        raise FileError(str(path), f"{describe(error)}.") from error
    if not is_folder:
        yield path
    elif (place := path.resolve()) not in above:
        for one in paths:
            if not one.name.startswith((".", "_")):
                yield from _find_files(one, above | {place})


def _check_format(path: str) -> InputFile:
    """Return the file; raise FileError if it is no file of Parquet or JSON Lines."""
    file = InputFile.from_path(path)
    if not Path(path).is_file():
        raise FileError(path, "a pipe cannot be read by several processes; give files.")
    if file.format not in _FORMATS:
        examine(file)  # an error that says what the file is, if it is of a known kind
        raise FileError(
            path,
            "the suffix is neither that of Parquet nor of JSON Lines; a folder and --engine take "
            ".parquet, .jsonl, .ndjson, .json, .jsonl.gz, .ndjson.gz and .json.gz.",
        )
    return file


def plan_shards(files: Sequence[InputFile], choices: Choices) -> list[Shard]:
    """Return the shards of all files, in order; only metadata or first lines are read."""
    shards: list[Shard] = []
    for file in files:
        is_parquet = file.format is FileFormat.PARQUET
        # A file of JSON has lines too: an array cannot be cut.
        opened = file if is_parquet else file._replace(format=FileFormat.JSONL)
        rows = open_rows(opened, is_examined=True)
        if rows.names is not None:
            prediction, reference = choose_columns(rows, choices)
            for part in _cut_parquet(file) if is_parquet else _cut_lines(file):
                shards.append(Shard(len(shards), file.path, prediction, reference, *part))
        elif rows.first is not None:
            message = "the line is not an object; expected one with the prediction and the "
            raise FileError(file.path, f"{message}references.", rows.line)
    return shards


def _cut_parquet(file: InputFile) -> Iterator[tuple[int, int | None, int | None]]:
    """Cut a Parquet file after whole row groups, each shard of at least ``SHARD_ROWS`` rows."""
    from pyarrow import parquet

    metadata = parquet.read_metadata(file.path)
    start = rows = 0
    for group in range(metadata.num_row_groups):
        rows += metadata.row_group(group).num_rows
        if rows >= SHARD_ROWS or group == metadata.num_row_groups - 1:
            yield start, group + 1, rows
            start, rows = group + 1, 0


def _cut_lines(file: InputFile) -> Iterator[tuple[int, int | None, int | None]]:
    """Cut a file of lines into ranges of about ``SHARD_BYTES`` bytes that end with a line."""
    starts = [0]
    if not file.compression:
        with Path(file.path).open("rb") as handle:
            size = handle.seek(0, os.SEEK_END)
            while starts[-1] + SHARD_BYTES < size:
                handle.seek(starts[-1] + SHARD_BYTES)
                handle.readline()
                starts.append(handle.tell())
            if starts[-1] == size:
                starts.pop()
    for start, stop in zip(starts, [*starts[1:], None], strict=True):
        yield start, stop, None

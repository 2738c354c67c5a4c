"""Count shards of files, in portions, so that memory holds one portion at a time.

A worker, a process of ``folders.py`` or a task of ``ray_engine.py``, sends messages: tables of
counts, then its end or an error. They are merged in the order of the shards, so that scores, errors
and warnings are those of one process.
"""

import os
import traceback
from collections.abc import Generator, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from ..counting.threads import VARIABLE
from ..engines import count_table
from ..files.columns import check_value, take_value
from ..files.input import FileError, FileFormat, InputFile
from ..files.json_values import JsonValue, parse_json
from ..files.lines import read_lines
from ..files.shards import Shard, make_shared_choices
from ..options.options import Options
from ..options.profiles import Family
from ..samples.arrow_columns import read_texts
from ..samples.inputs import Samples, check_samples
from ..text.warnings import MOST_LOOKED_AT, SentenceLines, collect_warnings, warn_caller
from .messages import name_file

# A portion ends after this many rows, or after the row that reaches this many characters or bytes.
_ROWS: Final = 4096
_CHARACTERS: Final = 1 << 22

# The keys of a shard's samples begin at its number times this number; no shard has more rows.
KEYS: Final = 1 << 40


def count_shard(
    shard: Shard, options: Options, families: Sequence[Family], lines: SentenceLines
) -> Iterator[Any]:
    """Iterate over tables of the counts of a shard; keys give the order over all shards."""
    row = 0
    for samples in _read_portions(shard):
        keys = np.arange(row, row + len(samples.predictions)) + shard.number * KEYS
        row += len(keys)
        lines.add(samples)
        with name_file(shard.path):
            table = count_table(samples, options, families, keys)
        yield table
    if shard.rows not in (None, row):
        message = f"{row} rows were read, but its metadata says {shard.rows}; write it again."
        raise FileError(shard.path, message)


def count_shards(
    shards: Sequence[Shard], options: Options, families: Sequence[Family], lines: SentenceLines
) -> Generator[Any, None, None]:
    """Iterate over tables of the counts of all shards, with None behind the last of each shard."""
    for shard in shards:
        yield from count_shard(shard, options, families, lines)
        yield None


def look_at_first(shards: Sequence[Shard], lines: SentenceLines) -> None:
    """Check the first samples for sentences, as many as matter; they are not counted."""
    for samples in chain.from_iterable(map(_read_portions, shards)):
        lines.add(samples)
        if lines.is_settled or lines.looked_at >= MOST_LOOKED_AT:
            return


def _read_portions(shard: Shard) -> Iterator[Samples]:
    """Read the samples of a shard in portions."""
    file = InputFile.from_path(shard.path)
    return (_read_parquet if file.format is FileFormat.PARQUET else _read_lines)(file, shard)


def _read_lines(file: InputFile, shard: Shard) -> Iterator[Samples]:
    """Read the lines of a shard in portions."""
    prediction, reference = make_shared_choices(file.path)
    predictions: list[str] = []
    references: list[list[str]] = []
    characters = 0
    try:
        for number, line in read_lines(file, shard.start, shard.stop):
            if line.isspace():
                continue
            value = JsonValue(number, parse_json(file, line, number))
            text = take_value(file, prediction, value, shard.prediction_column)
            texts = take_value(file, reference, value, shard.reference_column)
            predictions.append(str(text))
            references.append([texts] if isinstance(texts, str) else texts)
            characters += len(line)
            if len(predictions) == _ROWS or characters >= _CHARACTERS:
                yield check_samples(predictions, references)
                predictions, references, characters = [], [], 0
    except FileError as error:
        raise error.shift(_count_lines(shard.path, shard.start)) from error
    if predictions:
        yield check_samples(predictions, references)


def _count_lines(path: str, stop: int) -> int:
    """Count the lines that end before a byte of a file."""
    lines = 0
    with Path(path).open("rb") as handle:
        while stop > 0 and (block := handle.read(min(stop, 1 << 20))):
            lines += block.count(b"\n")
            stop -= len(block)
    return lines


def _read_parquet(file: InputFile, shard: Shard) -> Iterator[Samples]:
    """Read the rows of a shard in portions."""
    from pyarrow import parquet

    names = [shard.prediction_column, shard.reference_column]
    row = shard.first_row
    try:
        # With a buffer_size, a column of a row group is read page by page, not as a whole.
        with parquet.ParquetFile(file.path, buffer_size=1 << 20) as table:
            groups = range(shard.start, shard.stop or table.num_row_groups)
            size = sum(table.metadata.row_group(group).total_byte_size for group in groups)
            rows = max(1, min(_ROWS, _CHARACTERS * (shard.rows or 1) // max(1, size)))
            for batch in table.iter_batches(rows, groups, columns=names, use_threads=False):
                yield _check_batch(file, batch, names, row)
                row += batch.num_rows
    except (pa.ArrowException, OSError) as error:
        raise FileError(file.path, f"not a readable Parquet file: {error}") from error


def _check_batch(file: InputFile, batch: Any, names: Sequence[str], row: int) -> Samples:
    """Return the samples of a batch of two columns, which ``row`` rows of the file precede."""
    try:
        return check_samples(
            read_texts(batch, names[0], "--prediction-column"),
            read_texts(batch, names[1], "--reference-column", allows_lists=True),
        )
    except (TypeError, ValueError):
        # Check row by row, for the same error as without an engine.
        line = row + 1
        try:
            for name, choice in zip(names, make_shared_choices(file.path), strict=True):
                for line, value in enumerate(batch.column(name), row + 1):
                    check_value(file, choice, value.as_py(), repr(name), line)
        except UnicodeDecodeError as error:
            raise FileError(file.path, "the text is not UTF-8.", line) from error
        raise


class End(NamedTuple):
    """The last message of a worker about a shard, with its number of rows and its warnings."""

    rows: int
    is_settled: bool  # ``SentenceLines`` needs no more samples.
    warnings: Sequence[str]


# A message of a worker about a shard: a table of the counts of some of its rows; in the end, its
# end or the error that ended it.
Message = Any


def count_in_worker(
    shard: Shard,
    options: Options,
    families: Sequence[Family],
    is_settled: bool,  # noqa: FBT001 - workers get positional arguments
) -> Iterator[Message]:
    """Iterate over the messages about a shard; runs in a worker, one per processor."""
    os.environ[VARIABLE] = "1"
    rows, lines = 0, SentenceLines(MOST_LOOKED_AT, is_settled=is_settled)
    with collect_warnings() as warnings:
        try:
            for table in count_shard(shard, options, families, lines):
                rows += table.num_rows
                yield table
        except (FileError, ImportError) as error:
            yield error
        except Exception:  # noqa: BLE001 - an error in the program, which the main process shows
            yield RuntimeError(traceback.format_exc())
        else:
            yield End(rows, lines.is_settled, warnings)


def merge_messages(
    shards: Iterable[tuple[Shard, Iterable[Message]]], lines: SentenceLines
) -> Iterator[Any]:
    """Iterate over the tables of all shards as ``count_shards`` does; raise the first error."""
    for shard, messages in shards:
        rows, message = 0, None
        for message in messages:
            if isinstance(message, End | Exception):
                break
            rows += message.num_rows
            yield message
        if isinstance(message, Exception):
            raise message
        if not isinstance(message, End) or message.rows != rows:
            reason = "its worker did not send the counts of all rows; run the command again."
            raise FileError(shard.path, reason)
        lines.is_settled |= message.is_settled
        for warning in message.warnings:
            warn_caller(warning)
        yield None

"""Count one shard in portions, so that a worker holds only one portion in memory."""

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np

from ..arrays import to_offsets
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
from ..text.warnings import MOST_LOOKED_AT, SentenceLines
from .counting import name_file

# A portion ends after this many rows, or after the row that reaches this many characters or bytes.
_ROWS: Final = 4096
_CHARACTERS: Final = 1 << 22

# The keys of a shard's samples begin at its number times this number; no shard has more rows.
KEYS: Final = 1 << 40


def count_shard(
    shard: Shard, options: Options, families: Sequence[Family], lines: SentenceLines
) -> Iterator[Any]:
    """Iterate over tables of the counts of a shard; keys give the order over all shards.

    Args:
        shard: part of a file.
        options: checked options.
        families: families to count.
        lines: checks the samples of the shard for sentences.

    Raises:
        FileError: a value is not a text, the file cannot be read, or a text cannot be counted.
    """
    row = 0
    for samples in _read_portions(shard):
        keys = np.arange(row, row + len(samples.predictions)) + shard.number * KEYS
        row += len(samples.predictions)
        lines.add(samples)
        with name_file(shard.path):
            table = count_table(samples, options, families, keys)
        yield table
    if shard.rows not in (None, row):
        message = f"{row} rows were read, but its metadata says {shard.rows}; write it again."
        raise FileError(shard.path, message)


def count_shards(
    shards: Sequence[Shard], options: Options, families: Sequence[Family], lines: SentenceLines
) -> Iterator[Any]:
    """Iterate over tables of the counts of all shards, with None behind the last of each shard.

    The arguments are those of ``count_shard``.
    """
    for shard in shards:
        yield from count_shard(shard, options, families, lines)
        yield None


def look_at_first(shards: Sequence[Shard], lines: SentenceLines) -> None:
    """Check the first samples for sentences, as many as matter; they are not counted.

    Raises:
        FileError: as ``count_shard``.
    """
    for shard in shards:
        for samples in _read_portions(shard):
            lines.add(samples)
            if lines.is_settled or lines.looked_at >= MOST_LOOKED_AT:
                return


def pack_table(table: Any) -> bytes:
    """Return a table as bytes, to send it to another process."""
    import pyarrow as pa

    stream = pa.BufferOutputStream()
    with pa.ipc.new_stream(stream, table.schema) as writer:
        writer.write_table(table)
    packed: bytes = stream.getvalue().to_pybytes()
    return packed


def unpack_table(packed: bytes) -> Any:
    """Return the table of ``pack_table``."""
    import pyarrow as pa

    return pa.ipc.open_stream(packed).read_all()


def _read_portions(shard: Shard) -> Iterator[Samples]:
    """Read the samples of a shard in portions."""
    file = InputFile.from_path(shard.path)
    read = _read_parquet if file.format is FileFormat.PARQUET else _read_lines
    yield from read(file, shard)


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
                yield _to_samples(predictions, references)
                predictions, references, characters = [], [], 0
    except FileError as error:
        raise error.shift(_count_lines(shard.path, shard.start)) from error
    if predictions:
        yield _to_samples(predictions, references)


def _to_samples(predictions: list[str], references: list[list[str]]) -> Samples:
    """Make samples of checked texts."""
    counts = np.fromiter(map(len, references), np.int64, len(references))
    return Samples(predictions, list(chain.from_iterable(references)), to_offsets(counts))


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
    import pyarrow as pa
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
    """Check the samples of a batch.

    Args:
        file: the file of the batch.
        batch: a ``pyarrow.RecordBatch``.
        names: names of its two columns.
        row: how many rows of the file come before the batch.
    """
    try:
        predictions = read_texts(batch, names[0], "--prediction-column")
        references = read_texts(batch, names[1], "--reference-column", allows_lists=True)
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
    return check_samples(predictions, references)

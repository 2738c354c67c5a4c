"""Write the scores of every sample to a file: CSV, TSV, JSON Lines or Parquet."""

import csv
import gzip
import io
import json
from collections.abc import Mapping, Sequence
from typing import BinaryIO, Final, cast

from ..extras import needs
from ..files.input import STDIN, FileError, FileFormat, detect_format
from ..scoring.scorer import Scorer
from ..tables import guard_cell
from .output_files import check_output, write_whole

# The scores of all samples, by the name of the column.
Columns = Mapping[str, Sequence[float] | Sequence[int]]

# A .json file is written as JSON Lines, which can be read from .json too.
_JSON: Final = (FileFormat.JSONL, FileFormat.JSON)
_WRITABLE: Final = (FileFormat.CSV, FileFormat.TSV, *_JSON, FileFormat.PARQUET)


def check_sample_path(path: str, inputs: Sequence[str]) -> None:
    """Check the path of the file for the scores of every sample.

    Args:
        path: path of the file; its suffix tells the format.
        inputs: paths of the input files, which must not be overwritten.

    Raises:
        FileError: the suffix names no known format, the file is one of the inputs, or it cannot be
            written.
    """
    if path == STDIN:
        raise FileError("--per-sample", "scores of every sample go to a file; give its name.")
    file_format, _ = detect_format(path)
    if file_format not in _WRITABLE:
        raise FileError(
            path,
            "the suffix names no known format; expected .csv, .tsv, .jsonl or .parquet "
            "(.csv.gz, .tsv.gz and .jsonl.gz are compressed).",
        )
    check_output(path, inputs)


def score_each(scorer: Scorer, factor: int) -> Columns:
    """Return the scores of every sample as columns; the first column is the index, from 0.

    Args:
        scorer: has counted the samples.
        factor: what scores are multiplied by.
    """
    counts, plan = scorer.counts(), scorer.options.plan(scorer.families).scoring
    columns: dict[str, Sequence[float]] = {"index": range(len(counts.reference_counts))}
    for part in plan.parts.values():
        scores = part.list_sample_scores(counts, detailed=plan.output.detailed)
        columns.update({name: [value * factor for value in scores[name]] for name in scores})
    return columns


def write_columns(path: str, columns: Columns) -> None:
    """Write columns to a new file, which replaces an old one with this name.

    Args:
        path: path that ``check_sample_path`` has checked; its suffix tells the format.
        columns: the scores of every sample.

    Raises:
        FileError: the file cannot be written; an old file is unchanged.
    """
    file_format, is_compressed = detect_format(path)
    with write_whole(path) as handle:
        if file_format is FileFormat.PARQUET:
            _write_parquet(handle, columns)
        elif is_compressed:
            # The time is left out, so that the same scores give the same file.
            with gzip.GzipFile(fileobj=handle, mode="wb", mtime=0) as stream:
                _write_text(cast("BinaryIO", stream), columns, file_format)
        else:
            _write_text(handle, columns, file_format)


def _write_text(stream: BinaryIO, columns: Columns, file_format: FileFormat | None) -> None:
    """Write CSV or TSV with a header, or one JSON object per line."""
    rows = zip(*columns.values(), strict=True)
    text = io.TextIOWrapper(stream, "utf-8", newline="")
    if file_format in _JSON:
        for row in rows:
            text.write(json.dumps(dict(zip(columns, row, strict=True))) + "\n")
    else:
        delimiter = "\t" if file_format is FileFormat.TSV else ","
        writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
        writer.writerow(map(guard_cell, columns))
        writer.writerows(rows)
    # The caller closes the stream.
    text.detach()


def _write_parquet(stream: BinaryIO, columns: Columns) -> None:
    """Write one float64 column per score, and the index as int64."""
    with needs("Parquet", "cli"):
        import pyarrow as pa
        from pyarrow import parquet

    parquet.write_table(
        pa.table({name: pa.array(values) for name, values in columns.items()}), stream
    )

"""Scores of every sample, written to a file: CSV, TSV, JSON Lines or Parquet, one row a sample."""

import csv
import gzip
import io
import json
from collections.abc import Mapping, Sequence
from typing import BinaryIO, Final, cast

from ..files.lines import STDIN, FileError, FileFormat, detect_format
from ..scoring.results import Value
from .output_files import check_output, write_whole

# The scores of all samples by the name of their column.
Columns = Mapping[str, Sequence[float] | Sequence[int]]

_SENTENCE_BLEU: Final = "sentence_bleu"

# A new file .json has JSON Lines, which are read from .json too.
_JSON: Final = (FileFormat.JSONL, FileFormat.JSON)
_WRITABLE: Final = (FileFormat.CSV, FileFormat.TSV, *_JSON, FileFormat.PARQUET)


def check_sample_path(path: str, inputs: Sequence[str]) -> None:
    """Checks where the scores of every sample are to go.

    Args:
        path: its suffix tells the format.
        inputs: paths of the files that are read, which must not be overwritten.

    Raises:
        FileError: the suffix tells no format to write, the file is one of the inputs, or it cannot
            be written.
    """
    if path == STDIN:
        raise FileError("--per-sample", "scores of every sample go to a file; give its name.")
    file_format, _ = detect_format(path)
    if file_format not in _WRITABLE:
        raise FileError(
            path,
            "the suffix tells no format; expected .csv, .tsv, .jsonl or .parquet "
            "(.csv.gz, .tsv.gz and .jsonl.gz are compressed).",
        )
    check_output(path, inputs)


def write_samples(path: str, scores: Mapping[str, Value]) -> None:
    """Writes the scores of every sample to a new file, which replaces an old one of this name.

    Args:
        path: checked by ``check_sample_path``; its suffix tells the format.
        scores: lists of one value per sample, or dicts of such lists, as ``score_counts`` gives
            them without an aggregator; those of the corpus are left out.

    Raises:
        FileError: the file cannot be written; an old one is as it was.
    """
    file_format, is_compressed = detect_format(path)
    columns = to_columns(scores)
    with write_whole(path) as handle:
        if file_format is FileFormat.PARQUET:
            _write_parquet(handle, columns)
        elif is_compressed:
            # Without a time in it, the same scores give the same file.
            with gzip.GzipFile(fileobj=handle, mode="wb", mtime=0) as stream:
                _write_text(cast("BinaryIO", stream), columns, file_format)
        else:
            _write_text(handle, columns, file_format)


def to_columns(scores: Mapping[str, Value]) -> Columns:
    """Scores of every sample as columns of the same length; the first is their index, from 0.

    Several sets of weights give several BLEU scores a sample: ``sentence_bleu_1`` and so on.

    >>> to_columns({"bleu": 0.5, "precisions": [0.5], "sentence_bleu": [1.0, 0.0],
    ...             "rouge1": {"precision": [1.0, 0.5]}})
    {'index': range(0, 2), 'sentence_bleu': [1.0, 0.0], 'rouge1_precision': [1.0, 0.5]}
    """
    columns: dict[str, Sequence[float]] = {}
    for name, value in scores.items():
        if name == _SENTENCE_BLEU and isinstance(cast("list[object]", value)[0], list):
            sets = zip(*cast("list[list[float]]", value), strict=True)
            columns.update({f"{name}_{number}": column for number, column in enumerate(sets, 1)})
        elif name == _SENTENCE_BLEU:
            columns[name] = cast("list[float]", value)
        elif name.startswith("rouge") and isinstance(value, dict):
            for part, values in value.items():
                columns[f"{name}_{part}"] = cast("list[float]", values)
        elif name.startswith("rouge"):
            columns[name] = cast("list[float]", value)
    return {"index": range(len(next(iter(columns.values())))), **columns}


def _write_text(stream: BinaryIO, columns: Columns, file_format: FileFormat | None) -> None:
    """CSV and TSV with a header, or one JSON object a line."""
    rows = zip(*columns.values(), strict=True)
    text = io.TextIOWrapper(stream, "utf-8", newline="")
    if file_format in _JSON:
        for row in rows:
            text.write(json.dumps(dict(zip(columns, row, strict=True))) + "\n")
    else:
        delimiter = "\t" if file_format is FileFormat.TSV else ","
        writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
    # The stream is the caller's to close.
    text.detach()


def _write_parquet(stream: BinaryIO, columns: Columns) -> None:
    """One column a score, float64; the index int64."""
    import pyarrow as pa
    from pyarrow import parquet

    parquet.write_table(
        pa.table({name: pa.array(values) for name, values in columns.items()}), stream
    )

"""Samples from files: one of predictions, one or more of references.

Sample ``i`` has row ``i`` of every file. The formats and their columns are in ``columns.py``.
Held are the texts and how many references each sample has, nothing else.
"""

import os
import stat
from array import array
from collections.abc import Sequence
from itertools import islice
from typing import Final, NamedTuple

import numpy as np

from ..arrays import to_offsets
from ..samples.inputs import Samples
from .columns import ColumnChoice, read_column
from .lines import STDIN, FileError, FileFormat, InputFile, find_file

_PREDICTION_COLUMNS: Final = ("prediction", "predictions")
_REFERENCE_COLUMNS: Final = ("reference", "references")


class _Column(NamedTuple):
    """The texts of one file.

    Attributes:
        path: of the file.
        texts: of all rows, one row after the other.
        counts: how many texts each row has, at least 1.
        last_line: number of the last line that was read.
    """

    path: str
    texts: list[str]
    counts: "array[int]"
    last_line: int


def read_samples(
    predictions: str,
    references: Sequence[str],
    *,
    prediction_column: str | None = None,
    reference_column: str | None = None,
    stdin_format: FileFormat = FileFormat.TEXT,
) -> Samples:
    """Samples of a file of predictions and one or more files of references.

    Args:
        predictions: path, or ``-`` for standard input.
        references: paths, or ``-``. Each file gives every sample a reference, or several where its
            column holds lists.
        prediction_column: where the file has columns; None for ``prediction``, ``predictions``, or
            the only column of a file that does not hold the references too.
        reference_column: likewise; None for ``reference``, ``references``, or the only column.
        stdin_format: of standard input.

    Returns:
        The samples; at least one. The references of a sample are in the order of the files.

    Raises:
        FileError: a file cannot be read, has no such column, holds what is no text, is empty, or
            has more or fewer samples than the others.
    """
    paths = [predictions, *references]
    _check_paths(paths)
    prediction_file, *reference_files = [InputFile.from_path(path, stdin_format) for path in paths]
    prediction_choice, reference_choice = make_choices(
        predictions, prediction_column, reference_column, is_shared=predictions in references
    )
    _check_columns_exist([prediction_file], prediction_choice)
    _check_columns_exist(reference_files, reference_choice)

    column = _read(prediction_file, prediction_choice)
    streams = []
    for file in reference_files:
        takes_only = file.path != predictions
        stream = _read(file, reference_choice._replace(takes_only=takes_only))
        _check_same_length(column, stream)
        streams.append(stream)
    counts = sum(np.array(stream.counts, dtype=np.int64) for stream in streams)
    return Samples(column.texts, _interleave(streams), to_offsets(np.asarray(counts)))


def _check_paths(paths: Sequence[str]) -> None:
    """Raises FileError if a path is a folder, or a stream is given twice: its end never comes."""
    if paths.count(STDIN) > 1:
        raise FileError(STDIN, "standard input is given more than once; it can be read only once.")
    pipes: list[os.stat_result] = []
    for path in paths:
        found = find_file(path)
        if found is not None and stat.S_ISDIR(found.st_mode):
            message = (
                "this is a folder; give a file, or with bleu-rouge score --engine ray a folder of "
                "Parquet or JSON Lines."
            )
            raise FileError(path, message)
        if found is not None and stat.S_ISFIFO(found.st_mode):
            if any(os.path.samestat(found, pipe) for pipe in pipes):
                message = "the pipe is given more than once; it can be read only once."
                raise FileError(path, message)
            pipes.append(found)


def make_choices(
    predictions: str,
    prediction_column: str | None,
    reference_column: str | None,
    *,
    is_shared: bool,
) -> tuple[ColumnChoice, ColumnChoice]:
    """How the columns of the predictions and of the references are chosen.

    Args:
        predictions: path of the predictions, for errors.
        prediction_column: as ``read_samples`` takes it.
        reference_column: likewise.
        is_shared: whether the file of the predictions holds references too.

    Raises:
        FileError: both are one column.
    """
    # A column compared with itself would be perfect.
    if is_shared and prediction_column is not None and prediction_column == reference_column:
        message = (
            f"the column {prediction_column!r} holds both the predictions and the references; "
            "name two columns with --prediction-column and --reference-column."
        )
        raise FileError(predictions, message)
    prediction_choice = ColumnChoice(
        prediction_column,
        _PREDICTION_COLUMNS,
        "--prediction-column",
        allows_lists=False,
        takes_only=not is_shared,
    )
    reference_choice = ColumnChoice(
        reference_column,
        _REFERENCE_COLUMNS,
        "--reference-column",
        allows_lists=True,
        takes_only=not is_shared,
    )
    return prediction_choice, reference_choice


def _check_columns_exist(files: Sequence[InputFile], choice: ColumnChoice) -> None:
    """Raises FileError if a column is named, but the files are all plain text."""
    if choice.name is not None and all(file.format is FileFormat.TEXT for file in files):
        message = f"plain text has no columns; leave out {choice.flag} {choice.name!r}."
        raise FileError(files[0].path, message)


def _read(file: InputFile, choice: ColumnChoice) -> _Column:
    """The texts of one file; at least one."""
    texts: list[str] = []
    counts = array("q")
    last_line = 0
    for line, value in read_column(file, choice):
        last_line = line
        if isinstance(value, str):
            texts.append(value)
            counts.append(1)
        else:
            texts += value
            counts.append(len(value))
    if not texts:
        raise FileError(file.path, "the file has no samples; expected at least one.")
    return _Column(file.path, texts, counts, last_line)


def _check_same_length(predictions: _Column, references: _Column) -> None:
    """Raises FileError unless there are as many rows of references as there are predictions."""
    shorter, longer = sorted((predictions, references), key=lambda column: len(column.counts))
    ends, expected = len(shorter.counts), len(longer.counts)
    if ends != expected:
        name = "<stdin>" if longer.path == STDIN else longer.path
        message = f"the file ends after sample {ends}, but {name} has {expected} samples."
        raise FileError(shorter.path, message, shorter.last_line)


def _interleave(streams: Sequence[_Column]) -> list[str]:
    """The references of all samples, one sample after the other."""
    if len(streams) == 1:
        return streams[0].texts
    remaining = [iter(stream.texts) for stream in streams]
    return [
        text
        for counts in zip(*(stream.counts for stream in streams), strict=True)
        for texts, count in zip(remaining, counts, strict=True)
        for text in islice(texts, count)
    ]

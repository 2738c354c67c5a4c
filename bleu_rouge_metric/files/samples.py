"""Read samples from a file of predictions and one or more files of references.

Row ``i`` of every file belongs to sample ``i``. ``columns.py`` reads the formats. Memory holds only
the texts and how many references each sample has.
"""

import os
import stat
from array import array
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import to_offsets
from ..samples.inputs import Samples
from .columns import ColumnChoice, read_column
from .encodings import UTF8
from .lines import (
    STDIN,
    FileError,
    FileFormat,
    InputFile,
    check_exists,
    describe,
    find_file,
    open_binary,
)

_PREDICTION_COLUMNS: Final = ("prediction", "predictions")
REFERENCE_COLUMNS: Final = ("reference", "references")

_NAME_FORMAT: Final = "name the format of a table on standard input with --stdin-format."


class Column(NamedTuple):
    """The texts of one file.

    Attributes:
        path: path of the file.
        texts: texts of all rows, one row after the other.
        counts: how many texts each row has, at least 1.
        last_line: number of the last line that was read; None if the file has no lines.
    """

    path: str
    texts: list[str]
    counts: "array[int]"
    last_line: int | None


def read_samples(
    predictions: str,
    references: Sequence[str],
    *,
    prediction_column: str | None = None,
    reference_column: str | None = None,
    stdin_format: FileFormat = FileFormat.TEXT,
    encoding: str = UTF8,
    delimiter: str | None = None,
) -> Samples:
    """Read samples from a file of predictions and one or more files of references.

    Args:
        predictions: path, or ``-`` for standard input.
        references: paths, or ``-``. Each file gives every sample one reference, or several if its
            column holds lists. Empty if the file of the predictions has a column of references.
        prediction_column: name of the column, if the file has columns. None for ``prediction`` or
            ``predictions``, or for the only column of a file that does not also hold the
            references.
        reference_column: the same for references; None for ``reference``, ``references``, or the
            only column.
        stdin_format: format of standard input.
        encoding: of all files of text.
        delimiter: between the fields of CSV and TSV; None for that of the format.

    Returns:
        The samples; at least one. The references of a sample are in the order of the files.

    Raises:
        FileError: a file cannot be read, has no such column, holds a value that is not a text, is
            empty, or has more or fewer samples than another file.
    """
    is_alone = not references
    paths = [predictions, *(references or [predictions])]
    files = [
        InputFile.from_path(path, stdin_format, encoding=encoding, delimiter=delimiter)
        for path in paths
    ]
    if is_alone and files[0].format is FileFormat.TEXT:
        check_exists(predictions)
        others = _NAME_FORMAT if predictions == STDIN else "give one file with columns of both."
        message = f"plain text contains no references; add a file of references, or {others}"
        raise FileError(predictions, message)
    check_paths(files)
    prediction_file, *reference_files = map(share_stdin(files), files)
    prediction_choice, reference_choice = make_choices(
        predictions,
        prediction_column,
        reference_column,
        is_shared=is_alone or predictions in references,
    )
    if is_alone:
        prediction_choice = prediction_choice._replace(is_needed=True)
    check_columns_exist([prediction_file], prediction_choice)
    check_columns_exist(reference_files, reference_choice)

    column = read_texts(prediction_file, prediction_choice)
    streams = []
    for file in reference_files:
        takes_only = file.path != predictions
        stream = read_texts(file, reference_choice._replace(takes_only=takes_only))
        check_same_length(column, stream)
        streams.append(stream)
    return Samples(column.texts, *interleave(streams))


def check_paths(files: Sequence[InputFile]) -> None:
    """Raise FileError if a path is a folder, or a pipe is given twice (it can be read once).

    Standard input may be given twice if it has columns.
    """
    streams = [file for file in files if file.path == STDIN]
    if len(streams) > 1 and streams[0].format is FileFormat.TEXT:
        message = (
            "standard input is given more than once, but plain text has no columns; name a format "
            "with --stdin-format."
        )
        raise FileError(STDIN, message)
    pipes: list[os.stat_result] = []
    # Standard input is read once, however often it is given.
    for path in [*(STDIN for _ in streams[:1]), *(f.path for f in files if f.path != STDIN)]:
        status = find_file(path)
        if status is not None and stat.S_ISDIR(status.st_mode):
            message = (
                "this is a folder; give a file, or to bleu-rouge score one folder alone, of "
                "Parquet or JSON Lines files with both columns."
            )
            raise FileError(path, message)
        if status is not None and stat.S_ISFIFO(status.st_mode):
            if any(os.path.samestat(status, pipe) for pipe in pipes):
                message = "the pipe is given more than once; it can be read only once."
                raise FileError(path, message)
            pipes.append(status)


def share_stdin(reads: Sequence[InputFile]) -> Callable[[InputFile], InputFile]:
    """Return what gives a file the bytes of standard input, if that is read more than once.

    Args:
        reads: the files, each as often as it is read.
    """
    streams = [file for file in reads if file.path == STDIN]
    if len(streams) < 2 or streams[0].format is FileFormat.TEXT:
        return lambda file: file
    with open_binary(streams[0]) as handle:
        try:
            content = handle.read()
        except OSError as error:
            raise FileError(STDIN, f"{describe(error)}.") from error
    return lambda file: file._replace(content=content) if file.path == STDIN else file


def make_choices(
    predictions: str,
    prediction_column: str | None,
    reference_column: str | None,
    *,
    is_shared: bool,
) -> tuple[ColumnChoice, ColumnChoice]:
    """Make the choices of the columns of predictions and references.

    Args:
        predictions: path of the predictions, for errors.
        prediction_column: as in ``read_samples``.
        reference_column: as in ``read_samples``.
        is_shared: whether the file of the predictions also holds references.

    Raises:
        FileError: both are the same column of one file.
    """
    # A column compared with itself would get a perfect score.
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
        REFERENCE_COLUMNS,
        "--reference-column",
        allows_lists=True,
        takes_only=not is_shared,
    )
    return prediction_choice, reference_choice


def check_columns_exist(files: Sequence[InputFile], choice: ColumnChoice) -> None:
    """Raise FileError if a column is named, but all files are plain text."""
    if choice.name is not None and all(file.format is FileFormat.TEXT for file in files):
        check_exists(files[0].path)
        others = f", or {_NAME_FORMAT}" if files[0].path == STDIN else "."
        message = f"plain text has no columns; leave out {choice.flag} {choice.name!r}{others}"
        raise FileError(files[0].path, message)


def read_texts(file: InputFile, choice: ColumnChoice) -> Column:
    """Read the texts of one file; at least one."""
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
    return Column(file.path, texts, counts, last_line)


def check_same_length(predictions: Column, references: Column) -> None:
    """Raise FileError if the numbers of predictions and of rows of references differ."""
    shorter, longer = sorted((predictions, references), key=lambda column: len(column.counts))
    ends, expected = len(shorter.counts), len(longer.counts)
    if ends != expected:
        name = "<stdin>" if longer.path == STDIN else longer.path
        message = f"the file ends after sample {ends}, but {name} has {expected} samples."
        if STDIN in (shorter.path, longer.path):
            message += f" {_NAME_FORMAT.capitalize()}"
        raise FileError(shorter.path, message, shorter.last_line)


def interleave(streams: Sequence[Column]) -> tuple[list[str], NDArray[np.int64]]:
    """Return the references of all samples, one sample after the other, and their offsets."""
    counts = np.sum([np.array(stream.counts, dtype=np.int64) for stream in streams], axis=0)
    if len(streams) == 1:
        return streams[0].texts, to_offsets(counts)
    remaining = [iter(stream.texts) for stream in streams]
    texts = [
        text
        for numbers in zip(*(stream.counts for stream in streams), strict=True)
        for stream, number in zip(remaining, numbers, strict=True)
        for text in islice(stream, number)
    ]
    return texts, to_offsets(counts)

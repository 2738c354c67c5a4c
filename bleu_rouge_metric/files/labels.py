"""Read the labels of samples, by which scores are grouped or samples resampled together.

A label is a text or an int. All labels of a column are of one kind, so that 1 and "1" are not taken
for the same label, and none is empty.
"""

from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, cast

from .columns import ColumnChoice, read_column
from .encodings import UTF8
from .lines import STDIN, FileError, FileFormat, InputFile, find_file
from .samples import Column
from .shards import list_files

_GROUP_BY: Final = "--group-by"


def read_group_labels(
    predictions: str,
    references: Sequence[str],
    name: str,
    *,
    stdin_format: FileFormat = FileFormat.TEXT,
    encoding: str = UTF8,
    delimiter: str | None = None,
) -> Column:
    r"""Read the label of every sample from a file or a folder, which is read besides the samples.

    Args:
        predictions: path of a file or of a folder.
        references: paths.
        name: of a column of the references' file, or else of that of the predictions; or of a file
            with one label per line, if all files are plain text.
        stdin_format: format of standard input.
        encoding: of text files.
        delimiter: between the fields of CSV and TSV; None for that of the format.

    Raises:
        FileError: there is no such column or file, a label is missing or no label, or the file is a
            stream, which can be read only once.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "samples.csv"
    ...     _ = path.write_text("prediction,topic\na,law\nb,news\n")
    ...     read_group_labels(str(path), [], "topic").texts
    ['law', 'news']
    """

    def open_file(path: str) -> InputFile:
        return InputFile.from_path(path, stdin_format, encoding=encoding, delimiter=delimiter)

    column: str | None = name
    if predictions != STDIN and Path(predictions).is_dir():
        files = list_files(predictions)
    else:
        path, column = find_labels(name, list(map(open_file, [*references, predictions])))
        if column is None and find_file(path) is None:
            raise FileError(
                predictions,
                f"plain text has no columns, and there is no file {name!r}; {_GROUP_BY} needs a "
                "column of a file such as .jsonl or .csv, or a file with one label per line.",
            )
        files = [open_file(path)]
    for file in files:
        if file.path == STDIN or Path(file.path).is_fifo():
            raise FileError(
                file.path, f"a stream is read only once; save it as a file for {_GROUP_BY}."
            )
    return read_labels(files, column, _GROUP_BY)


def find_labels(name: str, files: Sequence[InputFile]) -> tuple[str, str | None]:
    """Return the path of the first file that has columns, and the name of the column.

    If all files are plain text, the name is that of a file of labels, and the column is None.
    """
    for file in files:
        if file.format is not FileFormat.TEXT:
            return file.path, name
    return name, None


def read_labels(files: Sequence[InputFile], column: str | None, flag: str) -> Column:
    """Read the labels of files, one file after the other.

    Args:
        files: with the labels of some samples each; at least one.
        column: its name; None for ``label``, or for the only one.
        flag: of the command that asks for the labels, for errors.

    Returns:
        The labels as texts; the path and the last line are those of the last file.

    Raises:
        FileError: a file cannot be read, has no such column or no labels, or a label is missing, is
            neither a text nor an int, or is of another kind than the first one.
    """
    choice = label_choice(column, flag)
    rows = ((file, line, label) for file in files for line, label in read_column(file, choice))
    return collect_labels(rows, files[-1].path)


def label_choice(column: str | None, flag: str) -> ColumnChoice:
    """Return the choice of a column of labels; the arguments are those of :func:`read_labels`."""
    return ColumnChoice(column, ("label",), flag, allows_lists=False, is_label=True)


def collect_labels(
    rows: Iterable[tuple[InputFile, int | None, str | list[str]]], path: str
) -> Column:
    """Collect labels; raise FileError if there are none, or one is empty or of another kind.

    Args:
        rows: of each label, its file, its line and its value, which ``check_value`` has checked.
        path: of the last file.
    """
    labels: list[str] = []
    last_line = None
    for file, last_line, label in rows:
        if not label:
            message = "the label is empty; fill it in, or leave the sample out."
            raise FileError(file.path, message, last_line)
        # An int has a type of its own.
        if labels and type(label) is not type(labels[0]):
            raise FileError(
                file.path,
                f"the label {label} is {_describe(label)}, but that of the first sample, "
                f"{labels[0]}, is {_describe(labels[0])}; expected labels of one kind.",
                last_line,
            )
        labels.append(cast("str", label))
    if not labels:
        raise FileError(path, "the file has no labels; expected at least one.")
    return Column(path, list(map(str, labels)), array("q", [1]) * len(labels), last_line)


def _describe(label: object) -> str:
    return "a text" if type(label) is str else "an int"

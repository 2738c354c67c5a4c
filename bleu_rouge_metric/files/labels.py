"""Read the labels of samples, by which scores are grouped or samples resampled together.

A label is a text or an int. All labels of a column are of one kind, so that 1 and "1" are not taken
for the same label, and none is empty.
"""

from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from .columns import ColumnChoice, read_column
from .input import STDIN, UTF8, FileError, InputFile, find_file
from .joins import Column
from .shards import list_files

_GROUP_BY: Final = "--group-by"


def read_group_labels(path: str, name: str, *, encoding: str = UTF8) -> Column:
    r"""Read the labels of a folder, or those of plain text.

    ``read_labelled_samples`` reads the labels of other files together with the samples.

    Args:
        path: of a folder, or of a file of plain text.
        name: of the column in the files of the folder; else of a file with one label per line.
        encoding: of the file of labels.

    Raises:
        FileError: there is no such column or file, or a label is missing or no label.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "a.jsonl").write_text('{"topic": "law"}\n{"topic": "news"}\n')
    ...     read_group_labels(folder, "topic").texts
    ['law', 'news']
    """
    if path != STDIN and Path(path).is_dir():
        return read_labels(list_files(path), name, _GROUP_BY)
    if find_file(name) is None:
        raise FileError(path, describe_no_labels(name, _GROUP_BY))
    return read_labels([InputFile.from_path(name, encoding=encoding)], None, _GROUP_BY)


def describe_no_labels(name: str, flag: str) -> str:
    """Return the error for labels of plain text that are neither a column nor a file."""
    return (
        f"plain text has no columns, and there is no file {name!r}; {flag} needs a column of a "
        "file such as .jsonl or .csv, or a file with one label per line."
    )


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
    labels: list[Any] = []
    last_line = None
    for file in files:
        rows = list(read_column(file, label_choice(column, flag)))
        first = labels[0] if labels else None
        check_labels(file, [value for _, value in rows], [line for line, _ in rows], first)
        labels += [value for _, value in rows]
        last_line = rows[-1][0] if rows else last_line
    if not labels:
        raise no_labels(files[-1].path)
    texts = list(map(str, labels))
    return Column(files[-1].path, texts, array("q", [1]) * len(labels), last_line)


def label_choice(column: str | None, flag: str) -> ColumnChoice:
    """Return the choice of a column of labels; the arguments are those of :func:`read_labels`."""
    return ColumnChoice(column, ("label",), flag, allows_lists=False, is_label=True)


def no_labels(path: str) -> FileError:
    """Return the error for a file without labels."""
    return FileError(path, "the file has no labels; expected at least one.")


def check_labels(
    file: InputFile, labels: Sequence[Any], lines: Sequence[int | None], first: object = None
) -> list[str]:
    """Return labels as texts; raise FileError if one is empty or of another kind.

    Args:
        file: of the labels.
        labels: values that ``check_value`` has checked.
        lines: of each label; empty if the file has none.
        first: the first label of all files; None for that of this file.
    """
    first = labels[0] if first is None and labels else first
    for index, label in enumerate(labels):
        line = lines[index] if lines else None
        if not label:
            message = "the label is empty; fill it in, or leave the sample out."
            raise FileError(file.path, message, line)
        # An int has a type of its own.
        if type(label) is not type(first):
            raise FileError(
                file.path,
                f"the label {label} is {_describe(label)}, but that of the first sample, {first}, "
                f"is {_describe(first)}; expected labels of one kind.",
                line,
            )
    return list(map(str, labels))


def _describe(label: object) -> str:
    return "a text" if type(label) is str else "an int"

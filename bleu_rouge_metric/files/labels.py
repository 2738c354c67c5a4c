"""Read the labels of samples, by which scores are grouped or samples resampled together.

A label is a text or an int. All labels of a column are of one kind, so that 1 and "1" are not taken
for the same label, and none is empty.
"""

from collections.abc import Iterable, Sequence

from .columns import ColumnChoice, Value, read_column
from .input import FileError, InputFile, find_file


def label_choice(column: str | None, flag: str) -> ColumnChoice:
    """Return the choice of a column of labels; None is ``label`` or the only column."""
    return ColumnChoice(column, ("label",), flag, allows_lists=False, is_label=True)


def check_label_file(path: str, name: str, flag: str) -> None:
    """Raise FileError unless the labels of the plain text ``path`` are in a file ``name``."""
    if find_file(name) is None:
        message = (
            f"plain text has no columns, and there is no file {name!r}; {flag} needs a column of a "
            "file such as .jsonl or .csv, or a file with one label per line."
        )
        raise FileError(path, message)


def read_labels(files: Sequence[InputFile], column: str | None, flag: str) -> list[str]:
    r"""Read the labels of files, one file after the other.

    Args:
        files: at least one, with the labels of some samples each.
        column: its name; None for ``label``, or for the only one.
        flag: of the command that asks for the labels, for errors.

    Raises:
        FileError: a file cannot be read or has no such column, or as :func:`check_labels`.

    >>> read_labels([InputFile.from_path("-")._replace(content=b"law\nnews\n")], None, "--flag")
    ['law', 'news']
    """
    choice = label_choice(column, flag)
    rows = ((file.path, *row) for file in files for row in read_column(file, choice))
    return check_labels(rows, files[-1].path)


def check_labels(rows: Iterable[tuple[str, int | None, Value]], path: str) -> list[str]:
    """Return labels as texts.

    Args:
        rows: the path, the line and the checked value of each label.
        path: of the last file.

    Raises:
        FileError: a label is empty or of another kind than the first one, or there is none.
    """
    labels: list[Value] = []
    for file, line, label in rows:
        labels.append(label)
        if not label:
            message = "the label is empty; fill it in, or leave the sample out."
            raise FileError(file, message, line)
        # An int has a type of its own.
        if type(label) is not type(labels[0]):
            message = (
                f"the label {label} is {_describe(label)}, but that of the first sample, "
                f"{labels[0]}, is {_describe(labels[0])}; expected labels of one kind."
            )
            raise FileError(file, message, line)
    if not labels:
        raise FileError(path, "the file has no labels; expected at least one.")
    return list(map(str, labels))


def _describe(label: Value) -> str:
    return "a text" if type(label) is str else "an int"

"""Choose columns of a file, and check that their values are texts, allowed lists or labels.

Nothing is turned into text by ``str()``: any other value is an error that names its line, and so is
a list of texts that is written as one text. Labels are texts or ints, by which scores are grouped
or samples resampled together; all are of one kind, so that 1 and "1" are not the same label.
"""

import json
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from ..samples.arrow_columns import is_list, is_string
from ..samples.items import are_texts, find_list_as_text
from .input import FileError, FileFormat, InputFile, find_file
from .json_values import OTHER_PREDICTIONS, show
from .rows import NO_QUOTES, Batch, Rows, open_rows

REFERENCE_COLUMNS: Final = ("reference", "references")
PREDICTION_COLUMNS: Final = ("prediction", "predictions")
_OTHER_REFERENCES: Final = ("label", "ground_truth", "answers", "target", "expected", "ref")
# Columns that go together, of files whose columns have no default names.
PAIRS: Final = tuple(zip(OTHER_PREDICTIONS, _OTHER_REFERENCES, strict=True))

_NO_TOKENS: Final = "Join tokens with spaces, and choose the tokenizer whitespace."
_MOST_SHOWN: Final = 40
_DELIMITED: Final = (FileFormat.CSV, FileFormat.TSV)

# A text that ends otherwise is not a list that is written as a text.
_ENDS: Final = frozenset(("]", " ", "\n", "\r", "\t"))
# A list in a cell that contains no text, as JSON, Python and pandas write it.
_EMPTY_LIST: Final = re.compile(r"\[(?:[\s,\[\]]|None|nan|null)*\]")

# A text or a list of texts.
Value = str | list[str]


class IntLabel(str):
    """The text of a label that is an int, and not the text of a label such as "1"."""

    __slots__ = ()


class MissingColumnError(FileError):
    """A file has no column with a default name."""


class ColumnChoice(NamedTuple):
    """Which column is read, and which values it may hold."""

    name: str | None  # None for the one name of ``defaults`` that the file has
    defaults: tuple[str, ...]
    flag: str  # of the command, that names the column, for errors
    allows_lists: bool  # of texts
    takes_only: bool = True  # the only column of a file is read whatever its name is
    is_needed: bool = False  # the file must have columns
    is_label: bool = False  # a value may be an int too; it is read as a text
    is_group: bool = False  # a value is a list of candidates, even of one
    others: tuple[str, ...] = ()  # looked for if the file has none of ``defaults``

    def choose(self, file: InputFile, columns: Sequence[str], line: int | None) -> str:
        """Return the name of the column to read; ``line`` holds the names, for errors."""
        named = f"with {self.flag}. Columns: {', '.join(map(repr, columns)) or 'none'}."
        expected = self.defaults if self.name is None else (self.name,)
        known: Sequence[str] = [name for name in expected if name in columns]
        if len(known) > 1:
            message = f"there are columns named {' and '.join(map(repr, known))}; name one {named}"
            raise FileError(file.path, message, line)
        if not known and self.name is None:
            known = self._choose_other(file, columns, line)
        if not known:
            names = " or ".join(map(repr, expected))
            message = f"no column is named {names}; name one {named}"
            if file.format is FileFormat.TSV and any(name[:1] == '"' for name in columns):
                message = f"{message} {NO_QUOTES}"
            kind = MissingColumnError if self.name is None else FileError
            raise kind(file.path, message, line)
        if columns.count(known[0]) > 1:
            message = (
                f"more than one column is named {known[0]!r}; rename all but one of them in the "
                f"file, or name another {named}"
            )
            raise FileError(file.path, message, line)
        return known[0]

    def _choose_other(
        self, file: InputFile, columns: Sequence[str], line: int | None
    ) -> Sequence[str]:
        """Return the column to read of a file without default names; empty if it is not clear."""
        others = [name for name in self.others if name in columns]
        if len(others) == 1:
            if len(columns) > 1:
                _warn_of_names(file, others)
            return others
        if len(columns) != 1:
            return ()
        if any(separator in columns[0] for separator in ";\t,"):
            message = (
                f"the header is one column, {columns[0]!r}; expected columns separated by "
                "commas in .csv and by tabs in .tsv; name others with --delimiter."
            )
            raise FileError(file.path, message, line)
        return columns if self.takes_only else ()


def _warn_of_names(file: InputFile, names: Sequence[str]) -> None:
    """Say which columns are read, if they have no default names."""
    columns = " and ".join(map(repr, names))
    message = (
        f"{file.path}: read the column{'s' * (len(names) > 1)} {columns}; name others with "
        "--prediction-column and --reference-column."
    )
    warnings.warn(message, UserWarning, stacklevel=2)


# How predictions and references are chosen in files of one of them.
PREDICTION: Final = ColumnChoice(
    None, PREDICTION_COLUMNS, "--prediction-column", allows_lists=False, others=OTHER_PREDICTIONS
)
REFERENCE: Final = ColumnChoice(
    None, REFERENCE_COLUMNS, "--reference-column", allows_lists=True, others=_OTHER_REFERENCES
)


def check_different(path: str, prediction: str | None, reference: str | None) -> None:
    """Raise FileError if the same column was named for predictions and references of one file."""
    # A column compared with itself would get a perfect score.
    if prediction is not None and prediction == reference:
        message = (
            f"the column {prediction!r} holds both the predictions and the references; name two "
            "columns with --prediction-column and --reference-column."
        )
        raise FileError(path, message)


def choose_pair(
    file: InputFile, names: Sequence[str], prediction: ColumnChoice, reference: ColumnChoice
) -> tuple[ColumnChoice, ColumnChoice]:
    """Return the choices of predictions and references that are in the same file.

    If the file has no default names, the only one of ``PAIRS`` that it has is chosen.
    """
    choices = (prediction, reference)
    unnamed = [choice for choice in choices if choice.name is None]
    has_default = any(name in names for choice in unnamed for name in choice.defaults)
    pairs = [pair for pair in PAIRS if {*pair} <= {*names}]
    for choice, one in ((prediction, 0), (reference, 1)):
        pairs = [pair for pair in pairs if choice.name in (None, pair[one])]
    if has_default or not unnamed or len(pairs) != 1:
        return prediction._replace(others=()), reference._replace(others=())
    _warn_of_names(file, pairs[0])
    return prediction._replace(name=pairs[0][0]), reference._replace(name=pairs[0][1])


def choose_columns(rows: Rows, choices: Sequence[ColumnChoice]) -> list[str]:
    """Return the names of the columns to read; empty if each row is one value without a name."""
    if rows.names is not None:
        chosen = [choice.choose(rows.file, rows.names, rows.line) for choice in choices]
        for choice, name in zip(choices, chosen, strict=True):
            if name in rows.types:
                _check_parquet_type(rows.file, choice, name, rows.types[name])
        return chosen
    first = rows.first
    for choice in choices:
        if first is not None and (choice.name is not None or choice.is_needed):
            expected = "a prediction and its references, or another file with the references"
            expected = expected if choice.name is None else repr(choice.name)
            message = f"the {rows.kind} is {show(first.value)}; expected an object with {expected}."
            raise FileError(rows.file.path, message, first.line)
    return []


def read_column(file: InputFile, choice: ColumnChoice) -> Iterator[tuple[int, Value]]:
    r"""Iterate over the values of one column, with their line numbers.

    >>> file = InputFile("-", FileFormat.TEXT, content=b"First text.\n\nThird text.")
    >>> list(read_column(file, ColumnChoice(None, ("text",), "--column", allows_lists=False)))
    [(1, 'First text.'), (2, ''), (3, 'Third text.')]
    """
    rows = open_rows(file, has_groups=choice.is_group)
    for lines, columns in read_columns(rows, [choice]):
        yield from zip(lines, columns[0], strict=True)


def read_columns(
    rows: Rows, choices: Sequence[ColumnChoice], raw: Sequence[str] = ()
) -> Iterator[Batch]:
    """Iterate over batches of rows with the checked values of columns, and last of raw ones."""
    names = choose_columns(rows, choices)
    for lines, values in rows.read([*names, *raw]):
        # The only value of a row without names is that of all choices.
        columns = values if names else values * len(choices)
        for index, choice in enumerate(choices):
            name = repr(names[index]) if names else f"the {rows.kind}"
            columns[index] = _check_values(rows, choice, name, columns[index], lines)
        yield lines, columns


def _check_values(
    rows: Rows, choice: ColumnChoice, name: str, values: list[Any], lines: Sequence[int]
) -> list[Any]:
    """Return the checked values of one column."""
    # Fast path: equals the check of each value, which changes no ordinary text.
    is_plain = not choice.is_group and are_texts(values)
    if is_plain and _ENDS.isdisjoint([text[-1:] for text in values]):
        return values
    is_cell = rows.file.format in _DELIMITED and rows.names is not None
    # The columns of JSON have no lines.
    has_lines = rows.line is not None or rows.names is None or bool(rows.types)
    checked = []
    for line, value in zip(lines, values, strict=True):
        cell = _read_cell(rows.file, choice, value, name, line) if is_cell else value
        place = name if has_lines else f"{name}[{line - 1}]"
        checked.append(check_value(rows.file, choice, cell, place, line if has_lines else None))
    return checked


def _read_cell(file: InputFile, choice: ColumnChoice, cell: str, name: str, line: int) -> Value:
    """Return the text of a cell of CSV or TSV, or the references of the JSON list in it."""
    stripped = cell.strip()
    if not (stripped.startswith("[") and stripped.endswith("]")):
        return cell
    if choice.allows_lists:
        with suppress(RecursionError, ValueError):
            items = json.loads(stripped)
            if items and all(isinstance(item, str) for item in items):
                return list(items)
    if _EMPTY_LIST.fullmatch(stripped) and not choice.is_label:
        raise FileError(file.path, _describe_list(choice, stripped, name), line)
    return cell


def _describe_list(choice: ColumnChoice, text: str, name: str) -> str:
    """Return the error for a list that is written as a text."""
    text = " ".join(text.split())
    shown = text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 3]}..."
    remedy = "expected a text; take one text of the list, without brackets and quotation marks."
    if choice.allows_lists:
        remedy = (
            'expected a JSON list of texts, such as ["one", "another"]. A text that looks like a '
            "list is written as a list of one."
        )
    return f"{name} is {shown}, which looks like a list; {remedy}"


def _check_parquet_type(file: InputFile, choice: ColumnChoice, column: str, kind: Any) -> None:
    """Raise FileError unless the column holds texts, or lists of texts if they are allowed."""
    is_number = choice.is_label and str(kind).removeprefix("u").startswith("int")
    holds_lists = is_list(kind) and is_string(kind.value_type)
    if not (is_number or is_string(kind) or (holds_lists and choice.allows_lists)):
        others = " or list<string>" if choice.allows_lists else " or int" * choice.is_label
        remedy = f" {_NO_TOKENS}" if holds_lists else ""
        message = f"column {column!r} is of type {kind}; expected string{others}.{remedy}"
        raise FileError(file.path, message)


def check_value(
    file: InputFile, choice: ColumnChoice, value: Any, name: str, line: int | None
) -> Value:
    """Return the value; raise FileError unless it is a text or an allowed list of texts."""
    if isinstance(value, str) and not choice.is_group:
        if not choice.is_label and find_list_as_text([value]) is not None:
            raise FileError(file.path, _describe_list(choice, value, name), line)
        return value
    if choice.is_label and isinstance(value, int) and not isinstance(value, bool):
        return IntLabel(value)
    items = value if isinstance(value, list) else []
    wrong = next((index for index, item in enumerate(items) if not isinstance(item, str)), None)
    if not (isinstance(value, list) and choice.allows_lists):
        others = " or a list of texts" if choice.allows_lists else " or an int" * choice.is_label
        expected = "a list of texts" if choice.is_group else f"a text{others}"
        remedy = " Fill it in, or leave the sample out." if value is None else ""
        if items and wrong is None:
            remedy = f" {_NO_TOKENS}"
        message = f"{name} is {show(value)}; expected {expected}.{remedy}"
    elif not items:
        what = "group needs at least one candidate"
        what = what if choice.is_group else "prediction needs at least one reference"
        message = f"{name} is an empty list; every {what}."
    elif wrong is not None:
        message = f"{name}[{wrong}] is {show(items[wrong])}; expected a text."
    else:
        return items
    raise FileError(file.path, message, line)


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
    r"""Read the labels of one or more files; None is ``label`` or the only column.

    >>> read_labels([InputFile.from_path("-")._replace(content=b"law\nnews\n")], None, "--flag")
    ['law', 'news']
    """
    choice = label_choice(column, flag)
    rows = ((file.path, *row) for file in files for row in read_column(file, choice))
    return check_labels(rows, files[-1].path)


def check_labels(rows: Iterable[tuple[str, int | None, Value]], path: str) -> list[str]:
    """Return the labels of rows of the last file ``path``, each behind its own path and line."""
    labels: list[Value] = []
    for file, line, label in rows:
        labels.append(label)
        if not label:
            message = "the label is empty; fill it in, or leave the sample out."
            raise FileError(file, message, line)
        # An int has a type of its own.
        if type(label) is not type(labels[0]):
            this, first = ("a text" if type(one) is str else "an int" for one in (label, labels[0]))
            message = (
                f"the label {label} is {this}, but that of the first sample, {labels[0]}, is "
                f"{first}; expected labels of one kind."
            )
            raise FileError(file, message, line)
    if not labels:
        raise FileError(path, "the file has no labels; expected at least one.")
    return list(map(str, labels))

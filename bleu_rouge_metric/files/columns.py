"""Choose columns of a file, and check that their values are texts or allowed lists of texts.

Nothing is turned into text by ``str()``: any other value is an error that names its line, and so is
a list of texts that is written as one text.
"""

import json
import re
import warnings
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from ..samples.arrow_columns import is_list, is_string
from ..samples.text_types import are_texts, find_list_as_text
from .input import FileError, FileFormat, InputFile
from .json_values import JsonValue, show
from .rows import NO_QUOTES, Rows, open_rows, take_values

REFERENCE_COLUMNS: Final = ("reference", "references")
PREDICTION_COLUMNS: Final = ("prediction", "predictions")
# Columns that go together, of files whose columns have no default names.
PAIRS: Final = (
    ("predict", "label"),
    ("response", "ground_truth"),
    ("pred", "answers"),
    ("hypothesis", "target"),
    ("output", "expected"),
    ("mt", "ref"),
)

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
    """Which column is read, and which values it may hold.

    Attributes:
        name: name of the column; None for the one name of ``defaults`` that the file has.
        defaults: default names of the column.
        flag: flag of the command that names the column, for errors.
        allows_lists: whether a value may be a list of texts.
        takes_only: whether the only column of a file is read whatever its name is.
        is_needed: whether the file must have columns.
        is_label: whether a value is a label, which may be an int too; it is read as a text.
        is_group: whether a value is a list of candidates, even of one; needs ``allows_lists``.
        others: names that are looked for if the file has none of ``defaults``.
    """

    name: str | None
    defaults: tuple[str, ...]
    flag: str
    allows_lists: bool
    takes_only: bool = True
    is_needed: bool = False
    is_label: bool = False
    is_group: bool = False
    others: tuple[str, ...] = ()

    def choose(self, file: InputFile, columns: Sequence[str], line: int | None) -> str:
        """Return the name of the column to read.

        Args:
            file: the file, named in errors.
            columns: names of the columns that the file has.
            line: line that holds the names, for errors; None if the file has no lines.

        Raises:
            MissingColumnError: there is no column with a default name.
            FileError: there is no matching column, or more than one.
        """
        chosen = self.name
        if chosen is None:
            known = [name for name in self.defaults if name in columns]
            if len(known) > 1:
                names = " and ".join(map(repr, known))
                message = f"there are columns named {names}; {self._remedy(columns)}"
                raise FileError(file.path, message, line)
            others = [name for name in self.others if name in columns]
            if not known and len(others) == 1:
                known = others
                if len(columns) > 1:
                    _warn_of_names(file, known)
            if (
                not known
                and len(columns) == 1
                and any(separator in columns[0] for separator in ";\t,")
            ):
                message = (
                    f"the header is one column, {columns[0]!r}; expected columns separated by "
                    "commas in .csv and by tabs in .tsv; name others with --delimiter."
                )
                raise FileError(file.path, message, line)
            if not known and (len(columns) != 1 or not self.takes_only):
                names = " or ".join(map(repr, self.defaults))
                message = f"no column is named {names}; {self._remedy(columns)}"
                raise MissingColumnError(file.path, message + _hint_at_quotes(file, columns), line)
            chosen = (known or columns)[0]
        if chosen not in columns:
            message = f"no column is named {chosen!r}; {self._remedy(columns)}"
            raise FileError(file.path, message + _hint_at_quotes(file, columns), line)
        if columns.count(chosen) > 1:
            message = (
                f"more than one column is named {chosen!r}; rename all but one of them in the "
                f"file, or {self._remedy(columns, 'name another')}"
            )
            raise FileError(file.path, message, line)
        return chosen

    def _remedy(self, columns: Sequence[str], verb: str = "name one") -> str:
        names = ", ".join(map(repr, columns)) or "none"
        return f"{verb} with {self.flag}. Columns: {names}."


def _hint_at_quotes(file: InputFile, columns: Sequence[str]) -> str:
    """Return the end of an error about TSV whose names are in quotation marks."""
    if file.format is not FileFormat.TSV or not any(name[:1] == '"' for name in columns):
        return ""
    return f" {NO_QUOTES}"


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
    None,
    PREDICTION_COLUMNS,
    "--prediction-column",
    allows_lists=False,
    others=tuple(prediction for prediction, _ in PAIRS),
)
REFERENCE: Final = ColumnChoice(
    None,
    REFERENCE_COLUMNS,
    "--reference-column",
    allows_lists=True,
    others=tuple(reference for _, reference in PAIRS),
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

    Args:
        file: the file, for the warning that says which were chosen.
        names: of its columns.
        prediction: how predictions are chosen.
        reference: how references are chosen.
    """
    given = (prediction.name, reference.name)
    has_default = any(
        choice.name is None and any(name in names for name in choice.defaults)
        for choice in (prediction, reference)
    )
    pairs = [
        pair
        for pair in PAIRS
        if all(name in names for name in pair)
        and all(one in (None, name) for one, name in zip(given, pair, strict=True))
    ]
    if has_default or None not in given or len(pairs) != 1:
        return prediction._replace(others=()), reference._replace(others=())
    _warn_of_names(file, pairs[0])
    return prediction._replace(name=pairs[0][0]), reference._replace(name=pairs[0][1])


def choose_columns(rows: Rows, choices: Sequence[ColumnChoice]) -> list[str]:
    """Return the names of the columns to read; empty if each row is one value without a name.

    Raises:
        FileError: there is no such column, or it has another type in Parquet.
    """
    if rows.names is not None:
        chosen = [choice.choose(rows.file, rows.names, rows.line) for choice in choices]
        for choice, name in zip(choices, chosen, strict=True):
            if name in rows.types:
                check_parquet_type(rows.file, choice, name, rows.types[name])
        return chosen
    if rows.first is not None:
        for choice in choices:
            shown = f"the {rows.kind} is {show(rows.first.value)}; expected an object with"
            if choice.name is not None:
                raise FileError(rows.file.path, f"{shown} {choice.name!r}.", rows.first.line)
            if choice.is_needed:
                message = (
                    f"{shown} a prediction and its references, or another file with the references."
                )
                raise FileError(rows.file.path, message, rows.first.line)
    return []


def read_column(file: InputFile, choice: ColumnChoice) -> Iterator[tuple[int, Value]]:
    r"""Iterate over the values of one column, with their line numbers.

    Raises:
        FileError: the file cannot be read or has no such column, or a value is not a text.

    >>> file = InputFile("-", FileFormat.TEXT, content=b"First text.\n\nThird text.")
    >>> list(read_column(file, ColumnChoice(None, ("text",), "--column", allows_lists=False)))
    [(1, 'First text.'), (2, ''), (3, 'Third text.')]
    """
    rows = open_rows(file, has_groups=choice.is_group)
    (check,), names = _make_checks(rows, [choice])
    for lines, columns in rows.read(names):
        for line, value in zip(lines, columns[0], strict=True):
            yield line, check(value, line)


def read_columns(
    rows: Rows, choices: Sequence[ColumnChoice], raw: Sequence[str] = ()
) -> Iterator[tuple[Sequence[int], list[list[Any]]]]:
    """Iterate over batches of rows: the numbers of their lines, and the checked values by column.

    Args:
        rows: of an opened file.
        choices: of the columns, all of which are read in one pass.
        raw: names of columns whose values are not checked; they come last.

    Raises:
        FileError: as :func:`read_column`.
    """
    checks, names = _make_checks(rows, choices)
    for lines, values in rows.read([*names, *raw]):
        # The only value of a row without names is that of all choices.
        columns = values if rows.names is not None else values * len(checks)
        for index, check in enumerate(checks):
            columns[index] = check.check_all(columns[index], lines)
        yield lines, columns


def _make_checks(
    rows: Rows, choices: Sequence[ColumnChoice]
) -> tuple[list["_Check"], Sequence[str]]:
    """Return the checks of columns, and the names of the columns; no names for single values."""
    names = choose_columns(rows, choices)
    named = zip(choices, names or [""] * len(choices), strict=True)
    return [_Check(rows, choice, name) for choice, name in named], names


class _Check:
    """Check the values of one column."""

    def __init__(self, rows: Rows, choice: ColumnChoice, name: str) -> None:
        self._file = rows.file
        self._choice = choice
        self._has_lines = rows.line is not None or rows.names is None or bool(rows.types)
        self._name = repr(name) if rows.names is not None else f"the {rows.kind}"
        self._is_cell = rows.file.format in _DELIMITED and rows.names is not None

    def check_all(self, values: list[Any], lines: Sequence[int]) -> list[Any]:
        """Return the checked values of a batch."""
        # Fast path: equals the check of each value, which changes no ordinary text.
        is_plain = not self._choice.is_group and are_texts(values)
        if is_plain and _ENDS.isdisjoint([text[-1:] for text in values]):
            return values
        return list(map(self, values, lines))

    def __call__(self, value: Any, line: int) -> Value:
        if self._is_cell:
            value = read_cell(self._file, self._choice, value, self._name, line)
        if self._has_lines:
            return check_value(self._file, self._choice, value, self._name, line)
        return check_value(self._file, self._choice, value, f"{self._name}[{line - 1}]", None)


def read_cell(file: InputFile, choice: ColumnChoice, cell: str, name: str, line: int) -> Value:
    """Return the text of a cell of CSV or TSV, or the references of the JSON list in it.

    Such files hold only texts, so a list must be written as JSON.

    Raises:
        FileError: the cell looks like a list, but it is not a JSON list of texts.
    """
    stripped = cell.strip()
    if not (stripped.startswith("[") and stripped.endswith("]")):
        return cell
    if choice.allows_lists:
        try:
            items: Any = json.loads(stripped)
        except (RecursionError, ValueError):
            items = None
        if isinstance(items, list) and items and all(isinstance(item, str) for item in items):
            return items
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


def check_parquet_type(file: InputFile, choice: ColumnChoice, column: str, kind: Any) -> None:
    """Raise FileError unless the column holds texts, or lists of texts if they are allowed."""
    is_number = choice.is_label and str(kind).removeprefix("u").startswith("int")
    if not is_number and not holds_texts(kind, allows_lists=choice.allows_lists):
        others = " or list<string>" if choice.allows_lists else " or int" * choice.is_label
        expected = f"string{others}"
        remedy = f" {_NO_TOKENS}" if holds_texts(kind, allows_lists=True) else ""
        message = f"column {column!r} is of type {kind}; expected {expected}.{remedy}"
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
    if not (isinstance(value, list) and choice.allows_lists):
        others = " or a list of texts" if choice.allows_lists else " or an int" * choice.is_label
        expected = "a list of texts" if choice.is_group else f"a text{others}"
        remedy = " Fill it in, or leave the sample out." if value is None else ""
        if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
            remedy = f" {_NO_TOKENS}"
        raise FileError(file.path, f"{name} is {show(value)}; expected {expected}.{remedy}", line)
    if not value:
        needs_one = "prediction needs at least one reference"
        if choice.is_group:
            needs_one = "group needs at least one candidate"
        message = f"{name} is an empty list; every {needs_one}."
        raise FileError(file.path, message, line)
    for index, item in enumerate(value):
        if not isinstance(item, str):
            message = f"{name}[{index}] is {show(item)}; expected a text."
            raise FileError(file.path, message, line)
    return value


def take_value(file: InputFile, choice: ColumnChoice, found: JsonValue, column: str) -> Value:
    """Return the value that a JSON object has in a column.

    Raises:
        FileError: the JSON value is not an object or has no such column, or the value is not a
            text.
    """
    (value,) = take_values(file, found, [column])
    return check_value(file, choice, value, repr(column), found.line)


def holds_texts(kind: Any, *, allows_lists: bool) -> bool:
    """Return whether an Arrow type holds texts, or lists of texts if they are allowed."""
    return is_string(kind.value_type if allows_lists and is_list(kind) else kind)

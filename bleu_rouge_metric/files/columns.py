"""Choose columns of a file, and check that their values are texts, allowed lists or labels.

Nothing is turned into text by ``str()``: any other value is an error that names its line, and so is
a list of texts that is written as one text. Labels are texts or ints, by which scores are grouped
or samples resampled together.
"""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from ..samples.items import are_texts, find_list_as_text, shorten
from .input import (
    NAME_FORMAT,
    STDIN,
    FileError,
    FileFormat,
    InputFile,
    check_exists,
    find_file,
    warn_of_file,
)
from .json_values import OTHER_PREDICTIONS, show
from .rows import NO_QUOTES, PREDICTIONS, REFERENCES, Batch, Rows, open_rows

REFERENCE_COLUMNS: Final = ("reference", "references")
PREDICTION_COLUMNS: Final = ("prediction", "predictions")
_OTHER_REFERENCES: Final = ("label", "ground_truth", "answers", "target", "expected", "ref")
# Columns that go together, of files whose columns have no default names.
PAIRS: Final = tuple(zip(OTHER_PREDICTIONS, _OTHER_REFERENCES, strict=True))

# Names of columns by which rows are joined, in the order in which they are looked for.
ID_NAMES: Final = (
    *("id", "doc_id", "docid", "document_id", "image_id", "segment_id", "seg_id", "segment"),
    *("sample_id", "qid", "question_id", "query_id", "idx", "index", "example_id", "instance_id"),
    *("task_id", "article_id", "video_id", "guid", "uid", "uuid", "_id"),
)

_NO_TOKENS: Final = "Join tokens with spaces, and choose the tokenizer whitespace."
_DELIMITED: Final = (FileFormat.CSV, FileFormat.TSV)

# A text that ends otherwise is not a list that is written as a text.
_ENDS: Final = frozenset(("]", " ", "\n", "\r", "\t"))
# A list in a cell that contains no text, as JSON, Python and pandas write it.
_EMPTY_LIST: Final = re.compile(r"\[(?:[\s,\[\]]|None|nan|null)*\]")

# A text or a list of texts.
Value = str | list[str]


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
        expected = self.defaults if self.name is None else (self.name,)
        known: Sequence[str] = [name for name in columns if name in expected]
        if not known and self.name is None:
            known = self._choose_other(file, columns, line)
        if len(known) == 1:
            return known[0]
        different = [repr(name) for name in expected if name in known]
        message = f"there are columns named {' and '.join(different)}; name one"
        if not known:
            message = f"no column is named {' or '.join(map(repr, expected))}; name one"
        elif len(different) == 1:
            message = (
                f"more than one column is named {known[0]!r}; rename all but one of them in the "
                "file, or name another"
            )
        shown = ", ".join(map(repr, columns)) or "none"
        message = f"{message} with {self.flag}. Columns: {shown}."
        if not known and file.format is FileFormat.TSV and any(name[:1] == '"' for name in columns):
            message = f"{message} {NO_QUOTES}"
        kind = FileError if known or self.name is not None else MissingColumnError
        raise kind(file.path, message, line)

    def _choose_other(
        self, file: InputFile, columns: Sequence[str], line: int | None
    ) -> Sequence[str]:
        """Return the column to read of a file without default names; empty if it is not clear."""
        others = [name for name in self.others if name in columns]
        texts = [name for name in columns if name.lower() not in ID_NAMES]
        if not others and self.others and self.takes_only and len(texts) == 1 < len(columns):
            others = texts
        if len(others) == 1 < len(columns):
            _warn_of_names(file, others)
        if others or len(columns) != 1:
            return others if len(others) == 1 else ()
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
    message = f"read the column{'s' * (len(names) > 1)} {columns}; name others with "
    warn_of_file(file.path, f"{message}--prediction-column and --reference-column.")


# How predictions and references are chosen in files of one of them.
PREDICTION: Final = ColumnChoice(
    None, PREDICTION_COLUMNS, "--prediction-column", allows_lists=False, others=OTHER_PREDICTIONS
)
REFERENCE: Final = ColumnChoice(
    None, REFERENCE_COLUMNS, "--reference-column", allows_lists=True, others=_OTHER_REFERENCES
)


def choose_columns(rows: Rows, choices: Sequence[ColumnChoice]) -> list[str]:
    """Return the names of the columns to read; empty if each row is one value without a name."""
    if rows.names is None:
        named = (choice for choice in choices if choice.name is not None or choice.is_needed)
        if rows.first is not None and (choice := next(named, None)):
            expected = "a prediction and its references, or another file with the references"
            expected = expected if choice.name is None else repr(choice.name)
            message = f"the {rows.kind} is {show(rows.first.value)}; expected an object with "
            raise FileError(rows.file.path, f"{message}{expected}.", rows.first.line)
        return []
    names: list[str] = []
    flags: dict[str, str] = {}  # of the columns of predictions
    for choice in _choose_pair(rows, choices):
        if rows.program and not choice.is_label:
            is_reference = choice.allows_lists and rows.references is not None
            names.append(REFERENCES if is_reference else PREDICTIONS)
            continue
        name = choice.choose(rows.file, rows.names, rows.line)
        names.append(name)
        if name in flags and not choice.is_label:
            message = f"{choice.flag} has {name!r} twice; expected each system once."
            if choice.allows_lists:
                # A column compared with itself would get a perfect score.
                message = (
                    f"the column {name!r} holds both the predictions and the references; name two "
                    f"columns with {flags[name]} and {choice.flag}."
                )
            raise FileError(rows.file.path, message)
        if not (choice.allows_lists or choice.is_label):
            flags[name] = choice.flag
    return names


def _choose_pair(rows: Rows, choices: Sequence[ColumnChoice]) -> Sequence[ColumnChoice]:
    """Return the choices; of a pair without default names, with the one of ``PAIRS`` there is."""
    texts = [choice for choice in choices if not choice.is_label]
    if [choice.allows_lists for choice in texts] != [False, True] or rows.program:
        return choices
    names: Sequence[str] = rows.names or ()
    unnamed = [choice for choice in texts if choice.name is None]
    has_default = any(name in names for choice in unnamed for name in choice.defaults)
    pairs = [pair for pair in PAIRS if {*pair} <= {*names}]
    for choice, one in zip(texts, (0, 1), strict=True):
        pairs = [pair for pair in pairs if choice.name in (None, pair[one])]
    chosen: Sequence[str | None] = [choice.name for choice in texts]
    if unnamed and not has_default and len(pairs) == 1:
        _warn_of_names(rows.file, pairs[0])
        chosen = pairs[0]
    return [
        choice if choice.is_label else choice._replace(name=chosen[choice.allows_lists], others=())
        for choice in choices
    ]


def check_columns_exist(files: Sequence[InputFile], choice: ColumnChoice) -> None:
    """Raise FileError if a column is named, but all files are plain text."""
    if choice.name is not None and all(file.format is FileFormat.TEXT for file in files):
        check_exists(files[0].path)
        others = f", or {NAME_FORMAT}" if files[0].path == STDIN else "."
        message = f"plain text has no columns; leave out {choice.flag} {choice.name!r}{others}"
        raise FileError(files[0].path, message)


def read_column(file: InputFile, choice: ColumnChoice) -> Iterator[tuple[int, Value]]:
    """Iterate over the values of one column, with their line numbers."""
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
            if not rows.program or choice.is_label:
                name = repr(names[index]) if names else f"the {rows.kind}"
                columns[index] = _check_values(rows, choice, name, columns[index], lines)
        yield lines, columns


def _check_values(
    rows: Rows, choice: ColumnChoice, name: str, values: list[Any], lines: Sequence[int]
) -> list[Any]:
    """Return the checked values of one column."""
    # Fast path: equals the check of each value, which changes no ordinary text.
    is_plain = not choice.is_group and are_texts(values) and not (choice.is_label and "" in values)
    if is_plain and _ENDS.isdisjoint([text[-1:] for text in values]):
        return values
    is_cell = rows.file.format in _DELIMITED and rows.names is not None
    checked = []
    for line, value in zip(lines, values, strict=True):
        place, number = (name, line) if rows.has_lines else (f"{name}[{line - 1}]", None)
        try:
            read = value
            if isinstance(value, str) and (is_cell or not choice.is_group):
                read = _check_text(choice, value, place, is_cell=is_cell)
            checked.append(_check_value(choice, read, place))
        except ValueError as error:
            raise FileError(rows.file.path, str(error), number) from None
    return checked


def _check_text(choice: ColumnChoice, text: str, name: str, *, is_cell: bool) -> Value:
    """Return a text, or the JSON list in a cell; raise ValueError for a list as a text."""
    stripped = text.strip() if is_cell else ""
    if choice.allows_lists and stripped.startswith("["):
        with suppress(RecursionError, ValueError):
            items = json.loads(stripped)
            if items and all(isinstance(item, str) for item in items):
                return list(items)
    is_list_text = find_list_as_text([text]) is not None or _EMPTY_LIST.fullmatch(stripped)
    if choice.is_label or not is_list_text:
        return text
    remedy = "expected a text; take one text of the list, without brackets and quotation marks."
    if choice.allows_lists:
        remedy = (
            'expected a JSON list of texts, such as ["one", "another"]. A text that looks like a '
            "list is written as a list of one."
        )
    shown = shorten(" ".join(text.split()))
    raise ValueError(f"{name} is {shown}, which looks like a list; {remedy}")


def _check_value(choice: ColumnChoice, value: Any, name: str) -> Value:
    """Return a value; raise ValueError unless it is a text or an allowed list or label."""
    if choice.is_label and value == "":
        raise ValueError("the label is empty; fill it in, or leave the sample out.")
    if isinstance(value, str) and not choice.is_group:
        return value
    if choice.is_label and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
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
    raise ValueError(message)


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
    """Read the labels of one or more files; None is ``label`` or the only column."""
    choice = label_choice(column, flag)
    labels = [str(label) for file in files for _, label in read_column(file, choice)]
    if not labels:
        raise FileError(files[-1].path, "the file has no labels; expected at least one.")
    return labels

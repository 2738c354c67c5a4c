"""Open the files that the user names, each once, and read all columns of a file in one pass."""

import os
import stat
from array import array
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, Final, TypedDict, cast

from .columns import PREDICTION, REFERENCE, ColumnChoice, check_value, read_columns
from .input import STDIN, UTF8, FileError, FileFormat, InputFile, Table, check_exists, find_file
from .results import Content, find_content
from .rows import Batch, Rows, open_rows

NAME_FORMAT: Final = "name the format of a table on standard input with --stdin-format."


class FileOptions(TypedDict, total=False):
    """How files are read."""

    # Of columns; None for a usual name, or for the only column of a file.
    prediction_column: str | None
    reference_column: str | None
    stdin_format: FileFormat
    encoding: str  # of all files of text
    delimiter: str | None  # of CSV and TSV; None for that of the format
    join: str | None  # column of ids that joins files; None for one with a usual name in both
    no_join: bool  # rows belong together by their order alone
    system: str | None  # the one to read, if a file contains several
    translator: str | None  # whose references of a test set are read; None for all
    filter_name: str | None  # of lm-evaluation-harness; None for the only filter


class Source:
    """Samples of a file that are read together: its rows, or a table of another program in it."""

    def __init__(
        self, file: InputFile, rows: Rows | None = None, table: Table | None = None
    ) -> None:
        self.file = file
        self.path = file.path
        self.name = table.path if table else file.path  # of the system, as the program has it
        self.rows = rows
        self.table = table
        self.columns: list[Column] = []
        self.ids: dict[str, list[Any]] = {}  # the values of each column of ids
        # The number of the last row's line; of all rows if there are labels or a table.
        self.lines: Sequence[int] = []
        self.header: Sequence[str] = ()  # the names that ``drop_header`` has dropped

    @property
    def names(self) -> Sequence[str]:
        """Return the names of the columns; none for plain text."""
        return list(self.table.named) if self.table else (self.rows and self.rows.names) or ()

    @property
    def is_text(self) -> bool:
        """Return whether the file is plain text."""
        return self.rows is not None and self.rows.file.format is FileFormat.TEXT

    def drop_header(self) -> None:
        """Read TSV without a header, in which no column is known, as lines that begin with ids."""
        rows, names = self.rows, self.names
        choices = [PREDICTION, REFERENCE, *(column.choice for column in self.columns)]
        known = {name for one in choices for name in (one.name, *one.defaults, *one.others)}
        is_tsv = self.file.format is FileFormat.TSV and len(names) > 1
        if rows is None or not is_tsv or known.intersection(names):
            return
        self.header = names

        def read(_: Sequence[str]) -> Iterator[Batch]:
            yield [1], [["\t".join(names)]]
            for lines, columns in rows.read(names):
                yield lines, [list(map("\t".join, zip(*columns, strict=True)))]

        self.rows = Rows(self.file._replace(format=FileFormat.TEXT), None, None, read, "line")

    def ask(self, choice: ColumnChoice) -> "Column":
        """Return a column, which ``read`` fills."""
        self.columns.append(Column(self, choice))
        return self.columns[-1]

    def ask_ids(self, names: Sequence[str]) -> None:
        """Ask for columns of ids."""
        named = self.table.named if self.table else dict.fromkeys(names, ())
        self.ids.update({name: list(named[name]) for name in named if name in names})

    def read(self) -> None:
        """Read the columns that were asked for, in one pass; of at least one row."""
        if self.rows is None:
            for column in self.columns:
                column.add(self._read_table(column.choice))
            return
        choices = self._choose(self.rows)
        has_labels = any(choice.is_label for choice in choices)
        lines: list[int] = []
        for numbers, values in read_columns(self.rows, choices, list(self.ids)):
            if has_labels:
                lines += numbers
            else:
                lines = [numbers[-1]]
            for column, cells in zip(self.columns, values, strict=False):
                column.add(cells)
            for ids, cells in zip(self.ids.values(), values[len(choices) :], strict=True):
                ids.extend(cells)
        if not lines and not all(choice.is_label for choice in choices):
            raise FileError(self.path, "the file has no samples; expected at least one.")
        self.lines = lines

    def _choose(self, rows: Rows) -> list[ColumnChoice]:
        """Return the choices, with names; raise FileError if texts are compared with themselves."""
        choices = [column.choice for column in self.columns]
        predictions: dict[str, ColumnChoice] = {}
        for index, choice in enumerate(choices if rows.names is not None else ()):
            name = choice.choose(rows.file, self.names, rows.line)
            choices[index] = choice._replace(name=name)
            if name in predictions and not choice.is_label:
                message = f"{choice.flag} has {name!r} twice; expected each system once."
                if choice.allows_lists:
                    message = (
                        f"the column {name!r} holds both the predictions and the references; name "
                        f"two columns with {predictions[name].flag} and {choice.flag}."
                    )
                raise FileError(self.path, message)
            if not (choice.allows_lists or choice.is_label):
                predictions[name] = choice
        return choices

    def _read_table(self, choice: ColumnChoice) -> Sequence[str | list[str]]:
        """Return the values that the table has for a column."""
        if self.table is None:
            return ()
        self.lines = self.table.lines
        if choice.is_label:
            values = self.table.named[choice.choose(self.file, self.names, None)]
            lines: Sequence[int | None] = self.lines or [None] * len(values)
            return [
                check_value(self.file, choice, value, repr(choice.name), line)
                for value, line in zip(values, lines, strict=True)
            ]
        return (choice.allows_lists and self.table.references) or self.table.predictions or ()


class Column:
    """Texts of a source."""

    def __init__(self, source: Source, choice: ColumnChoice) -> None:
        self.source = source
        self.choice = choice
        self.texts: list[str] = []  # of all rows, one row after the other
        self.counts = array("q")  # how many texts each row has, at least 1
        # Those of the source, or those before the texts of its lines.
        self.ids: Mapping[str, Sequence[Any]] = source.ids
        # Of each row of predictions, by their names.
        self.scores = source.table.scores if source.table and not choice.allows_lists else {}

    def add(self, values: Sequence[str | list[str]]) -> None:
        """Add the values of rows."""
        if all(isinstance(value, str) for value in values):
            self.texts += cast("Sequence[str]", values)
            self.counts.frombytes(array("q", [1]).tobytes() * len(values))
            return
        for value in values:
            self.texts += [value] if isinstance(value, str) else value
            self.counts.append(1 if isinstance(value, str) else len(value))

    def take(self, order: Sequence[Sequence[int]]) -> None:
        """Make each row of the texts of some rows."""
        starts = [0, *accumulate(self.counts)]
        self.texts = [
            text
            for rows in order
            for row in rows
            for text in self.texts[starts[row] : starts[row + 1]]
        ]
        self.counts = array("q", (sum(self.counts[row] for row in rows) for rows in order))
        self.scores = {
            name: [values[row] for rows in order for row in rows]
            for name, values in self.scores.items()
        }


def open_sources(path: str, options: FileOptions, *, is_plain: bool) -> list[Source]:
    """Open a file: return its rows, or another program's tables unless it ``is_plain``."""
    file = to_input(path, options)
    content = Content(file, [])
    if not is_plain:
        content = find_content(file, options.get("filter_name"), options.get("translator"))
    if content.tables:
        return [Source(content.file, table=table) for table in content.tables]
    rows = content.rows
    rows = rows or open_rows(content.file, content.document, is_examined=not is_plain)
    return [Source(rows.file, rows)]


def to_input(path: str, options: FileOptions) -> InputFile:
    """Return the file as its name says it is."""
    return InputFile.from_path(
        path,
        options.get("stdin_format", FileFormat.TEXT),
        encoding=options.get("encoding", UTF8),
        delimiter=options.get("delimiter"),
    )


def check_paths(files: Sequence[InputFile]) -> None:
    """Raise FileError if a path is a folder, or a pipe that can be read once is given twice."""
    streams = [file for file in files if file.path == STDIN]
    if len(streams) > 1 and streams[0].format is FileFormat.TEXT:
        message = (
            "standard input is given more than once, but plain text has no columns; name a format "
            "with --stdin-format."
        )
        raise FileError(STDIN, message)
    pipes: list[os.stat_result] = []
    # Standard input is read once, however often it is given.
    for file in [*streams[:1], *(file for file in files if file.path != STDIN)]:
        status = find_file(file.path)
        if status is not None and stat.S_ISDIR(status.st_mode):
            message = (
                "this is a folder; give a file, or to bleu-rouge score one folder alone, of "
                "Parquet or JSON Lines files with both columns."
            )
            raise FileError(file.path, message)
        if status is not None and stat.S_ISFIFO(status.st_mode):
            if any(os.path.samestat(status, pipe) for pipe in pipes):
                message = "the pipe is given more than once; it can be read only once."
                raise FileError(file.path, message)
            pipes.append(status)


def check_columns_exist(files: Sequence[InputFile], choice: ColumnChoice) -> None:
    """Raise FileError if a column is named, but all files are plain text."""
    if choice.name is not None and all(file.format is FileFormat.TEXT for file in files):
        check_exists(files[0].path)
        others = f", or {NAME_FORMAT}" if files[0].path == STDIN else "."
        message = f"plain text has no columns; leave out {choice.flag} {choice.name!r}{others}"
        raise FileError(files[0].path, message)


def check_same_length(one: Column, other: Column) -> None:
    """Raise FileError if the numbers of rows of two files differ."""
    shorter, longer = sorted((one, other), key=lambda column: len(column.counts))
    ends, expected = len(shorter.counts), len(longer.counts)
    if ends != expected:
        source, path = shorter.source, longer.source.path
        message = (
            f"the file ends after sample {ends}, but {show_path(path)} has {expected} samples."
        )
        if STDIN in (source.path, path):
            message += f" {NAME_FORMAT.capitalize()}"
        raise FileError(source.path, message, source.lines[-1] if source.lines else None)


def show_path(path: str) -> str:
    """Return a path for a message."""
    return "<stdin>" if path == STDIN else path

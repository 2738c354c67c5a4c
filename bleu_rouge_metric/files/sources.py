"""Open the files that the user names, each once, and read all columns of a file in one pass."""

import os
import stat
from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypedDict, cast

from .columns import ColumnChoice, check_value, read_columns
from .input import STDIN, UTF8, FileError, FileFormat, InputFile, check_exists, find_file
from .results import Content, find_content
from .rows import Batch, Rows, open_rows
from .tables import Table

_NAME_FORMAT: Final = "name the format of a table on standard input with --stdin-format."


class FileOptions(TypedDict, total=False):
    """How files are read.

    Attributes:
        prediction_column: name of the column, if the file has columns. None for ``prediction``,
            ``predictions`` or the first of another usual pair, or for the only column of a file
            that does not also hold the references.
        reference_column: the same for references; None for ``reference``, ``references``, the
            second of the pair or the only column.
        stdin_format: format of standard input.
        encoding: of all files of text.
        delimiter: between the fields of CSV and TSV; None for that of the format.
        join: name of the column of ids by which rows of several files are joined; None for one
            with a usual name that both files have.
        no_join: whether rows belong together by their order alone.
        system: name of the system to read, if a file contains several.
        translator: whose references of a test set are read; None for all.
        filter_name: of files of lm-evaluation-harness, whose responses are read; None for the only
            filter.
    """

    prediction_column: str | None
    reference_column: str | None
    stdin_format: FileFormat
    encoding: str
    delimiter: str | None
    join: str | None
    no_join: bool
    system: str | None
    translator: str | None
    filter_name: str | None


class Source:
    """One file: rows of which columns are read, or the tables of another program in it.

    Attributes:
        file: the file.
        tables: of the systems in the file of another program; else empty.
        rows: of any other file; else None.
        header: the names of columns that ``drop_header`` has dropped.
        columns: those that were asked for.
        ids: values of the columns of ids that were asked for, by their names.
    """

    def __init__(self, path: str, options: FileOptions, *, is_plain: bool) -> None:
        """Open a file; if ``is_plain``, a column was named: it is no file of another program.

        Raises:
            FileError: the file cannot be opened, or has no header.
        """
        file = to_input(path, options)
        content = Content(file, [])
        if not is_plain:
            content = find_content(file, options.get("filter_name"), options.get("translator"))
        self.tables: list[Table] = content.tables
        self.rows: Rows | None = None
        if not self.tables:
            self.rows = content.rows or open_rows(
                content.file, content.document, is_examined=not is_plain
            )
        self.file = self.rows.file if self.rows else content.file
        self.header: Sequence[str] = ()
        self.columns: list[Column] = []
        self.ids: dict[str, list[Any]] = {}

    @property
    def is_text(self) -> bool:
        """Return whether the file is plain text."""
        return self.rows is not None and self.rows.file.format is FileFormat.TEXT

    def drop_header(self) -> None:
        """Read TSV as plain text whose lines begin with ids, and the header as one of the lines."""
        rows = self.rows
        if rows is None or rows.names is None:
            return
        names = self.header = rows.names

        def read(_: Sequence[str]) -> Iterator[Batch]:
            yield [1], [["\t".join(names)]]
            for lines, columns in rows.read(names):
                yield lines, [list(map("\t".join, zip(*columns, strict=True)))]

        self.rows = Rows(self.file._replace(format=FileFormat.TEXT), None, None, read, "line")

    def ask(self, choice: ColumnChoice, table: Table | None = None) -> "Column":
        """Return a column of the rows, or of a table, which ``read`` fills."""
        column = Column(self, choice, table)
        self.columns.append(column)
        return column

    def read(self) -> None:
        """Read the columns that were asked for, in one pass.

        Raises:
            FileError: the file has no such column or no rows, or a value is not a text.
        """
        if self.rows is None:
            for column in self.columns:
                column.read_table()
            return
        choices = [column.choice for column in self.columns]
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
            raise FileError(self.file.path, "the file has no samples; expected at least one.")
        for column in self.columns:
            column.lines = lines


class Column:
    """Texts of a file: a column of its rows, or what a table of another program has in its place.

    Attributes:
        source: the file.
        path: its path.
        choice: which column of rows it is, and whether it has references or labels.
        table: the table; None for rows.
        texts: texts of all rows, one row after the other.
        counts: how many texts each row has, at least 1.
        lines: the number of the last row's line, behind those of the other rows if there are
            labels; empty if the file has no lines.
        ids: values of columns with ids, by the names of the columns, one per row.
        order: the rows of the file that belong to each sample; None if they are in that order.
    """

    def __init__(self, source: Source, choice: ColumnChoice, table: Table | None) -> None:
        self.source = source
        self.path = source.file.path
        self.choice = choice
        self.table = table
        self.texts: list[str] = []
        self.counts = array("q")
        self.lines: Sequence[int] = []
        self.ids: Mapping[str, Sequence[Any]] = source.ids if table is None else {}
        self.order: Sequence[Sequence[int]] | None = None

    @property
    def names(self) -> Sequence[str]:
        """Return the names of the columns of the file; none for plain text."""
        if self.table is not None:
            return list(self.table.named)
        return (self.source.rows and self.source.rows.names) or ()

    @property
    def last_line(self) -> int | None:
        """Return the number of the last line that was read."""
        return self.lines[-1] if self.lines else None

    def ask_ids(self, names: Sequence[str]) -> None:
        """Ask for columns of ids."""
        if self.table is not None:
            named = self.table.named
            self.ids = {name: named[name] for name in named if name in (*names, *self.ids)}
        else:
            self.source.ids.update({name: [] for name in names})

    def add(self, values: Sequence[str | list[str]]) -> None:
        """Add the values of rows."""
        if all(isinstance(value, str) for value in values):
            self.texts += cast("Sequence[str]", values)
            self.counts.frombytes(array("q", [1]).tobytes() * len(values))
            return
        for value in values:
            self.texts += [value] if isinstance(value, str) else value
            self.counts.append(1 if isinstance(value, str) else len(value))

    def read_table(self) -> None:
        """Take the texts of the table."""
        table, choice = self.table, self.choice
        if table is None:
            return
        self.lines = table.lines
        if choice.is_label:
            values = table.named[choice.choose(table.file, self.names, None)]
            lines: Sequence[int | None] = table.lines or [None] * len(values)
            pairs = zip(values, lines, strict=True)
            name = repr(choice.name)
            self.add([check_value(table.file, choice, value, name, line) for value, line in pairs])
        elif choice.allows_lists and table.references:
            self.add(table.references)
        else:
            self.add(table.predictions or ())

    def take(self, order: Sequence[Sequence[int]]) -> None:
        """Make a row of the texts of the rows that belong to each sample."""
        starts = [0]
        for count in self.counts:
            starts.append(starts[-1] + count)
        self.texts = [
            text
            for rows in order
            for row in rows
            for text in self.texts[starts[row] : starts[row + 1]]
        ]
        self.counts = array("q", (sum(self.counts[row] for row in rows) for rows in order))
        self.order = order


def to_input(path: str, options: FileOptions) -> InputFile:
    """Return the file as its name says it is."""
    return InputFile.from_path(
        path,
        options.get("stdin_format", FileFormat.TEXT),
        encoding=options.get("encoding", UTF8),
        delimiter=options.get("delimiter"),
    )


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
    if files and choice.name is not None and all(f.format is FileFormat.TEXT for f in files):
        check_exists(files[0].path)
        others = f", or {_NAME_FORMAT}" if files[0].path == STDIN else "."
        message = f"plain text has no columns; leave out {choice.flag} {choice.name!r}{others}"
        raise FileError(files[0].path, message)


def check_same_length(one: Column, other: Column) -> None:
    """Raise FileError if the numbers of rows of two files differ."""
    shorter, longer = sorted((one, other), key=lambda column: len(column.counts))
    ends, expected = len(shorter.counts), len(longer.counts)
    if ends != expected:
        message = f"the file ends after sample {ends}, but {show_path(longer.path)} has {expected}"
        message += " samples."
        if STDIN in (shorter.path, longer.path):
            message += f" {_NAME_FORMAT.capitalize()}"
        raise FileError(shorter.path, message, shorter.last_line)


def show_path(path: str) -> str:
    """Return a path for a message."""
    return "<stdin>" if path == STDIN else path

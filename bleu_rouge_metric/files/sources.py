"""Open the files that the user names, each once, and read all columns of a file in one pass."""

import os
import stat
from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, TypedDict, cast

from .columns import ColumnChoice, choose_pair, read_columns
from .input import STDIN, UTF8, FileError, FileFormat, InputFile, check_exists, find_file
from .joins import Column, show_path
from .results import find_content
from .rows import Batch, Rows, open_rows
from .tables import Table

if TYPE_CHECKING:
    from typing_extensions import NotRequired

NAME_FORMAT: Final = "name the format of a table on standard input with --stdin-format."


class FileOptions(TypedDict):
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

    prediction_column: "NotRequired[str | None]"
    reference_column: "NotRequired[str | None]"
    stdin_format: "NotRequired[FileFormat]"
    encoding: "NotRequired[str]"
    delimiter: "NotRequired[str | None]"
    join: "NotRequired[str | None]"
    no_join: "NotRequired[bool]"
    system: "NotRequired[str | None]"
    translator: "NotRequired[str | None]"
    filter_name: "NotRequired[str | None]"


class Source:
    """One file: the tables of another program in it, or rows of which columns are read.

    Attributes:
        file: the file.
        tables: of the systems in the file of another program; else empty.
        rows: of any other file; else None.
        columns: the texts of each column that was asked for.
        lines: the numbers of the lines of all rows, if labels were asked for.
        asked: names of the columns of ids that were asked for.
    """

    def __init__(
        self, file: InputFile, options: FileOptions, *, is_plain: bool, known: Sequence[str]
    ) -> None:
        """Open a file.

        Args:
            file: the file.
            options: how it is read.
            is_plain: whether a column was named, so that it is no file of another program.
            known: names of columns that the file may have, by which a header is recognised.

        Raises:
            FileError: the file cannot be opened, or has no header.
        """
        self.tables: list[Table] = []
        self.rows: Rows | None = None
        if is_plain:
            self.rows = open_rows(file)
        else:
            content = find_content(file, options.get("filter_name"), options.get("translator"))
            self.tables = content.tables
            if not self.tables:
                self.rows = content.rows or open_rows(
                    content.file, content.document, is_examined=True
                )
        self.file = self.rows.file if self.rows else self.tables[0].file
        self.columns: list[Column] = []
        self.lines: list[int] = []
        self._choices: list[ColumnChoice] = []
        self.asked: list[str] = []
        # Lines of an id, a tab and a text have no header.
        self._header: Sequence[str] = ()
        names = (self.rows and self.rows.names) or ()
        is_tsv = self.file.format is FileFormat.TSV
        if is_tsv and len(names) > 1 and not {*names} & {*known}:
            self._header = names

    @property
    def path(self) -> str:
        """Return the path of the file."""
        return self.file.path

    @property
    def names(self) -> Sequence[str]:
        """Return the names of the columns; none for plain text."""
        if self.tables:
            return [*self.tables[0].columns, *filter(None, [self.tables[0].id_name])]
        return (self.rows and self.rows.names) or ()

    @property
    def is_text(self) -> bool:
        """Return whether the file is plain text."""
        return self.rows is not None and self.file.format is FileFormat.TEXT

    @property
    def may_have_ids(self) -> bool:
        """Return whether the lines of the file may begin with ids."""
        return self.is_text or bool(self._header)

    def drop_header(self) -> None:
        """Read the lines of TSV as texts that begin with ids, and the header as one of them."""
        if not (self._header and self.rows):
            return
        rows, names = self.rows, self._header

        def read(_: Sequence[str]) -> Iterator[Batch]:
            yield [1], [["\t".join(names)]]
            for lines, columns in rows.read(names):
                yield lines, [list(map("\t".join, zip(*columns, strict=True)))]

        self.rows = Rows(self.file._replace(format=FileFormat.TEXT), None, None, read, "line")

    def ask(self, choice: ColumnChoice) -> int:
        """Ask for a column, and return its index in ``columns``."""
        self._choices.append(choice)
        return len(self._choices) - 1

    def ask_ids(self, names: Sequence[str]) -> None:
        """Ask for columns of ids."""
        self.asked += [name for name in names if name not in self.asked]

    def choose_pair(self) -> None:
        """Choose the columns of predictions and references, the first two, together."""
        if self.rows is not None:
            names = self.rows.names or ()
            self._choices[:2] = choose_pair(self.file, names, *self._choices[:2])

    def read(self) -> None:
        """Read what was asked for in one pass.

        Raises:
            FileError: the file has no such column or no rows, or a value is not a text.
        """
        if self.rows is None or not self._choices:
            return
        stores = [_Store() for _ in self._choices]
        raw: list[list[Any]] = [[] for _ in self.asked]
        has_labels = any(choice.is_label for choice in self._choices)
        line: int | None = None
        for numbers, columns in read_columns(self.rows, self._choices, self.asked):
            line = numbers[-1]
            if has_labels:
                self.lines += numbers
            for store, values in zip(stores, columns, strict=False):
                store.add(values)
            for ids, values in zip(raw, columns[len(stores) :], strict=True):
                ids.extend(values)
        if line is None and not all(choice.is_label for choice in self._choices):
            message = "the file has no samples; expected at least one."
            raise FileError(self.path, message)
        ids_of = dict(zip(self.asked, raw, strict=True))
        is_plain = self.rows.names is None and self.rows.file.format is FileFormat.TEXT
        self.columns = [
            Column(self.path, store.texts, store.counts, line, ids_of, is_plain=is_plain)
            for store in stores
        ]

    def is_headless(self) -> bool:
        """Return whether the header was read as a line that begins with an id."""
        return bool(self._header) and self.rows is not None and self.rows.names is None

    def missing_column(self) -> FileError:
        """Return the error for a file whose lines do not begin with the ids of another."""
        choice = self._choices[0]
        try:
            choice.choose(self.file, self._header, 1)
        except FileError as error:
            return error
        return FileError(self.path, "expected a header of column names.", 1)


class _Store:
    """The texts of one column."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.counts = array("q")

    def add(self, values: Sequence[str | list[str]]) -> None:
        """Add the values of rows."""
        if all(isinstance(value, str) for value in values):
            self.texts += cast("Sequence[str]", values)
            self.counts.frombytes(array("q", [1]).tobytes() * len(values))
            return
        for value in values:
            self.texts += [value] if isinstance(value, str) else value
            self.counts.append(1 if isinstance(value, str) else len(value))


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
        message = (
            f"the file ends after sample {ends}, but {show_path(longer.path)} has {expected} "
            "samples."
        )
        if STDIN in (shorter.path, longer.path):
            message += f" {NAME_FORMAT.capitalize()}"
        raise FileError(shorter.path, message, shorter.last_line)

"""Open the files that the user names, each once, and read all columns of a file in one pass."""

from array import array
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, TypedDict, cast

from .columns import PREDICTION, REFERENCE, ColumnChoice, read_columns
from .input import NAME_FORMAT, STDIN, UTF8, FileError, FileFormat, InputFile
from .results import open_systems
from .rows import Batch, Rows, open_rows


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
    """The rows of a file, or of a system in it, and the columns of them that are read together."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.path = rows.file.path
        self.system = rows.system or self.path
        self.names: Sequence[str] = rows.names or ()
        self.columns: list[Column] = []
        self.ids: dict[str, list[Any]] = {}  # the values of each column of ids
        # The number of the last row's line; of all rows if there are labels or a program.
        self.lines: Sequence[int] = []
        self.header: Sequence[str] = ()  # the names that ``drop_header`` has dropped

    @property
    def is_text(self) -> bool:
        """Return whether the file is plain text."""
        return self.rows.file.format is FileFormat.TEXT and not self.rows.program

    def drop_header(self) -> None:
        """Read TSV without a header, in which no column is known, as lines that begin with ids."""
        rows, names = self.rows, self.names
        choices = [PREDICTION, REFERENCE, *(column.choice for column in self.columns)]
        known = {name for one in choices for name in (one.name, *one.defaults, *one.others)}
        is_tsv = rows.file.format is FileFormat.TSV and len(names) > 1
        if rows.program or not is_tsv or known.intersection(names):
            return
        self.header, self.names = names, ()

        def read(_: Sequence[str]) -> Iterator[Batch]:
            yield [1], [["\t".join(names)]]
            for lines, columns in rows.read(names):
                yield lines, [list(map("\t".join, zip(*columns, strict=True)))]

        self.rows = Rows(rows.file._replace(format=FileFormat.TEXT), None, None, read, "line")

    def ask(self, choice: ColumnChoice) -> "Column":
        """Return a column, which ``read`` fills."""
        self.columns.append(Column(self, choice))
        return self.columns[-1]

    def read(self) -> None:
        """Read the columns that were asked for, in one pass; of at least one row."""
        choices = [column.choice for column in self.columns]
        has_labels = any(choice.is_label for choice in choices)
        lines: list[int] = []
        for numbers, values in read_columns(self.rows, choices, list(self.ids)):
            if has_labels or self.rows.program:
                lines += numbers
            else:
                lines = [numbers[-1]]
            for column, cells in zip(self.columns, values, strict=False):
                column.add(cells)
            for ids, cells in zip(self.ids.values(), values[len(choices) :], strict=True):
                ids.extend(cells)
        if not lines and not all(choice.is_label for choice in choices):
            raise FileError(self.path, "the file has no samples; expected at least one.")
        self.lines = lines if self.rows.has_lines else []


class Column:
    """Texts of a source."""

    def __init__(self, source: Source, choice: ColumnChoice) -> None:
        self.source = source
        self.choice = choice
        self.texts: list[str] = []  # of all rows, one row after the other
        self.counts = array("q")  # how many texts each row has, at least 1
        # Those of the source, or those before the texts of its lines.
        self.ids: dict[str, list[Any]] = source.ids
        # Of each row of predictions, by their names.
        self.scores = {} if choice.allows_lists else source.rows.scores

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
    """Open a file: return its rows, or another program's systems unless it ``is_plain``."""
    file = to_input(path, options)
    if is_plain:
        return [Source(open_rows(file))]
    opened = open_systems(file, options.get("filter_name"), options.get("translator"))
    return list(map(Source, opened))


def to_input(path: str, options: FileOptions) -> InputFile:
    """Return the file as its name says it is."""
    return InputFile.from_path(
        path,
        options.get("stdin_format", FileFormat.TEXT),
        encoding=options.get("encoding", UTF8),
        delimiter=options.get("delimiter"),
    )


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

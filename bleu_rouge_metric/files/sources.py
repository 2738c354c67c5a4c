"""Open the files that the user names, each once, read all columns of a file in one pass, and join.

Rows are joined by ids: columns with usual names, or what is before the tabs of lines of text.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, groupby, permutations
from typing import Any, Final, TypedDict, cast

from .columns import ID_NAMES, PREDICTION, REFERENCE, ColumnChoice, read_columns
from .input import NAME_FORMAT, STDIN, UTF8, FileError, FileFormat, InputFile, warn_of_file
from .results import open_systems
from .rows import Batch, Rows, open_rows

_NO_JOIN: Final = "use --no-join to compare row by row, or --join to name another column"

# Of plain text: an id before the first tab is no longer.
_LONGEST_ID: Final = 64
# The share of ids that two files must have in common to be taken for ids.
_COMMON: Final = 0.5

# The rows of a file that belong to each sample; None if row i belongs to sample i.
_Order = list[list[int]] | None


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
        # The number of the last row's line; of all rows of a program.
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
        is_header = any(name in known or name.lower() in ID_NAMES for name in names)
        if rows.program or not is_tsv or is_header:
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
        lines: Sequence[int] = []
        for numbers, values in read_columns(self.rows, choices, list(self.ids)):
            # The rows of a program are one batch.
            lines = numbers if self.rows.program else [numbers[-1]]
            for column, cells in zip(self.columns, values, strict=False):
                column.add(cells)
            for ids, cells in zip(self.ids.values(), values[len(choices) :], strict=True):
                ids.extend(cells)
        if not lines:
            what = "labels" if all(choice.is_label for choice in choices) else "samples"
            raise FileError(self.path, f"the file has no {what}; expected at least one.")
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


def ask_for_ids(columns: Sequence[Column], options: FileOptions) -> None:
    """Ask for the columns of ids that files have in common, before the files are read."""
    join = options.get("join")
    sources = list(dict.fromkeys(column.source for column in columns))
    if options.get("no_join") or len({source.path for source in sources}) == 1:
        return
    for source in sources:
        if join is None:
            source.drop_header()
        elif join not in source.names:
            names = ", ".join(map(repr, source.names)) or "none"
            message = f"no column is named {join!r}; name one with --join. Columns: {names}."
            raise FileError(source.path, message)
    for source, other in permutations(sources, 2):
        common = {name.lower(): name for name in source.names if name in other.names}
        usual = [common[name] for name in ID_NAMES if name in common]
        if source.path != other.path:
            wanted = usual if join is None else [join]
            # Other programs have the column of their ids first.
            ordered = filter(wanted.__contains__, source.names) if source.rows.program else wanted
            source.ids |= {name: [] for name in ordered}


def join_rows(columns: Sequence[Column], labels: Iterable[Column], options: FileOptions) -> None:
    """Put the rows of all files, and their labels, in the order of the first file that has ids."""
    dropped = next((column for column in columns if column.source.header), None)
    if not options.get("no_join") and all(column.source.is_text for column in columns):
        _split_ids(columns, is_needed=dropped is not None)
    if dropped is not None and not columns[0].ids:
        dropped.choice.choose(
            dropped.source.rows.file._replace(format=FileFormat.TSV), dropped.source.header, 1
        )
    # References before the predictions of further systems.
    ordered = [columns[0], *sorted(columns[1:], key=lambda column: not column.choice.allows_lists)]
    base = next((column for column in ordered if column.ids), columns[0])
    orders: dict[int, _Order] = {}
    for column in columns:
        key = id(column.source)
        if column.source.path != base.source.path and key not in orders:
            orders[key] = _match_rows(base, column, is_named=options.get("join") is not None)
        order = orders.get(key)
        if order is None and column.choice.allows_lists:
            order = _group_references(column, len(columns[0].counts))
        if order is not None:
            column.take(order)
    for label in labels:
        order = orders.get(id(label.source))
        if order is not None:
            label.take([rows[:1] for rows in order])


def _match_rows(base: Column, other: Column, *, is_named: bool) -> _Order:
    """Return the order of another file; several rows may belong to one if they are references."""
    names = [name for name in base.ids if name in other.ids]
    # Segments are often numbered within documents: the last candidate is all columns together.
    candidates = [[name] for name in names] + [names] * (len(names) > 1)
    repeated: FileError | None = None
    for candidate in candidates:
        name = " and ".join(candidate)
        ours, theirs = _to_keys(base, candidate), _to_keys(other, candidate)
        if ours is None or theirs is None:
            if is_named:
                message = f"{name!r} has values that are no ids; expected texts or ints."
                raise FileError((base if ours is None else other).source.path, message)
            continue
        is_unique = len({*ours}) == len(ours)
        if ours == theirs and (is_unique or candidate is candidates[-1]):
            return None
        if len({*theirs}) == len(theirs) or (other.choice.allows_lists and is_unique):
            return _match(name, base, other, ours, theirs)
        if ours != theirs and repeated is None:
            (twice, _), *_ = Counter(theirs).most_common(1)
            message = (
                f"the {name} {twice} occurs more than once, and the order of ids is not that of "
                f"{show_path(base.source.path)}; {_NO_JOIN}."
            )
            repeated = FileError(other.source.path, message)
    if repeated is not None:
        raise repeated
    return None


def _to_keys(column: Column, names: Sequence[str]) -> list[str] | None:
    """Return the ids of all rows as texts, since CSV has no ints; None if a value is not an id."""
    rows = list(zip(*(column.ids[name] for name in names), strict=True))
    values = chain.from_iterable(rows)
    if any(type(value) not in (int, str) or value == "" for value in values):
        return None
    return [" and ".join(map(str, row)) for row in rows]


def _match(
    name: str, base: Column, other: Column, ours: Sequence[str], theirs: Sequence[str]
) -> list[list[int]]:
    """Return the rows of the other file for each id; raise FileError if one is missing."""
    rows: dict[str, list[int]] = {}
    for row, key in enumerate(theirs):
        rows.setdefault(key, []).append(row)
    known = dict.fromkeys(ours)
    base_path, path = base.source.path, other.source.path
    for keys, given, lacking, having in (
        (known, rows, path, base_path),
        (() if other.source.rows.is_open else rows, known, base_path, path),
    ):
        missing = next((key for key in keys if key not in given), None)
        if missing is not None:
            message = f"no row has the {name} {missing}, which {show_path(having)} has; {_NO_JOIN}."
            raise FileError(lacking, message)
    message = ""
    if len(rows) > len(known):
        message = f"{len(rows) - len(known):,} of {len(rows):,} {name}s are left out, because "
        message += f"{show_path(base_path)} does not have them."
    elif len(rows) == len(theirs) == len(ours):
        message = f"rows are joined by {name!r}, whose order differs from that in "
        message += f"{show_path(base_path)}."
    if message:
        warn_of_file(path, message)
    return [rows[key] for key in ours]


def _split_ids(columns: Sequence[Column], *, is_needed: bool) -> None:
    """Take ids off lines of plain text, ``id<TAB>text``, if all files have the same.

    If some are missing, they are numbers, or needed for a file of TSV without a header.
    """
    if not all(column.texts and "\t" in column.texts[0] for column in columns):
        return
    split = [[text.partition("\t") for text in column.texts] for column in columns]
    keys = [[key for key, _, _ in rows] for rows in split]
    first = {*keys[0]}
    for own in keys:
        common = len(first & {*own})
        is_numbered = common == len(first) == len(own) or (
            common > _COMMON * len(own) and (is_needed or all(key.isdigit() for key in own))
        )
        is_short = all(len(key) <= _LONGEST_ID for key in own)
        if len({*own}) != len(own) or not is_short or not is_numbered:
            return
    for column, rows, own in zip(columns, split, keys, strict=True):
        column.texts = [text for _, _, text in rows]
        column.ids = {"id": own}


def _group_references(column: Column, samples: int) -> _Order:
    """Return the rows of groups that blank lines separate, if there is one for each sample."""
    if not column.source.is_text or len(column.texts) == samples:
        return None
    is_text = [bool(text.strip()) for text in column.texts]
    by_kind = groupby(range(len(is_text)), is_text.__getitem__)
    groups = [list(rows) for full, rows in by_kind if full]
    if len(groups) != samples or all(is_text):
        return None
    message = f"blank lines separate the references of {samples:,} samples."
    warn_of_file(column.source.path, message)
    return groups

"""Open and read the files of one call; put predictions, references and labels in one order."""

from array import array
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import PurePath
from typing import Any, Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ..arrays import to_offsets
from ..samples.inputs import Samples
from .columns import (
    PREDICTION,
    REFERENCE,
    REFERENCE_COLUMNS,
    ColumnChoice,
    check_different,
    check_value,
)
from .input import COMPRESSIONS, STDIN, FileError, find_file
from .joins import Column, find_ids, group_references, match_rows, split_ids
from .labels import check_labels, describe_no_labels, label_choice, no_labels
from .results import HARNESS
from .sources import (
    NAME_FORMAT,
    FileOptions,
    Source,
    check_columns_exist,
    check_paths,
    check_same_length,
    to_input,
)
from .tables import Table, share_scores

_SYSTEMS: Final = "--system-columns"


class SystemSamples(NamedTuple):
    """Samples of several systems.

    Attributes:
        systems: the samples of each by its name; all have the same references.
        paths: the file of each system's predictions.
        labels: one text per sample, by the flag that named them.
        scores: numbers of other metrics, which files of other programs contain: by the metric, of
            each system, one per sample.
    """

    systems: dict[str, Samples]
    paths: dict[str, str]
    labels: dict[str, list[str]]
    scores: dict[str, dict[str, list[float]]]


class _Part(NamedTuple):
    """One column of texts: of a source, or of one of its tables.

    Attributes:
        source: the file.
        place: of the column among those that the source was asked for.
        table: of the file of another program; else None.
        is_reference: whether it holds references.
    """

    source: Source
    place: int
    table: Table | None = None
    is_reference: bool = False

    def make_column(self) -> Column:
        """Return the texts."""
        if self.table is None:
            return self.source.columns[self.place]
        table = self.table
        if self.is_reference:
            rows = table.references or [[text] for text in table.predictions or ()]
            texts, counts = [text for row in rows for text in row], array("q", map(len, rows))
        else:
            texts = list(table.predictions or ())
            counts = array("q", [1]) * len(texts)
        ids = {} if table.ids is None else {table.id_name: table.ids}
        ids |= {name: table.columns[name] for name in self.source.asked if name in table.columns}
        last_line = table.lines[-1] if table.lines else None
        return Column(self.source.path, texts, counts, last_line, ids, table.is_open)


class Reading:
    """The files of one call, each of which is opened and read once."""

    def __init__(self, options: FileOptions, labels: Mapping[str, str]) -> None:
        self._options = options
        self._labels = labels
        self._sources: dict[str, Source] = {}
        self._prediction = PREDICTION._replace(name=options.get("prediction_column"))
        self._reference = REFERENCE._replace(name=options.get("reference_column"))

    def read(
        self,
        systems: Sequence[str],
        references: Sequence[str],
        columns: Sequence[str],
        *,
        is_comparison: bool,
    ) -> SystemSamples:
        """Read everything; the arguments are those of ``read_systems``."""
        self._check(systems, references, columns)
        predictions = self._plan_predictions(systems, references, columns)
        check = _check_comparison if is_comparison else _check_score
        check(predictions, has_references=bool(references or columns))
        names = list(columns) or _name_parts(predictions)
        shared = self._plan_references(references, predictions)
        labels = {
            flag: self._plan_label(flag, name, shared, predictions)
            for flag, name in self._labels.items()
        }
        parts = [*predictions, *shared]
        self._plan_ids(parts)
        for source in self._sources.values():
            source.read()
        texts, orders = self._join(parts)
        for column in texts:
            check_same_length(texts[0], column)
        if not references:
            _check_references(predictions)
        label_texts = {
            flag: self._read_labels(flag, part, orders, texts[0]) for flag, part in labels.items()
        }
        joined, offsets = interleave(texts[len(predictions) :])
        own = dict(zip(names, texts, strict=False))
        return SystemSamples(
            {name: Samples(column.texts, joined, offsets) for name, column in own.items()},
            {name: column.path for name, column in own.items()},
            label_texts,
            share_scores({name: part.table for name, part in zip(names, predictions, strict=True)}),
        )

    def _check(
        self, systems: Sequence[str], references: Sequence[str], columns: Sequence[str]
    ) -> None:
        """Check what can be checked without opening a file."""
        check_paths([to_input(path, self._options) for path in [*systems, *references]])
        is_shared = not references or any(path in references for path in systems)
        other = self._reference.name
        if is_shared:
            check_different(systems[0], self._prediction.name, other)
        names = REFERENCE_COLUMNS if other is None else (other,)
        for index, name in enumerate(columns):
            if name in columns[:index]:
                message = f"{_SYSTEMS} has {name!r} twice; expected each system once."
                raise FileError(systems[0], message)
            if is_shared and name in names:
                message = (
                    f"the column {name!r} holds both the predictions and the references; name "
                    f"others with {_SYSTEMS} and --reference-column."
                )
                raise FileError(systems[0], message)

    def _open(self, path: str, *, is_plain: bool) -> Source:
        """Return the opened file of a path."""
        if path not in self._sources:
            named = (self._prediction.name, self._reference.name, *self._labels.values())
            choices = (self._prediction, self._reference)
            known = [name for choice in choices for name in (*choice.defaults, *choice.others)]
            self._sources[path] = Source(
                to_input(path, self._options),
                self._options,
                is_plain=is_plain,
                known=[*known, *filter(None, named)],
            )
        return self._sources[path]

    def _plan_predictions(
        self, systems: Sequence[str], references: Sequence[str], columns: Sequence[str]
    ) -> list[_Part]:
        """Return the parts with the predictions of the systems."""
        is_plain = bool(columns) or self._prediction.name is not None
        if not references:
            is_plain = is_plain or self._reference.name is not None
        sources = [self._open(path, is_plain=is_plain) for path in systems]
        files = [source.file for source in sources if not source.tables]
        filter_name = self._options.get("filter_name")
        tables = [table for source in sources for table in source.tables]
        if filter_name is not None and not any(table.program == HARNESS for table in tables):
            message = "no file is of lm-evaluation-harness; leave out --harness-filter."
            raise FileError(systems[0], message)
        choices = [
            ColumnChoice(name, (), _SYSTEMS, allows_lists=False, is_needed=True) for name in columns
        ]
        if files:
            check_columns_exist(files, choices[0] if choices else self._prediction)
        parts = []
        for source in sources:
            is_shared = source.path in references or not references
            choice = self._prediction._replace(takes_only=not is_shared, is_needed=not references)
            if source.tables:
                parts += [_Part(source, 0, table) for table in self._choose_tables(source)]
            else:
                parts += [_Part(source, source.ask(one)) for one in choices or [choice]]
        system = self._options.get("system")
        if system is not None and not tables:
            message = f"the file has no names of systems; leave out --system {system!r}."
            raise FileError(systems[0], message)
        return parts

    def _choose_tables(self, source: Source) -> list[Table]:
        """Return the tables with predictions of a file; only that of the system that was named."""
        system = self._options.get("system")
        tables = [table for table in source.tables if table.predictions is not None]
        if not tables:
            message = "the file has references, but no texts of a system."
            raise FileError(source.path, message)
        if system is None:
            return tables
        chosen = [table for table in tables if system in (table.path, _shorten(table.path))]
        if not chosen:
            names = ", ".join(repr(table.path) for table in tables)
            message = f"no system is named {system!r}; expected one of {names}."
            raise FileError(source.path, message)
        return chosen

    def _plan_references(
        self, references: Sequence[str], predictions: Sequence[_Part]
    ) -> list[_Part]:
        """Return the parts with references."""
        if not references:
            with_references = [part for part in predictions if part.table and part.table.references]
            if with_references:
                return [with_references[0]._replace(is_reference=True)]
        systems = {part.source.path for part in predictions}
        paths = references or [predictions[0].source.path]
        is_plain = self._reference.name is not None
        sources = [self._open(path, is_plain=is_plain) for path in paths]
        translator = self._options.get("translator")
        if translator is not None and not any(one.tables for one in self._sources.values()):
            message = (
                f"the file has no names of translators; leave out --translator {translator!r}."
            )
            raise FileError(sources[0].path, message)
        rows = [source for source in sources if source.rows]
        if rows and len(rows) == len(sources):
            check_columns_exist([source.file for source in rows], self._reference)
        parts = []
        for source in sources:
            choice = self._reference._replace(
                takes_only=source.path not in systems, is_needed=not references
            )
            if source.tables:
                parts.append(_Part(source, 0, source.tables[0], is_reference=True))
            else:
                parts.append(_Part(source, source.ask(choice), is_reference=True))
                if source.path in systems and len(predictions) == len(systems):
                    source.choose_pair()
        return parts

    def _plan_label(
        self, flag: str, name: str, references: Sequence[_Part], predictions: Sequence[_Part]
    ) -> _Part:
        """Return the part with the labels of a flag."""
        parts = [*references, *predictions]
        tables = [part for part in parts if part.table and name in part.table.columns]
        rows = [part for part in parts if part.source.rows and part.source.rows.names is not None]
        others = [part for part in parts if part.table]
        in_references = [part for part in rows if part in references]
        for part in [*in_references, *tables, *rows, *others]:
            if part.table is None:
                return part._replace(place=part.source.ask(label_choice(name, flag)))
            if name in part.table.columns or find_file(name) is None:
                return part
        if find_file(name) is None:
            raise FileError(predictions[0].source.path, describe_no_labels(name, flag))
        source = Source(to_input(name, self._options), self._options, is_plain=True, known=())
        self._sources[f"{flag} {name}"] = source
        return _Part(source, source.ask(label_choice(None, flag)))

    def _plan_ids(self, parts: Sequence[_Part]) -> None:
        """Ask for the columns of ids by which files are joined."""
        join, no_join = self._options.get("join"), self._options.get("no_join")
        sources = {part.source.path: part.source for part in parts}
        if len(sources) < 2:
            return
        if not no_join and join is None and all(s.may_have_ids for s in sources.values()):
            for source in sources.values():
                source.drop_header()
        if no_join:
            return
        for source in sources.values():
            if join is not None and join not in source.names:
                names = ", ".join(map(repr, source.names)) or "none"
                message = f"no column is named {join!r}; name one with --join. Columns: {names}."
                raise FileError(source.path, message)
            for other in sources.values():
                if other is not source:
                    ids = find_ids(source.names, other.names, join)
                    source.ask_ids(ids)

    def _join(
        self, parts: Sequence[_Part]
    ) -> tuple[list[Column], dict[str, list[list[int]] | None]]:
        """Return the texts in the order of the first file with ids, and the orders of all files."""
        columns = [part.make_column() for part in parts]
        headless = [part.source for part in parts if part.source.is_headless()]
        if (
            not self._options.get("no_join")
            and len(columns) > 1
            and all(c.is_plain for c in columns)
        ):
            columns = split_ids(columns, is_needed=bool(headless))
        if headless and not columns[0].ids:
            raise headless[0].missing_column()
        number = sum(not part.is_reference for part in parts)
        first, *rest = range(len(parts))
        order = [first, *[i for i in rest if i >= number], *[i for i in rest if i < number]]
        base = next((columns[i] for i in order if columns[i].ids), columns[0])
        orders: dict[str, list[list[int]] | None] = {}
        is_named = self._options.get("join") is not None
        for index, part in enumerate(parts):
            path, column = part.source.path, columns[index]
            if path != base.path and (path not in orders or part.table is not None):
                rows = match_rows(base, column, is_named=is_named, allows_groups=part.is_reference)
                orders[path] = rows
            if orders.get(path) is not None:
                columns[index] = column.take(cast("list[list[int]]", orders[path]))
            elif part.is_reference:
                columns[index] = group_references(column, len(columns[0].counts))
        return columns, orders

    def _read_labels(
        self,
        flag: str,
        part: _Part,
        orders: Mapping[str, list[list[int]] | None],
        samples: Column,
    ) -> list[str]:
        """Return the labels of a flag, in the order of the samples."""
        source, order = part.source, orders.get(part.source.path)
        if part.table is None:
            values, lines = source.columns[part.place].texts, source.lines
        else:
            values = _read_table_labels(part.table, self._labels[flag], flag)
            lines = list(part.table.lines)
        if not values:
            raise no_labels(source.path)
        texts = check_labels(source.file, values, lines)
        if order is not None:
            texts = [texts[rows[0]] for rows in order]
        if len(texts) != len(samples.counts):
            message = (
                f"the file has {len(texts):,} labels, but there are {len(samples.counts):,} "
                "samples; expected one label for each."
            )
            raise FileError(source.path, message)
        return texts


def _read_table_labels(table: Table, name: str, flag: str) -> list[Any]:
    """Return a column of the file of another program that holds labels."""
    if name not in table.columns:
        names = ", ".join(map(repr, table.columns)) or "none"
        message = f"no column is named {name!r}; name one with {flag}. Columns: {names}."
        raise FileError(table.file.path, message)
    choice = label_choice(name, flag)
    lines: Sequence[int | None] = table.lines or [None] * len(table.columns[name])
    return [
        check_value(table.file, choice, value, repr(name), line)
        for line, value in zip(lines, table.columns[name], strict=True)
    ]


def _check_score(predictions: Sequence[_Part], *, has_references: bool) -> None:
    """Raise FileError unless there is one system, and references."""
    part = predictions[0]
    path = part.source.path
    if len(predictions) > 1:
        names = ", ".join(repr(one.table.path) for one in predictions if one.table)
        message = f"the file has the systems {names}; choose one with --system."
        raise FileError(path, message)
    if has_references:
        return
    if part.source.is_text:
        others = NAME_FORMAT if path == STDIN else "give one file with columns of both."
        message = f"plain text contains no references; add a file of references, or {others}"
        raise FileError(path, message)
    if part.table is not None and part.table.references is None:
        raise FileError(path, "the file contains no references; add a file of references.")


def _check_comparison(predictions: Sequence[_Part], *, has_references: bool) -> None:
    """Raise FileError unless there are several systems, and references."""
    path = predictions[0].source.path
    if len(predictions) < 2:
        message = (
            "there is only one system; give two or more files before --references, or one with "
            "columns and their names with --system-columns."
        )
        raise FileError(path, message)
    has_own = any(part.table and part.table.references for part in predictions)
    if not has_references and not has_own:
        message = "the references are missing; give a file of references with --references."
        raise FileError(path, message)


def _check_references(predictions: Sequence[_Part]) -> None:
    """Raise FileError if files of other programs contain other references for a sample."""
    given = [part for part in predictions if part.table and part.table.references]
    for part in given[1:]:
        first = given[0].table.references if given[0].table else None
        rows = part.table.references if part.table else None
        pairs = zip(rows or (), first or (), strict=False)
        index = next((at for at, (ours, theirs) in enumerate(pairs) if ours != theirs), None)
        if index is not None:
            message = (
                f"the reference of sample {index} is not that in {given[0].source.path}; expected "
                "the same samples in the same order."
            )
            lines = part.table.lines if part.table else ()
            raise FileError(part.source.path, message, lines[index] if lines else None)


def _name_parts(parts: Sequence[_Part]) -> list[str]:
    """Name the systems.

    lm-evaluation-harness writes ``samples_TASK_DATE.jsonl`` to a folder with the name of the model:
    if all files are of this kind, the folders name the systems.
    """
    paths = [part.table.path if part.table else part.source.path for part in parts]
    if all(part.table and part.table.program == HARNESS for part in parts):
        folders = [PurePath(path).parent.name for path in paths]
        is_written = all(PurePath(path).name.startswith("samples_") for path in paths)
        if is_written and all(folders) and len({*folders}) == len(folders):
            return folders
    files = [part.source.path for part in parts]
    # Two files may contain systems of the same name.
    is_clear = len({*paths}) == len(paths) or len({*files}) < len(files)
    return name_systems(paths if is_clear else files)


def name_systems(paths: Sequence[str]) -> list[str]:
    """Name systems as their files without suffixes; with suffixes or folders if necessary.

    Raises:
        FileError: a path is given twice.

    >>> name_systems(["out/a.txt", "out/b.jsonl.gz", "-"])
    ['a', 'b', 'stdin']
    >>> name_systems(["wmt.en-de.A", "wmt.en-de.B"]), name_systems(["x/out.txt", "y/out.txt"])
    (['wmt.en-de.A', 'wmt.en-de.B'], ['x/out.txt', 'y/out.txt'])
    """
    for index, path in enumerate(paths):
        if path in paths[:index]:
            raise FileError(path, "the file is given twice; expected each system once.")
    shown = ["stdin" if path == STDIN else path for path in paths]
    full = [PurePath(path).name for path in shown]
    for names in (list(map(_shorten, shown)), full):
        if len(set(names)) == len(names):
            return names
    return shown


def _shorten(path: str) -> str:
    """Return the name of a file without its folder and suffixes."""
    name = PurePath(path)
    return (name.with_suffix("") if name.suffix in COMPRESSIONS else name).stem


def interleave(streams: Sequence[Column]) -> tuple[list[str], NDArray[np.int64]]:
    """Return the references of all samples, one sample after the other, and their offsets."""
    counts = np.sum([np.array(stream.counts, dtype=np.int64) for stream in streams], axis=0)
    if len(streams) == 1:
        return streams[0].texts, to_offsets(counts)
    remaining = [iter(stream.texts) for stream in streams]
    texts = [
        text
        for numbers in zip(*(stream.counts for stream in streams), strict=True)
        for stream, number in zip(remaining, numbers, strict=True)
        for text in islice(stream, number)
    ]
    return texts, to_offsets(counts)

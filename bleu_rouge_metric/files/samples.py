"""Read the samples of one or several systems: predictions, references and labels.

Row ``i`` of every file belongs to sample ``i``, unless files have ids. ``rows.py`` reads the
formats, ``results.py`` the files of other programs. Memory holds only the texts, ids and labels,
and how many references each sample has.
"""

import warnings
from collections.abc import Mapping, Sequence
from itertools import islice, repeat
from pathlib import PurePath
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import to_offsets
from ..samples.inputs import Samples
from .columns import (
    PREDICTION,
    REFERENCE,
    REFERENCE_COLUMNS,
    check_different,
    choose_pair,
)
from .input import STDIN, FileError, find_file
from .joins import ask_for_ids, join_rows
from .kinds import COMPRESSIONS
from .labels import check_label_file, check_labels, label_choice
from .results import HARNESS
from .sources import (
    Column,
    FileOptions,
    Source,
    check_columns_exist,
    check_paths,
    check_same_length,
    to_input,
)
from .tables import Table

if TYPE_CHECKING:
    from typing_extensions import Unpack

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


def read_samples(
    predictions: str, references: Sequence[str], **options: "Unpack[FileOptions]"
) -> Samples:
    """Read samples from a file of predictions and one or more files of references.

    Args:
        predictions: path, or ``-`` for standard input.
        references: paths, or ``-``. Each file gives every sample one reference, or several if its
            column holds lists. Empty if the file of the predictions contains references.
        **options: how files are read; :class:`FileOptions` describes them.

    Returns:
        The samples; at least one. The references of a sample are in the order of the files.

    Raises:
        FileError: a file cannot be read, has no such column, holds a value that is not a text, is
            empty, or has more or fewer samples than another file.
    """
    (samples,) = read_systems(
        [predictions], references, is_comparison=False, **options
    ).systems.values()
    return samples


def read_systems(
    systems: Sequence[str],
    references: Sequence[str],
    *,
    columns: Sequence[str] = (),
    labels: Mapping[str, str] | None = None,
    is_comparison: bool = True,
    **options: "Unpack[FileOptions]",
) -> SystemSamples:
    """Read the predictions of several systems and the references of all; each file is read once.

    Files of other programs are recognised by their content, unless columns are named;
    ``results.py`` describes them. They may contain several systems.

    Args:
        systems: paths of one file per system; or the path of one file, if ``columns`` are given.
        references: paths; empty if the one file of the systems has a column of references, or
            files of other programs contain them.
        columns: names of the columns of the one file that hold the predictions of systems.
        labels: by the flag that names them: a column of the references' file, or else of the
            systems'; or a file with one label per line.
        is_comparison: whether there must be several systems; else there must be one.
        **options: as in :func:`read_samples`; no ``prediction_column`` if ``columns`` are given.

    Returns:
        The samples. The name of a system is that of its column; or that of its file, which is as
        short as it can be without naming two systems the same.

    Raises:
        FileError: as :func:`read_samples`; or a label is missing or no label, the number of systems
            is wrong, or files of other programs contain other samples.
    """
    reading = _Reading(systems, references, columns, options)
    predictions = reading.ask_predictions()
    reading.check_systems(predictions, is_comparison=is_comparison)
    names = list(columns) or _name_columns(predictions)
    texts = [*predictions, *reading.ask_references(predictions)]
    asked = {
        flag: reading.ask_label(flag, name, [*texts[len(predictions) :], *predictions])
        for flag, name in (labels or {}).items()
    }
    join, no_join = options.get("join"), options.get("no_join", False)
    if not no_join:
        ask_for_ids(texts, join)
    reading.read()
    for column in asked.values():
        rows = zip(repeat(column.path), column.lines or repeat(None), column.texts)
        column.texts = check_labels(rows, column.path)
    join_rows(texts, asked.values(), is_named=join is not None, no_join=no_join)
    for column in texts:
        check_same_length(texts[0], column)
    if not references:
        _check_references([column.table for column in predictions if column.table])
    for column in asked.values():
        _check_label_count(column, len(texts[0].counts))
    joined, offsets = interleave(texts[len(predictions) :])
    own = dict(zip(names, predictions, strict=True))
    return SystemSamples(
        {name: Samples(column.texts, joined, offsets) for name, column in own.items()},
        {name: column.path for name, column in own.items()},
        {flag: column.texts for flag, column in asked.items()},
        share_scores({name: _order_scores(column) for name, column in own.items()}),
    )


class _Reading:
    """The files of one call."""

    def __init__(
        self,
        systems: Sequence[str],
        references: Sequence[str],
        columns: Sequence[str],
        options: FileOptions,
    ) -> None:
        self._systems = systems
        self._references = references
        self._columns = columns
        self._options = options
        is_needed = not references
        prediction, reference = options.get("prediction_column"), options.get("reference_column")
        self._prediction = PREDICTION._replace(name=prediction, is_needed=is_needed)
        self._reference = REFERENCE._replace(name=reference, is_needed=is_needed)
        self._check_names()
        check_paths([to_input(path, options) for path in [*systems, *references]])
        names_reference = reference is not None
        names_prediction = bool(columns) or prediction is not None
        is_plain = dict.fromkeys(systems, names_prediction or (is_needed and names_reference))
        is_plain = {**dict.fromkeys(references, names_reference), **is_plain}
        self._sources = {
            path: Source(path, options, is_plain=is_plain[path]) for path in [*systems, *references]
        }
        self._check_flags()

    def _check_names(self) -> None:
        """Raise FileError if predictions and references are the same column."""
        path, reference = self._systems[0], self._reference.name
        is_shared = not self._references or any(one in self._references for one in self._systems)
        if is_shared:
            check_different(path, self._prediction.name, reference)
        names = REFERENCE_COLUMNS if reference is None else (reference,)
        for index, name in enumerate(self._columns):
            if name in self._columns[:index]:
                message = f"{_SYSTEMS} has {name!r} twice; expected each system once."
                raise FileError(path, message)
            if is_shared and name in names:
                message = (
                    f"the column {name!r} holds both the predictions and the references; name "
                    f"others with {_SYSTEMS} and --reference-column."
                )
                raise FileError(path, message)

    def _check_flags(self) -> None:
        """Raise FileError for a flag about files of other programs if there is none."""
        programs = {table.program for source in self._sources.values() for table in source.tables}
        options = self._options
        for flag, value, what, is_used in (
            ("--system", options.get("system"), "names of systems", programs),
            ("--translator", options.get("translator"), "names of translators", programs),
            (
                "--harness-filter",
                options.get("filter_name"),
                "filters of samples",
                HARNESS in programs,
            ),
        ):
            if value is not None and not is_used:
                message = f"no file has {what}; leave out {flag} {value!r}."
                raise FileError(self._systems[0], message)

    def ask_predictions(self) -> list[Column]:
        """Ask for the predictions of the systems."""
        choices = [
            self._prediction._replace(name=name, flag=_SYSTEMS, is_needed=True)
            for name in self._columns
        ]
        choices = choices or [self._prediction]
        sources = [self._sources[path] for path in self._systems]
        check_columns_exist([source.file for source in sources if source.rows], choices[0])
        columns = []
        for path, source in zip(self._systems, sources, strict=True):
            takes_only = bool(self._references) and path not in self._references
            columns += [source.ask(choices[0], table) for table in self._choose_tables(source)]
            if source.rows:
                columns += [source.ask(one._replace(takes_only=takes_only)) for one in choices]
        return columns

    def _choose_tables(self, source: Source) -> list[Table]:
        """Return the tables with predictions of a file; only that of the system that was named."""
        system = self._options.get("system")
        tables = [table for table in source.tables if table.predictions is not None]
        if source.tables and not tables:
            message = "the file has references, but no texts of a system."
            raise FileError(source.file.path, message)
        if system is None:
            return tables
        chosen = [table for table in tables if system in (table.path, _shorten(table.path))]
        if tables and not chosen:
            names = ", ".join(repr(table.path) for table in tables)
            message = f"no system is named {system!r}; expected one of {names}."
            raise FileError(source.file.path, message)
        return chosen

    def check_systems(self, predictions: Sequence[Column], *, is_comparison: bool) -> None:
        """Raise FileError if there are too few or too many systems, or no references."""
        first = predictions[0]
        has_references = bool(self._references or self._columns or _with_references(predictions))
        message = ""
        if is_comparison and len(predictions) < 2:
            message = (
                "there is only one system; give two or more files before --references, or one with "
                "columns and their names with --system-columns."
            )
        elif is_comparison and not has_references:
            message = "the references are missing; give a file of references with --references."
        elif not is_comparison and len(predictions) > 1:
            names = ", ".join(repr(column.table.path) for column in predictions if column.table)
            message = f"the file has the systems {names}; choose one with --system."
        elif not has_references and first.table is not None:
            message = "the file contains no references; add a file of references."
        elif not has_references and first.source.is_text:
            others = "name the format of a table on standard input with --stdin-format."
            others = others if first.path == STDIN else "give one file with columns of both."
            message = f"plain text contains no references; add a file of references, or {others}"
        if message:
            raise FileError(first.path, message)

    def ask_references(self, predictions: Sequence[Column]) -> list[Column]:
        """Ask for the references, which may be in the files of the predictions."""
        own = [] if self._references else _with_references(predictions)
        if own:
            return [own[0].source.ask(self._reference, own[0].table)]
        sources = [self._sources[path] for path in self._references or self._systems[:1]]
        check_columns_exist([source.file for source in sources if source.rows], self._reference)
        columns = []
        for source in sources:
            shared = [column for column in predictions if column.source is source]
            choice = self._reference._replace(takes_only=not shared)
            if source.tables:
                columns.append(source.ask(choice, source.tables[0]))
                continue
            columns.append(source.ask(choice))
            if len(shared) == 1 and source.rows:
                names = source.rows.names or ()
                pair = choose_pair(source.file, names, shared[0].choice, choice)
                shared[0].choice, columns[-1].choice = pair
        return columns

    def ask_label(self, flag: str, name: str, columns: Sequence[Column]) -> Column:
        """Ask for labels: a column of the first file that has it, or a file."""
        having = [column for column in columns if name in column.names]
        if not having and find_file(name) is None:
            # The error names the columns that there are.
            having = [column for column in columns if column.names]
        if having:
            return having[0].source.ask(label_choice(name, flag), having[0].table)
        check_label_file(self._systems[0], name, flag)
        source = Source(name, self._options, is_plain=True)
        self._sources[f"{flag} {name}"] = source
        return source.ask(label_choice(None, flag))

    def read(self) -> None:
        """Read what was asked for."""
        for source in self._sources.values():
            source.read()


def _with_references(columns: Sequence[Column]) -> list[Column]:
    """Return the columns of tables that contain references."""
    return [column for column in columns if column.table and column.table.references]


def _check_references(tables: Sequence[Table]) -> None:
    """Raise FileError if files of other programs contain other references for a sample."""
    given = [table for table in tables if table.references]
    for table in given[1:]:
        pairs = zip(table.references or (), given[0].references or (), strict=False)
        index = next((at for at, (ours, theirs) in enumerate(pairs) if ours != theirs), None)
        if index is not None:
            message = (
                f"the reference of sample {index} is not that in {given[0].file.path}; expected "
                "the same samples in the same order."
            )
            line = table.lines[index] if table.lines else None
            raise FileError(table.file.path, message, line)


def _check_label_count(column: Column, samples: int) -> None:
    """Raise FileError unless there is one label per sample."""
    if len(column.texts) != samples:
        message = (
            f"the file has {len(column.texts):,} labels, but there are {samples:,} samples; "
            "expected one label for each."
        )
        raise FileError(column.path, message)


def _order_scores(column: Column) -> Mapping[str, Sequence[float]]:
    """Return the scores of a table in the order of the samples; none of other files."""
    scores = column.table.scores if column.table else {}
    if column.order is None:
        return scores
    return {
        name: [values[row] for rows in column.order for row in rows]
        for name, values in scores.items()
    }


def share_scores(
    given: Mapping[str, Mapping[str, Sequence[float]]],
) -> dict[str, dict[str, list[float]]]:
    """Return the scores that all systems have, by score and system; warn of the others.

    Args:
        given: the scores of each system, by the names of systems and scores.
    """
    shared: dict[str, dict[str, list[float]]] = {}
    for score in dict.fromkeys(score for scores in given.values() for score in scores):
        missing = [name for name, scores in given.items() if score not in scores]
        if missing:
            names = ", ".join(map(repr, missing))
            message = f"The scores {score!r} are left out, because {names} has none."
            warnings.warn(message, UserWarning, stacklevel=2)
        else:
            shared[score] = {name: list(scores[score]) for name, scores in given.items()}
    return shared


def _name_columns(columns: Sequence[Column]) -> list[str]:
    """Name the systems.

    lm-evaluation-harness writes ``samples_TASK_DATE.jsonl`` to a folder with the name of the model:
    if all files are of this kind, the folders name the systems.
    """
    files = [column.path for column in columns]
    paths = [column.table.path if column.table else column.path for column in columns]
    if all(column.table and column.table.program == HARNESS for column in columns):
        folders = [PurePath(path).parent.name for path in paths]
        is_written = all(PurePath(path).name.startswith("samples_") for path in paths)
        if is_written and all(folders) and len({*folders}) == len(folders):
            return folders
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

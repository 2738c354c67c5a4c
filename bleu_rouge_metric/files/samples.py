"""Read the samples of one or several systems: predictions, references and labels.

Row ``i`` of every file belongs to sample ``i``, unless files have ids. ``rows.py`` reads the
formats, ``results.py`` the files of other programs. Memory holds only the texts, ids and labels,
and how many references each sample has.
"""

import warnings
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import to_offsets
from ..samples.inputs import Samples
from .columns import (
    PREDICTION,
    REFERENCE,
    check_columns_exist,
    check_label_file,
    label_choice,
)
from .input import NAME_FORMAT, STDIN, FileError, InputFile, check_paths, find_file
from .results import HARNESS
from .sources import (
    Column,
    FileOptions,
    Source,
    ask_for_ids,
    check_same_length,
    join_rows,
    open_sources,
    to_input,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack


class SystemSamples(NamedTuple):
    """Samples of several systems."""

    systems: dict[str, Samples]  # by their names; all have the same references
    paths: dict[str, str]  # the file of each system's predictions
    labels: dict[str, list[str]]  # one per sample, by the flag that named them
    # Of other metrics, which files of other programs contain: by metric and system, one per sample.
    scores: dict[str, dict[str, list[float]]]


def read_samples(
    predictions: str, references: Sequence[str], **options: "Unpack[FileOptions]"
) -> Samples:
    """Read samples from a file of predictions and any of references; see ``read_systems``."""
    found = read_systems([predictions], references, is_comparison=False, **options)
    (samples,) = found.systems.values()
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

    Systems are files, or ``columns`` of the only file. The files of references each give one or
    several per sample; without them the files of the systems have the references. A label is a
    column or a file, by the flag that names it. Files of other programs are recognised by their
    content, unless columns are named.
    """
    reading = _Reading(systems, references, columns, options)
    predictions = reading.ask_predictions()
    reading.check_systems(predictions, is_comparison=is_comparison)
    names = list(columns) or _name_sources([column.source for column in predictions])
    given = reading.ask_references(predictions)
    texts = [*predictions, *given]
    asked = {
        flag: reading.ask_label(flag, name, [column.source for column in [*given, *predictions]])
        for flag, name in (labels or {}).items()
    }
    ask_for_ids(texts, options)
    for source in dict.fromkeys(column.source for column in [*texts, *asked.values()]):
        source.read()
    join_rows(texts, asked.values(), options)
    for column in [*texts, *asked.values()]:
        check_same_length(texts[0], column)
    if not references:
        _check_references(predictions)
    joined, offsets = _interleave(given)
    own = dict(zip(names, predictions, strict=True))
    return SystemSamples(
        {name: Samples(column.texts, joined, offsets) for name, column in own.items()},
        {name: column.source.path for name, column in own.items()},
        {flag: column.texts for flag, column in asked.items()},
        share_scores({name: column.scores for name, column in own.items()}),
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
        self._systems, self._references, self._columns = systems, references, columns
        self._options = options
        is_needed = not references
        prediction, reference = options.get("prediction_column"), options.get("reference_column")
        self._prediction = PREDICTION._replace(name=prediction, is_needed=is_needed)
        self._reference = REFERENCE._replace(name=reference, is_needed=is_needed)
        check_paths([to_input(path, options) for path in [*systems, *references]])
        is_named = bool(columns) or prediction is not None
        is_plain = dict.fromkeys(systems, is_named or (is_needed and reference is not None))
        for path in references:
            is_plain.setdefault(path, reference is not None)
        self._sources = {
            path: open_sources(path, options, is_plain=plain) for path, plain in is_plain.items()
        }
        programs = {one.rows.program for sources in self._sources.values() for one in sources}
        for name, flag, what, is_used in (
            ("system", "--system", "names of systems", any(programs)),
            ("translator", "--translator", "names of translators", any(programs)),
            ("filter_name", "--harness-filter", "filters of samples", HARNESS in programs),
        ):
            value = options.get(name)
            if value is not None and not is_used:
                message = f"the file has no {what}; leave out {flag} {value!r}."
                raise FileError(systems[0], message)

    def ask_predictions(self) -> list[Column]:
        """Ask for the predictions of the systems."""
        named = self._prediction._replace(flag="--system-columns", is_needed=True)
        choices = [named._replace(name=name) for name in self._columns] or [self._prediction]
        columns = []
        for path in self._systems:
            takes_only = bool(self._references) and path not in self._references
            for source in self._choose_systems(path):
                columns += [source.ask(one._replace(takes_only=takes_only)) for one in choices]
        check_columns_exist([column.source.rows.file for column in columns], choices[0])
        return columns

    def _choose_systems(self, path: str) -> list[Source]:
        """Return the rows of a file, or its tables with predictions, of the named system."""
        system = self._options.get("system")
        given = self._sources[path]
        sources = [one for one in given if not one.rows.program or one.rows.predictions]
        if not sources:
            raise FileError(path, "the file has references, but no texts of a system.")
        chosen = [
            one
            for one in sources
            if not one.rows.program or system in (None, one.system, _shorten(one.system))
        ]
        if not chosen:
            names = ", ".join(repr(one.system) for one in sources)
            message = f"no system is named {system!r}; expected one of {names}."
            raise FileError(path, message)
        return chosen

    def check_systems(self, predictions: Sequence[Column], *, is_comparison: bool) -> None:
        """Raise FileError if there are too few or too many systems, or no references."""
        first = predictions[0].source
        has_references = self._references or self._columns or _with_references(predictions)
        message = ""
        if is_comparison and len(predictions) < 2:
            message = (
                "there is only one system; give two or more files before --references, or one with "
                "columns and their names with --system-columns."
            )
        elif is_comparison and not has_references:
            message = "the references are missing; give a file of references with --references."
        elif not is_comparison and len(predictions) > 1:
            names = ", ".join(repr(column.source.system) for column in predictions)
            message = f"the file has the systems {names}; choose one with --system."
        elif not has_references and first.rows.program:
            message = "the file contains no references; add a file of references."
        elif not has_references and first.is_text:
            others = "give one file with columns of both."
            others = NAME_FORMAT if first.path == STDIN else others
            message = f"plain text contains no references; add a file of references, or {others}"
        if message:
            raise FileError(first.path, message)

    def ask_references(self, predictions: Sequence[Column]) -> list[Column]:
        """Ask for the references, which may be in the files of the predictions."""
        own = _with_references(predictions)
        if own and not self._references:
            return [own[0].ask(self._reference)]
        sources = [self._sources[path][0] for path in self._references or self._systems[:1]]
        check_columns_exist([source.rows.file for source in sources], self._reference)
        shared = {column.source for column in predictions}
        return [
            source.ask(self._reference._replace(takes_only=source not in shared))
            for source in sources
        ]

    def ask_label(self, flag: str, name: str, sources: Sequence[Source]) -> Column:
        """Ask for labels: a column of the first file that has it, or a file."""
        having = [source for source in sources if name in source.names]
        if not having and find_file(name) is None:
            # The error names the columns that there are.
            having = [source for source in sources if source.names]
        if having:
            return having[0].ask(label_choice(name, flag))
        check_label_file(self._systems[0], name, flag)
        (source,) = open_sources(name, self._options, is_plain=True)
        return source.ask(label_choice(None, flag))


def _with_references(columns: Sequence[Column]) -> list[Source]:
    """Return the files of other programs that contain references."""
    return [column.source for column in columns if column.source.rows.references]


def _check_references(predictions: Sequence[Column]) -> None:
    """Raise FileError if files of other programs contain other references for a sample."""
    first, *others = _with_references(predictions) or [predictions[0].source]
    for source in others:
        pairs = zip(source.rows.references or (), first.rows.references or (), strict=False)
        index = next((index for index, (ours, theirs) in enumerate(pairs) if ours != theirs), None)
        if index is not None:
            message = f"the reference of sample {index} is not that in {first.path}; "
            message += "expected the same samples in the same order."
            raise FileError(source.path, message, source.lines[index] if source.lines else None)


def share_scores(
    given: Mapping[str, Mapping[str, Sequence[float]]],
) -> dict[str, dict[str, list[float]]]:
    """Return the scores that all systems have, by score and system; warn of the others."""
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


def _name_sources(sources: Sequence[Source]) -> list[str]:
    """Name the systems."""
    files = [source.path for source in sources]
    paths = [source.system for source in sources]
    # It writes ``samples_TASK_DATE.jsonl`` to a folder with the name of the model.
    is_harness = all(source.rows.program == HARNESS for source in sources)
    if is_harness and all(PurePath(path).name.startswith("samples_") for path in paths):
        folders = [PurePath(path).parent.name for path in paths]
        if all(folders) and len({*folders}) == len(folders):
            return folders
    # Two files may contain systems of the same name.
    is_clear = len({*paths}) == len(paths) or len({*files}) < len(files)
    return name_systems(paths if is_clear else files)


def name_systems(paths: Sequence[str]) -> list[str]:
    """Name systems as their files without suffixes; with suffixes or folders if necessary."""
    for index, path in enumerate(paths):
        if path in paths[:index]:
            raise FileError(path, "the file is given twice; expected each system once.")
    shown = ["stdin" if path == STDIN else path for path in paths]
    candidates = list(map(_shorten, shown)), [PurePath(path).name for path in shown]
    return next((names for names in candidates if len({*names}) == len(names)), shown)


def _shorten(path: str) -> str:
    """Return the name of a file without its folder and suffixes."""
    name = PurePath(path)
    return (name.with_suffix("") if InputFile.from_path(path).compression else name).stem


def _interleave(columns: Sequence[Column]) -> tuple[list[str], NDArray[np.int64]]:
    """Return the references of all samples, one sample after the other, and their offsets."""
    first, *others = columns
    samples = len(first.counts)
    for column in others:
        first.texts += column.texts
        first.counts += column.counts
    if others:
        first.take([range(row, len(first.counts), samples) for row in range(samples)])
    return first.texts, to_offsets(np.array(first.counts, dtype=np.int64))

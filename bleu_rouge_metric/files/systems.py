"""Read the predictions of several systems for the same references, and labels of the samples.

The systems are files, or columns of one file. Row ``i`` of every file belongs to sample ``i``.
"""

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Final, NamedTuple

from ..samples.inputs import Samples
from .columns import ColumnChoice
from .encodings import UTF8
from .labels import find_labels, read_labels
from .lines import STDIN, FileError, FileFormat, InputFile
from .samples import (
    REFERENCE_COLUMNS,
    Column,
    check_columns_exist,
    check_paths,
    check_same_length,
    interleave,
    make_choices,
    read_texts,
    share_stdin,
)
from .tool_samples import (
    Source,
    check_same_samples,
    find_label_source,
    find_sources,
    name_sources,
    read_tool_labels,
    share_scores,
    to_predictions,
    to_references,
)

_SYSTEMS: Final = "--system-columns"


class SystemSamples(NamedTuple):
    """Samples of several systems.

    Attributes:
        systems: the samples of each by its name; all have the same references.
        paths: the file of each system's predictions.
        labels: one text per sample, by the flag that named them.
        scores: numbers of other metrics, which result files of other programs contain: by the
            metric, of each system, one per sample.
    """

    systems: dict[str, Samples]
    paths: dict[str, str]
    labels: dict[str, list[str]]
    scores: dict[str, dict[str, list[float]]]


class _Files(NamedTuple):
    """Files that are given, each once or more."""

    systems: list[InputFile]
    references: list[InputFile]

    @property
    def are_references_plain(self) -> bool:
        """Return whether no file of references has columns."""
        return all(file.format is FileFormat.TEXT for file in self.references)


def read_systems(
    systems: Sequence[str],
    references: Sequence[str],
    *,
    columns: Sequence[str] = (),
    labels: Mapping[str, str] | None = None,
    filter_name: str | None = None,
    prediction_column: str | None = None,
    reference_column: str | None = None,
    stdin_format: FileFormat = FileFormat.TEXT,
    encoding: str = UTF8,
    delimiter: str | None = None,
) -> SystemSamples:
    """Read the predictions of several systems and the references of all.

    Result files of lm-evaluation-harness and COMET are recognised by their content, unless columns
    are named; ``tool_files.py`` describes them. A file of COMET may contain several systems.

    Args:
        systems: paths of one file per system; or the path of one file, if ``columns`` are given.
        references: paths; empty if the one file of the systems has a column of references, or
            result files contain them.
        columns: names of the columns of the one file that hold the predictions of systems.
        labels: by the flag that names them: a column of the references' file, or else of the
            first system's; a file with one label per line, if all files are plain text.
        filter_name: of files of lm-evaluation-harness, whose responses are read; None for the only
            filter.
        prediction_column: as in ``read_samples``; None if ``columns`` are given.
        reference_column: as in ``read_samples``.
        stdin_format: as in ``read_samples``.
        encoding: as in ``read_samples``.
        delimiter: as in ``read_samples``.

    Returns:
        The samples. The name of a system is that of its column; or that of its file, which is as
        short as it can be without naming two systems the same.

    Raises:
        FileError: a file cannot be read, has no such column, holds a value that is not a text, is
            empty, or has more or fewer samples than another file; there is only one system, or
            result files contain other samples.
    """

    def open_file(path: str) -> InputFile:
        return InputFile.from_path(path, stdin_format, encoding=encoding, delimiter=delimiter)

    given = list(map(open_file, systems))
    with_references = list(map(open_file, references)) or given
    places = {
        flag: find_labels(name, [*with_references, *given]) for flag, name in (labels or {}).items()
    }
    label_files = {flag: open_file(path) for flag, (path, _) in places.items()}
    share = share_stdin([*given * max(1, len(columns)), *with_references, *label_files.values()])
    files = _Files(list(map(share, given)), list(map(share, with_references)))
    check_paths([*files.systems, *(files.references if references else [])])
    if columns:
        sources = []
        names, predictions = list(columns), _read_columns(files, columns, reference_column)
        streams = _read_references(files, reference_column, is_alone=not references)
    else:
        # Whoever names a column reads the file as one with columns.
        sources = find_sources(files.systems, filter_name, is_plain=prediction_column is not None)
        _check_sources(sources, has_references=bool(references))
        names = name_sources(sources, name_systems)
        files = _Files([source.file for source in sources if not source.tool], files.references)
        if references:
            streams = _read_references(files, reference_column, is_alone=False)
        else:
            files = files._replace(references=[])
            streams = [next(to_references(source) for source in sources if source.has_references)]
        predictions = _read_files(sources, files, prediction_column, reference_column)

    def read_label_column(flag: str, name: str) -> Column:
        path, column = places[flag]
        if not references or files.are_references_plain:
            source = find_label_source(sources, name, path)
            if source is not None:
                return read_tool_labels(source, name, flag)
        if any(source.tool and source.file.path == path for source in sources):
            # Without such a column, a name is that of a file, as it is for plain text.
            return read_labels([open_file(name)], None, flag)
        return read_labels([share(label_files[flag])], column, flag)

    label_columns = {flag: read_label_column(flag, name) for flag, name in (labels or {}).items()}
    for other in [*predictions, *streams, *label_columns.values()]:
        check_same_length(predictions[0], other)
    texts, offsets = interleave(streams)
    return SystemSamples(
        {
            name: Samples(column.texts, texts, offsets)
            for name, column in zip(names, predictions, strict=True)
        },
        {name: column.path for name, column in zip(names, predictions, strict=True)},
        {flag: column.texts for flag, column in label_columns.items()},
        share_scores(dict(zip(names, sources, strict=False))),
    )


def _check_sources(sources: Sequence[Source], *, has_references: bool) -> None:
    """Raise FileError unless there are two systems of the same samples, and references."""
    path = sources[0].file.path
    if len(sources) < 2:
        message = (
            "there is only one system; give two or more files before --references, or one with "
            "columns and their names with --system-columns."
        )
        raise FileError(path, message)
    if not has_references and not any(source.has_references for source in sources):
        message = "the references are missing; give a file of references with --references."
        raise FileError(path, message)
    check_same_samples(sources, compares_references=not has_references)


def _read_files(
    sources: Sequence[Source],
    files: _Files,
    prediction_column: str | None,
    reference_column: str | None,
) -> list[Column]:
    """Read the predictions of systems that are files, or are in result files."""
    choices = [
        make_choices(
            file.path,
            prediction_column,
            reference_column,
            is_shared=_is_shared(file, files),
        )[0]
        for file in files.systems
    ]
    if files.systems:
        check_columns_exist(files.systems, choices[0])
    rest = iter(zip(files.systems, choices, strict=True))
    return [
        to_predictions(source) if source.tool else read_texts(*next(rest)) for source in sources
    ]


def _read_columns(
    files: _Files, columns: Sequence[str], reference_column: str | None
) -> list[Column]:
    """Read the predictions of systems that are columns of one file."""
    (file,) = files.systems
    choices = [
        ColumnChoice(name, (), _SYSTEMS, allows_lists=False, is_needed=True) for name in columns
    ]
    check_columns_exist([file], choices[0])
    names = REFERENCE_COLUMNS if reference_column is None else (reference_column,)
    for index, name in enumerate(columns):
        if name in columns[:index]:
            raise FileError(file.path, f"{_SYSTEMS} has {name!r} twice; expected each system once.")
        # A column compared with itself would get a perfect score.
        if _is_shared(file, files) and name in names:
            message = (
                f"the column {name!r} holds both the predictions and the references; name others "
                f"with {_SYSTEMS} and --reference-column."
            )
            raise FileError(file.path, message)
    return [read_texts(file, choice) for choice in choices]


def _read_references(
    files: _Files, reference_column: str | None, *, is_alone: bool
) -> list[Column]:
    """Read the columns of references."""
    systems = {file.path for file in files.systems}
    choice = ColumnChoice(
        reference_column, REFERENCE_COLUMNS, "--reference-column", allows_lists=True
    )
    check_columns_exist(files.references, choice)
    return [
        read_texts(file, choice._replace(takes_only=file.path not in systems, is_needed=is_alone))
        for file in files.references
    ]


def _is_shared(file: InputFile, files: _Files) -> bool:
    """Return whether a file of predictions also contains references."""
    return any(file.path == other.path for other in files.references)


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
    short = [PurePath(name.removesuffix(".gz")).stem for name in full]
    for names in (short, full):
        if len(set(names)) == len(names):
            return names
    return shown

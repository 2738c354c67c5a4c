"""The systems of a comparison: those of text files, and those in result files of programs."""

import warnings
from array import array
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath
from typing import NamedTuple

from .columns import check_value
from .labels import collect_labels, label_choice
from .lines import FileError, InputFile, find_file
from .samples import Column
from .tool_files import read_tool_systems
from .tool_systems import ToolSystem


class Source(NamedTuple):
    """Where a system comes from.

    Attributes:
        file: the file.
        tool: the system, if the file is the result file of another program; else None.
    """

    file: InputFile
    tool: ToolSystem | None

    @property
    def has_references(self) -> bool:
        """Return whether it is in a result file with references."""
        return self.tool is not None and self.tool.references is not None

    def at(self, index: int) -> int | None:
        """Return the line of a sample in the result file; None if this has no lines."""
        return self.tool.lines[index] if self.tool is not None and self.tool.lines else None


def find_sources(
    files: Sequence[InputFile], filter_name: str | None, *, is_plain: bool
) -> list[Source]:
    """Find the systems of all files.

    Args:
        files: of one system each, or result files of other programs.
        filter_name: as in ``read_systems``.
        is_plain: whether no file is read as a result file.

    Raises:
        FileError: a result file cannot be used, or there is none to filter.
    """
    sources: list[Source] = []
    for file in files:
        held, tools = (file, []) if is_plain else read_tool_systems(file, filter_name)
        sources += [Source(held, tool) for tool in tools] or [Source(held, None)]
    if filter_name is not None and not any(source.tool and source.tool.ids for source in sources):
        message = "no file is of lm-evaluation-harness; leave out --harness-filter."
        raise FileError(files[0].path, message)
    return sources


def name_sources(
    sources: Sequence[Source], name_paths: Callable[[Sequence[str]], list[str]]
) -> list[str]:
    """Name the systems.

    lm-evaluation-harness writes ``samples_TASK_DATE.jsonl`` to a folder with the name of the model:
    if all files are of this kind, the folders name the systems.

    Args:
        sources: of the systems.
        name_paths: names systems by the paths of their files.
    """
    paths = [source.tool.path if source.tool else source.file.path for source in sources]
    if all(source.tool and source.tool.ids for source in sources):
        folders = [PurePath(path).parent.name for path in paths]
        is_written = all(PurePath(path).name.startswith("samples_") for path in paths)
        if is_written and all(folders) and len(set(folders)) == len(folders):
            return folders
    return name_paths(paths)


def to_predictions(source: Source) -> Column:
    """Return the predictions of a system in a result file."""
    texts = source.tool.predictions if source.tool else []
    return Column(source.file.path, texts, array("q", [1]) * len(texts), source.at(-1))


def to_references(source: Source) -> Column:
    """Return the references of a system in a result file."""
    rows = (source.tool and source.tool.references) or []
    texts = [text for row in rows for text in row]
    return Column(source.file.path, texts, array("q", map(len, rows)), source.at(-1))


def check_same_samples(sources: Sequence[Source], *, compares_references: bool) -> None:
    """Raise FileError if systems in result files have other samples.

    Args:
        sources: of the systems.
        compares_references: whether the references in the files are used.
    """
    _check_equal("'doc_id'", sources, [source.tool and source.tool.ids for source in sources])
    if compares_references:
        rows = [source.tool and source.tool.references for source in sources]
        _check_equal("the reference", sources, rows)


def _check_equal(
    name: str, sources: Sequence[Source], columns: Sequence[Sequence[object] | None]
) -> None:
    """Raise FileError if two systems have other values for a sample; None is without values."""
    given = [(one, column) for one, column in zip(sources, columns, strict=True) if column]
    for source, column in given[1:]:
        first, expected = given[0]
        pairs = zip(column, expected, strict=False)
        index = next((at for at, (ours, theirs) in enumerate(pairs) if ours != theirs), None)
        if index is not None:
            message = (
                f"{name} of sample {index} is not that in {first.file.path}; expected the same "
                "samples in the same order."
            )
            raise FileError(source.file.path, message, source.at(index))


def share_scores(sources: Mapping[str, Source]) -> dict[str, dict[str, list[float]]]:
    """Return the scores that all systems have, by score and system; warn of the others.

    Args:
        sources: by the names of the systems.
    """
    tables = {name: source.tool.scores if source.tool else {} for name, source in sources.items()}
    shared: dict[str, dict[str, list[float]]] = {}
    for score in dict.fromkeys(score for table in tables.values() for score in table):
        missing = [name for name, table in tables.items() if score not in table]
        if missing:
            names = ", ".join(map(repr, missing))
            message = f"The scores {score!r} are left out, because {names} has none."
            warnings.warn(message, UserWarning, stacklevel=2)
        else:
            shared[score] = {name: list(table[score]) for name, table in tables.items()}
    return shared


def find_label_source(sources: Sequence[Source], name: str, path: str) -> Source | None:
    """Return the result file that labels come from; None if they do not come from one.

    Args:
        sources: of the systems.
        name: of the column, or of a file of labels.
        path: of the file that would be read as one with columns.
    """
    for source in sources:
        has_column = source.tool is not None and name in source.tool.columns
        # The error names the columns, unless the name is that of a file.
        is_missing = source.tool is not None and source.file.path == path
        if has_column or (is_missing and find_file(name) is None):
            return source
    return None


def read_tool_labels(source: Source, name: str, flag: str) -> Column:
    """Return the labels of the samples from a column of a result file.

    Raises:
        FileError: there is no such column, or a value is not a label.
    """
    file, columns = source.file, source.tool.columns if source.tool else {}
    if name not in columns:
        names = ", ".join(map(repr, columns)) or "none"
        message = f"no column is named {name!r}; name one with {flag}. Columns: {names}."
        raise FileError(file.path, message)
    choice = label_choice(name, flag)
    lines = [source.at(index) for index in range(len(columns[name]))]
    rows = (
        (file, line, check_value(file, choice, value, repr(name), line))
        for line, value in zip(lines, columns[name], strict=True)
    )
    return collect_labels(rows, file.path)

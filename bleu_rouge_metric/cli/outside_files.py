"""Read scores of other metrics from a JSON file, for ``bleu-rouge compare --scores``."""

import json
from collections.abc import Container, Sequence
from typing import Any, NamedTuple

from ..analysis.system_scores import OutsideScore, check_outside_scores
from ..families.registry import find_family
from ..files.input import FileError, InputFile
from ..files.lines import read_lines
from ..files.reading import SystemSamples, name_systems
from ..files.results import HARNESS, find_content
from ..files.tables import share_scores


class OutsideFile(NamedTuple):
    """Scores of other metrics.

    Attributes:
        scores: as ``compare_systems`` takes them.
        checked: the same for each system.
    """

    scores: dict[str, Any]
    checked: list[dict[str, OutsideScore]]


def read_outside_file(
    path: str | None, samples: SystemSamples, lower_is_better: Sequence[str]
) -> OutsideFile:
    """Read a file of scores by other metrics.

    Args:
        path: path of a JSON file, ``{"comet": {"a": [0.5, 0.7], "b": [0.6, 0.7]}}``, or of a file
            of COMET; None for no scores.
        samples: those of the systems.
        lower_is_better: names of scores.

    Raises:
        FileError: it cannot be read, or does not fit the systems and samples.
    """
    first = next(iter(samples.systems.values()))
    systems = list(samples.systems), len(first.predictions)
    # lm-evaluation-harness has scores that are also computed here.
    scores: dict[str, Any] = {
        name if find_family(name) is None else f"file_{name}": numbers
        for name, numbers in samples.scores.items()
    }
    if path is not None:
        scores |= _read_scores(path, systems, scores)
    return OutsideFile(scores, check_outside_scores(scores or None, *systems, lower_is_better))


def _read_scores(
    path: str, systems: tuple[Sequence[str], int], known: Container[str]
) -> dict[str, Any]:
    """Return the scores of a JSON file, or of a file of COMET.

    Args:
        path: of the file.
        systems: names of the systems, and the number of samples.
        known: names of scores that the files of the systems have.
    """
    file, tables = find_content(InputFile.from_path(path))[:2]
    if any(table.program == HARNESS for table in tables):
        message = "this is a file of lm-evaluation-harness; give it as one of the systems."
        raise FileError(path, message)
    if tables:
        names = name_systems([table.path for table in tables])
        found: Any = share_scores(dict(zip(names, tables, strict=True)))
    else:
        found = _parse_json(path, file)
    try:
        check_outside_scores(found, *systems)
    except (TypeError, ValueError) as error:
        raise FileError(path, str(error)) from error
    scores: dict[str, Any] = found
    for name in scores:
        if name in known:
            message = f"the files of the systems have scores {name!r} too; give them once."
            raise FileError(path, message)
    return scores


def _parse_json(path: str, file: InputFile) -> Any:
    text = "".join(line for _, line in read_lines(file))
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        message = f"not valid JSON: {error.msg} (column {error.colno})."
        raise FileError(path, message, error.lineno) from error
    except (RecursionError, ValueError) as error:
        raise FileError(path, f"not readable JSON: {error}.") from error

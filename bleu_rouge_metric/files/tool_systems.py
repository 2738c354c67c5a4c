"""What the result files of other programs contain: texts and scores of systems."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from .columns import ColumnChoice, check_value
from .lines import FileError, InputFile

_TEXT: Final = ColumnChoice(None, (), "", allows_lists=False)


class ToolSystem(NamedTuple):
    """One system in a result file of another program; all lists have one item per sample.

    Attributes:
        path: of the file of the system's texts, if the program recorded it; else of the result
            file.
        predictions: the texts of the system.
        references: of each sample, at least one; None if the file has none.
        scores: by the name of the metric, one finite number per sample.
        columns: other values that may be labels, by their names.
        lines: of the file, from 1; empty if the file is one JSON value.
        ids: of the samples; None if the program numbers none.
    """

    path: str
    predictions: list[str]
    references: list[list[str]] | None
    scores: Mapping[str, Sequence[float]]
    columns: Mapping[str, Sequence[Any]]
    lines: Sequence[int] = ()
    ids: Sequence[int] | None = None


def read_text(file: InputFile, value: Any, place: str, line: int | None = None) -> str:
    """Return a value that must be a text; raise FileError if it is not."""
    return str(check_value(file, _TEXT, value, place, line))


def read_number(file: InputFile, value: Any, place: str, line: int | None = None) -> float:
    """Return a value that must be a finite number or a bool; raise FileError if it is not."""
    if not isinstance(value, int | float):
        raise FileError(file.path, f"{place} is {value!r}; expected a number.", line)
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise FileError(file.path, f"{place} is {value}; expected a finite number.", line)
    return number

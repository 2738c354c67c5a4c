"""What the files of other programs contain: the texts of systems, their references and scores."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .input import FileError, InputFile
from .json_values import show


class Table(NamedTuple):
    """One system in a file of another program; all lists have one item per sample.

    Attributes:
        program: what writes such files.
        file: the file.
        path: of the file of the system's texts, or its name, if the program recorded it; else of
            the file.
        predictions: the texts of the system; None if the file has only references.
        references: of each sample, at least one; None if the file has none.
        scores: by the name of the metric, one finite number per sample.
        columns: other values that may be labels, by their names.
        lines: of the file, from 1; empty if the file has no line per sample.
        ids: of the samples; None if the program numbers none.
        id_name: how the program calls the ids.
        is_open: whether samples of the table may be left out, because other files have fewer.
    """

    program: str
    file: InputFile
    path: str
    predictions: list[str] | None = None
    references: list[list[str]] | None = None
    scores: Mapping[str, Sequence[float]] = {}
    columns: Mapping[str, Sequence[Any]] = {}
    lines: Sequence[int] = ()
    ids: Sequence[Any] | None = None
    id_name: str = ""
    is_open: bool = False

    @property
    def named(self) -> dict[str, Sequence[Any]]:
        """Return the columns of ids and of labels."""
        return {**({} if self.ids is None else {self.id_name: self.ids}), **self.columns}


def read_text(file: InputFile, value: Any, place: str, line: int | None = None) -> str:
    """Return a value that must be a text; raise FileError if it is not."""
    if not isinstance(value, str):
        remedy = " Fill it in, or leave the sample out." if value is None else ""
        raise FileError(file.path, f"{place} is {show(value)}; expected a text.{remedy}", line)
    return value


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

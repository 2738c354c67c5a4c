"""Read a file of texts as records, each of which can be written again as the file has it.

A record is a line of plain text or JSON Lines, or a row of CSV, TSV or Parquet; ``columns.py``
reads the texts. A ``.json`` file must have one value per line here: an array has no lines to keep.
"""

import io
import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple, cast

from ..extras import needs
from .columns import ColumnChoice, read_column
from .input import FileError, FileFormat, InputFile
from .lines import hold_content, read_lines
from .rows import read_delimited

TEXT: Final = "text"
_DELIMITED: Final = (FileFormat.CSV, FileFormat.TSV)


class Records(NamedTuple):
    """The records of a file."""

    file: InputFile  # with its whole content
    texts: list[str]
    lines: list[int]  # of each record's last line, or of each row of Parquet, from 1
    head: str  # of CSV and TSV
    parts: list[str]  # each record as the file has it, with its line end; none of Parquet

    def parse(self, index: int) -> dict[str, Any]:
        """Return the columns of a record; only ``text`` if it has none, or is a row of Parquet."""
        if self.file.format is FileFormat.JSONL:
            value = json.loads(self.parts[index])
            if isinstance(value, dict):
                return value
        if self.file.format in _DELIMITED:
            (_, names), (_, row) = read_delimited(
                # Lines end only at "\n".
                self.file,
                io.StringIO(self.head + self.parts[index], newline="\n"),
            )
            return dict(zip(names, row, strict=True))
        return {TEXT: self.texts[index]}

    def encode(self, kept: Sequence[int]) -> bytes:
        """Return the content of a file of some records."""
        if self.file.format is FileFormat.PARQUET:
            return _take_rows(self.file, kept)
        text = "".join([self.head, *(self.parts[index] for index in kept)])
        return text.encode(self.file.encoding)


def read_records(file: InputFile, choice: ColumnChoice) -> Records:
    """Read the records of a file; raise FileError if there is none, or a value is not a text."""
    if file.format is FileFormat.JSON:
        file = file._replace(format=FileFormat.JSONL)
    held = hold_content(file)
    rows = list(read_column(held, choice))
    if not rows:
        raise FileError(file.path, "the file has no texts; expected at least one.")
    numbers = [number for number, _ in rows]
    texts = [cast("str", value) for _, value in rows]
    if held.format is FileFormat.PARQUET:
        return Records(held, texts, numbers, "", [])
    lines = [line for _, line in read_lines(held)]
    start = next(read_delimited(held, lines))[0] if held.format in _DELIMITED else 0
    parts = ["".join(lines[first:last]) for first, last in pairwise([start, *numbers])]
    return Records(held, texts, numbers, "".join(lines[:start]), parts)


def _take_rows(file: InputFile, rows: Sequence[int]) -> bytes:
    """Return a Parquet file of some rows of another."""
    with needs("Parquet", "cli"):
        import pyarrow as pa
        from pyarrow import parquet

    output = io.BytesIO()
    table = parquet.read_table(io.BytesIO(file.content or b""))
    parquet.write_table(table.take(pa.array(rows, pa.int64())), output)
    return output.getvalue()

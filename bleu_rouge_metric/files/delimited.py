"""Read the rows of a CSV or TSV file; quoted fields may hold line breaks; every cell is a text."""

import csv
from collections.abc import Iterable, Iterator
from typing import Final

from .lines import FileError, FileFormat, InputFile

# The largest limit that every platform accepts; Python's default limit is 128 KiB.
_LARGEST_FIELD: Final = 2**31 - 1


def read_delimited(file: InputFile, lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Iterate over the header and the rows of a file, each with the number of its last line.

    Args:
        file: a CSV or TSV file.
        lines: lines of the file, with their line ends.

    Raises:
        FileError: a row has more or fewer cells than the header, or the file is not valid CSV, such
            as a quote that is not closed.
    """
    # The limit is shared by all threads. It is not reset, because another thread may be reading.
    csv.field_size_limit(_LARGEST_FIELD)
    delimiter = file.delimiter or ("\t" if file.format is FileFormat.TSV else ",")
    reader = csv.reader(lines, "excel", delimiter=delimiter, strict=True)
    width: int | None = None
    try:
        for row in reader:
            width = len(row) if width is None else width
            if len(row) != width:
                fields = f"{len(row)} field{'' if len(row) == 1 else 's'}"
                message = (
                    f"the row has {fields}; the header has {width}. Put a text that holds a "
                    "delimiter between double quotes."
                )
                raise FileError(file.path, message, reader.line_num)
            yield reader.line_num, row
    except csv.Error as error:
        message = f"not valid {file.format.value.upper()}: {error}."
        raise FileError(file.path, message, reader.line_num) from error

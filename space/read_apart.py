"""Read files as the command does, in a process with limited memory: ``python -m space.read_apart``.

A small file can unpack to more than fits in memory: the size in the metadata of a Parquet file may
be wrong, and a value of JSON can take many times the memory of its text. The program prints what
``read_here`` returns as JSON, or an object if there is an error.
"""

import codecs
import json
import re
import sys
from collections.abc import Sequence
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, Final, NamedTuple

from bleu_rouge_metric.files.columns import ColumnChoice, read_column
from bleu_rouge_metric.files.input import UTF8, FileError, FileFormat, InputFile
from bleu_rouge_metric.files.rows import open_rows

from .limits import (
    ELSEWHERE,
    MAX_FILE_CHARACTERS,
    MAX_READER_MEGABYTES,
    MAX_ROWS,
    InputError,
    check_reference_count,
    check_text,
)

# The predictions of each system, and the references of each sample.
Columns = tuple[list[list[str]], list[list[str]]]

_UTF16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_OTHER_DELIMITERS: Final = (";", "\t", "|")
_MENUS: Final = "the menus above"
# The page has no flags; it looks at the beginning of a file instead.
_WITH_FLAG: Final = re.compile("[,;][^,;.]* --[^,;.]+")
_TOO_LARGE: Final = (
    f"{{}} needs more than {MAX_READER_MEGABYTES} MB of memory to be read; score fewer rows at a "
    f"time, {ELSEWHERE}"
)
_MOST_SHOWN: Final = 500  # characters of a message; names of columns may be long and many


def open_input(path: Path) -> InputFile:
    """Return the file, with the encoding and the delimiter that its beginning shows."""
    with path.open("rb") as handle:
        head = handle.read(4096)
    file = InputFile.from_path(str(path), encoding="utf-16" if head.startswith(_UTF16) else UTF8)
    if file.format is not FileFormat.CSV:
        return file
    header = head.decode(file.encoding, "ignore").partition("\n")[0]
    others = [sign for sign in _OTHER_DELIMITERS if sign in header]
    is_other = others and "," not in header
    return file._replace(delimiter=max(others, key=header.count) if is_other else None)


def list_columns(file: InputFile) -> list[str]:
    """Return the names of the columns of a table; of JSON, the keys of the first object."""
    return list(open_rows(file).names or ())


class _Stream(NamedTuple):
    """A column to read; an error names a row by what is before and after its number."""

    file: InputFile
    choice: ColumnChoice
    before: str
    after: str

    def name(self, number: int) -> str:
        return f"{self.before} {number}{self.after}"


def read_here(paths: Sequence[Path], columns: Sequence[str]) -> Columns | list[str]:
    """Read and check files in this process.

    Args:
        paths: a table; or files of predictions and references.
        columns: of a table, one or more columns of predictions, then that of the references; none
            for the names of the columns.

    Raises:
        InputError: the page cannot score the files.
        FileError: a file cannot be read.
    """
    file, *others = map(open_input, paths)
    if others:
        choices = [_choose("prediction", allows_lists=False, is_needed=False)]
        choices += [_choose("reference", allows_lists=True, is_needed=False)] * len(others)
        places = [f" of {path.name}" for path in paths]
        streams = list(map(_Stream, [file, *others], choices, ["Line"] * len(paths), places))
        return _read(paths[0].name, streams, 1)
    found = list_columns(file)
    if not columns:
        return found
    streams = []
    for name in columns:
        chosen = f"{name}s" if name not in found and f"{name}s" in found else name
        choice = _choose(chosen, allows_lists=len(streams) == len(columns) - 1, is_needed=True)
        streams.append(_Stream(file, choice, "Row", f", column {name!r}"))
    return _read(paths[0].name, streams, len(columns) - 1)


def _choose(name: str, *, allows_lists: bool, is_needed: bool) -> ColumnChoice:
    return ColumnChoice(
        name if is_needed else None,
        (name, f"{name}s"),
        _MENUS,
        allows_lists=allows_lists,
        is_needed=is_needed,
    )


def _read(name: str, streams: Sequence[_Stream], systems: int) -> Columns:
    """Read columns side by side, and check each row before the next is read.

    Args:
        name: of the first file, for errors.
        streams: the columns of predictions, then those of references.
        systems: how many hold predictions.
    """
    predictions: list[list[str]] = [[] for _ in range(systems)]
    references: list[list[str]] = []
    characters = 0
    rows = zip_longest(*(read_column(stream.file, stream.choice) for stream in streams))
    for number, row in enumerate(rows, start=1):
        if None in row:
            ended = Path(streams[row.index(None)].file.path).name
            raise InputError(
                f"{ended} has {number - 1:,} line{'s' * (number != 2)}, and another file has more; "
                "expected one line for every sample in each file."
            )
        if number > MAX_ROWS:
            raise InputError(
                f"{name} has more than {MAX_ROWS:,} rows; this page scores up to {MAX_ROWS:,} rows."
            )
        cells = [[value] if isinstance(value, str) else value for _, value in row]
        for stream, texts in zip(streams, cells, strict=True):
            for text in texts:
                check_text(stream.name(number), text)
                characters += len(text)
        for texts, (text,) in zip(predictions, cells[:systems], strict=True):
            texts.append(text)
        references.append(list(chain(*cells[systems:])))
        check_reference_count(streams[systems].name(number), len(references[-1]))
        if characters > MAX_FILE_CHARACTERS:
            raise InputError(
                f"{name} has more than {MAX_FILE_CHARACTERS:,} characters of predictions and "
                f"references; score fewer rows at a time, {ELSEWHERE}"
            )
    if not references:
        raise InputError(f"{name} has no rows; expected one for every sample.")
    return predictions, references


def explain_error(error: FileError) -> str:
    """Return the message of the command without its flags, and with the name of the upload."""
    name = Path(error.path).name
    # Arrow's error about memory is Python's too.
    if isinstance(error.__cause__, MemoryError):
        return _TOO_LARGE.format(name)
    place = name if error.line is None else f"{name}, line {error.line}"
    message = _WITH_FLAG.sub("", error.message)
    if len(message) > _MOST_SHOWN:
        message = f"{message[:_MOST_SHOWN]}…"
    return f"{place}: {message}"


def limit_memory() -> None:
    """Limit the memory of this process, so that only it fails; does nothing on Windows."""
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return
    size = MAX_READER_MEGABYTES * 1_000_000
    resource.setrlimit(resource.RLIMIT_DATA, (size, size))


def main(name: str, arguments: str) -> None:
    """Print the texts, or an object with the key "error".

    Args:
        name: of the first file, for errors.
        arguments: those of ``read_here`` as JSON.
    """
    limit_memory()
    paths, columns = json.loads(arguments)
    result: Any
    try:
        result = read_here(list(map(Path, paths)), columns)
    except InputError as reason:
        result = {"error": str(reason)}
    except FileError as reason:
        result = {"error": explain_error(reason)}
    except MemoryError:
        result = {"error": _TOO_LARGE.format(name)}
    # A text of a JSON file may have lone surrogates.
    sys.stdout.reconfigure(errors="surrogatepass")  # type: ignore[union-attr]
    json.dump(result, sys.stdout, ensure_ascii=False)


if __name__ == "__main__":
    main(*sys.argv[1:])

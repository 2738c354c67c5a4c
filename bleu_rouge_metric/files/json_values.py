"""Read the values of a JSON file with their line numbers.

Each line is a value; blank lines are skipped. A ``.json`` file may be one array instead, whose
items are the values. Any file may be one object, a document: a table as pandas writes it, or the
result of another program. The caller checks the types of the values.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Final, Literal, NamedTuple

from .input import FileError, FileFormat, InputFile
from .lines import hold_content, read_lines

JSON: Final = (FileFormat.JSON, FileFormat.JSONL)

# Names of columns of predictions, in the order in which they are looked for.
PREDICTIONS: Final = (
    *("prediction", "predictions", "predict", "response", "pred", "hypothesis", "output", "mt"),
)
_ONE_A_LINE: Final = "expected JSON Lines, one object or text a line."
_WHITESPACE: Final = re.compile(r"[ \t\r\n]*")

# Names that result files of other programs have near their beginning.
_NAMES: Final = (
    "COMET|annotations|details|doc_id|filtered_resps|image_id|images|origin_prompt|resps|signature"
    "|statistical_results|system|translations"
)
_IS_RESULT: Final = re.compile(rf'"(?:{_NAMES})"\s*:')


class JsonValue(NamedTuple):
    """A value of a JSON file, the line at which it begins, from 1, and what it is there."""

    line: int
    value: Any
    kind: Literal["line", "item"] = "line"


def read_json(file: InputFile, lines: Iterable[tuple[int, str]]) -> Iterator[JsonValue]:
    """Iterate over the values of a JSON file; the text of an array is held in memory as a whole.

    Args:
        file: a ``.json`` file may be an array; in any other file every line is a value.
        lines: lines of the file, with their numbers.

    Raises:
        FileError: the text is not valid JSON.
    """
    lines = iter(lines)
    start, first = next((found for found in lines if not found[1].isspace()), (0, ""))
    if file.format is FileFormat.JSON and first.lstrip().startswith("["):
        # Line ends stand for the lines before.
        blank = "\n" * (start - 1)
        yield from _read_array(file, "".join([blank, first, *(line for _, line in lines)]))
    elif first:
        for number, line in chain([(start, first)], lines):
            if not line.isspace():
                yield JsonValue(number, parse_json(file, line, number))


class Document(NamedTuple):
    """The JSON value of the whole file, or of the first line if the file has others."""

    value: Any
    is_whole: bool


def find_document(file: InputFile, head: str) -> tuple[InputFile, Document | None]:
    """Read the JSON value that says what a file is; None if it is not JSON or clearly has rows.

    A stream that was read comes back as a file with its content.
    """
    if not (head.startswith("{") or (head.startswith("[") and _IS_RESULT.search(head))):
        return file, None
    line, _, rest = head.partition("\n")
    value = _parse(line)
    if value is not None and rest.strip():
        return file, Document(value, is_whole=False)
    try:
        if file.stream is not None:
            file = hold_content(file)
        lines = (line for _, line in read_lines(file) if not line.isspace())
        line = next(lines, "")
        value = _parse(line)
        if value is not None:
            return file, Document(value, next(lines, None) is None)
        value = _parse("".join([line, *lines]))
    except FileError:
        # Whoever reads the file as another kind says what is wrong with it.
        return file, None
    return file, None if value is None else Document(value, is_whole=True)


def find_columns(file: InputFile, document: Document) -> dict[str, list[Any]] | None:
    """Return the columns of a JSON object that is a table; None if it is the object of one sample.

    Tables are objects of columns, which are lists or objects; objects of rows; and the ``columns``
    and ``data`` of pandas. The object of one sample may have lists too, of references or of
    candidates; predictions are never lists in a sample.
    """
    value = document.value
    if not (document.is_whole and isinstance(value, dict) and value):
        return None
    cells = list(value.values())
    if all(isinstance(cell, dict) for cell in cells):
        has_columns = any(name in value for name in PREDICTIONS)
        if has_columns or all(name.isdecimal() for name in cells[0]):
            return _align(file, value)
        return _turn(file, value, list(cells[0]))
    if {"columns", "data"} <= value.keys() <= {"columns", "index", "data"}:
        names, rows = value["columns"], value["data"]
        if all(isinstance(one, list) for one in (names, rows, *rows)):
            found = (dict(zip(names, row, strict=False)) for row in rows)
            return _turn(file, {str(number): row for number, row in enumerate(found)}, names)
    lists = {name: cell for name, cell in value.items() if isinstance(cell, list)}
    has_predictions = any(name in lists for name in PREDICTIONS)
    has_nested = all(isinstance(item, list) for cell in lists.values() for item in cell)
    is_table = len(lists) == len(value) and (len(lists) > 1 or has_nested)
    return _align(file, lists) if has_predictions or is_table else None


def _turn(file: InputFile, rows: Mapping[str, Any], names: list[str]) -> dict[str, list[Any]]:
    """Return the columns of rows; raise FileError if one is missing in a row."""
    for number, row in rows.items():
        missing = next((name for name in names if name not in row), None)
        if missing is not None:
            raise FileError(file.path, f"the row {number!r} has no {missing!r}.")
    return {name: [row[name] for row in rows.values()] for name in names}


def _align(file: InputFile, columns: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return columns as lists; raise FileError if they have not the same rows."""
    first, expected = next(iter(columns.items()))
    for name, cell in columns.items():
        fits = cell.keys() == expected.keys() if isinstance(cell, dict) else True
        if len(cell) != len(expected) or not fits:
            message = (
                f"{name!r} has {len(cell):,} value{'' if len(cell) == 1 else 's'}, but {first!r} "
                f"has {len(expected):,}; expected columns of the same rows."
            )
            raise FileError(file.path, message)
    return {
        name: [cell[key] for key in expected] if isinstance(cell, dict) else cell
        for name, cell in columns.items()
    }


def _parse(text: str) -> Any:
    """Return a JSON value; None if the text is not JSON."""
    try:
        return json.loads(text)
    except (RecursionError, ValueError):
        return None


def _read_array(file: InputFile, text: str) -> Iterator[JsonValue]:
    """Iterate over the items of an array; raise FileError if it is not valid JSON."""
    decoder = json.JSONDecoder()
    line, counted = 1, 0
    try:
        position = _skip(text, text.index("[") + 1)
        sign = text[position : position + 1]
        if sign == "]":
            position = _skip(text, position + 1)
        while sign != "]":
            value, end = decoder.raw_decode(text, position)
            line += text.count("\n", counted, position)
            counted = position
            yield JsonValue(line, value, "item")
            end = _skip(text, end)
            sign = text[end : end + 1]
            if sign not in ("]", ","):
                raise json.JSONDecodeError("Expecting ',' delimiter", text, end)
            position = _skip(text, end + 1)
        if position < len(text):
            raise json.JSONDecodeError("Extra data", text, position)
    except (RecursionError, ValueError) as error:
        raise _cannot_parse(file, error, getattr(error, "lineno", line)) from error


def _skip(text: str, position: int) -> int:
    """Return the position behind the whitespace at a position."""
    found = _WHITESPACE.match(text, position)
    return position if found is None else found.end()


def parse_json(file: InputFile, line: str, number: int) -> Any:
    """Return the value of a line; raise FileError if it is not JSON."""
    try:
        return json.loads(line)
    except (RecursionError, ValueError) as error:
        is_cut = isinstance(error, json.JSONDecodeError) and error.pos >= len(line.rstrip())
        if is_cut and line.lstrip().startswith("["):
            raise array_error(file, number) from error
        if is_cut and line.lstrip().startswith("{"):
            message = (
                f"the JSON object does not end in its line; {_ONE_A_LINE} "
                "Objects become that with: jq -c ."
            )
            raise FileError(file.path, message, number) from error
        raise _cannot_parse(file, error, number) from error


def _cannot_parse(file: InputFile, error: Exception, number: int) -> FileError:
    """Return the error for JSON that is not valid, or that Python cannot parse."""
    # Python refuses to parse an int of more than some thousands of digits.
    message = "a number in the JSON value is too long."
    if isinstance(error, json.JSONDecodeError):
        message = f"not valid JSON: {error.msg} (column {error.colno})."
    elif isinstance(error, RecursionError):
        message = "the JSON value is nested too deeply."
    return FileError(file.path, message, number)


def array_error(file: InputFile, number: int) -> FileError:
    """Return the error for a JSON Lines file that is one JSON array, or whose lines are lists."""
    message = (
        f"the line begins a JSON array; {_ONE_A_LINE} "
        "An array of samples becomes that with: jq -c '.[]'"
    )
    return FileError(file.path, message, number)


def show(value: Any) -> str:
    """Describe a JSON value for an error."""
    for kind, name in ((dict, "an object"), (list, "a list"), (str, "a text")):
        if isinstance(value, kind):
            return name
    shown = json.dumps(value, default=str)
    return shown if len(shown) <= 40 else shown[:37] + "..."

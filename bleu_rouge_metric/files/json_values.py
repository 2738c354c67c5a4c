"""Read the values of a JSON file with their line numbers.

Each line is a value; blank lines are skipped. A ``.json`` file may be one array instead, whose
items are the values. Any file may be one object, a document: a table as pandas writes it, or the
result of another program. The caller checks the types of the values.
"""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Final, Literal, NamedTuple

from .input import FileError, FileFormat, InputFile
from .lines import hold_content, read_lines

JSON: Final = (FileFormat.JSON, FileFormat.JSONL)

# Usual names of columns of predictions besides ``prediction``.
OTHER_PREDICTIONS: Final = ("predict", "response", "pred", "hypothesis", "output", "mt")
_PREDICTIONS: Final = {"prediction", "predictions", *OTHER_PREDICTIONS}
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
    """Iterate over the values of a JSON file: of its lines, or of one array in ``.json``."""
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

    Tables are objects of columns, which are lists or objects; objects of rows; the ``columns`` and
    ``data`` of pandas; and in ``.json`` a single list of rows beside what else is known. The object
    of one sample may have lists too, of references or of candidates; predictions are never lists in
    a sample.
    """
    value = document.value
    if not (document.is_whole and isinstance(value, dict) and value):
        return None
    cells = list(value.values())
    has_predictions = not _PREDICTIONS.isdisjoint(value)
    rows: dict[str, dict[str, Any]]
    if all(isinstance(cell, dict) for cell in cells):
        rows = value
        if has_predictions or all(name.isdecimal() for name in cells[0]):
            keys = dict.fromkeys(key for cell in cells for key in cell)
            pairs = value.items()
            rows = {key: {name: cell[key] for name, cell in pairs if key in cell} for key in keys}
    elif isinstance(value.get("columns"), list) and _has_lists(value.get("data")):
        columns = [str(name) for name in value["columns"]]
        data = enumerate(value["data"])
        rows = {str(number): dict(zip(columns, row, strict=False)) for number, row in data}
    elif file.format is FileFormat.JSON and not has_predictions and (items := _find_items(value)):
        names = list(dict.fromkeys(name for item in items for name in item))
        return {name: [item.get(name) for item in items] for name in names}
    else:
        lists = {name: cell for name, cell in value.items() if isinstance(cell, list)}
        has_nested = all(map(_has_lists, lists.values()))
        is_table = len(lists) == len(value) and (len(lists) > 1 or has_nested)
        if is_table or not _PREDICTIONS.isdisjoint(lists):
            return check_lengths(file, lists)
        return None
    names = list(next(iter(rows.values()), ()))
    for number, row in rows.items():
        missing = next((name for name in names if name not in row), None)
        if missing is not None:
            raise FileError(file.path, f"the row {number!r} has no {missing!r}.")
    return {name: [row[name] for row in rows.values()] for name in names}


def _find_items(value: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the only list of objects in an object; an empty list if there are none or several."""
    lists = [cell for cell in value.values() if isinstance(cell, list) and cell]
    found = [cell for cell in lists if all(isinstance(item, dict) for item in cell)]
    return found[0] if len(found) == 1 else []


def _has_lists(value: Any) -> bool:
    """Return whether a value is a list of lists."""
    return isinstance(value, list) and all(isinstance(item, list) for item in value)


def check_lengths(file: InputFile, columns: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Return columns; raise FileError if they have not the same number of values."""
    first, expected = next(iter(columns.items()))
    for name, cell in columns.items():
        if not isinstance(cell, list):
            raise FileError(file.path, f"{name!r} is {show(cell)}; expected a list.")
        if len(cell) != len(expected):
            message = (
                f"{name!r} has {len(cell):,} value{'' if len(cell) == 1 else 's'}, but {first!r} "
                f"has {len(expected):,}; expected columns of the same rows."
            )
            raise FileError(file.path, message)
    return columns


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
        raise cannot_parse(file, error, getattr(error, "lineno", line)) from error


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
        raise cannot_parse(file, error, number) from error


def cannot_parse(file: InputFile, error: Exception, number: int | None) -> FileError:
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

"""Values of a JSON file with their lines: one value a line, or in ``.json`` the items of an array.

What a value may be is left to the caller.
"""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Final, Literal, NamedTuple

from .lines import FileError, FileFormat, InputFile

_ONE_A_LINE: Final = "expected JSON Lines, one object or text a line."
_WHITESPACE: Final = re.compile(r"[ \t\r\n]*")


class JsonValue(NamedTuple):
    """A value of a JSON file.

    Attributes:
        line: at which it begins, from 1.
        value: as Python has it.
        kind: what it is in the file, for errors.
    """

    line: int
    value: Any
    kind: Literal["line", "item"] = "line"


def read_json(file: InputFile, lines: Iterable[tuple[int, str]]) -> Iterator[JsonValue]:
    """The values of a JSON file, one at a time; the text of an array is held whole.

    Args:
        file: a ``.json`` file may be an array; in any other, every line is a value.
        lines: of the file, with their numbers.

    Raises:
        FileError: the text is not valid JSON.
    """
    lines = iter(lines)
    if file.format is FileFormat.JSON:
        head: list[tuple[int, str]] = []
        for number, line in lines:
            head.append((number, line))
            if line.strip():
                break
        if head and head[-1][1].lstrip().startswith("["):
            text = "".join(line for _, line in chain(head, lines))
            yield from _read_array(file, text)
            return
        lines = chain(head, lines)
    for number, line in lines:
        yield JsonValue(number, parse_json(file, line, number))


def _read_array(file: InputFile, text: str) -> Iterator[JsonValue]:
    """The items of an array; FileError if it is not valid JSON."""
    line, counted = 1, 0
    items = _decode_items(text)
    while True:
        try:
            start, value = next(items)
        except StopIteration:
            return
        except json.JSONDecodeError as error:
            message = f"not valid JSON: {error.msg} (column {error.colno})."
            raise FileError(file.path, message, error.lineno) from error
        except (RecursionError, ValueError) as error:
            raise _cannot_parse(file, error, line) from error
        line += text.count("\n", counted, start)
        counted = start
        yield JsonValue(line, value, "item")


def _decode_items(text: str) -> Iterator[tuple[int, Any]]:
    """The items of the text of an array, and where each begins."""
    decoder = json.JSONDecoder()
    position = _skip(text, text.index("[") + 1)
    while text[position : position + 1] != "]":
        value, end = decoder.raw_decode(text, position)
        yield position, value
        position = _skip(text, end)
        if text[position : position + 1] == "]":
            break
        if text[position : position + 1] != ",":
            raise json.JSONDecodeError("Expecting ',' delimiter", text, position)
        position = _skip(text, position + 1)
        if text[position : position + 1] == "]":
            raise json.JSONDecodeError("Expecting value", text, position)
    position = _skip(text, position + 1)
    if position < len(text):
        raise json.JSONDecodeError("Extra data", text, position)


def _skip(text: str, position: int) -> int:
    """Where the whitespace at a position ends."""
    found = _WHITESPACE.match(text, position)
    return position if found is None else found.end()


def parse_json(file: InputFile, line: str, number: int) -> Any:
    """The value of a line; FileError if it is no JSON."""
    if not line.strip():
        raise FileError(file.path, "the line is empty; expected a JSON value.", number)
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        if error.pos >= len(line.rstrip()) and line.lstrip().startswith("["):
            raise is_array(file, number) from error
        if error.pos >= len(line.rstrip()) and line.lstrip().startswith("{"):
            message = (
                f"the JSON object does not end in its line; {_ONE_A_LINE} "
                "Objects become that with: jq -c ."
            )
            raise FileError(file.path, message, number) from error
        message = f"not valid JSON: {error.msg} (column {error.colno})."
        raise FileError(file.path, message, number) from error
    except (RecursionError, ValueError) as error:
        raise _cannot_parse(file, error, number) from error


def _cannot_parse(file: InputFile, error: Exception, number: int) -> FileError:
    """The error for JSON that is valid, but too much for Python."""
    if isinstance(error, RecursionError):
        return FileError(file.path, "the JSON value is nested too deeply.", number)
    # Python reads no int of more than some thousands of digits.
    return FileError(file.path, "a number in the JSON value is too long.", number)


def is_array(file: InputFile, number: int) -> FileError:
    """The error for JSON Lines that are one JSON array, or have lists as lines."""
    message = (
        f"the line begins a JSON array; {_ONE_A_LINE} "
        "An array of samples becomes that with: jq -c '.[]'"
    )
    return FileError(file.path, message, number)

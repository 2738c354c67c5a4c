"""Read the values of a JSON file with their line numbers.

Each line is a value; blank lines are skipped. A ``.json`` file may be one array instead, whose
items are the values. Any file may be one object, a document, which other modules understand. The
caller checks the types of the values.
"""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Final, Literal, NamedTuple

from .input import FileError, FileFormat, InputFile
from .lines import hold_content, read_lines

_ONE_A_LINE: Final = "expected JSON Lines, one object or text a line."
_WHITESPACE: Final = re.compile(r"[ \t\r\n]*")

# Names that result files of other programs have near their beginning.
_NAMES: Final = (
    "COMET|annotations|details|doc_id|filtered_resps|image_id|images|origin_prompt|resps|signature"
    "|statistical_results|system|translations"
)
_IS_RESULT: Final = re.compile(rf'"(?:{_NAMES})"\s*:')
# An object whose first value is a list or an object.
_IS_NESTED: Final = re.compile(r'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*[\[{]')


class JsonValue(NamedTuple):
    """A value of a JSON file.

    Attributes:
        line: number of the line at which the value begins, from 1.
        value: the decoded value.
        kind: whether the value is a line of the file or an item of an array, for errors.
    """

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
        if not line.isspace():
            yield JsonValue(number, parse_json(file, line, number))


class Document(NamedTuple):
    """A JSON value that may be a result file of another program, or JSON of columns.

    Attributes:
        value: the first line of JSON Lines, or else the value of the whole file.
        is_whole: whether the file has no other value.
    """

    value: Any
    is_whole: bool


def find_document(file: InputFile, head: bytes) -> tuple[InputFile, Document | None]:
    """Read the JSON value that says what a file is.

    Args:
        file: any file, which ``examine`` returned.
        head: its first bytes.

    Returns:
        The file, with its content if it is a stream that was read; and the value, None if the file
        is not JSON or clearly has rows.
    """
    text = head.decode(file.encoding, "replace").lstrip("\ufeff \t\r\n")
    if text[:1] not in ("{", "["):
        return file, None
    is_json = file.format in (FileFormat.JSON, FileFormat.JSONL)
    is_object = is_json and text[0] == "{" and _parse(text.partition("\n")[0]) is None
    if not (is_object or _IS_RESULT.search(text) or _IS_NESTED.match(text)):
        return file, None
    try:
        if file.stream is not None:
            file = hold_content(file)
        lines = (line for _, line in read_lines(file) if not line.isspace())
        first = next(lines, "")
        value = _parse(first)
        if value is not None:
            return file, Document(value, next(lines, None) is None)
        value = _parse("".join([first, *lines]))
    except FileError:
        # Whoever reads the file as another kind says what is wrong with it.
        return file, None
    return file, None if value is None else Document(value, is_whole=True)


def _parse(text: str) -> Any:
    """Return a JSON value; None if the text is not JSON."""
    try:
        return json.loads(text)
    except (RecursionError, ValueError):
        return None


def _read_array(file: InputFile, text: str) -> Iterator[JsonValue]:
    """Iterate over the items of an array; raise FileError if it is not valid JSON."""
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
    """Iterate over the items of an array's text, with the position at which each begins."""
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
    """Return the position behind the whitespace at a position."""
    found = _WHITESPACE.match(text, position)
    return position if found is None else found.end()


def parse_json(file: InputFile, line: str, number: int) -> Any:
    """Return the value of a line; raise FileError if it is not JSON."""
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        if error.pos >= len(line.rstrip()) and line.lstrip().startswith("["):
            raise array_error(file, number) from error
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
    """Return the error for JSON that is valid, but that Python cannot parse."""
    if isinstance(error, RecursionError):
        return FileError(file.path, "the JSON value is nested too deeply.", number)
    # Python refuses to parse an int of more than some thousands of digits.
    return FileError(file.path, "a number in the JSON value is too long.", number)


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

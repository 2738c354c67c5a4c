"""Recognise the result files of other programs by their content, and read their systems.

These programs are lm-evaluation-harness, COMET and sacrebleu; ``lm_eval_samples.py`` and
``comet_json.py`` say which versions. The JSON of sacrebleu (2.6.0: one object or a list of them
with ``name``, ``score`` and ``signature``; for several systems, with ``--paired-bs`` or without, a
list of objects with ``system`` and a value per metric) has scores of whole corpora and no texts, so
that there is nothing to compare.
"""

import json
from pathlib import Path
from typing import Any, Final

from .comet_json import is_comet, read_comet
from .json_values import read_json
from .lines import (
    STDIN,
    FileError,
    FileFormat,
    InputFile,
    describe,
    open_binary,
    read_lines,
)
from .lm_eval_samples import is_lm_eval, read_lm_eval
from .tool_systems import ToolSystem

_NO_TEXTS: Final = (
    "this is the output of sacrebleu, which has scores of a whole corpus and no texts; give the "
    "files of texts that sacrebleu read, with --profile sacrebleu for its scores."
)


def read_tool_systems(
    file: InputFile, filter_name: str | None = None
) -> tuple[InputFile, list[ToolSystem]]:
    """Read the systems of a result file of another program.

    Args:
        file: any file; its name is not considered.
        filter_name: of lm-evaluation-harness; None for the only filter of a file.

    Returns:
        The file, which holds its content if it can be read only once; and its systems, none if it
        is another file or cannot be read.

    Raises:
        FileError: the file is recognised, but lacks texts or has wrong values.
    """
    file = hold_stream(file)
    try:
        value = _read_value(file)
    except FileError:
        # Whoever reads the file as another kind says what is wrong with it.
        return file, []
    if is_lm_eval(value[0] if isinstance(value, list) and value else value):
        values = read_json(file._replace(format=FileFormat.JSON), read_lines(file))
        return file, [read_lm_eval(file, values, filter_name)]
    if is_comet(value):
        return file, read_comet(file, value)
    if is_sacrebleu(value):
        raise FileError(file.path, _NO_TEXTS)
    return file, []


def hold_stream(file: InputFile) -> InputFile:
    """Return a pipe or standard input with its content, any other file as it is.

    Raises:
        FileError: it cannot be read.
    """
    if file.content is not None or not (file.path == STDIN or Path(file.path).is_fifo()):
        return file
    with open_binary(file) as handle:
        try:
            return file._replace(content=handle.read())
        except OSError as error:
            raise FileError(file.path, f"{describe(error)}.") from error


def is_sacrebleu(value: Any) -> bool:
    """Return whether a JSON value is what the command sacrebleu writes.

    >>> is_sacrebleu([{"system": "a", "BLEU": "34.2"}]), is_sacrebleu([{"system": "a text"}])
    (True, False)
    """
    rows = value if isinstance(value, list) else [value]
    return bool(rows) and all(
        isinstance(row, dict) and ({"name", "score", "signature"} <= row.keys() or _is_row(row))
        for row in rows
    )


def _is_row(row: dict[str, Any]) -> bool:
    """Return whether an object has a system, and else only scores."""
    scores = [value for name, value in row.items() if name != "system"]
    return "system" in row and bool(scores) and all(map(_is_score, scores))


def _is_score(value: Any) -> bool:
    if isinstance(value, dict):
        return {"score", "p_value"} <= value.keys()
    try:
        return isinstance(value, str) and float(value.split()[0]) >= 0
    except (IndexError, ValueError):
        return False


def _read_value(file: InputFile) -> Any:
    """Return the JSON value of the first line, or else of the whole file; None if there is none."""
    lines = read_lines(file)
    first = next((line for _, line in lines if line.strip()), "")
    if first.lstrip()[:1] not in ("{", "["):
        return None
    value = _parse(first)
    return _parse("".join([first, *(line for _, line in lines)])) if value is None else value


def _parse(text: str) -> Any:
    """Return a JSON value; None if the text is not JSON."""
    try:
        return json.loads(text)
    except (RecursionError, ValueError):
        return None

"""Files of texts that a command writes: checked before any work, and written all or none."""

import gzip
import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, Final

from ..files.input import STDIN, FileError, FileFormat, detect_format
from .output_files import check_output, write_whole

_NAMES: Final = {
    FileFormat.TEXT: "plain text",
    FileFormat.JSONL: "JSON Lines",
    FileFormat.CSV: "CSV",
    FileFormat.TSV: "TSV",
    FileFormat.PARQUET: "Parquet",
}


def check_record_path(
    flag: str, path: str, file_format: FileFormat, inputs: Sequence[str], *, or_stdout: bool = False
) -> None:
    """Check the path of a file of records.

    Args:
        flag: that names the path.
        path: of the file.
        file_format: of its content; the suffix may be that of plain text too.
        inputs: paths of the input files, which must not be overwritten.
        or_stdout: whether the content goes to standard output without the flag.

    Raises:
        FileError: the suffix is that of another format, the file is one of the inputs, or it cannot
            be written.
    """
    if path == STDIN:
        remedy = ", or leave it out for standard output." if or_stdout else "."
        raise FileError(flag, f"expected the name of a file{remedy}")
    named, _ = detect_format(path)
    named = FileFormat.JSONL if named is FileFormat.JSON else named
    if named not in (None, FileFormat.TEXT, file_format):
        message = (
            f"the suffix is that of {_NAMES[named]}, but the content is "
            f"{_NAMES[file_format]}; give another name."
        )
        raise FileError(path, message)
    check_output(path, inputs)


def dump_lines(values: Iterable[Mapping[str, Any]]) -> bytes:
    r"""Return JSON Lines in UTF-8; half of a surrogate pair stays an escape.

    >>> dump_lines([{"text": "\ud800é"}]).decode()
    '{"text": "\\ud800é"}\n'
    """
    text = "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)
    return text.encode("utf-8", "backslashreplace")


def write_files(contents: Mapping[str, bytes]) -> None:
    """Write files, compressed if their names end in ``.gz``; none of them if one cannot be written.

    Raises:
        FileError: a file cannot be written; the old files are unchanged.
    """
    with ExitStack() as stack:
        for path, content in contents.items():
            _, is_compressed = detect_format(path)
            stream = stack.enter_context(write_whole(path))
            # The time is left out, so that the same records give the same file.
            stream.write(gzip.compress(content, mtime=0) if is_compressed else content)
            # The first file replaces an old one only if the disk has space for all.
            stream.flush()

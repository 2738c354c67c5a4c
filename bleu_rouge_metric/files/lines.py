r"""Read the lines of a text file with their numbers.

Lines end only at ``"\n"``, as in ``wc -l``; ``"\v"``, U+0085, U+2028 and the like stay inside a
line. Files are UTF-8, with or without a byte order mark at their start, unless the caller names
another encoding.
"""

import codecs
import io
from collections.abc import Iterator
from contextlib import suppress
from typing import BinaryIO, Final

from .input import UTF8, FileError, FileFormat, InputFile, describe, examine, open_binary
from .kinds import decompression_errors

# In bytes. A longer line is not a text to score: it comes from a device or a file of another kind,
# and might fill the memory.
LONGEST_LINE: Final = 1 << 28

# How a file of UTF-16 begins.
_UTF16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

# In bytes: how much is read at once.
_BLOCK: Final = 1 << 16


def hold_content(file: InputFile) -> InputFile:
    """Return the file with its decompressed content, so that also a stream can be read twice.

    Raises:
        FileError: the file cannot be read, decompressed or decoded.
    """
    file, _ = examine(file)
    if file.format is not FileFormat.PARQUET:
        text = "".join(line for _, line in read_lines(file))
        return file._replace(content=text.encode(), encoding=UTF8, stream=None)
    with open_binary(file) as handle:
        try:
            return file._replace(content=handle.read(), stream=None)
        except OSError as error:
            raise FileError(file.path, f"{describe(error)}.") from error


def read_lines(
    file: InputFile, start: int = 0, stop: int | None = None
) -> Iterator[tuple[int, str]]:
    r"""Iterate over the lines of a text file with their line ends, numbered from 1.

    A last line without a line end counts as a line. The arguments and errors are those of
    :func:`read_blocks`.
    """
    for first, lines in read_blocks(file, start, stop):
        yield from enumerate(lines, first)


def read_blocks(
    file: InputFile, start: int = 0, stop: int | None = None
) -> Iterator[tuple[int, list[str]]]:
    """Iterate over blocks of lines: the number of the first line, and the lines with their ends.

    Args:
        file: the file to read.
        start: byte at which the first line to read begins; this line has the number 1.
        stop: byte at which the line after the last one begins; None for the end of the file.

    Raises:
        FileError: the file cannot be opened, read, decompressed or decoded.
    """
    number = 0
    with open_binary(file) as handle:
        try:
            is_plain = file.encoding == UTF8
            blocks = _read_utf8(file, handle, start, stop) if is_plain else _decode(file, handle)
            for lines in blocks:
                if lines:
                    yield number + 1, lines
                    number += len(lines)
        except UnicodeError as error:
            if not isinstance(error, UnicodeDecodeError) or file.encoding != UTF8:
                message = f"the text is not {file.encoding}; name another with --encoding."
                raise FileError(file.path, message, number + 1) from error
            byte = error.object[error.start]
            message = (
                f"byte {error.start + 1} of the line is 0x{byte:02x}, which is not UTF-8; "
                "save the file as UTF-8, or name its encoding with --encoding."
            )
            if number == 0 and error.object.startswith(_UTF16):
                message = "the file is UTF-16; save it as UTF-8, or use --encoding utf-16."
            raise FileError(file.path, message, number + 1) from error
        except EOFError as error:
            message = f"the {file.compression} data is cut off here."
            raise FileError(file.path, message, number + 1) from error
        except OSError as error:
            message = f"the file is not valid {file.compression}: {error}."
            message = message if error.errno is None else f"{describe(error)}."
            raise FileError(file.path, message, number + 1) from error
        except decompression_errors() as error:
            message = f"the file is not valid {file.compression}: {error}."
            raise FileError(file.path, message, number + 1) from error


def _read_utf8(
    file: InputFile, handle: BinaryIO, start: int, stop: int | None
) -> Iterator[list[str]]:
    """Iterate over the lines of ``read_blocks`` in UTF-8; raise UnicodeDecodeError if they are not.

    A byte order mark at the start of the file is left out.
    """
    if start:
        handle.seek(start)
    for number, block in _split_blocks(file, handle, None if stop is None else stop - start):
        is_first = number == 0 and start == 0 and block.startswith(codecs.BOM_UTF8)
        content = block[len(codecs.BOM_UTF8) :] if is_first else block
        try:
            # Fast path: equals the lines one by one, in a third of the time.
            lines = list(io.StringIO(content.decode(), newline="\n"))
        except UnicodeDecodeError:
            # The error names the line and the byte in it.
            for line in io.BytesIO(content):
                yield [line.decode()]
        else:
            yield lines


def _split_blocks(
    file: InputFile, handle: BinaryIO, size: int | None
) -> Iterator[tuple[int, bytes]]:
    """Iterate over blocks of whole lines, with the number of lines before each."""
    number = length = 0
    parts: list[bytes] = []
    while block := handle.read(_BLOCK if size is None else min(size, _BLOCK)):
        size = None if size is None else size - len(block)
        end = block.find(b"\n")
        if length + (len(block) if end < 0 else end) > LONGEST_LINE:
            raise _too_long(file, number + 1)
        end = block.rfind(b"\n") + 1
        parts.append(block[:end] if end else block)
        length += len(block)
        if end:
            whole = b"".join(parts)
            yield number, whole
            number += whole.count(b"\n")
            parts, length = [block[end:]], len(block) - end
    if last := b"".join(parts):
        yield number, last


def _decode(file: InputFile, handle: BinaryIO) -> Iterator[list[str]]:
    """Iterate over the lines of a text that is not UTF-8.

    Raises:
        UnicodeError: the text is not of the encoding; the line may be some lines too low.
        FileError: a line is too long.
    """
    stream = io.TextIOWrapper(handle, file.encoding, newline="\n")
    try:
        lines = iter(lambda: stream.readline(LONGEST_LINE + 1), "")
        for number, line in enumerate(lines, start=1):
            if len(line) > LONGEST_LINE:
                raise _too_long(file, number)
            yield [line.removeprefix("\ufeff") if number == 1 else line]
    finally:
        # The caller closes the file, or has closed it already.
        with suppress(ValueError):
            stream.detach()


def _too_long(file: InputFile, number: int) -> FileError:
    """Return the error for a line that is not text to score."""
    message = (
        f"the line is longer than {LONGEST_LINE:,} bytes; "
        "expected lines of text that end with a line feed."
    )
    return FileError(file.path, message, number)

r"""Read the lines of a text file with their numbers.

Lines end only at ``"\n"``, as in ``wc -l``; ``"\v"``, U+0085, U+2028 and the like stay inside a
line. Files are UTF-8, with or without a byte order mark at their start, unless the caller names
another encoding.
"""

import codecs
import io
from collections.abc import Iterator
from typing import BinaryIO, Final

from .input import UTF8, FileError, FileFormat, InputFile, describe
from .opening import BLOCK, examine, open_binary

# In bytes. A longer line is not a text to score: it comes from a device or a file of another kind,
# and might fill the memory.
LONGEST_LINE: Final = 1 << 28

# In bytes: how much of a text in another encoding is decoded at once.
_SMALL_BLOCK: Final = 1 << 13


def hold_content(file: InputFile) -> InputFile:
    """Return the file with its decompressed content, so that also a stream can be read twice."""
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
    """Iterate over the lines of a text file with their line ends, numbered from 1."""
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
    """
    number = 1
    with open_binary(file) as handle:
        is_plain = file.encoding == UTF8
        blocks = _read(handle, start, stop) if is_plain else _transcode(handle, file.encoding)
        try:
            for lines in _split_lines(_split_blocks(blocks), has_mark=start == 0):
                if lines:
                    yield number, lines
                number += len(lines)
        except UnicodeError as error:
            if is_plain and isinstance(error, UnicodeDecodeError):
                byte = f"byte {error.start + 1} of the line is 0x{error.object[error.start]:02x}"
                message = f"{byte}, which is not UTF-8; save the file as UTF-8, or name its "
                message += "encoding with --encoding."
                if number == 1 and error.object[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
                    message = "the file is UTF-16; save it as UTF-8, or use --encoding utf-16."
            else:
                message = f"the text is not {file.encoding}; name another with --encoding."
            raise FileError(file.path, message, number) from error
        except OSError as error:
            raise FileError(file.path, f"{describe(error)}.", number) from error


def _read(handle: BinaryIO, start: int, stop: int | None) -> Iterator[bytes]:
    """Iterate over the blocks of a part of a file."""
    if start:
        handle.seek(start)
    size = None if stop is None else stop - start
    while block := handle.read(BLOCK if size is None else min(size, BLOCK)):
        size = None if size is None else size - len(block)
        yield block


def _split_lines(blocks: Iterator[bytes], *, has_mark: bool) -> Iterator[list[str]]:
    """Iterate over the lines of blocks of whole lines; raise UnicodeDecodeError if not UTF-8."""
    for block in blocks:
        content = block.removeprefix(codecs.BOM_UTF8) if has_mark else block
        has_mark = False
        try:
            # Fast path: equals the lines one by one, in a third of the time.
            lines = list(io.StringIO(content.decode(), newline="\n"))
        except UnicodeDecodeError:
            # The error names the line and the byte in it.
            for line in io.BytesIO(content):
                yield [line.decode()]
        else:
            yield lines


def _split_blocks(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Iterate over blocks of whole lines; raise OSError if a line is too long."""
    length = 0
    parts: list[bytes] = []
    for block in blocks:
        end = block.find(b"\n")
        if length + (len(block) if end < 0 else end) > LONGEST_LINE:
            raise OSError(
                f"the line is longer than {LONGEST_LINE:,} bytes; expected lines of text that end "
                "with a line feed"
            )
        end = block.rfind(b"\n") + 1
        parts.append(block[:end] if end else block)
        length += len(block)
        if end:
            yield b"".join(parts)
            parts, length = [block[end:]], len(block) - end
    if last := b"".join(parts):
        yield last


def _transcode(handle: BinaryIO, encoding: str) -> Iterator[bytes]:
    """Iterate over blocks of a text in UTF-8; raise UnicodeError if it is not of the encoding."""
    decoder = codecs.getincrementaldecoder(encoding)()
    # An error names the line at which the first block that is not read begins.
    while block := handle.read(_SMALL_BLOCK):
        if text := decoder.decode(block):
            yield text.encode()
    yield decoder.decode(b"", final=True).encode()

r"""Open a file: what kind it is, its decompressed bytes, and its lines with their numbers.

The first bytes of a file decide, then its name. Files that contain no rows of texts, or that only
another program can read, are errors that name a remedy. Lines end only at ``"\n"``, as in ``wc
-l``; ``"\v"``, U+0085, U+2028 and the like stay inside a line. Files are UTF-8, with or without a
byte order mark at their start, unless the caller names another encoding.
"""

import codecs
import io
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path, PurePath
from typing import Any, Final

from .input import (
    COMPRESSIONS,
    STDIN,
    UTF8,
    FileError,
    FileFormat,
    InputFile,
    cannot_open,
    compressed_parquet,
    describe,
)

# In characters. A longer line is not a text to score: it comes from a device or a file of another
# kind, and might fill the memory.
LONGEST_LINE: Final = 1 << 28
_TOO_LONG: Final = (
    "the line is longer than {:,} characters; expected lines of text that end with a line feed."
)

# In bytes: how much of a file shows what it is, and how much is read at once.
_BLOCK: Final = 1 << 16

_COMPRESSED: Final = {
    "gzip": (b"\x1f\x8b\x08",),
    "xz": (b"\xfd7zXZ\x00",),
    "bzip2": tuple(b"BZh%d1AY&SY" % level for level in range(1, 10)),
    "zstd": (b"\x28\xb5\x2f\xfd",),
}
_SAVE: Final = "save it as CSV in UTF-8, or as plain text with one text per line"
_WRITE: Final = "write its texts as Parquet or JSON Lines"
_ARROW: Final = "write Parquet, as with Dataset.from_file(path).to_parquet('samples.parquet')"
_UNPACK: Final = "unpack it, and give the files in it"
_XLS: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_PICKLES: Final = (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")
# What is not read, and what to do with it; suffixes, and first bytes.
_KINDS: Final[tuple[tuple[str, str, tuple[str, ...], tuple[bytes, ...]], ...]] = (
    ("an Excel workbook", _SAVE, (".xlsx", ".xlsm", ".xls"), (_XLS,)),
    ("an OpenDocument sheet", _SAVE, (".ods",), ()),
    ("a Word document", _SAVE, (".docx", ".doc"), ()),
    ("an OpenDocument text", _SAVE, (".odt",), ()),
    ("an RTF document", _SAVE, (".rtf",), (b"{\\rtf",)),
    ("a PDF document", _SAVE, (".pdf",), (b"%PDF-",)),
    ("an Arrow file", _ARROW, (".arrow", ".feather"), (b"ARROW1", b"\xff\xff\xff\xff")),
    ("a pickle of Python", _WRITE, (".pkl", ".pickle"), _PICKLES),
    ("an array of NumPy", _WRITE, (".npy", ".npz"), (b"\x93NUMPY",)),
    ("a tar archive", _UNPACK, (".tar", ".tgz"), ()),
    ("an archive", _UNPACK, (".zip", ".7z", ".rar"), (b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07")),
)
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
# Documents that are archives: names of files in them, and suffixes.
_PARTS: Final = {b"xl/": ".xlsx", b"word/": ".docx", b"opendocument.text": ".odt"}
_DOCUMENTS: Final = (".xlsx", ".xlsm", ".docx", ".odt", ".ods", ".npz")


def examine(file: InputFile) -> tuple[InputFile, str]:
    """Return the file as its first bytes say it is, and the beginning of its text.

    The file has its compression, the format Parquet if it is, and an open stream if it can be read
    only once.
    """
    head, stream = _peek(file, read_bytes(file))
    if file.content is None:
        found = (kind for kind, starts in _COMPRESSED.items() if head.startswith(starts))
        if not file.compression and (compression := next(found, "")):
            file = file._replace(compression=compression)
            head, stream = _peek(file, _decompress(file, stream))
        name = PurePath(file.path)
        if file.compression and name.suffix in COMPRESSIONS:
            name = name.with_suffix("")
        kind = _name_kind(name.suffix.lower(), head)
        if kind is not None:
            raise FileError(file.path, kind)
        if head.startswith(b"PAR1"):
            if file.compression:
                raise compressed_parquet(file.path, f", compressed with {file.compression},")
            file = file._replace(format=FileFormat.PARQUET)
        if file.path == STDIN or not Path(file.path).is_file():
            file = file._replace(stream=stream)
    return file, head.decode(file.encoding, "replace").lstrip("\ufeff \t\r\n")


def _name_kind(suffix: str, head: bytes) -> str | None:
    """Return what a file is and what to do; None for a file that may be read."""
    if head.startswith(_ZIP):
        parts = (kind for part, kind in _PARTS.items() if part in head)
        suffix = next(parts, suffix if suffix in _DOCUMENTS else ".zip")
    elif head[257:262] == b"ustar":
        suffix = ".tar"
    else:
        suffix = next((own[0] for *_, own, starts in _KINDS if head.startswith(starts)), suffix)
    kinds = (f"this is {kind}; {remedy}." for kind, remedy, own, _ in _KINDS if suffix in own)
    return next(kinds, None)


def _peek(file: InputFile, blocks: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """Return the first bytes of blocks, and the same blocks."""
    head = b""
    try:
        while len(head) < _BLOCK and (block := next(blocks, b"")):
            head += block
    except OSError as error:
        raise FileError(file.path, f"{describe(error)}.", 1) from error
    return head, chain((head,), blocks)


def read_bytes(file: InputFile) -> Iterator[bytes]:
    """Iterate over the decompressed blocks of a file."""
    if file.content is not None:
        for start in range(0, len(file.content), _BLOCK):
            yield file.content[start : start + _BLOCK]
    elif file.stream is not None:
        yield from file.stream
    elif file.compression:
        yield from _decompress(file, _read_raw(file.path))
    else:
        yield from _read_raw(file.path, file.start, file.stop)


def _read_raw(path: str, start: int = 0, stop: int | None = None) -> Iterator[bytes]:
    """Iterate over the blocks of a file, all but the last of which have the same length."""
    # sys.stdin is None if the caller has closed standard input.
    if path == STDIN and sys.stdin is None:
        raise FileError(path, "standard input is closed.")
    try:
        handle = sys.stdin.buffer if path == STDIN else Path(path).open("rb")  # noqa: SIM115
    except OSError as error:
        raise cannot_open(path, error) from error
    try:
        if start:
            handle.seek(start)
        left = sys.maxsize if stop is None else stop - start
        while block := handle.read(min(left, _BLOCK)):
            left -= len(block)
            yield block
    finally:
        if path != STDIN:
            handle.close()


def _decompress(file: InputFile, blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Iterate over the blocks of one or more frames; raise OSError if they are not valid."""
    kind = file.compression
    try:
        start, failure = _find_decompressor(kind)
    except ImportError as missing:
        install = f": pip install {missing.name}" if kind == "zstd" else "."
        message = f"reading {kind} needs the package {missing.name or kind}{install}"
        raise FileError(file.path, message) from missing
    frame: Any = None
    for block in blocks:
        rest = block
        # Zeros may fill up a file behind a frame.
        while rest := rest if frame else rest.lstrip(b"\0"):
            frame = frame or start()
            try:
                if text := frame.decompress(rest):
                    yield text
            except failure as error:
                # After the number of an error of zlib.
                reason = str(error).rpartition(": ")[2]
                raise OSError(f"the file is not valid {kind}: {reason}") from error
            frame, rest = (None, frame.unused_data) if frame.eof else (frame, b"")
    if frame:
        raise OSError(f"the {kind} data is cut off here")


def _find_decompressor(kind: str) -> tuple[Callable[[], Any], type[Exception]]:
    """Return what makes a decompressor of a frame, and its error; an installation may lack it."""
    # Imported only for such a file.
    if kind == "gzip":
        import zlib

        return partial(zlib.decompressobj, zlib.MAX_WBITS | 16), zlib.error
    if kind == "bzip2":
        import bz2

        return bz2.BZ2Decompressor, OSError
    if kind == "xz":
        import lzma

        return lzma.LZMADecompressor, lzma.LZMAError
    import zstandard  # type: ignore[import-not-found, unused-ignore]

    return zstandard.ZstdDecompressor().decompressobj, zstandard.ZstdError


def hold_content(file: InputFile) -> InputFile:
    """Return the file with its decompressed content, so that also a stream can be read twice."""
    if file.stream is None:
        file, _ = examine(file)
    try:
        return file._replace(content=b"".join(read_bytes(file)), stream=None)
    except OSError as error:
        raise FileError(file.path, f"{describe(error)}.") from error


def read_lines(file: InputFile) -> Iterator[tuple[int, str]]:
    """Iterate over the lines of a text file with their line ends, numbered from 1."""
    for first, lines in read_blocks(file):
        yield from enumerate(lines, first)


def read_blocks(file: InputFile) -> Iterator[tuple[int, list[str]]]:
    """Iterate over blocks of lines: the number of the first line, and the lines with their ends."""
    number, length, parts = 1, 0, [""]
    mark = "" if file.start else "\ufeff"
    try:
        for block in chain(codecs.iterdecode(read_bytes(file), file.encoding), [""]):
            text, mark = block.removeprefix(mark), ""
            first, end = text.find("\n"), text.rfind("\n") + 1
            length += len(text) if first < 0 else first
            if length > LONGEST_LINE:
                raise FileError(file.path, _TOO_LONG.format(LONGEST_LINE), number)
            if end:
                lines = list(io.StringIO("".join([*parts, text[:end]]), newline="\n"))
                yield number, lines
                number, length, parts = number + len(lines), len(text) - end, []
            parts.append(text[end:])
        if last := "".join(parts):
            yield number, [last]
    except UnicodeError as error:
        message = f"the text is not {file.encoding}; name another with --encoding."
        if isinstance(error, UnicodeDecodeError):
            before = error.object[: error.start].decode(file.encoding, "ignore")
            line = "".join([*parts, before]).encode()
            if file.encoding == UTF8:
                start = line.rfind(b"\n")
                message = (
                    f"byte {len(line) - start} of the line is 0x{error.object[error.start]:02x}, "
                    "which is not UTF-8; save the file as UTF-8, or name its encoding with "
                    "--encoding."
                )
                if number == 1 and error.object[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
                    message = "the file is UTF-16; save it as UTF-8, or use --encoding utf-16."
            number += line.count(b"\n")
        raise FileError(file.path, message, number) from error
    except OSError as error:
        raise FileError(file.path, f"{describe(error)}.", number) from error

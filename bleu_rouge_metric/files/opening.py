"""Open a file: what kind it is, how it is compressed, and its decompressed bytes.

The first bytes of a file decide, then its name. Files that contain no rows of texts, or that only
another program can read, are errors that name a remedy.
"""

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath
from typing import Any, BinaryIO, Final, cast

from .input import (
    COMPRESSIONS,
    STDIN,
    FileError,
    FileFormat,
    InputFile,
    cannot_open,
    compressed_parquet,
)

# In bytes: how much of a file shows what it is, and how much is read at once.
BLOCK: Final = 1 << 16

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


def _name_kind(name: str, head: bytes) -> str | None:
    """Return what a file is and what to do; None for a file that may be read."""
    suffix = PurePath(name.lower()).suffix
    if head.startswith(_ZIP):
        parts = (kind for part, kind in _PARTS.items() if part in head)
        suffix = next(parts, suffix if suffix in _DOCUMENTS else ".zip")
    elif head[257:262] == b"ustar":
        suffix = ".tar"
    else:
        suffix = next((own[0] for *_, own, starts in _KINDS if head.startswith(starts)), suffix)
    kinds = (f"this is {kind}; {remedy}." for kind, remedy, own, _ in _KINDS if suffix in own)
    return next(kinds, None)


def examine(file: InputFile) -> tuple[InputFile, str]:
    """Find out from the first bytes how a file is compressed, and whether it can be read.

    Returns:
        The file, with a compression and the format Parquet if its bytes say so, and with an open
        stream if it can be read only once; and the beginning of its text, without whitespace
        before it, which is empty if it cannot be read.

    Raises:
        FileError: the file cannot be opened, or is of a kind that is not read.
    """
    if file.content is not None:
        head = file.content[:BLOCK]
    elif file.stream is not None:
        head = _peek(file.stream)
    else:
        file, head = _examine(file)
    return file, head.decode(file.encoding, "replace").lstrip("\ufeff \t\r\n")


def _examine(file: InputFile) -> tuple[InputFile, bytes]:
    """Return a file that was not opened before as ``examine`` does, and its first bytes."""
    stream, name = _buffer(_read_raw(file.path)), file.path
    head = _peek(stream)
    found = (kind for kind, starts in _COMPRESSED.items() if head.startswith(starts))
    compression = file.compression or next(found, "")
    if compression:
        file = file._replace(compression=compression)
        stream = _decompress(file, stream)
        head = _peek(stream)
        if PurePath(name).suffix in COMPRESSIONS:
            name = str(PurePath(name).with_suffix(""))
    kind = _name_kind(name, head)
    if kind is not None:
        raise FileError(file.path, kind)
    if head.startswith(b"PAR1"):
        if compression:
            raise compressed_parquet(file.path, f", compressed with {compression},")
        file = file._replace(format=FileFormat.PARQUET)
    can_read_again = file.path != STDIN and Path(file.path).is_file()
    return file if can_read_again else file._replace(stream=stream), head


@contextmanager
def open_binary(file: InputFile) -> Iterator[BinaryIO]:
    """Open a file for its decompressed bytes; raise FileError if it cannot be opened."""
    if file.content is not None:
        yield io.BytesIO(file.content)
    elif file.stream is not None:
        yield file.stream
    else:
        with _open_raw(file.path) as handle:
            yield _decompress(file, handle) if file.compression else handle


@contextmanager
def _open_raw(path: str) -> Iterator[BinaryIO]:
    """Open a file for its bytes."""
    if path == STDIN:
        # sys.stdin is None if the caller has closed standard input.
        if sys.stdin is None:
            raise FileError(path, "standard input is closed.")
        yield sys.stdin.buffer
        return
    try:
        handle = Path(path).open("rb")  # noqa: SIM115 - closed below
    except OSError as error:
        raise cannot_open(path, error) from error
    with handle:
        yield handle


def _read_raw(path: str) -> Iterator[bytes]:
    """Iterate over the blocks of a file, all but the last of which have the same length."""
    with _open_raw(path) as handle:
        while block := handle.read(BLOCK):
            yield block


def _decompress(file: InputFile, handle: BinaryIO) -> BinaryIO:
    """Return the decompressed bytes of a file; raise FileError if a package is missing."""
    # Each is imported only for such a file; an installation of Python may lack some of them.
    error: type[Exception] = OSError
    try:
        if file.compression == "gzip":
            import gzip
            import zlib

            read: Callable[[int], bytes] = gzip.GzipFile(fileobj=handle).read
            error = zlib.error
        elif file.compression == "bzip2":
            import bz2

            read = bz2.BZ2File(handle).read
        elif file.compression == "xz":
            import lzma

            read, error = lzma.LZMAFile(handle).read, lzma.LZMAError  # noqa: SIM115 - as above
        else:
            import zstandard  # type: ignore[import-not-found]

            frames = _read_frames(handle, zstandard.ZstdDecompressor().decompressobj)
            read, error = lambda _: next(frames, b""), zstandard.ZstdError
    except ImportError as missing:
        package = missing.name or file.compression
        install = f": pip install {package}" if package == "zstandard" else "."
        message = f"reading {file.compression} needs the package {package}{install}"
        raise FileError(file.path, message) from missing
    return _buffer(_read_blocks(file, read, error))


def _read_blocks(
    file: InputFile, read: Callable[[int], bytes], kind: type[Exception]
) -> Iterator[bytes]:
    """Iterate over the blocks of decompressed data; raise OSError if it is not valid."""
    try:
        while block := read(BLOCK):
            yield block
    except EOFError as error:
        raise OSError(f"the {file.compression} data is cut off here") from error
    except (OSError, kind) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise OSError(f"the file is not valid {file.compression}: {error}") from error


def _read_frames(handle: BinaryIO, start: Callable[[], Any]) -> Iterator[bytes]:
    """Iterate over the decompressed blocks of frames; raise EOFError if the last is cut off."""
    frame: Any = None
    block = b""
    while block := block or handle.read(BLOCK):
        frame = frame or start()
        if ready := frame.decompress(block):
            yield ready
        block = b""
        if frame.eof:
            frame, block = None, frame.unused_data
    if frame is not None:
        raise EOFError


def _buffer(blocks: Iterator[bytes]) -> BinaryIO:
    """Return blocks as a stream."""
    return cast("BinaryIO", io.BufferedReader(_Blocks(blocks), BLOCK))


def _peek(stream: BinaryIO) -> bytes:
    """Return the next bytes of a stream, which stay in it; none if they cannot be read."""
    # Whoever reads on raises the same error, with the number of the line.
    with suppress(OSError):
        return cast("io.BufferedReader", stream).peek(BLOCK)[:BLOCK]
    return b""


class _Blocks(io.RawIOBase):
    """The bytes of blocks, one after the other."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._rest = memoryview(b"")
        self._error: OSError | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._error is not None:
            raise self._error
        try:
            self._rest = self._rest or memoryview(next(self._blocks, b""))
        except OSError as error:
            self._error = error
            raise
        size = min(len(buffer), len(self._rest))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size

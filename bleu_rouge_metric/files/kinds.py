"""Tell what a file is from its name and its first bytes, and decompress it.

Text files and Parquet are read elsewhere. Files that contain no rows of texts, or that only another
program can read, get a name and a remedy here.
"""

import io
import sys
from collections.abc import Callable
from pathlib import PurePath
from typing import Any, BinaryIO, Final, NamedTuple, cast

# By the last suffix of a name.
COMPRESSIONS: Final = {
    ".gz": "gzip",
    ".xz": "xz",
    ".lzma": "xz",
    ".bz2": "bzip2",
    ".zst": "zstd",
}
_COMPRESSED: Final = {
    "gzip": (b"\x1f\x8b\x08",),
    "xz": (b"\xfd7zXZ\x00",),
    "bzip2": tuple(b"BZh%d1AY&SY" % level for level in range(1, 10)),
    "zstd": (b"\x28\xb5\x2f\xfd",),
}
PARQUET: Final = b"PAR1"

# The most that is read of a compressed file at once.
_BLOCK: Final = 1 << 16


class _Kind(NamedTuple):
    """A kind of file that is not read.

    Attributes:
        name: what the file is.
        remedy: what to do.
        suffixes: of the names of such files.
        starts: first bytes of such files.
    """

    name: str
    remedy: str
    suffixes: tuple[str, ...]
    starts: tuple[bytes, ...] = ()


_SAVE_TEXT: Final = "save it as plain text with one text per line"
_KINDS: Final = (
    _Kind(
        "an Excel workbook",
        "save the sheet as CSV in UTF-8, and give that file",
        (".xlsx", ".xlsm", ".xls"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",),
    ),
    _Kind("an OpenDocument sheet", "save it as CSV in UTF-8, and give that file", (".ods",)),
    _Kind("a Word document", _SAVE_TEXT, (".docx", ".doc")),
    _Kind("an OpenDocument text", _SAVE_TEXT, (".odt",)),
    _Kind("an RTF document", _SAVE_TEXT, (".rtf",), (b"{\\rtf",)),
    _Kind("a PDF document", _SAVE_TEXT, (".pdf",), (b"%PDF-",)),
    _Kind(
        "an Arrow file, as save_to_disk of datasets and Feather write it",
        "write Parquet in its place, such as Dataset.from_file(path).to_parquet('samples.parquet')",
        (".arrow", ".feather"),
        (b"ARROW1", b"\xff\xff\xff\xff"),
    ),
    _Kind(
        "a pickle of Python, which can run any code when it is read",
        "write its texts as JSON Lines, such as DataFrame.to_json(path, orient='records', "
        "lines=True)",
        (".pkl", ".pickle"),
        (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05"),
    ),
    _Kind(
        "an array of NumPy",
        "write its texts as JSON Lines; token ids must be decoded first",
        (".npy", ".npz"),
        (b"\x93NUMPY",),
    ),
    _Kind("a tar archive", "unpack it with tar -xf, and give the files in it", (".tar", ".tgz")),
    _Kind(
        "an archive",
        "unpack it, and give the files in it",
        (".zip", ".7z", ".rar"),
        (b"PK\x03\x04", b"PK\x05\x06", b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07"),
    ),
    _Kind(
        "a database of SQLite",
        "export the table as CSV, and give that file",
        (".sqlite", ".db"),
        (b"SQLite format 3\x00",),
    ),
    _Kind(
        "an HDF5 file",
        "write its texts as JSON Lines or Parquet",
        (".h5", ".hdf5"),
        (b"\x89HDF\r\n\x1a\n",),
    ),
)
_ARCHIVES: Final = (b"PK\x03\x04", b"PK\x05\x06")
# Names of files in the archives that documents are.
_PARTS: Final = {b"xl/": ".xlsx", b"word/": ".docx", b"opendocument.text": ".odt"}


def find_compression(head: bytes) -> str:
    """Return how a file with these first bytes is compressed, as ``COMPRESSIONS``; or ""."""
    return next((name for name, starts in _COMPRESSED.items() if head.startswith(starts)), "")


def name_kind(name: str, head: bytes) -> str | None:
    """Return what a file is and what to do; None for a file that may be read.

    Args:
        name: of the file, without the suffix of its compression.
        head: its first bytes.

    >>> name_kind("samples.pdf", b"%PDF-1.7")
    'this is a PDF document; save it as plain text with one text per line.'
    """
    suffix = PurePath(name.lower()).suffix
    if head.startswith(_ARCHIVES):
        parts = (kind for part, kind in _PARTS.items() if part in head)
        documents = (".xlsx", ".xlsm", ".docx", ".odt", ".ods", ".npz")
        suffix = next(parts, suffix if suffix in documents else ".zip")
    elif head[257:262] == b"ustar":
        suffix = ".tar"
    else:
        by_start = (kind.suffixes[0] for kind in _KINDS if head.startswith(kind.starts))
        suffix = next(by_start, suffix)
    for kind in _KINDS:
        if suffix in kind.suffixes:
            return f"this is {kind.name}; {kind.remedy}."
    return None


def decompress(compression: str, handle: BinaryIO) -> BinaryIO:
    """Return the decompressed bytes of a file.

    Raises:
        ImportError: the package zstandard is not installed.
    """
    # Each is imported only for such a file; an installation of Python may lack some of them.
    if compression == "gzip":
        import gzip

        stream: Any = gzip.GzipFile(fileobj=handle)
    elif compression == "bzip2":
        import bz2

        stream = bz2.BZ2File(handle)
    elif compression == "xz":
        import lzma

        stream = lzma.LZMAFile(handle)  # noqa: SIM115 - the caller closes the file
    else:
        import zstandard  # type: ignore[import-not-found]

        stream = _Frames(handle, zstandard.ZstdDecompressor().decompressobj)
    # The buffer makes reading line by line fast.
    return cast("BinaryIO", io.BufferedReader(stream, _BLOCK))


def decompression_errors() -> tuple[type[Exception], ...]:
    """Return the types of errors of data that is not compressed so, besides OSError."""
    names = {"zlib": "error", "lzma": "LZMAError", "zstandard": "ZstdError"}
    modules = {name: sys.modules.get(name) for name in names}
    return tuple(getattr(module, names[name]) for name, module in modules.items() if module)


class _Frames(io.RawIOBase):
    """The decompressed bytes of frames, one after the other; EOFError if the last is cut off."""

    def __init__(self, handle: BinaryIO, make: Callable[[], Any]) -> None:
        self._handle = handle
        self._make = make
        self._frame: Any = None
        self._rest = b""
        self._ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            block = self._rest or self._handle.read(_BLOCK)
            self._rest = b""
            if not block:
                if self._frame is not None:
                    raise EOFError
                return 0
            if self._frame is None:
                self._frame = self._make()
            self._ready = self._frame.decompress(block)
            if self._frame.eof:
                self._rest, self._frame = self._frame.unused_data, None
        size = min(len(buffer), len(self._ready))
        buffer[:size], self._ready = self._ready[:size], self._ready[size:]
        return size

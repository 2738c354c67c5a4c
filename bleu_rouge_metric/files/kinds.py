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
    """A kind of file that is not read: its name, suffixes and first bytes, and what to do."""

    name: str
    suffixes: tuple[str, ...]
    starts: tuple[bytes, ...]
    remedy: str


_CSV: Final = "save the sheet as CSV in UTF-8, and give that file"
_TEXT: Final = "save it as plain text with one text per line"
_PARQUET: Final = (
    "write Parquet in its place, such as Dataset.from_file(path).to_parquet('samples.parquet')"
)
_JSON: Final = (
    "write its texts as JSON Lines, such as DataFrame.to_json(path, orient='records', lines=True)"
)
_XLS: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
_PICKLES: Final = (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")
_KINDS: Final = (
    _Kind("an Excel workbook", (".xlsx", ".xlsm", ".xls"), (_XLS,), _CSV),
    _Kind("an OpenDocument sheet", (".ods",), (), _CSV),
    _Kind("a Word document", (".docx", ".doc"), (), _TEXT),
    _Kind("an OpenDocument text", (".odt",), (), _TEXT),
    _Kind("an RTF document", (".rtf",), (b"{\\rtf",), _TEXT),
    _Kind("a PDF document", (".pdf",), (b"%PDF-",), _TEXT),
    _Kind(
        "an Arrow file, as save_to_disk of datasets and Feather write it",
        (".arrow", ".feather"),
        (b"ARROW1", b"\xff\xff\xff\xff"),
        _PARQUET,
    ),
    _Kind(
        "a pickle of Python, which can run any code when it is read",
        (".pkl", ".pickle"),
        _PICKLES,
        _JSON,
    ),
    _Kind(
        "an array of NumPy",
        (".npy", ".npz"),
        (b"\x93NUMPY",),
        "write its texts as JSON Lines; token ids must be decoded first",
    ),
    _Kind(
        "a tar archive", (".tar", ".tgz"), (), "unpack it with tar -xf, and give the files in it"
    ),
    _Kind(
        "an archive",
        (".zip", ".7z", ".rar"),
        (*_ZIP, b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07"),
        "unpack it, and give the files in it",
    ),
)
# Names of files in the archives that documents are.
_PARTS: Final = {b"xl/": ".xlsx", b"word/": ".docx", b"opendocument.text": ".odt"}
_DOCUMENTS: Final = (".xlsx", ".xlsm", ".docx", ".odt", ".ods", ".npz")


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
    if head.startswith(_ZIP):
        parts = (kind for part, kind in _PARTS.items() if part in head)
        suffix = next(parts, suffix if suffix in _DOCUMENTS else ".zip")
    elif head[257:262] == b"ustar":
        suffix = ".tar"
    else:
        kinds = (kind.suffixes[0] for kind in _KINDS if head.startswith(kind.starts))
        suffix = next(kinds, suffix)
    kind = next((kind for kind in _KINDS if suffix in kind.suffixes), None)
    return kind and f"this is {kind.name}; {kind.remedy}."


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

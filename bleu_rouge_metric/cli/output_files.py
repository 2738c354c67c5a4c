"""Write a file completely or not at all.

The content goes to a new file in the same folder, which replaces the old file at the end. After an
error, an interrupt, SIGTERM or on a full disk the old file is unchanged, and the new file is
removed. Pipes and devices have no old content, so they are written directly.
"""

import os
import secrets
import shutil
import signal
import stat
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from ..files.input import FileError, describe, find_file, find_stream


def check_output(path: str, inputs: Sequence[str]) -> None:
    """Check that a file can be written, without changing anything.

    Args:
        path: path of the file, which need not exist.
        inputs: paths of the input files, which must not be overwritten; ``-`` for standard input.

    Raises:
        FileError: the file is one of the inputs or standard output, or cannot be written.
    """
    old = find_file(path)
    if old is not None and not stat.S_ISCHR(old.st_mode):
        if any(_is_same(old, find_file(name)) for name in inputs):
            raise FileError(path, "the file is one of those to score; it would be overwritten.")
        if stat.S_ISREG(old.st_mode) and _is_same(old, find_stream(sys.stdout)):
            raise FileError(path, "standard output goes to the same file; give another.")
    if old is not None and _is_special(old):
        return
    target = Path(os.path.realpath(path))
    try:
        if old is not None:
            os.close(os.open(target, os.O_WRONLY))
        # A file without a name, so that no file remains.
        with tempfile.TemporaryFile(dir=target.parent):
            pass
    except OSError as error:
        raise _cannot_write(path, error) from error


@contextmanager
def write_whole(path: str) -> Iterator[BinaryIO]:
    """Open a stream for the new content of a file, which is kept if the block raises no error.

    Links are followed. The new file gets the mode of the old one and, if allowed, its owner.

    Raises:
        FileError: the file cannot be written.
    """
    try:
        old = find_file(path)
        if old is not None and _is_special(old):
            with Path(path).open("wb") as stream:
                yield stream
            return
        target = Path(os.path.realpath(path))
        new = target.with_name(f".bleu-rouge-{secrets.token_hex(8)}.tmp")
        with _unwind_at_sigterm():
            try:
                # The umask sets the mode, as for every new file.
                with new.open("xb") as stream:
                    yield stream
                    stream.flush()
                    # Some file systems report only here that the disk is full.
                    os.fsync(stream.fileno())
                if old is not None:
                    with suppress(PermissionError):
                        shutil.chown(new, old.st_uid, old.st_gid)
                    new.chmod(stat.S_IMODE(old.st_mode))
                new.replace(target)
            finally:
                new.unlink(missing_ok=True)
    except OSError as error:
        raise _cannot_write(path, error) from error


def _cannot_write(path: str, error: OSError) -> FileError:
    return FileError(path, f"cannot be written: {describe(error)}.")


def _is_same(one: os.stat_result, other: os.stat_result | None) -> bool:
    return other is not None and os.path.samestat(one, other)


def _is_special(found: os.stat_result) -> bool:
    """Whether the file is a pipe, a device or a socket."""
    return not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode))


@contextmanager
def _unwind_at_sigterm() -> Iterator[None]:
    """Make SIGTERM run the cleanup code before it ends the process."""

    def stop(number: int, _: object) -> None:
        # The status that a shell reports for a command ended by a signal.
        raise SystemExit(128 + number)

    # Handlers can be set only in the main thread.
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)

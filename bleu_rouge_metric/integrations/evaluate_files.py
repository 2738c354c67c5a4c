"""Exchange data between the processes of one run through small, private files.

Only their owner can read or write these files. Their content is not trusted: it must
be plain JSON of a known form. A link, a pipe, a folder, a file of another user or an incomplete
file is an error that names it. Reading never follows a link and never waits.
"""

import json
import os
import re
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar
from uuid import uuid4

# The pattern of uuid4().hex, which cannot contain a path to another folder.
_HEXADECIMAL: Final = "[0-9a-f]{32}"

# The largest size of a head or a note, which hold a few tokens for each process.
_MOST_BYTES: Final = 1 << 24

# Windows has neither such links nor such pipes, and others have no mode for text.
_SAFE: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_READ: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _SAFE
_CREATE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _SAFE

_Content = TypeVar("_Content")


def is_token(value: object) -> bool:
    """Return whether a value is a token: a str of 32 hexadecimal digits."""
    return isinstance(value, str) and re.fullmatch(_HEXADECIMAL, value) is not None


class ProcessFiles:
    """The files that one process of a run writes and reads.

    Args:
        prefix: prefix of the paths of all files; the same for every process of the run.
        process_id: number of this process.
    """

    def __init__(self, prefix: str, process_id: int) -> None:
        self._prefix = Path(prefix)
        self._process_id = process_id
        # The owner of files that this process writes here. It may differ from the user of the
        # process, because some network folders have only one owner.
        self._owner: int | None = None

    @property
    def head(self) -> Path:
        """Return the path of the head, in which process 0 publishes its state."""
        return self._name("0.json")

    def note(self, process_id: int, token: str) -> Path:
        """Return the path of the note with which a process answers the head that has this token."""
        return self._name(f"{process_id}-note-{token}.json")

    def samples(self, process_id: int, token: str) -> Path:
        """Return the path of the samples that a process offers with this token."""
        return self._name(f"{process_id}-{token}.json")

    def _name(self, end: str) -> Path:
        return self._prefix.with_name(f"{self._prefix.name}-{end}")

    def write(self, path: Path, content: object) -> int:
        """Write a file in one step, so that no process ever reads half of it.

        Returns:
            The size of the file in bytes.
        """
        # JSON escapes lone surrogates, which UTF-8 cannot encode.
        data = json.dumps(content).encode("ascii")
        unfinished = path.with_name(f"{path.name}.{uuid4().hex}")
        try:
            with os.fdopen(os.open(unfinished, _CREATE, 0o600), "wb") as file:
                file.write(data)
                self._owner = os.fstat(file.fileno()).st_uid
            # If the path is a link, the link is replaced, not followed.
            unfinished.replace(path)
        except OSError as error:
            raise RuntimeError(
                f"{path} cannot be written ({error.strerror}); give evaluate.load a cache_dir that "
                "this user can write to and that has space left."
            ) from error
        finally:
            with suppress(OSError):
                unfinished.unlink()
        return len(data)

    def read(
        self, path: Path, parse: Callable[[Any], _Content], size: int | None = None
    ) -> _Content | None:
        """Read what a process wrote to a file; None if there is no file.

        Args:
            path: path of a file of this run.
            parse: converts the lists, numbers and strs of the file to the result; raises ValueError
                or TypeError if they have another form.
            size: size that the file must have, in bytes; None for any small file.

        Raises:
            RuntimeError: the file was not written by a process of this run.
        """
        try:
            with open(path, "rb", opener=lambda name, _: os.open(name, _READ)) as file:
                status = os.fstat(file.fileno())
                if not stat.S_ISREG(status.st_mode):
                    raise _write_error(path, "is not a regular file")
                if status.st_uid != self._owner:
                    raise _write_error(path, "belongs to another user")
                if status.st_size != size if size is not None else status.st_size > _MOST_BYTES:
                    expected = f"at most {_MOST_BYTES:,}" if size is None else f"{size:,}"
                    raise _write_error(path, f"has {status.st_size:,} bytes, expected {expected}")
                data = file.read()
        except FileNotFoundError:
            return None
        except OSError as error:
            # For a link the reason is "Too many levels of symbolic links".
            raise _write_error(path, f"cannot be read ({error.strerror})") from error
        try:
            return parse(json.loads(data))
        except (ValueError, TypeError, RecursionError) as error:
            raise _write_error(path, "holds something else") from error

    def remove_leftovers(self, kept: Path) -> None:
        """Remove files that an earlier, killed run of this process left behind.

        Args:
            kept: a file of this run, which is not removed.
        """
        start, token = re.escape(f"{self._prefix.name}-{self._process_id}"), _HEXADECIMAL
        unfinished = rf"\.json\.{token}"
        ours = re.compile(rf"{start}(-(note-)?{token}(\.json|{unfinished})|{unfinished})")
        for path in self._prefix.parent.iterdir():
            if ours.fullmatch(path.name) and path != kept:
                # Another process may have removed the file. Files of other users are kept.
                with suppress(OSError):
                    if path.lstat().st_uid == self._owner:
                        path.unlink()


def _write_error(path: Path, problem: str) -> RuntimeError:
    return RuntimeError(
        f"{path} {problem}, so no process of this run wrote it; remove it, or give evaluate.load "
        "another experiment_id or cache_dir."
    )

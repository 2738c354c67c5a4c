"""Files through which the processes of one run talk: small, private, and never trusted.

Nobody but their owner can read or write them. What is read may still come from anywhere, so it is
plain JSON of a known form, and a file that is no such thing is one error that names it: a link, a
pipe, a folder, a file of another user, or one that is cut short. No read follows a link or waits.
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

# That of uuid4().hex, which cannot lead to another folder.
_HEXADECIMAL: Final = "[0-9a-f]{32}"

# A head or a note: a few tokens for each process.
_MOST_BYTES: Final = 1 << 24

# Flags that only some systems have; Windows has neither such links nor such pipes.
_READ: Final = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_CREATE: Final = (
    os.O_WRONLY
    | os.O_CREAT
    | os.O_EXCL
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)

_Content = TypeVar("_Content")


def is_token(value: object) -> bool:
    """Whether it is a token: 32 hexadecimal digits, as a str."""
    return isinstance(value, str) and re.fullmatch(_HEXADECIMAL, value) is not None


class ProcessFiles:
    """The files of one process of a run, and those of the others that it reads.

    Args:
        prefix: of the paths of all files; the same on every process of the run.
        process_id: of this process.
    """

    def __init__(self, prefix: str, process_id: int) -> None:
        self._prefix = Path(prefix)
        self._process_id = process_id
        # Of what this process writes here. Not its own user: some network folders know only one.
        self._owner: int | None = None

    @property
    def head(self) -> Path:
        """The path of the file in which process 0 says how far it is."""
        return self._name("0.json")

    def note(self, process_id: int, token: str) -> Path:
        """The path of the answer of a process to the head with a token."""
        return self._name(f"{process_id}-note-{token}.json")

    def samples(self, process_id: int, token: str) -> Path:
        """The path of the samples that a process offers under a token."""
        return self._name(f"{process_id}-{token}.json")

    def _name(self, end: str) -> Path:
        return self._prefix.with_name(f"{self._prefix.name}-{end}")

    def write(self, path: Path, content: object) -> int:
        """Writes a file in one step, so that no process ever reads half of it.

        Returns:
            How many bytes it has.
        """
        # Escaped, so that lone surrogates, which UTF-8 has no place for, arrive too.
        data = json.dumps(content).encode("ascii")
        unfinished = path.with_name(f"{path.name}.{uuid4().hex}")
        try:
            with os.fdopen(os.open(unfinished, _CREATE, 0o600), "wb") as file:
                file.write(data)
                self._owner = os.fstat(file.fileno()).st_uid
            # A link that stands there is replaced, not followed.
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
        """What a process wrote there; None if there is no file.

        Args:
            path: of a file of this run.
            parse: makes it of the lists, numbers and strs that the file has; raises ValueError or
                TypeError if they are of another form.
            size: bytes that the file must have; None for any small file.

        Raises:
            RuntimeError: something else stands there.
        """
        try:
            with open(path, "rb", opener=lambda name, _: os.open(name, _READ)) as file:
                status = os.fstat(file.fileno())
                if not stat.S_ISREG(status.st_mode):
                    raise _write_error(path, "is no regular file")
                if status.st_uid != self._owner:
                    raise _write_error(path, "belongs to another user")
                if status.st_size != size if size is not None else status.st_size > _MOST_BYTES:
                    expected = f"at most {_MOST_BYTES:,}" if size is None else f"{size:,}"
                    raise _write_error(path, f"has {status.st_size:,} bytes, expected {expected}")
                data = file.read()
        except FileNotFoundError:
            return None
        except OSError as error:
            # Of a link: "Too many levels of symbolic links".
            raise _write_error(path, f"cannot be read ({error.strerror})") from error
        try:
            return parse(json.loads(data))
        except (ValueError, TypeError, RecursionError) as error:
            raise _write_error(path, "holds something else") from error

    def remove_leftovers(self, kept: Path) -> None:
        """Removes what an earlier run of this process left behind when it was killed.

        Args:
            kept: a file of this run.
        """
        start, token = re.escape(f"{self._prefix.name}-{self._process_id}"), _HEXADECIMAL
        unfinished = rf"\.json\.{token}"
        ours = re.compile(rf"{start}(-(note-)?{token}(\.json|{unfinished})|{unfinished})")
        for path in self._prefix.parent.iterdir():
            if ours.fullmatch(path.name) and path != kept:
                # Another process may have removed it, and what belongs to others stays.
                with suppress(OSError):
                    if path.lstat().st_uid == self._owner:
                        path.unlink()


def _write_error(path: Path, problem: str) -> RuntimeError:
    return RuntimeError(
        f"{path} {problem}, so no process of this run wrote it; remove it, or give evaluate.load "
        "another experiment_id or cache_dir."
    )

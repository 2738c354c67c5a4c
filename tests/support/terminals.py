"""A pseudo-terminal in place of a standard stream."""

import os
import pty
import re
from collections.abc import Iterator
from contextlib import suppress

import pytest

COLOUR = r"\x1b\[[0-9;?]*[a-zA-Z]"


class Terminal:
    """A pseudo-terminal that replaces standard error or output."""

    def __init__(self) -> None:
        self.reader, writer = pty.openpty()
        self.stream = os.fdopen(writer, "w", encoding="utf-8")

    def read_all(self) -> str:
        """Return all output; the terminal ends lines with both characters of a line break."""
        self.stream.flush()
        os.set_blocking(self.reader, False)
        # One read may return only a part of what is there.
        pieces: list[bytes] = []
        with suppress(BlockingIOError):
            while True:
                pieces.append(os.read(self.reader, 1 << 16))
        return b"".join(pieces).decode()

    def read(self) -> str:
        """Return all output without colours."""
        return re.sub(COLOUR, "", self.read_all())

    def close(self) -> None:
        self.stream.close()
        os.close(self.reader)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    monkeypatch.setenv("TERM", "xterm")
    opened = Terminal()
    yield opened
    opened.close()

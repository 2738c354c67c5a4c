"""A pseudo-terminal in place of a standard stream."""

import os
import pty
import re
from collections.abc import Iterator
from typing import Final

import pytest

# Ends the output of a test.
_END: Final = "<end of output>"

COLOUR = r"\x1b\[[0-9;?]*[a-zA-Z]"


class Terminal:
    """A pseudo-terminal that replaces standard error or output."""

    def __init__(self) -> None:
        self.reader, writer = pty.openpty()
        self.stream = os.fdopen(writer, "w", encoding="utf-8")

    def read_all(self) -> str:
        """Return all output; the terminal ends lines with both characters of a line break."""
        # What is written arrives in order but later, and a read may return only a part of it.
        self.stream.write(_END)
        self.stream.flush()
        output = b""
        while not output.endswith(_END.encode()):
            output += os.read(self.reader, 1 << 16)
        return output.decode().removesuffix(_END)

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

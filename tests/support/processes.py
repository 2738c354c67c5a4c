"""Python programs in processes of their own, with NumPy alone, and in a pseudo-terminal."""

import os
import pty
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from typing import Final

import pytest


def run_python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a new interpreter; variables are added to the environment."""
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


# A finder that refuses every package but NumPy, this one and those of Python itself.
HIDE: Final = """
import sys

class Hidden:
    kept = {*sys.stdlib_module_names, "numpy", "bleu_rouge_metric", "bleu_rouge_kernel"}

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in self.kept:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hidden())
"""


def run_with_numpy_alone(code: str) -> subprocess.CompletedProcess[str]:
    return run_python(HIDE + code)


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

"""The code of README.md and of the manual: its blocks, and the rows of its tables.

A comment before a block or a table says how it is tested, as ``name: value`` with ``|`` between:

- ``needs: torch, ray``: large libraries; such blocks of a page run in a test of their own.
- ``file: name.py``: written to the folder of the page, for a later block to run.
- ``tested by: tests/…``: another test runs it.
- ``part of: file.py``: lines of a file of the repository; they are compared, not run.
- ``rows: equal``: a table whose rows have the code of two libraries; ``rows: flags``: flags of
  ROUGE-1.5.5 and options; ``rows: pyrouge`` and ``rows: torchmetrics``: names of their results
  beside ours.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from ..conftest import ROOT

PAGES: Final = ["README.md", *sorted(str(p.relative_to(ROOT)) for p in ROOT.glob("docs/**/*.md"))]

# Languages that a block may have.
RUN: Final = ("python", "console", "bash", "yaml")
NOT_RUN: Final = ("output", "bibtex", "text")

_FENCE: Final = re.compile(r"(?P<fence>`{3,})(?P<language>\{?[\w-]*\}?).*")
_COMMENT: Final = re.compile(r"<!-- ([\w ]+: .*) -->")


class Block(NamedTuple):
    """A block of code of a page; its line is that of the first line of code, from 1."""

    page: str
    line: int
    language: str
    text: str
    marks: dict[str, str]  # what the comment before it says
    output: str | None = None  # the block of this language behind it

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"


class Row(NamedTuple):
    """A row of a table of two libraries: the code in each of its first two cells."""

    page: str
    line: int
    kind: str
    theirs: list[str]
    ours: list[str]

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"


def _read_marks(line: str) -> dict[str, str]:
    found = _COMMENT.fullmatch(line.strip())
    items = found[1].split(" | ") if found else []
    return {name: value for name, _, value in (item.partition(": ") for item in items)}


@cache
def read_blocks(page: str) -> list[Block]:
    """The blocks of a page, in order; each output with the block before it."""
    blocks: list[Block] = []
    lines = (ROOT / page).read_text("utf-8").splitlines()
    fence, start = "", 0
    before = ""
    for number, line in enumerate(lines, 1):
        found = _FENCE.fullmatch(line.strip())
        if not fence and found:
            fence, start, language = found["fence"], number, found["language"]
            marks = _read_marks(before)
        elif fence and line.strip() == fence:
            text = "".join(f"{code}\n" for code in lines[start : number - 1])
            if language == "output":
                assert blocks[-1].output is None, f"{page}:{start}: an output without a program"
                blocks[-1] = blocks[-1]._replace(output=text)
            else:
                blocks.append(Block(page, start + 1, language, text, marks))
            fence = ""
        if line.strip():
            before = line
    assert not fence, f"{page}:{start}: the block has no end"
    return blocks


def read_rows(page: str) -> Iterator[Row]:
    """The rows of the tables that a comment marks."""
    lines = (ROOT / page).read_text("utf-8").splitlines()
    kind, passed = "", 0
    for number, line in enumerate(lines, 1):
        marks = _read_marks(line)
        if "rows" in marks:
            kind, passed = marks["rows"], 0
        elif kind and line.startswith("|"):
            passed += 1
            if passed > 2:  # the head and the line below it
                cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
                theirs, ours = (
                    [code.replace(r"\|", "|") for code in re.findall(r"`([^`]+)`", cell)]
                    for cell in cells[:2]
                )
                yield Row(page, number, kind, theirs, ours)
        elif passed:
            kind = ""

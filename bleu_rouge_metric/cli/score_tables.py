"""Tables of scores for the terminal, and in Markdown.

They are drawn here, because importing rich takes as long as scoring small files.
"""

import os
import sys
import unicodedata
from collections.abc import Sequence
from typing import Final

from ..tables import align

# What a terminal can be that has no colours.
_PLAIN_TERMINALS: Final = ("dumb", "unknown")


def write_table(head: Sequence[str], rows: Sequence[Sequence[str]], *, is_markdown: bool) -> str:
    """Write a table; names are aligned to the left, numbers to the right.

    >>> print(write_table(["BLEU", "Value"], [["bleu", "0.25"]], is_markdown=True), end="")
    | BLEU | Value |
    |------|-------|
    | bleu |  0.25 |
    """
    lines = align([head, *rows], _measure)
    widths = list(map(_measure, lines[0]))
    if is_markdown:
        rule = "|".join("-" * (width + 2) for width in widths)
        texts = [f"| {' | '.join(cells)} |" for cells in lines]
        return "\n".join([texts[0], f"|{rule}|", *texts[1:]]) + "\n"
    texts = ["  " + "   ".join(cells).rstrip() for cells in lines]
    rule = " " + _choose_line() * (sum(widths) + 3 * len(widths) - 1)
    return "\n".join([_embolden(texts[0]), rule, *texts[1:]]) + "\n"


def _measure(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(unicodedata.combining(character) > 0 for character in text)


def _choose_line() -> str:
    """Return a line character that standard output can show."""
    try:
        "─".encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (LookupError, UnicodeEncodeError):
        return "-"
    return "─"


def _embolden(text: str) -> str:
    """Return the text in bold if standard output is a terminal that can show it."""
    return f"\x1b[1m{text}\x1b[0m" if has_colours() else text


def has_colours() -> bool:
    """Return whether standard output is a terminal that shows colours."""
    is_plain = "NO_COLOR" in os.environ or os.environ.get("TERM") in _PLAIN_TERMINALS
    return sys.stdout is not None and sys.stdout.isatty() and not is_plain

"""Rules of ``ptb`` for words of several parts: with hyphens, slashes and other joining marks."""

import re
from typing import Final

from .contractions import PLAIN_WORD
from .rules import ALPHANUMERIC, INNER_QUOTE, WORD_LETTERS, Rule

# Part of a word with hyphens, as in d'Artagnan-like.
_PART: Final = f"(?:[dDlLoO]{INNER_QUOTE}[{ALPHANUMERIC}])?[{ALPHANUMERIC}]+"
# Part of a word with slashes.
_SLASHED: Final = "[A-Za-z0-9]+(?:-[A-Za-z]+){0,2}"


def _write_ampersand(token: str) -> str:
    return re.sub("&amp;", "&", token, flags=re.IGNORECASE)


_HYPHENATED: Final = f"{_PART}(?:[-_\u058a\u2010\u2011]{_PART})*"
# Parity: full stops and commas in any number do not end the first part: "dog...well-known".
_ASCII_HYPHENATED: Final = (
    r"[A-Za-z0-9][A-Za-z0-9.,\u00ad]*(?:-(?:(?:[A-Za-z]\.){2,}|[A-Za-z0-9\u00ad]+))+"
)
_ASCII_RUN: Final = "[A-Za-z0-9.,\u00ad]*"
# As in AT&T.
_NAME: Final = "[A-Z]+(?:(?:&(?i:amp);|[&+])[A-Z]+)+"

HYPHENATED: Final = (
    Rule("A-Za-z0-9", _ASCII_HYPHENATED, run=_ASCII_RUN),
    Rule(ALPHANUMERIC, _HYPHENATED),
    # Parity: two prefixes keep a hyphen that nothing follows.
    Rule("aApP", "(?i:anti|pro)-"),
)

# Before a comma, a semicolon or a colon the full stop stays with the word.
_BEFORE: Final = "[,;:\u3001]"
KEPT_PERIODS: Final = (
    Rule(f"{WORD_LETTERS}&", rf"({PLAIN_WORD}\.){_BEFORE}"),
    Rule("A-Za-z0-9", rf"({_ASCII_HYPHENATED}\.){_BEFORE}", run=_ASCII_RUN),
    Rule(ALPHANUMERIC, rf"({_HYPHENATED}\.){_BEFORE}"),
    Rule("A-Z", rf"({_NAME}\.){_BEFORE}", _write_ampersand),
)

SLASHED: Final = (Rule("A-Za-z0-9", rf"{_SLASHED}(?:\\?/{_SLASHED}){{1,2}}"),)

NAMES: Final = (
    Rule("A-Z", _NAME, _write_ampersand),
    # Programming languages.
    Rule("cCfF", r"(?i:c\+\+|[cf]#)"),
)

"""Rules of ``ptb`` for words of several parts: with hyphens, slashes and other joining marks."""

import re
from typing import Final

from .rules import ALPHANUMERIC, INNER_QUOTE, Rule

# Part of a word with hyphens, as in d'Artagnan-like.
_PART: Final = f"(?:[dDlLoO]{INNER_QUOTE}[{ALPHANUMERIC}])?[{ALPHANUMERIC}]+"
# Part of a word with slashes.
_SLASHED: Final = "[A-Za-z0-9]+(?:-[A-Za-z]+){0,2}"


def _write_ampersand(token: str) -> str:
    return re.sub("&amp;", "&", token, flags=re.IGNORECASE)


HYPHENATED: Final = (
    # Parity: full stops and commas in any number do not end the first part: "dog...well-known".
    Rule(
        "A-Za-z0-9\u00ad",
        r"[A-Za-z0-9\u00ad][A-Za-z0-9.,\u00ad]*(?:-(?:(?:[A-Za-z]\.){2,}|[A-Za-z0-9\u00ad]+))+",
        run="[A-Za-z0-9.,\u00ad]*",
    ),
    Rule(ALPHANUMERIC, f"{_PART}(?:[-_\u2010\u2011]{_PART})*"),
)

SLASHED: Final = (Rule("A-Za-z0-9", rf"{_SLASHED}(?:\\?/{_SLASHED}){{1,2}}"),)

NAMES: Final = (
    # As in AT&T.
    Rule("A-Z", "[A-Z]+(?:(?:&(?i:amp);|[&+])[A-Z]+)+", _write_ampersand),
    # Programming languages.
    Rule("cCfF", r"(?i:c\+\+|[cf]#)"),
)

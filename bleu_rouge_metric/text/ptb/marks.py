"""Rules of ``ptb`` for marks: brackets, quotation marks, dashes, symbols and smileys.

Most of these tokens are punctuation that pycocoevalcap removes (``tokenizer.py``). They are found
all the same, because what remains depends on where they end: ``!!`` is kept, ``!`` is not.
"""

import re
from collections.abc import Callable
from typing import Final

from .characters import SUBSCRIPT, SUPERSCRIPT, SYMBOL
from .rules import Rule

_BRACKETS: Final = {
    "(": "-LRB-",
    ")": "-RRB-",
    "[": "-LSB-",
    "]": "-RSB-",
    "{": "-LCB-",
    "}": "-RCB-",
}
# Single characters that are written in ASCII.
_WRITTEN: Final = {
    **_BRACKETS,
    **dict.fromkeys("\u0080\u00a4\u20a0\u20ac", "$"),
    "\u00a2": "cents",
    "\u00a3": "#",
    "\u00bc": "1/4",
    "\u00bd": "1/2",
    "\u00be": "3/4",
    "\u2153": "1/3",
    "\u2154": "2/3",
    **dict.fromkeys("\u0085\u2026", "..."),
    **dict.fromkeys("\u0096\u0097\u2013\u2014\u2015", "--"),
}
_QUOTES: Final = str.maketrans(
    {
        **dict.fromkeys("\u0091\u2018\u201b\u2039", "`"),
        **dict.fromkeys("\u0092\u2019\u203a", "'"),
        **dict.fromkeys("\u0093\u00ab\u201c", "``"),
        **dict.fromkeys("\u0094\u00bb\u201d", "''"),
        "\u201a": "\u201a",
        "\u201e": "\u201e",
        "\u201f": "\u201f",
    }
)
_QUOTE_CLASS: Final = "`" + "".join(map(chr, _QUOTES))
_EYES: Final = "[-^x=~<>']"


def _write_smiley(token: str) -> str:
    return token.replace("(", "-LRB-").replace(")", "-RRB-")


def _write_quotes(token: str) -> str:
    return token.translate(_QUOTES)


def _always(token: str) -> Callable[[str], str]:
    return lambda _: token


SMILEYS: Final = (
    Rule("<>:;=", r"[<>]?[:;=][-o*']?[()DPdpO\\{@|\[\]](?![A-Za-z0-9])", _write_smiley),
    Rule(r"(", r"\([-=>^'<]{2}\)|\(" + _EYES + "[_.]?" + _EYES + r"\)", _write_smiley),
    Rule(_EYES[1:-1], f"{_EYES}_{_EYES}"),
)

MARKS: Final = (
    Rule(r"\-", "(?i:-[lr][rcs]b-)"),
    Rule(".", r"\.{3,}|\.(?:[ \u00a0]\.){2,}", _always("...")),
    # Parity: the direction of a straight quotation mark depends on what follows it.
    Rule('"&', '(?:"|&quot;)(?=[A-Za-z0-9$])', _always("``")),
    Rule('"&', '"|&quot;', _always("''")),
    Rule("&", "&apos;", _always("'")),
    # Parity: in upper case these entities are kept.
    Rule("&", "&(?i:quot|apos);"),
    Rule("'", "''"),
    Rule("'", r"'(?=[A-Za-z]\S)", _always("`")),
    Rule("'", "'"),
    # Parity: two quotation marks in a row are one token, whatever they are.
    Rule(_QUOTE_CLASS, f"[{_QUOTE_CLASS}]{{1,2}}", _write_quotes),
    Rule(r"\-", "-{5,}|-"),
    Rule(r"\-", "-{2,4}", _always("--")),
    Rule(r"?!*_#@\\<>", r"[?!]+|\*+|_+|#+|@+|(?:\\\*)+|<<|>>"),
    Rule(
        f"{re.escape(''.join(_WRITTEN))}", f"[{re.escape(''.join(_WRITTEN))}]", _WRITTEN.__getitem__
    ),
    Rule(
        f"{SUPERSCRIPT}{SUBSCRIPT}\u207a\u207b\u208a\u208b",
        f"[\u207a\u207b]?{SUPERSCRIPT}+|[\u208a\u208b]?{SUBSCRIPT}+",
    ),
    Rule(
        rf"{SYMBOL}\u207a\u207b\u208a\u208b\u2044\u3001!-/:-@\\^_`|~",
        rf"[{SYMBOL}\u207a\u207b\u208a\u208b\u2044\u3001!-/:-@\\^_`|~]",
    ),
)

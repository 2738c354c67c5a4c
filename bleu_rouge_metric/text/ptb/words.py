"""Rules of ``ptb`` for words: plain words, contractions, and words of several parts."""

import re
from typing import Final

from .characters import BREAK
from .rules import (
    ALPHANUMERIC,
    INNER_QUOTE,
    LETTERS,
    QUOTE,
    QUOTES,
    WHITE_SPACE,
    WORD_CHARACTERS,
    WORD_LETTERS,
    Rule,
    straighten,
)


def _write_ampersand(token: str) -> str:
    return re.sub("&amp;", "&", token, flags=re.IGNORECASE)


_SUFFIX: Final = "(?i:[smd]|ll|re|ve)"
_NOT: Final = f"(?i:n{INNER_QUOTE}t)"

# Vowels with accents, written as entities, are letters of plain words.
LETTER_ENTITY: Final = "&(?i:[aeiou](?:acute|grave|uml));"
_PLAIN: Final = (
    f"(?:[{WORD_LETTERS}]|{LETTER_ENTITY})[{WORD_CHARACTERS}]*"
    f"(?:{LETTER_ENTITY}[{WORD_CHARACTERS}]*)*"
)
# Full stops and other ends of sentences glue words together.
PLAIN_WORD: Final = f"{_PLAIN}(?:[.!?]{_PLAIN})*"
_WORD_FIRSTS: Final = f"{WORD_LETTERS}&"

# Words of two tokens.
DOUBLE_WORDS: Final = ("cannot", "gimme", "gonna", "gotta", "lemme", "wanna")
# Their first halves, with what follows them.
_HALF: Final = "can(?=not)|(?:gon|wan)(?=na)|got(?=ta)|(?:lem|gim)(?=me)"

CONTRACTIONS: Final = (
    Rule("cClLgGwW", f"((?i:{_HALF}))(?i:not|na|ta|me)(?![{ALPHANUMERIC}])"),
    # Parity: 'tis and 'twas have no boundary at the right.
    Rule("'", "('[tT])(?i:is|was)"),
    # Parity: the word before "n't" has only letters of ASCII, the last of which is not "n"; "n't"
    # has no boundary at the right.
    Rule("A-Za-z\u00ad", f"([A-Za-z\u00ad]*?[A-MO-Za-mo-z]\u00ad*){_NOT}"),
    Rule("nN", _NOT, straighten),
    Rule(QUOTES, f"{QUOTE}{_SUFFIX}(?![A-Za-z])", straighten),
    # Parity: a letter may follow the suffix, unless the apostrophe is straight.
    Rule("\u0092\u2019&", f"(?:[\u0092\u2019]|&apos;){_SUFFIX}", straighten),
    Rule(QUOTES, f"{QUOTE}(?i:em|till?|cause)"),
    Rule(QUOTES, f"{QUOTE}[nN](?:{QUOTE}|(?=[ \t\u00a0{BREAK}]))"),
    Rule("\u0092\u2019&", "(?:[\u0092\u2019]|&(?i:apos);)[nN]"),
    # Decades and years.
    Rule(QUOTES, f"{QUOTE}(?:[2-9]0[sS]|[0-9][0-9](?=[{WHITE_SPACE}]))"),
    Rule("jJdDlLoO", f"(?i:[jdl]|ol){QUOTE}(?!{_SUFFIX})"),
    Rule("yY", f"[yY]{QUOTE}(?!{_SUFFIX})(?=[{LETTERS}])"),
)

# Parity: before a suffix, "cannot" is one token, because the suffix counts for the length. Letters
# may follow it, as in "Inc.c'mon".
PLAIN_WORDS: Final = (
    Rule(_WORD_FIRSTS, f"({PLAIN_WORD}){QUOTE}{_SUFFIX}"),
    Rule(_WORD_FIRSTS, PLAIN_WORD),
)

# Words that an apostrophe joins, as in O'Brien, ma'am and e'er.
JOINED_WORDS: Final = (
    Rule("dlnoA-HJ-XZ", f"[dlnoA-HJ-XZ]{INNER_QUOTE}[{LETTERS}]{{2,}}"),
    # Parity: a capital behind the apostrophe may be any letter, as in "HE'Sx".
    Rule(LETTERS, f"[{LETTERS}]+[aeiouyAEIOUY]{INNER_QUOTE}[aeiouA-Z][{LETTERS}]*"),
    Rule("oO", f"[oO]{INNER_QUOTE}[oO]"),
    Rule("eElLcC", "(?i:e'er|ev'ry|li'l|c'mon|c'est)"),
)

# Part of a word with hyphens, as in d'Artagnan-like.
_PART: Final = f"(?:[dDlLoO]{INNER_QUOTE}[{ALPHANUMERIC}])?[{ALPHANUMERIC}]+"
# Part of a word with slashes.
_SLASHED: Final = "[A-Za-z0-9]+(?:-[A-Za-z]+){0,2}"


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

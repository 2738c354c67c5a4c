"""What a rule of ``ptb`` is, and the parts that the patterns of several rules share.

A pattern is matched against the shape of a text (``characters.py``). It is a character class or a
regular expression of the standard library; patterns are compiled with the first text.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Final, NamedTuple

from .characters import BREAK, DIGIT, LETTER, MARK, SPACE

# Contents of character classes. The soft hyphen counts as a letter of words.
LETTERS: Final = f"A-Za-z{LETTER}"
WORD_LETTERS: Final = f"{LETTERS}{MARK}\u00ad"
DIGITS: Final = f"0-9{DIGIT}"
ALPHANUMERIC: Final = f"{LETTERS}{DIGITS}"
WORD_CHARACTERS: Final = f"{WORD_LETTERS}{DIGITS}"
BLANKS: Final = f" \t\u00a0{SPACE}"
# Parity: U+0085 ends a line where a rule looks ahead, and is an ellipsis everywhere else.
WHITE_SPACE: Final = f"{BLANKS}{BREAK}\u0085"

# Apostrophes; inside some words the grave accent is one too.
QUOTE: Final = "(?:['\u0092\u2019]|&(?i:apos);)"
INNER_QUOTE: Final = "(?:['\u0092\u2019`]|&(?i:apos);)"
# The first characters of QUOTE.
QUOTES: Final = "'\u0092\u2019&"


class Rule(NamedTuple):
    """One kind of token.

    Attributes:
        firsts: the content of a character class: characters that a match may begin with.
        pattern: a regular expression. What its first group matches is the token; what it matches
            after the group is looked at only, but counts for the length of the match. Without a
            group all of it is the token.
        write: from the characters of the token, as given, to the token; None if only soft hyphens
            are deleted.
        run: a regular expression that bounds the failure: if the pattern does not match at a place,
            it matches nowhere before the end of the run from there. Patterns that may look at a
            long text and find nothing have one, so that the time is linear. None if none is needed.
    """

    firsts: str
    pattern: str
    write: Callable[[str], str] | None = None
    run: str | None = None


@cache
def compile_pattern(pattern: str) -> re.Pattern[str]:
    """Compile a pattern of a rule; there are fewer than a hundred."""
    return re.compile(pattern)


def any_of(words: str | Iterable[str]) -> str:
    r"""Return a pattern of words, separated by spaces if given as one text.

    >>> any_of("vs vs. st")
    '(?:vs\\.|vs|st)'
    """
    # The longest first: an alternative that matches hides those after it.
    each = sorted(words.split() if isinstance(words, str) else words, key=len, reverse=True)
    return f"(?:{'|'.join(map(re.escape, each))})"


def capitalized(words: str) -> list[str]:
    """Return the forms ``Word`` and ``WORD`` of words.

    >>> capitalized("so we")
    ['SO', 'So', 'WE', 'We']
    """
    return sorted({form for word in words.split() for form in (word.capitalize(), word.upper())})


def straighten(token: str) -> str:
    """Write the apostrophe of a token as ``'``.

    >>> straighten("\u2019s"), straighten("&apos;s")
    ("'s", "'s")
    """
    # Parity: an entity in upper case stays.
    return re.sub("[\u0092\u2019]|&apos;", "'", token)


def join_blanks(token: str) -> str:
    r"""Replace spaces by no-break spaces: a token has none.

    >>> join_blanks("555 1234").split(" ")
    ['555\xa01234']
    """
    return token.replace(" ", "\u00a0")

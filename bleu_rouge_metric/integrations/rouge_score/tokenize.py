"""The function ``rouge_score.tokenize.tokenize``, and its patterns."""

import re
from typing import Any, Final

from ...text.rules import tokenize_rouge

NON_ALPHANUM_PATTERN: Final = r"[^a-z0-9]+"
NON_ALPHANUM_RE: Final = re.compile(NON_ALPHANUM_PATTERN)
SPACES_PATTERN: Final = r"\s+"
SPACES_RE: Final = re.compile(SPACES_PATTERN)
VALID_TOKEN_PATTERN: Final = r"^[a-z0-9]+$"  # noqa: S105 - no password
VALID_TOKEN_RE: Final = re.compile(VALID_TOKEN_PATTERN)


def tokenize(text: str | bytes, stemmer: Any) -> list[str]:
    """Return the runs of ASCII letters and digits, in lower case.

    Args:
        text: a str, or bytes of UTF-8.
        stemmer: an object with a method ``stem`` for tokens of more than three characters; None for
            no stems.

    >>> tokenize("Well-known: 3.5 million!", None)
    ['well', 'known', '3', '5', 'million']
    """
    if isinstance(text, bytes):
        # Parity: rouge_score lower-cases bytes before it decodes them, so that two characters are
        # not ASCII letters.
        text = text.decode().translate({0x130: " ", 0x212A: " "})
    if not isinstance(text, str):
        raise TypeError(f"A text is {text!r}; expected a str.")
    tokens = tokenize_rouge(text)
    if not stemmer:
        return tokens
    stems = [decode(stemmer.stem(token)) if len(token) > 3 else token for token in tokens]
    # Parity: a stem that has another character is dropped.
    return [stem for stem in stems if VALID_TOKEN_RE.match(stem)]


def decode(text: Any) -> str:
    """Return a text, or that of bytes."""
    return text.decode() if isinstance(text, bytes) else text

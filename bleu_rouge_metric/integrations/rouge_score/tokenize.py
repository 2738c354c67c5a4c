"""The function ``rouge_score.tokenize.tokenize``, and its patterns."""

import re
from typing import Any, Final

from ...text.basic import tokenize_rouge

NON_ALPHANUM_PATTERN: Final = r"[^a-z0-9]+"
NON_ALPHANUM_RE: Final = re.compile(NON_ALPHANUM_PATTERN)
SPACES_PATTERN: Final = r"\s+"
SPACES_RE: Final = re.compile(SPACES_PATTERN)
VALID_TOKEN_PATTERN: Final = r"^[a-z0-9]+$"  # noqa: S105 - no password
VALID_TOKEN_RE: Final = re.compile(VALID_TOKEN_PATTERN)

# Characters beyond ASCII whose lower case has an ASCII letter.
_NO_LETTERS: Final = {0x130: " ", 0x212A: " "}


def tokenize(text: str | bytes, stemmer: Any) -> list[str]:
    """Return the runs of ASCII letters and digits, in lower case.

    Args:
        text: a str, or bytes of UTF-8.
        stemmer: an object with a method ``stem`` for tokens of more than three characters; None for
            no stems.

    Raises:
        AttributeError: the text is neither a str nor bytes.
        TypeError: the text is a bytearray.
        UnicodeDecodeError: bytes are not UTF-8.

    >>> tokenize("Well-known: 3.5 million!", None)
    ['well', 'known', '3', '5', 'million']
    """
    tokens = tokenize_rouge(decode_lower(text))
    if stemmer:
        stems = [decode(stemmer.stem(token)) if len(token) > 3 else token for token in tokens]
        # Parity: a stem that has another character is dropped.
        tokens = [stem for stem in stems if VALID_TOKEN_RE.match(stem)]
    return tokens


def decode_lower(text: Any) -> str:
    """Return a text, or that of bytes as ``rouge_score`` reads it for its tokens."""
    if isinstance(text, bytes):
        # Parity: rouge_score lower-cases bytes before it decodes them, so that two characters are
        # not ASCII letters.
        return text.decode().translate(_NO_LETTERS)
    return text if isinstance(text, str) else decode(text.lower())


def decode(text: Any) -> str:
    """Return a text, or that of bytes; raise TypeError for other objects, as ``rouge_score``."""
    if isinstance(text, bytes):
        return text.decode()
    if not isinstance(text, str):
        raise TypeError(f"not expecting type '{type(text)}'")
    return text

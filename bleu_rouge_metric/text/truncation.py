"""Cut a text to its first words or first bytes, as ROUGE-1.5.5 does.

Its options ``-l`` and ``-b`` cut both texts before anything else. With ``-b``, ROUGE-L and ROUGE-W
also cut each sentence: ``counting/byte_limit.py``.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ..messages import value_error
from .basic import split_newline

# White space separates the words of -l: that of Perl's "\s" on bytes, which is ASCII only. If a
# line begins with white space, its first word is the empty text before it.
_SPACE: Final = " \t\n\r\f\v"
_WORD: Final = re.compile(rf"\A(?=[{_SPACE}]+[^{_SPACE}])|[^{_SPACE}]+")


@dataclass(frozen=True)
class Truncation:
    """Cuts a text; it can be called like a function.

    Attributes:
        word_limit: how many words are kept; None if bytes are counted.
        byte_limit: how many bytes are kept; None if words are counted.
    """

    word_limit: int | None = None
    byte_limit: int | None = None

    def __call__(self, text: str) -> str:
        """Return the first words or bytes of a text, without its empty lines."""
        if self.word_limit is not None:
            return "\n".join(_first_words(text, self.word_limit))
        return text if self.byte_limit is None else "\n".join(_first_bytes(text, self.byte_limit))


def make_truncation(word_limit: int | None, byte_limit: int | None) -> Truncation | None:
    r"""Return what cuts a text; None if there is no limit.

    Args:
        word_limit: ``-l``; how many words are kept, at least 1. White space separates words.
        byte_limit: ``-b``; how many bytes of UTF-8 are kept, at least 1. Newlines do not count.

    Raises:
        ValueError: both limits are given.

    >>> make_truncation(3, None)("One two.\nThree four.")
    'One two.\nThree'
    """
    if word_limit is not None and byte_limit is not None:
        raise value_error(
            "{word_limit} is {} and {byte_limit} is {}",
            *(word_limit, byte_limit),
            expected="expected at most one of them, as ROUGE-1.5.5 has it.",
            remedy="Leave one out.",
        )
    if word_limit is None and byte_limit is None:
        return None
    return Truncation(word_limit, byte_limit)


def _first_words(text: str, limit: int) -> Iterator[str]:
    r"""Iterate over the lines of a text, cut after its first ``limit`` words.

    >>> list(_first_words("a b\n  c d", 4))
    ['a b', '  c']
    """
    for line in split_newline(text):
        if not limit:
            return
        end = 0
        for word in _WORD.finditer(line):
            end = word.end()
            limit -= 1
            if not limit:
                break
        yield line[:end]


def _first_bytes(text: str, limit: int) -> Iterator[str]:
    r"""Iterate over the lines of a text, cut after its first bytes; newlines do not count.

    >>> list(_first_bytes("ab\ncd\nef", 3))
    ['ab', 'c']
    """
    for line in split_newline(text):
        if limit <= 0:
            return
        yield cut_bytes(line, limit)
        limit -= len(line.encode("utf-8", "surrogatepass"))


def cut_bytes(line: str, limit: int) -> str:
    """Return the characters that lie completely in the first ``limit`` bytes.

    >>> cut_bytes("aé", 2)
    'a'
    """
    data = line.encode("utf-8", "surrogatepass")
    # Go back over the bytes that continue a character: 0b10xxxxxx.
    while limit < len(data) and data[limit] & 0xC0 == 0x80:
        limit -= 1
    return data[:limit].decode("utf-8", "surrogatepass")

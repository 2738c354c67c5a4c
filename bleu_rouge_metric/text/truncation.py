"""Limits of length: the first words, or the first bytes, of a text, as ROUGE-1.5.5 cuts it.

Its options ``-l`` and ``-b`` cut both texts before all else. Under ``-b`` ROUGE-L and ROUGE-W need
more than that: ``byte_limits.py``.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from .sentences import split_newline

# Words of -l: what is between the white space of Perl's "\s" on bytes, which is ASCII's. Where a
# line begins with white space, its first word is the empty one before that.
_SPACE: Final = " \t\n\r\f\v"
_WORD: Final = re.compile(rf"\A(?=[{_SPACE}]+[^{_SPACE}])|[^{_SPACE}]+")

Truncate = Callable[[str], str]


def make_truncation(word_limit: int | None, byte_limit: int | None) -> Truncate | None:
    r"""From a text to what of it counts; None where all does.

    Args:
        word_limit: ``-l``; words that count, at least 1. Words are what white space separates.
        byte_limit: ``-b``; bytes that count, as UTF-8 and without newlines, at least 1.

    Raises:
        ValueError: both limits are given.

    >>> make_truncation(3, None)("One two.\nThree four.")
    'One two.\nThree'
    """
    if word_limit is not None and byte_limit is not None:
        raise ValueError(
            f"word_limit is {word_limit} and byte_limit is {byte_limit}; expected at most one of "
            "them, as ROUGE-1.5.5 has it. Leave one out."
        )
    if word_limit is not None:
        return lambda text: "\n".join(_first_words(text, word_limit))
    if byte_limit is not None:
        return lambda text: "\n".join(_first_bytes(text, byte_limit))
    return None


def _first_words(text: str, limit: int) -> Iterator[str]:
    r"""The lines of the first words of a text.

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
    r"""The lines of the first bytes of a text; newlines do not count.

    >>> list(_first_bytes("ab\ncd\nef", 3))
    ['ab', 'c']
    """
    for line in split_newline(text):
        if limit <= 0:
            return
        yield cut_bytes(line, limit)
        limit -= len(line.encode("utf-8", "surrogatepass"))


def cut_bytes(line: str, limit: int) -> str:
    """The characters that are whole in the first bytes; the others have no token.

    >>> cut_bytes("aé", 2)
    'a'
    """
    data = line.encode("utf-8", "surrogatepass")
    # Back over the bytes that go on with a character: 0b10xxxxxx.
    while limit < len(data) and data[limit] & 0xC0 == 0x80:
        limit -= 1
    return data[:limit].decode("utf-8", "surrogatepass")

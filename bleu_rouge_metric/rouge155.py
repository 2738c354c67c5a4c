"""The text side of ROUGE-1.5.5: what its options ``-l``, ``-b``, ``-s`` and ``-m`` make of a text.

A sentence is a line. A token is a run of ASCII letters and digits, lower-cased; every other byte
separates. The limits of length go before all else, the stop words before the stemmer.

What stands here gives callables, ``str -> list[str]``, that the kernels count with. Under ``-b``
ROUGE-L and ROUGE-W need more than that: ``byte_limits.py``.
"""

import re
import string
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from .perl_porter import stem_perl_porter
from .sentences import SentenceSplitter, split_newline
from .tokenization import Tokenizer

_ALPHANUMERIC: Final = (string.ascii_letters + string.digits).encode()
_TO_TOKENS: Final = bytes(
    ord(chr(byte).lower()) if byte in _ALPHANUMERIC else ord(" ") for byte in range(256)
)

# Words of -l: what is between the white space of Perl's "\s" on bytes, which is ASCII's. Where a
# line begins with white space, its first word is the empty one before that.
_SPACE: Final = " \t\n\r\f\v"
_WORD: Final = re.compile(rf"\A(?=[{_SPACE}]+[^{_SPACE}])|[^{_SPACE}]+")

_LONGEST_UNSTEMMED: Final = 3

# Bound of the memory of stems: 65,536 words of at most 64 characters.
_REMEMBERED_STEMS: Final = 1 << 16
_LONGEST_REMEMBERED: Final = 64

Truncate = Callable[[str], list[str]]


def tokenize_rouge155(text: str) -> list[str]:
    """Runs of ASCII letters and digits, in lower case.

    >>> tokenize_rouge155("A well-known café: $5")
    ['a', 'well', 'known', 'caf', '5']
    """
    # Parity: ROUGE-1.5.5 lowers A to Z alone; rouge_score lowers as Unicode, where the Kelvin sign
    # becomes a "k".
    return text.encode("ascii", "replace").translate(_TO_TOKENS).decode("ascii").split()


def make_tokenizer(
    *,
    use_stemmer: bool = False,
    stemmer_exceptions: Mapping[str, str] | None = None,
    stop_words: AbstractSet[str] = frozenset(),
    word_limit: int | None = None,
    byte_limit: int | None = None,
) -> Tokenizer:
    """From a text to the tokens of ROUGE-1.5.5.

    Args:
        use_stemmer: ``-m``; tokens of more than three characters are stemmed.
        stemmer_exceptions: base forms that go before the stemmer, as ``read_exceptions`` gives
            them; the program has those of WordNet.
        stop_words: ``-s``; tokens that are dropped, in lower case.
        word_limit: ``-l``; words of the text that count, at least 1.
        byte_limit: ``-b``; bytes of the text, as UTF-8 and without its newlines, that count.

    Raises:
        ValueError: both limits are given, or one is below 1.

    >>> tokenize = make_tokenizer(use_stemmer=True, stop_words={"the"}, word_limit=4)
    >>> tokenize("The cats were running. The end.")
    ['cat', 'were', 'run']
    """
    truncate = _make_truncation(word_limit, byte_limit)
    stem = _StemMemory(stemmer_exceptions or {}).__getitem__ if use_stemmer else None

    def tokenize(text: str) -> list[str]:
        if truncate is not None:
            text = "\n".join(truncate(text))
        tokens = tokenize_rouge155(text)
        if stop_words:
            tokens = [token for token in tokens if token not in stop_words]
        return tokens if stem is None else list(map(stem, tokens))

    is_plain = truncate is None and stem is None and not stop_words
    return tokenize_rouge155 if is_plain else tokenize


def make_splitter(
    *, word_limit: int | None = None, byte_limit: int | None = None
) -> SentenceSplitter:
    r"""From a text to its sentences, one a line.

    Args:
        word_limit: ``-l``; words of the text that count, at least 1.
        byte_limit: ``-b``; bytes, at least 1. The first sentence that has so many is cut to them
            and is the last.

    Raises:
        ValueError: both limits are given, or one is below 1.

    >>> make_splitter(word_limit=3)("One two.\nThree four.")
    ['One two.', 'Three']
    >>> make_splitter(byte_limit=8)("One two.\nThree four.\nFive.")
    ['One two.']
    """
    truncate = _make_truncation(word_limit, byte_limit)
    if truncate is None:
        return split_newline
    if byte_limit is None:
        return lambda text: [line for line in truncate(text) if line]
    return lambda text: list(_sentences_within(text, byte_limit))


def _make_truncation(word_limit: int | None, byte_limit: int | None) -> Truncate | None:
    """From a text to the lines of what counts; None where all does."""
    if word_limit is not None and byte_limit is not None:
        raise ValueError(
            f"word_limit is {word_limit} and byte_limit is {byte_limit}; expected at most one of "
            "them, as ROUGE-1.5.5 has it. Leave one out."
        )
    for name, limit in (("word_limit", word_limit), ("byte_limit", byte_limit)):
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int)):
            raise TypeError(f"{name} is {limit!r}; expected an int of at least 1, or None.")
        if limit is not None and limit < 1:
            raise ValueError(f"{name} is {limit}; expected an int of at least 1, or None.")
    if word_limit is not None:
        return lambda text: list(_first_words(text, word_limit))
    if byte_limit is not None:
        return lambda text: list(_first_bytes(text, byte_limit))
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
        yield _cut_bytes(line, limit)
        limit -= len(line.encode("utf-8", "surrogatepass"))


def _sentences_within(text: str, limit: int) -> Iterator[str]:
    """The sentences that ROUGE-L and ROUGE-W have under ``-b``."""
    # Parity: there ROUGE-1.5.5 does not add the lengths of the sentences up. The first one that is
    # not shorter than the limit is the last; until then there may be any number.
    for line in split_newline(text):
        yield _cut_bytes(line, limit)
        if len(line.encode("utf-8", "surrogatepass")) >= limit:
            return


def _cut_bytes(line: str, limit: int) -> str:
    """The characters that are whole in the first bytes; the others have no token."""
    return line.encode("utf-8", "surrogatepass")[:limit].decode("utf-8", "ignore")


class _StemMemory(dict[str, str]):
    """Stems of words by word, within a bound."""

    def __init__(self, exceptions: Mapping[str, str]) -> None:
        super().__init__()
        self._exceptions = exceptions

    def __missing__(self, word: str) -> str:
        # Parity: ROUGE-1.5.5 leaves words of at most three characters alone, "ran" and "is" too.
        # A base form is not stemmed.
        if len(word) <= _LONGEST_UNSTEMMED:
            stem = word
        elif word in self._exceptions:
            stem = self._exceptions[word]
        else:
            stem = stem_perl_porter(word)
        if len(word) <= _LONGEST_REMEMBERED:
            if len(self) >= _REMEMBERED_STEMS:
                self.clear()
            self[word] = stem
        return stem

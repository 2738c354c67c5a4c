"""The tokenizers of sacrebleu as objects, from a line to its tokens with spaces between them.

Each module of ``sacrebleu.tokenizers`` that has one of them is this module.
"""

import sys
from typing import ClassVar

from ....text.rules import separate_ascii_marks
from ....text.tokenizer import TOKENIZERS
from ...originals import find_names

__all__ = ["BaseTokenizer"]

tokenizer_13a = tokenizer_base = tokenizer_char = tokenizer_intl = sys.modules[__name__]
tokenizer_none = tokenizer_re = tokenizer_zh = sys.modules[__name__]

__getattr__ = find_names(__name__)


class BaseTokenizer:
    """The base class of tokenizers."""

    def signature(self) -> str:
        """Return what signatures call the tokenizer."""
        raise NotImplementedError

    def __call__(self, line: str) -> str:
        """Return the tokens of a line, with a space between two."""
        raise NotImplementedError


class NamedTokenizer(BaseTokenizer):
    """A tokenizer of this package."""

    name: ClassVar[str]

    def signature(self) -> str:
        """Return the name."""
        return self.name

    def __call__(self, line: str) -> str:
        """Return the tokens of a line, with a space between two."""
        return " ".join(TOKENIZERS[self.name](line))


class Tokenizer13a(NamedTokenizer):
    """Tokenize as ``mteval-v13a.pl``."""

    name = "13a"


class TokenizerV14International(NamedTokenizer):
    """Tokenize as ``mteval-v14.pl --international-tokenization``."""

    name = "intl"


class TokenizerZh(NamedTokenizer):
    """Separate Chinese characters, and tokenize the rest as ``13a``."""

    name = "zh"


class TokenizerChar(NamedTokenizer):
    """Separate all characters."""

    name = "char"

    def __call__(self, line: str) -> str:
        """Return the characters with a space between two."""
        return " ".join(line)


class NoneTokenizer(NamedTokenizer):
    """Return a line as it is."""

    name = "none"

    def __call__(self, line: str) -> str:
        """Return the line."""
        return line


class TokenizerRegexp(NamedTokenizer):
    """Separate ASCII punctuation as ``13a``."""

    name = "re"

    def __call__(self, line: str) -> str:
        """Return the tokens of a line, with a space between two."""
        return " ".join(separate_ascii_marks(line).split())

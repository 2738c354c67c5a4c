"""Tokenizers as objects of sacrebleu: from a line to its tokens with spaces between them."""

from typing import ClassVar

from ....text.tokenizer import TOKENIZERS


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

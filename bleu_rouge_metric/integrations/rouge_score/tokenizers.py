"""Tokenizers as objects with a method ``tokenize``, as in ``rouge_score.tokenizers``."""

from abc import ABC, abstractmethod
from types import SimpleNamespace
from typing import Any, Final

from ...text.stemmers import stem_porter
from . import tokenize

_PORTER: Final = SimpleNamespace(stem=stem_porter)


class Tokenizer(ABC):
    """The base class of tokenizers; ``RougeScorer`` accepts any object with the method."""

    @abstractmethod
    def tokenize(self, text: str) -> list[str]:
        """Return the tokens of a text."""
        raise NotImplementedError("Tokenizer must override tokenize() method")


class DefaultTokenizer(Tokenizer):
    """Runs of ASCII letters and digits, in lower case.

    >>> DefaultTokenizer(use_stemmer=True).tokenize("The cats were running.")
    ['the', 'cat', 'were', 'run']
    """

    def __init__(self, use_stemmer: bool = False) -> None:
        """Choose whether words of more than three characters are stemmed (Porter)."""
        self._stemmer: Any = _PORTER if use_stemmer else None

    def tokenize(self, text: str | bytes) -> list[str]:
        """Return the tokens of a text."""
        return tokenize.tokenize(text, self._stemmer)

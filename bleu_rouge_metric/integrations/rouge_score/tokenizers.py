"""Tokenizers as objects with a method ``tokenize``, as in ``rouge_score.tokenizers``."""

from abc import ABC, abstractmethod

from ...text.tokenizers import TOKENIZERS, add_stemmer
from .tokenize import decode_lower


class Tokenizer(ABC):
    """What ``RougeScorer`` takes as its tokenizer; any object with the method will do."""

    @abstractmethod
    def tokenize(self, text: str) -> list[str]:
        """Return the tokens of a text."""
        raise NotImplementedError("Tokenizer must override tokenize() method")


class DefaultTokenizer(Tokenizer):
    """Runs of ASCII letters and digits, in lower case.

    >>> DefaultTokenizer(use_stemmer=True).tokenize("The cats were running.")
    ['the', 'cat', 'were', 'run']
    """

    def __init__(self, use_stemmer: bool = False) -> None:  # noqa: FBT001, FBT002 - as there
        """Choose whether words of more than three characters are stemmed (Porter)."""
        self._uses_stemmer = bool(use_stemmer)

    def tokenize(self, text: str | bytes) -> list[str]:
        """Return the tokens of a text."""
        return add_stemmer(TOKENIZERS["rouge"], self._uses_stemmer)(decode_lower(text))

"""Tokenizers as objects of sacrebleu: from a line to its tokens with spaces between them."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from ...counting.pairs import BleuPairs
from ...text.external import SacrebleuTokenizer
from ...text.tokenizer import Tokenizer
from ...text.tokenizer_choice import resolve_tokenizer
from ...text.user_functions import name_function

NAMES: Final = (
    *("none", "zh", "13a", "intl", "char", "ja-mecab", "ko-mecab"),
    *("spm", "flores101", "flores200", "spBLEU-1K"),
)

DEFAULT_NAME: Final = "13a"


class NamedTokenizer:
    """A tokenizer of sacrebleu.

    >>> NamedTokenizer("13a")("It's 3.5!")
    "It's 3.5 !"
    """

    def __init__(self, name: str) -> None:
        """Load the tokenizer.

        Raises:
            KeyError: the name is unknown.
            ImportError: what the tokenizer needs is not installed, or it is not part of this
                package.
            ValueError: the model of the tokenizer cannot be loaded.
        """
        self.name = name
        find_tokenizer(name)

    def __call__(self, line: str) -> str:
        """Return the tokens of a line, with a space between two."""
        # Parity: these two keep white space, which is split later.
        if self.name in ("none", "char"):
            return line if self.name == "none" else " ".join(line)
        return " ".join(find_tokenizer(self.name)(line))

    def signature(self) -> str:
        """Return what signatures call the tokenizer."""
        function = find_tokenizer(self.name).function
        return function.signature() if isinstance(function, SacrebleuTokenizer) else self.name


# Bound: there are few names. Resolving a name takes 1 µs, or loads a model.
@lru_cache(maxsize=16)
def find_tokenizer(name: str) -> Tokenizer:
    """Return the row of the registry for a name; the errors are those of ``NamedTokenizer``."""
    if name not in NAMES:
        # Parity: sacrebleu looks the name up in a dict.
        raise KeyError(f"Unknown tokenize {name!r}; expected {', '.join(map(repr, NAMES))}.")
    if name == "spBLEU-1K":
        raise ImportError(
            "The tokenizer 'spBLEU-1K' is not part of this package; use sacrebleu itself."
        )
    return resolve_tokenizer("tokenize", name)


def adapt_tokenizer(tokenizer: Callable[[str], str]) -> Tokenizer:
    """Return what counts with the tokenizer of a metric, which a program may have replaced."""
    if type(tokenizer) is NamedTokenizer:
        return find_tokenizer(tokenizer.name)
    return Tokenizer(name_function(tokenizer), lambda line: tokenizer(line).split())


# Fast path: equals a new object for each sample, which takes 5 µs. Bound: as for the tokenizers.
@lru_cache(maxsize=16)
def find_pairs(name: str, max_order: int) -> BleuPairs:
    """Return what counts single samples with the tokenizer of a name."""
    return BleuPairs(find_tokenizer(name), max_order)


def make_pairs(tokenizer: Callable[[str], str], max_order: int) -> BleuPairs:
    """Return what counts single samples with the tokenizer of a metric."""
    if type(tokenizer) is NamedTokenizer:
        return find_pairs(tokenizer.name, max_order)
    return BleuPairs(adapt_tokenizer(tokenizer), max_order)

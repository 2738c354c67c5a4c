"""The tokenizer ``13a``."""

from .tokenizer_base import NamedTokenizer


class Tokenizer13a(NamedTokenizer):
    """Tokenize as ``mteval-v13a.pl``."""

    name = "13a"

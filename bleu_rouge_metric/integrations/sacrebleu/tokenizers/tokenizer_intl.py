"""The tokenizer ``intl``."""

from .tokenizer_base import NamedTokenizer


class TokenizerV14International(NamedTokenizer):
    """Tokenize as ``mteval-v14.pl --international-tokenization``."""

    name = "intl"

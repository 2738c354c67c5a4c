"""The tokenizer ``zh``."""

from .tokenizer_base import NamedTokenizer


class TokenizerZh(NamedTokenizer):
    """Separate Chinese characters, and tokenize the rest as ``13a``."""

    name = "zh"

"""The tokenizer ``char``."""

from .tokenizer_base import NamedTokenizer


class TokenizerChar(NamedTokenizer):
    """Separate all characters."""

    name = "char"

    def __call__(self, line: str) -> str:
        """Return the characters with a space between two."""
        return " ".join(line)

"""The tokenizer ``none``."""

from .tokenizer_base import NamedTokenizer


class NoneTokenizer(NamedTokenizer):
    """Return a line as it is."""

    name = "none"

    def __call__(self, line: str) -> str:
        """Return the line."""
        return line

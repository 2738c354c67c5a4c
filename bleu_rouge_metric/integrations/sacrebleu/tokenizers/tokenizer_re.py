"""The tokenizer ``re``."""

from ....text.rules import separate_ascii_marks
from .tokenizer_base import NamedTokenizer


class TokenizerRegexp(NamedTokenizer):
    """Separate ASCII punctuation as ``13a``."""

    name = "re"

    def __call__(self, line: str) -> str:
        """Return the tokens of a line, with a space between two."""
        return " ".join(separate_ascii_marks(line).split())

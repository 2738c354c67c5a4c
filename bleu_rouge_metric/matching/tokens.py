"""Tokens of texts, each with its place in the text as it was given."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from ..messages import Argument, value_error
from ..text.alignment import Token, align_tokens
from ..text.mapped_text import MappedText
from ..text.tokenizer import Tokenizer

# The most tokens of a text: the LCS of two such texts takes 13 MB. The lists of n-grams of longer
# texts are not for readers.
MOST_TOKENS: Final = 10_000


class FoundTokens(NamedTuple):
    """What a tokenizer and the steps before and after it leave of a text.

    Attributes:
        text: as it was given.
        tokens: what is compared.
        forms: the tokens as they are compared.
        stopped: tokens that are left out as stop words.
        kept: what a limit leaves of the text.
        sentences: tokens by sentence; empty if they are not needed.
        marks: indices of the characters that end sentences and are in none.
    """

    text: str
    tokens: list[Token]
    forms: list[str]
    stopped: list[Token]
    kept: MappedText
    sentences: list[list[Token]]
    marks: Sequence[int] = ()


def list_forms(tokens: Sequence[Token]) -> list[str]:
    """Return tokens as they are compared."""
    return [token.form for token in tokens]


def find_tokens(text: str, mapped: MappedText, tokenizer: Tokenizer) -> FoundTokens:
    """Return the tokens of a text.

    Args:
        text: as it was given.
        mapped: the text as it is tokenized.
        tokenizer: what it is tokenized with.
    """
    tokens = align_tokens(text, mapped, tokenizer)
    return FoundTokens(text, tokens, list_forms(tokens), [], mapped, [])


def check_tokens(texts: Sequence[str], tokenizer: Tokenizer) -> None:
    """Raise ValueError if a text has too many tokens to be explained.

    Args:
        texts: the prediction, and its references behind it.
        tokenizer: what they are tokenized with.
    """
    for index, text in enumerate(texts):
        tokens = len(tokenizer(text))
        if tokens > MOST_TOKENS:
            raise value_error(
                "{} has {:,} tokens",
                *(Argument(name_text(index)), tokens),
                expected=f"explain takes at most {MOST_TOKENS:,}.",
                remedy="Explain a part of the text.",
            )


def name_text(index: int) -> str:
    """Return the name of a text for errors: of the prediction, or of a reference behind it."""
    return f"references[{index - 1}]" if index else "prediction"

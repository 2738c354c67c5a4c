"""What sacrebleu logs: where, when and at which level. The texts are our own."""

import logging
from collections.abc import Sequence
from typing import Final

from .tokenizers import DEFAULT_NAME

# Parity: the records go to the logger of sacrebleu, so that a program's settings hold.
_LOGGER: Final = logging.getLogger("sacrebleu")

# The tokenizer of a language, and its name.
_LANGUAGES: Final = {
    "zh": ("zh", "Chinese"),
    "ja": ("ja-mecab", "Japanese"),
    "ko": ("ko-mecab", "Korean"),
}

# Parity: sacrebleu warns at so many hypotheses that look tokenized.
_MANY_TOKENIZED: Final = 100


def choose_tokenizer(tokenize: str | None, language: str, default: str = DEFAULT_NAME) -> str:
    """Return the name of the tokenizer; log if it does not suit the language.

    Args:
        tokenize: the name that was given; None for that of the language.
        language: such as ``zh``.
        default: name of the tokenizer of a language without its own one.

    >>> choose_tokenizer(None, "zh"), choose_tokenizer(None, "de"), choose_tokenizer("char", "de")
    ('zh', '13a', 'char')
    """
    best, name = _LANGUAGES.get(language, (default, ""))
    if tokenize is None:
        return best
    if name and tokenize != best:
        _LOGGER.warning("The tokenizer %r or 'spm' suits %s better.", best, name)
    return tokenize


def warn_of_effective_order() -> None:
    """Log that a sentence is scored without effective order."""
    _LOGGER.warning("effective_order is off; BLEU of one sentence is better with it.")


def warn_of_tokens(hypotheses: Sequence[str]) -> None:
    """Log if many hypotheses end with a full stop that is a token."""
    if sum(text.endswith(" .") for text in hypotheses) >= _MANY_TOKENIZED:
        _LOGGER.warning("%d or more hypotheses end with ' .'.", _MANY_TOKENIZED)
        _LOGGER.warning("Are they tokenized? BLEU tokenizes texts, which lowers the score.")
        _LOGGER.warning("Give the texts before tokenization, or force=True to hide this.")

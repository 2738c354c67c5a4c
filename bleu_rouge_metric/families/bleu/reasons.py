"""Describe how the arithmetic of BLEU's libraries differs from evaluate's."""

from typing import Final

from ..arithmetic import OTHER_ORDER, is_last_digits

_PERCENTAGES: Final = "percentages, from 0 to 100"
_NO_MATCH: Final = "without any match the score is 0 with any smoothing"
_NO_TOKENS: Final = "references without tokens do not make the score 0"

STRIPPED: Final = "white space at the end of a text is removed"
_NLTK: Final = (
    "a prediction too short for an order adds one n-gram to it, an order without a match counts as "
    "the smallest float or is left out instead of making the score 0, and without any match the "
    "score is 0 with any smoothing"
)


def explain_arithmetic(arithmetic: str, before: float, after: float) -> str:
    """Describe how a library's arithmetic changes BLEU.

    Args:
        arithmetic: ``sacrebleu`` or ``nltk``.
        before: BLEU with the same options and the arithmetic of evaluate.
        after: BLEU of the library.

    >>> explain_arithmetic("sacrebleu", 0.25, 25.000000000000004)
    'percentages, from 0 to 100'
    """
    if is_last_digits(before, after):
        return OTHER_ORDER
    if arithmetic == "nltk":
        return _NLTK
    if is_last_digits(100 * before, after):
        return _PERCENTAGES
    return f"{_PERCENTAGES}, and {_NO_TOKENS if after else _NO_MATCH}"

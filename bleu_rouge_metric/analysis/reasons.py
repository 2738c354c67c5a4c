"""Describe why the arithmetic of a profile gives another score than the arithmetic of ``hf``.

Options explain most differences between profiles (``profiles.py``). Here are the differences that
remain if all options are the same: scales, rounding, and rules that a library has no option for.
"""

import math
from typing import Final

# The largest relative difference of the same operations in another order.
_LAST_DIGITS: Final = 1e-12

# The largest difference after rounding three numbers to five digits.
_FIVE_DIGITS: Final = 2e-5

_OTHER_ORDER: Final = "the same operations in another order, which changes only the last digits"
_PERCENTAGES: Final = "percentages, from 0 to 100"

_BLEU: Final = {
    "sacrebleu": (
        f"{_PERCENTAGES}, white space at the end of a text is removed, and without any match the "
        "score is 0 with any smoothing"
    ),
    "nltk": (
        "a prediction too short for an order adds one n-gram to it, an order without a match "
        "counts as the smallest float or is left out instead of making the score 0, and without "
        "any match the score is 0 with any smoothing"
    ),
    "google_bleu": (
        "GLEU, another score: the smaller one of precision and recall over the n-grams of all "
        "orders together, without smoothing, weights and brevity penalty"
    ),
}
_PAPER: Final = {
    "rougeLsum": "the union LCS is not clipped: a token of the prediction counts each time",
    "rougeW": "one weighted LCS of the whole texts, not a union over sentences",
    "rougeSU": "the unigram of the last token counts too",
}


def explain_arithmetic(profile: str, score: str, before: float, after: float) -> str:
    """Describe how the arithmetic of a profile changes one score compared with ``hf``.

    Args:
        profile: name of the profile, not ``hf``.
        score: ``bleu``, or a ROUGE type.
        before: the score with the options of the profile and the arithmetic of ``hf``.
        after: the score of the profile.

    >>> explain_arithmetic("sacrebleu", "bleu", 0.25, 25.000000000000004)
    'percentages, from 0 to 100'
    """
    if math.isclose(before, after, rel_tol=_LAST_DIGITS):
        return _OTHER_ORDER
    if score == "bleu":
        is_scaled = profile == "sacrebleu" and math.isclose(
            100 * before, after, rel_tol=_LAST_DIGITS
        )
        return _PERCENTAGES if is_scaled else _BLEU[profile]
    if profile == "lin2004":
        return next(reason for prefix, reason in _PAPER.items() if score.startswith(prefix))
    if abs(before - after) <= _FIVE_DIGITS:
        return "precision and recall are rounded to five digits, then the F-measure"
    if score == "rougeL":
        return "the union LCS of the sentences, which the other profiles call rougeLsum"
    return (
        "precision and recall of five digits choose the reference, and byte_limit cuts the "
        "sentences of rougeL and rougeW separately"
    )

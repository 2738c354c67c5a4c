"""The Porter stemmer of ROUGE-1.5.5.

It is the algorithm of Porter (1980), "An algorithm for suffix stripping", with two changes that are
in Porter's later programs too ("bli" instead of "abli", and "logi" becomes "log"), and with a third
change that only ROUGE-1.5.5 has: step 4 may remove several suffixes, one after the other, so that
"governmental" becomes "govern". None of the three modes of NLTK's stemmer gives the same stems. The
stems were checked against the program itself.
"""

import re
from typing import Final

from .porter import (
    MEASURE_ABOVE_0,
    MEASURE_ABOVE_1,
    SHORT,
    STEP_2,
    STEP_3,
    VOWEL,
    replace_longest,
    strip_end,
)

_DOUBLE: Final = re.compile(r"([^aeiouylsz])\1\Z")

_STEP_2: Final = {**STEP_2, "logi": "log"}
_STEP_4: Final = (
    (
        "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ou", "ism", "ate", "iti",
        "ous", "ive", "ize",
    ),
    ("ment",),
    ("ent", "sion", "tion"),
)  # fmt: skip


def stem_perl_porter(word: str) -> str:
    """Return the stem of a word.

    Args:
        word: more than three lower-case ASCII letters and digits.

    Returns:
        The stem, not empty.

    >>> [stem_perl_porter(word) for word in ("running", "flies", "possibly", "governmental")]
    ['run', 'fli', 'possibl', 'govern']
    """
    if word[0] == "y":
        word = "Y" + word[1:]
    word = _strip_plural(word)
    word = _strip_past(word)
    if word.endswith("y") and VOWEL.match(word[:-1]):
        word = word[:-1] + "i"
    word = replace_longest(word, _STEP_2, MEASURE_ABOVE_0)
    word = replace_longest(word, STEP_3, MEASURE_ABOVE_0)
    word = _strip_in_turn(word)
    return strip_end(word, SHORT).lower()


def _strip_plural(word: str) -> str:
    """Apply step 1a."""
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _strip_past(word: str) -> str:
    """Apply step 1b."""
    if word.endswith("eed"):
        return word[:-1] if MEASURE_ABOVE_0.match(word[:-3]) else word
    for suffix in ("ed", "ing"):
        stem = word.removesuffix(suffix)
        if stem != word and VOWEL.match(stem):
            if stem.endswith(("at", "bl", "iz")) or SHORT.fullmatch(stem):
                return stem + "e"
            return stem[:-1] if _DOUBLE.search(stem) else stem
    return word


def _strip_in_turn(word: str) -> str:
    """Apply step 4: remove one suffix of each group if this leaves a measure above 1."""
    # Parity: the paper and NLTK remove only one suffix, the longest that matches. ROUGE-1.5.5
    # removes several: "traditional" loses "al" and then "ion".
    for suffixes in _STEP_4:
        suffix = next(filter(word.endswith, suffixes), "")
        # The first letter of "sion" and "tion" is kept.
        stem = word.removesuffix("ion" if suffix in ("sion", "tion") else suffix)
        if suffix and MEASURE_ABOVE_1.match(stem):
            word = stem
    return word

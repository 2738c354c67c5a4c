"""The Porter stemmer of ROUGE-1.5.5.

It is the algorithm of Porter (1980), "An algorithm for suffix stripping", with two changes that are
in Porter's later programs too ("bli" instead of "abli", and "logi" becomes "log"), and with a third
change that only ROUGE-1.5.5 has: step 4 may remove several suffixes, one after the other, so that
"governmental" becomes "govern". None of the three modes of NLTK's stemmer gives the same stems. The
stems were checked against the program itself.
"""

import re
from collections.abc import Mapping
from typing import Final

# [C](VC)^m[V] of the paper: C is a run of consonants, V is a run of vowels; "y" after a consonant
# is a vowel. A "y" at the start of the word is written "Y" during the steps: it is a consonant.
_C: Final = "[^aeiou][^aeiouy]*"
_V: Final = "[aeiouy][aeiou]*"
_MEASURE_ABOVE_0: Final = re.compile(f"(?:{_C})?{_V}{_C}")
_MEASURE_ABOVE_1: Final = re.compile(f"(?:{_C})?{_V}{_C}{_V}{_C}")
_MEASURE_1: Final = re.compile(f"(?:{_C})?{_V}{_C}(?:{_V})?")
_VOWEL: Final = re.compile(f"(?:{_C})?[aeiouy]")
_SHORT: Final = re.compile(f"{_C}[aeiouy][^aeiouwxy]")
_DOUBLE: Final = re.compile(r"([^aeiouylsz])\1\Z")

_STEP_2: Final = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize",
    "bli": "ble", "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize",
    "ation": "ate", "ator": "ate", "alism": "al", "iveness": "ive", "fulness": "ful",
    "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble", "logi": "log",
}  # fmt: skip
_STEP_3: Final = {
    "icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": "",
}  # fmt: skip
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
    if word.endswith("y") and _VOWEL.match(word[:-1]):
        word = word[:-1] + "i"
    word = _replace_longest(word, _STEP_2)
    word = _replace_longest(word, _STEP_3)
    word = _strip_in_turn(word)
    return _strip_end(word).lower()


def _strip_plural(word: str) -> str:
    """Apply step 1a."""
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _strip_past(word: str) -> str:
    """Apply step 1b."""
    if word.endswith("eed"):
        return word[:-1] if _MEASURE_ABOVE_0.match(word[:-3]) else word
    for suffix in ("ed", "ing"):
        stem = word.removesuffix(suffix)
        if stem != word and _VOWEL.match(stem):
            if stem.endswith(("at", "bl", "iz")) or _SHORT.fullmatch(stem):
                return stem + "e"
            return stem[:-1] if _DOUBLE.search(stem) else stem
    return word


def _replace_longest(word: str, replacements: Mapping[str, str]) -> str:
    """Apply step 2 or 3: replace the longest matching suffix if the measure is above 0."""
    suffix = max(filter(word.endswith, replacements), key=len, default="")
    stem = word.removesuffix(suffix)
    return stem + replacements[suffix] if suffix and _MEASURE_ABOVE_0.match(stem) else word


def _strip_in_turn(word: str) -> str:
    """Apply step 4: remove one suffix of each group if this leaves a measure above 1."""
    # Parity: the paper and NLTK remove only one suffix, the longest that matches. ROUGE-1.5.5
    # removes several: "traditional" loses "al" and then "ion".
    for suffixes in _STEP_4:
        suffix = next(filter(word.endswith, suffixes), "")
        # The first letter of "sion" and "tion" is kept.
        stem = word.removesuffix("ion" if suffix in ("sion", "tion") else suffix)
        if suffix and _MEASURE_ABOVE_1.match(stem):
            word = stem
    return word


def _strip_end(word: str) -> str:
    """Apply step 5."""
    if word.endswith("e"):
        stem = word[:-1]
        if _MEASURE_ABOVE_1.match(stem) or (
            _MEASURE_1.fullmatch(stem) and not _SHORT.fullmatch(stem)
        ):
            word = stem
    return word[:-1] if word.endswith("ll") and _MEASURE_ABOVE_1.match(word) else word

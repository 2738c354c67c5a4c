"""The Porter stemmer of ``rouge_score``, which is NLTK's in its default mode.

It is the algorithm of Porter (1980), "An algorithm for suffix stripping", with the changes of NLTK
(``nltk.stem.porter``, mode ``NLTK_EXTENSIONS``): each comment ``Parity`` names one. The kernel has
the same stemmer in ``native/text/porter.hpp``. ``porter155.py`` has that of ROUGE-1.5.5.
"""

import re
from collections.abc import Mapping
from typing import Final

# [C](VC)^m[V] of the paper: C is a run of consonants, V is a run of vowels; "y" after a consonant
# is a vowel. A "y" at the start of the word is written "Y" during the steps: it is a consonant.
_C: Final = "[^aeiou][^aeiouy]*"
_V: Final = "[aeiouy][aeiou]*"
MEASURE_ABOVE_0: Final = re.compile(f"(?:{_C})?{_V}{_C}")
MEASURE_ABOVE_1: Final = re.compile(f"(?:{_C})?{_V}{_C}{_V}{_C}")
MEASURE_1: Final = re.compile(f"(?:{_C})?{_V}{_C}(?:{_V})?")
VOWEL: Final = re.compile(f"(?:{_C})?[aeiouy]")
_SHORT: Final = f"{_C}[aeiouy][^aeiouwxy]"
# Measure 1, and the end consonant, vowel, consonant other than w, x, y.
SHORT: Final = re.compile(_SHORT)
# Parity: in NLTK the two letters vowel, consonant count as such an end too.
_SHORT_OR_TWO: Final = re.compile(f"{_SHORT}|[aeiou][^aeiou]")

# Parity: NLTK has a table of these words; they are not in the paper.
_IRREGULAR: Final = {
    "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "innings": "inning",
    "outings": "outing", "cannings": "canning",
    **{word: word for word in (
        "sky", "news", "inning", "outing", "canning", "howe", "proceed", "exceed", "succeed",
    )},
}  # fmt: skip

# "bli" instead of the paper's "abli" is in Porter's later programs too.
STEP_2: Final = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize",
    "bli": "ble", "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize",
    "ation": "ate", "ator": "ate", "alism": "al", "iveness": "ive", "fulness": "ful",
    "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble",
}  # fmt: skip
# Parity: not in the paper.
_STEP_2: Final = {**STEP_2, "fulli": "ful"}
STEP_3: Final = {
    "icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": "",
}  # fmt: skip
_STEP_4: Final = dict.fromkeys(
    (
        "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ou",
        "ism", "ate", "iti", "ous", "ive", "ize",
    ),
    "",
)  # fmt: skip


def stem_porter(word: str) -> str:
    """Return the stem of a word.

    Args:
        word: lower-case ASCII letters and digits.

    Returns:
        The stem; not empty unless the word is.

    >>> [stem_porter(word) for word in ("running", "flies", "possibly", "governmental")]
    ['run', 'fli', 'possibl', 'government']
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:  # Parity: not in the paper.
        return word
    if word[0] == "y":
        word = "Y" + word[1:]
    word = _strip_past(_strip_plural(word))
    # Parity: NLTK requires a consonant before the "y", and another letter before this consonant;
    # the paper requires a vowel anywhere before the "y".
    if len(word) > 2 and word[-1] == "y" and not _ends_in_vowel(word[:-1]):
        word = word[:-1] + "i"
    word = replace_longest(_strip_adverb(word), STEP_3, MEASURE_ABOVE_0)
    return strip_end(_strip_suffix(word), _SHORT_OR_TWO).lower()


def _ends_in_vowel(word: str) -> bool:
    """Return whether the last letter is a vowel: "y" after a consonant is one."""
    if word[-1] != "y":
        return word[-1] in "aeiou"
    # In a run of "y" vowels and consonants alternate; a word does not begin with "y" here.
    before = word.rstrip("y")
    return (before[-1] in "aeiou") == ((len(word) - len(before)) % 2 == 0)


def _strip_plural(word: str) -> str:
    """Apply step 1a."""
    if word.endswith(("sses", "ies")):
        # Parity: not in the paper: "dies" becomes "die".
        return word[:-1] if len(word) == 4 and word.endswith("ies") else word[:-2]
    return word[:-1] if word[-1] == "s" and word[-2] != "s" else word


def _strip_past(word: str) -> str:
    """Apply step 1b."""
    if word.endswith("ied"):
        # Parity: not in the paper: "died" becomes "die", "spied" becomes "spi".
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if MEASURE_ABOVE_0.match(word[:-3]) else word
    stem = word[:-2] if word.endswith("ed") else word.removesuffix("ing")
    if stem == word or not VOWEL.match(stem):
        return word
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if len(stem) > 1 and stem[-1] == stem[-2] and not _ends_in_vowel(stem):
        return stem if stem[-1] in "lsz" else stem[:-1]
    return stem + "e" if _SHORT_OR_TWO.fullmatch(stem) else stem


def _strip_adverb(word: str) -> str:
    """Apply step 2."""
    # Parity: NLTK first turns "alli" into "al", and then applies the rules to the rest.
    if word.endswith("alli") and MEASURE_ABOVE_0.match(word[:-4]):
        word = word[:-2]
    # Parity: not in the paper; the measure includes the "l".
    if word.endswith("logi"):
        return word[:-1] if MEASURE_ABOVE_0.match(word[:-3]) else word
    return replace_longest(word, _STEP_2, MEASURE_ABOVE_0)


def _strip_suffix(word: str) -> str:
    """Apply step 4."""
    if word.endswith("ion"):
        return word[:-3] if word[-4:-3] in ("s", "t") and MEASURE_ABOVE_1.match(word[:-3]) else word
    return replace_longest(word, _STEP_4, MEASURE_ABOVE_1)


def replace_longest(word: str, suffixes: Mapping[str, str], measure: re.Pattern[str]) -> str:
    """Replace the longest suffix that the word has if the rest has the measure."""
    suffix = max(filter(word.endswith, suffixes), key=len, default="")
    stem = word.removesuffix(suffix)
    return stem + suffixes[suffix] if suffix and measure.match(stem) else word


def strip_end(word: str, short: re.Pattern[str]) -> str:
    """Apply step 5; ``short`` matches words of measure 1 that keep their last "e"."""
    if word.endswith("e"):
        stem = word[:-1]
        if MEASURE_ABOVE_1.match(stem) or (MEASURE_1.fullmatch(stem) and not short.fullmatch(stem)):
            word = stem
    return word[:-1] if word.endswith("ll") and MEASURE_ABOVE_1.match(word) else word

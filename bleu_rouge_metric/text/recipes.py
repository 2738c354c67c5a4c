"""Tokenizers that programs give ``rouge_score`` for other languages than English.

* ``korouge``: the package korouge-score 0.1.4, for Korean: ``rouge_score`` without the step that
  drops all characters but ASCII letters and digits.
* ``google-adk``: the evaluator ``response_match_score`` of Google's Agent Development Kit
  (google-adk 2.13.0), for any language: ROUGE-1 of these tokens with the Porter stemmer.

Both have their stems, so that ``use_stemmer=True`` is that of the programs. The third such recipe,
``ja-fugashi``, is a segmenter (``segmenters.py``).
"""

import re
from functools import cache, lru_cache
from typing import Final
from unicodedata import category, normalize

from .stemmers import StemCache, porter_stems

_SPACES: Final = re.compile(r"\s+")

# Bound of a cache: a text has fewer different characters.
_MOST_CHARACTERS: Final = 1 << 14

# Source: google-adk 2.13.0, google.adk.evaluation.final_response_match_v1. Ranges are inclusive.
_SINGLE: Final = (
    (0x3040, 0x309F),  # hiragana
    (0x30A0, 0x30FF),  # katakana
    (0x4E00, 0x9FFF),  # ideographs without extensions
    (0xAC00, 0xD7AF),  # Hangul syllables
)
_CLUSTERED: Final = (
    (0x0E00, 0x0E7F),  # Thai
    (0x0E80, 0x0EFF),  # Lao
    (0x1000, 0x109F),  # Burmese
    (0x1780, 0x17FF),  # Khmer
)


def tokenize_korouge(text: str) -> list[str]:
    """Return what is between white space in the lower-cased text, punctuation included.

    >>> tokenize_korouge(" 안녕하세요, Seoul!")
    ['', '안녕하세요,', 'seoul!']
    """
    # Parity: white space at the start or end of a text, and an empty text, make an empty token.
    return _SPACES.split(text.lower())


def tokenize_google_adk(text: str) -> list[str]:
    """Return words of the normalized (NFKC), lower-cased text, of letters, digits and marks.

    An ideograph, a kana or a Hangul syllable is one token; so is a letter of Thai, Lao, Khmer or
    Burmese with its marks.

    >>> tokenize_google_adk("Don't pay ３ €! 我爱서울 ที่ naïve")
    ['don', 't', 'pay', '3', '我', '爱', '서', '울', 'ที่', 'naïve']
    """
    return "".join(map(_separate, normalize("NFKC", text).lower())).split()


@lru_cache(maxsize=_MOST_CHARACTERS)
def _separate(character: str) -> str:
    """Return a character with the spaces around it that separate tokens."""
    code_point, is_mark = ord(character), category(character)[0] == "M"
    if _is_in(code_point, _SINGLE):
        return f" {character} "
    # Parity: punctuation of these scripts is a token, as Thai U+0E2F is.
    if _is_in(code_point, _CLUSTERED):
        return character if is_mark else f" {character}"
    return character if is_mark or character.isalnum() else " "


def _is_in(code_point: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= code_point <= last for first, last in ranges)


@cache
def google_adk_stems() -> StemCache:
    """Return the cache of the stems that the evaluator makes, shared by all texts."""
    stems = porter_stems()
    # Parity: only ASCII words reach the stemmer.
    return StemCache(lambda word: stems[word] if word.isascii() else word)

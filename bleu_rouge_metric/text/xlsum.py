r"""The words and the stemmers of ``xlsum``: the multilingual ROUGE that XL-Sum's scores come from.

Equals multilingual-rouge 0.0.1. Two tokenizations: :func:`normalize_xlsum` drops punctuation and
control characters, which is all that ``rougeLsum`` gets of a line; of a whole text, words are split
further, into runs of letters and of digits, or by a segmenter of the language. Words of more than
three characters are stemmed: with NLTK's Porter stemmer, or by the language. The Bengali stemmer is
not here, because its rules are not in the package.
"""

import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, Final
from unicodedata import category

from ..checks import describe_unknown, find_closest
from ..extras import describe_missing, needs
from ..messages import format_message
from .align import SPACE_OF_MARKS, AnyText, CharacterTable
from .external import load_mecab
from .stemmers import (
    LONGEST_UNSTEMMED,
    StemCache,
    Stemmer,
    forget_words,
    list_languages,
    porter_stems,
)

# Parity: the Tokenizer of OpenNMT, which XL-Sum uses, replaces the characters that it marks tokens
# with.
_REPLACED: Final = {"\u2581": "_", "\uffed": "\u25a0", "\uffe8": "\u2502"}

# Letters, digits, marks and other characters by the first letter of their category.
_RUN: Final = re.compile("L[LM]*|N[NM]*|SM*|M+")
_IDEOGRAPH: Final = re.compile(
    "[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002ceaf"
    "\U0002f800-\U0002fa1f]"
)


def _clean(character: str) -> str:
    """Return a character, a space for one between words, or nothing for one that is dropped."""
    kind = category(character)
    if character in "\t\n\r" or kind == "Zs":
        return " "
    if character == "\ufffd" or kind[0] == "C":
        return ""
    is_mark = character.isascii() and not character.isalnum()
    return " " if is_mark or kind[0] == "P" else character


def _classify(character: str) -> str:
    """Return the letter by which a run of characters is found."""
    kind = category(character)[0]
    return kind if kind in "LNM" else " " if character.isspace() else "S"


_CLEAN: Final = CharacterTable(_clean)
_CLASSES: Final = CharacterTable(_classify)


def normalize_xlsum(text: str) -> list[str]:
    r"""Return the words of a text in lower case, without punctuation.

    >>> normalize_xlsum("Don't pay $5.00, x\u200by!")
    ['don', 't', 'pay', '5', '00', 'xy']
    """
    return clean_xlsum(text).split()


def clean_xlsum(text: AnyText) -> AnyText:
    """Lower-case a text, and replace punctuation by spaces."""
    return text.lower().translate(_CLEAN)


def rewrite_xlsum(text: AnyText) -> AnyText:
    """Return what the tokens of a text are slices of, but for ``SPACE_OF_MARKS``."""
    return _replace_signs(clean_xlsum(text))


def _replace_signs(text: AnyText) -> AnyText:
    for character, other in _REPLACED.items():
        text = text.replace(character, other)
    return text


def tokenize_xlsum(text: str) -> list[str]:
    """Return runs of letters, runs of digits, other symbols and single ideographs.

    >>> tokenize_xlsum("V2 (beta) costs 3 €, 日本!")
    ['v', '2', 'beta', 'costs', '3', '€', '日', '本']
    """
    return _split_runs(" ".join(normalize_xlsum(text)))


def _split_runs(text: str) -> list[str]:
    """Return the tokens of normalized words."""
    tokens: list[str] = []
    for run in _RUN.finditer(text.translate(_CLASSES)):
        start, end = run.span()
        # Parity: a mark at the start of a word is combined with the space before it.
        escaped = SPACE_OF_MARKS if start and run[0][0] == "M" and text[start - 1] == " " else ""
        tokens.append(escaped + text[start:end])
    return _IDEOGRAPH.sub(r" \g<0> ", _replace_signs(" ".join(tokens))).split()


def make_segmented(segment: Callable[[str], list[str]]) -> Callable[[str], list[str]]:
    """Make the tokenizer of a language that has a segmenter; spaces may be tokens."""

    def tokenize(text: str) -> list[str]:
        normalized = " ".join(normalize_xlsum(text))
        # Parity: the default takes over where a segmenter finds nothing.
        return list(filter(None, segment(normalized))) or _split_runs(normalized)

    return tokenize


def segment_japanese(text: str, dictionary: str = "unidic") -> list[str]:
    """Return the words of MeCab with the dictionary of a package: UniDic, which is XL-Sum's."""
    # Parity: the options of XL-Sum.
    words: list[str] = load_mecab(dictionary, "-O wakati -b 50000").parse(text).split()
    return words


# Signs of Burmese that belong to the letter before them, the one that ends a syllable, and the one
# that stacks letters.
_BURMESE_SIGNS: Final = "\u102b-\u1032\u1036-\u1038\u103a-\u103e"
_BURMESE_UNIT: Final = re.compile(
    f"^[{_BURMESE_SIGNS}]+|[^{_BURMESE_SIGNS}][{_BURMESE_SIGNS}]*", re.DOTALL
)
_ASAT: Final = "\u103a"
_DOT_BELOW: Final = "\u1037"
_VIRAMA: Final = "\u1039"
# A unit with an asat and more characters is a syllable of its own.
_SHORT: Final = 4


def segment_burmese(text: str) -> list[str]:
    """Return the syllables of a Burmese text without its spaces.

    >>> segment_burmese("ကျောင်း သား")
    ['ကျောင်း', 'သား']
    """
    ordered = text.replace(_DOT_BELOW + _ASAT, _ASAT + _DOT_BELOW)
    syllables: list[str] = []
    was_joined = False
    for unit in _BURMESE_UNIT.findall("".join(ordered.split())):
        is_end = bool(syllables) and _ASAT in unit and len(unit) < _SHORT
        # Parity: of several such units, only the first is joined to what precedes.
        if is_end and not was_joined:
            syllables[-1] += unit
        else:
            syllables.append(unit)
        was_joined = is_end
    return " ".join(syllables).replace(f" {_VIRAMA} ", _VIRAMA).split()


# Source: Ramanathan and Rao (2003), "A Lightweight Stemmer for Hindi", table of suffixes.
_HINDI_SUFFIXES: Final = """
ो े ू ु ी ि ा
कर ाओ िए ाई ाए ने नी ना ते ीं ती ता ाँ ां ों ें
ाकर ाइए ाईं ाया ेगी ेगा ोगी ोगे ाने ाना ाते ाती ाता तीं ाओं ाएं ुओं ुएं ुआं
ाएगी ाएगा ाओगी ाओगे एंगी ेंगी एंगे ेंगे ूंगी ूंगा ातीं नाओं नाएं ताओं ताएं ियाँ ियों ियां
ाएंगी ाएंगे ाऊंगी ाऊंगा ाइयाँ ाइयों ाइयां
"""
_HINDI: Final = frozenset(_HINDI_SUFFIXES.split())
_LONGEST_SUFFIX: Final = max(map(len, _HINDI))


def stem_hindi(word: str) -> str:
    """Return a Hindi word without its longest suffix.

    >>> stem_hindi("करना"), stem_hindi("लड़कियों")
    ('कर', 'लड़क')
    """
    # Parity: at least two characters are left.
    for length in range(min(_LONGEST_SUFFIX, len(word) - 2), 0, -1):
        if word[-length:] in _HINDI:
            return word[:-length]
    return word


@cache
def xlsum_stems(language: str) -> StemCache:
    """Return the cache of the stems of a language, shared by all texts.

    Words of at most three characters are their own stems.
    """
    if language == "porter":
        return porter_stems()
    known = {"hindi": lambda: stem_hindi, "turkish": _load_turkish}
    stem = known.get(language, lambda: _load_snowball(language))()
    # An empty stem, if a stemmer has one, is replaced by the word.
    return StemCache(lambda word: (stem(word) or word) if len(word) > LONGEST_UNSTEMMED else word)


def _load_turkish() -> Stemmer:
    try:
        module: Any = import_module("TurkishStemmer")
    except ImportError as error:
        feature = "The Turkish stemmer of the tokenizer 'xlsum'"
        raise ImportError(
            describe_missing(feature, "the package TurkishStemmer", "TurkishStemmer")
        ) from error
    stem: Stemmer = module.TurkishStemmer().stem
    return stem


def _load_snowball(language: str) -> Stemmer:
    known = (*list_languages(), "hindi", "turkish")
    if language not in known:
        expected = f"expected True (Porter), False, or a language: {', '.join(map(repr, known))}."
        raise ValueError(
            describe_unknown("use_stemmer", language, expected, find_closest(language, known))
        )
    with needs("A stemmer of a language", "languages"):
        from nltk.stem.snowball import SnowballStemmer

    try:
        # Parity: XL-Sum does not stem stop words.
        return forget_words(SnowballStemmer(language, ignore_stopwords=True).stemmer)
    except LookupError as error:
        raise ImportError(
            format_message(
                "{use_stemmer} is {!r}, and XL-Sum's stemmer for it needs NLTK's lists of stop "
                "words, which are not installed.",
                language,
                remedy="Run: python -m nltk.downloader stopwords.",
            )
        ) from error

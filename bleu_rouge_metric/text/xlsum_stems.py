"""The stemmers of ``xlsum``: those of the multilingual ROUGE that XL-Sum's scores come from.

Equals multilingual-rouge 0.0.1, which stems words of more than three characters: with NLTK's Porter
stemmer, or by the language. Its Bengali stemmer is not here, because its rules are not in the
package.
"""

from functools import cache
from typing import Any, Final

from ..checks import describe_unknown, find_closest
from ..extras import describe_missing, needs
from ..messages import format_message
from .stemmers import (
    LONGEST_UNSTEMMED,
    StemCache,
    Stemmer,
    forget_words,
    list_languages,
    porter_stems,
)

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

    Args:
        language: ``hindi``, ``turkish``, or one of NLTK's Snowball stemmers.

    Returns:
        A mapping from a word to its stem; the word itself, if it has at most three characters.

    Raises:
        ImportError: a package of the stemmer, or NLTK's lists of stop words, are not installed.
        ValueError: the language is unknown.
    """
    if language == "porter":
        return porter_stems()
    stem = stem_hindi if language == "hindi" else _find_stemmer(language)
    # An empty stem, if a stemmer has one, is replaced by the word.
    return StemCache(lambda word: (stem(word) or word) if len(word) > LONGEST_UNSTEMMED else word)


def _find_stemmer(language: str) -> Stemmer:
    return _load_turkish() if language == "turkish" else _load_snowball(language)


def _load_turkish() -> Stemmer:
    from importlib import import_module

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

"""Stemmers behind a bounded cache of stems; those of NLTK are imported on demand.

``rouge_score`` stems with Porter only in its own tokenizer, and only words of more than three
characters; the Snowball stemmers here stem every token of any tokenizer.
"""

from collections.abc import Callable
from copy import copy
from functools import cache
from typing import Any, Final

from ..checks import describe_unknown, find_closest
from ..extras import needs
from .porter import stem_porter
from .porter155 import stem_perl_porter

Stemmer = Callable[[str], str]

# Bound of a cache of stems: 65,536 words of at most 64 characters, about 16 MB when full. A natural
# text has fewer frequent words, and a longer "word" rarely occurs again.
_MOST_CACHED: Final = 1 << 16
_LONGEST_CACHED: Final = 64

LONGEST_UNSTEMMED: Final = 3


class StemCache(dict[str, str]):
    """Bounded cache from words to stems; looking up a missing word computes its stem."""

    def __init__(self, stem_word: Stemmer) -> None:
        super().__init__()
        self._stem_word = stem_word

    def __missing__(self, word: str) -> str:
        stem = self._stem_word(word)
        if len(word) <= _LONGEST_CACHED:
            if len(self) >= _MOST_CACHED:
                self.clear()
            self[word] = stem
        return stem


@cache
def porter_stems() -> StemCache:
    """Return the cache of the stems that ``rouge_score`` makes, shared by all texts."""
    # Parity: rouge_score stems only words of more than three characters.
    return StemCache(lambda word: stem_porter(word) if len(word) > LONGEST_UNSTEMMED else word)


@cache
def perl_porter_stems() -> StemCache:
    """Return the cache of the stems that ROUGE-1.5.5 makes, shared by all texts."""
    # Parity: ROUGE-1.5.5 does not stem words of at most three characters.
    return StemCache(lambda word: stem_perl_porter(word) if len(word) > LONGEST_UNSTEMMED else word)


def snowball_stems(language: str) -> StemCache:
    """Return the cache of the stems of NLTK's Snowball stemmer, shared by all texts.

    Args:
        language: NLTK's name of the language, such as ``"german"``.

    Returns:
        A mapping from a word to its stem, which is in lower case and never empty.

    Raises:
        ValueError: NLTK has no stemmer for the language.

    >>> snowball_stems("german")["Häuser"]
    'haus'
    """
    languages = list_languages()
    if language not in languages:
        expected = (
            "expected True (Porter, in the 'rouge' tokenizer), False, or a language of NLTK's "
            f"Snowball stemmers: {', '.join(map(repr, languages))}."
        )
        meant = find_closest(language, languages)
        raise ValueError(describe_unknown("use_stemmer", language, expected, meant))
    return _cache_snowball(language)


def list_languages() -> tuple[str, ...]:
    """Return the languages of NLTK's Snowball stemmers."""
    with needs("A stemmer of a language", "languages"):
        from nltk.stem.snowball import SnowballStemmer

    languages: tuple[str, ...] = SnowballStemmer.languages
    return languages


@cache
def _cache_snowball(language: str) -> StemCache:
    from nltk.stem.snowball import SnowballStemmer

    stem = forget_words(SnowballStemmer(language).stemmer)
    # Some stems are empty, such as the stem of a lone Russian soft sign; the word itself replaces
    # an empty stem.
    return StemCache(lambda word: word and (stem(word) or word))


def forget_words(unused: Any) -> Stemmer:
    """Return the function of a Snowball stemmer of NLTK; a stem depends only on its word."""
    # NLTK's Arabic stemmer keeps state from one word to the next, which changes later stems. A
    # fresh copy for each word has none.
    return lambda word: copy(unused).stem(word)

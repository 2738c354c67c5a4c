"""Stemmers of NLTK, imported on demand, behind a memory of stems within a bound.

``rouge_score`` stems with Porter in its own tokenizer alone, and not words of up to three
characters; the Snowball stemmers here stem every token of any tokenizer.
"""

from collections.abc import Callable
from copy import copy
from functools import cache
from typing import Final

from .porter155 import stem_perl_porter

Stemmer = Callable[[str], str]

# Bound of a memory of stems: 65,536 words of at most 64 characters, about 16 MB when full. A
# natural text has fewer frequent words than that, and a longer "word" is not worth a place.
_REMEMBERED_STEMS: Final = 1 << 16
_LONGEST_REMEMBERED: Final = 64

LONGEST_UNSTEMMED: Final = 3


class StemMemory(dict[str, str]):
    """Stems of words by word, within a bound; reading one that is missing makes it."""

    def __init__(self, stem_word: Stemmer) -> None:
        super().__init__()
        self._stem_word = stem_word

    def __missing__(self, word: str) -> str:
        stem = self._stem_word(word)
        if len(word) <= _LONGEST_REMEMBERED:
            if len(self) >= _REMEMBERED_STEMS:
                self.clear()
            self[word] = stem
        return stem


@cache
def porter_stems() -> StemMemory:
    """Stems as ``rouge_score`` makes them, shared by all texts."""
    # NLTK takes 0.1 to 0.3 s to import: only those who ask for a stemmer pay for it.
    from nltk.stem.porter import PorterStemmer

    stem = PorterStemmer().stem
    # Parity: rouge_score stems words of more than three characters.
    return StemMemory(lambda word: stem(word) if len(word) > LONGEST_UNSTEMMED else word)


@cache
def perl_porter_stems() -> StemMemory:
    """Stems as ROUGE-1.5.5 makes them, shared by all texts."""
    # Parity: ROUGE-1.5.5 leaves words of at most three characters alone.
    return StemMemory(
        lambda word: stem_perl_porter(word) if len(word) > LONGEST_UNSTEMMED else word
    )


def snowball_stems(language: str) -> StemMemory:
    """Stems of a language by NLTK's Snowball stemmer, shared by all texts.

    Args:
        language: as NLTK names it, such as ``"german"``.

    Returns:
        A mapping from a word to its stem, which is in lower case and never empty.

    Raises:
        ValueError: NLTK has no such stemmer.

    >>> snowball_stems("german")["Häuser"]
    'haus'
    """
    from nltk.stem.snowball import SnowballStemmer

    if language not in SnowballStemmer.languages:
        names = ", ".join(map(repr, SnowballStemmer.languages))
        raise ValueError(
            f"Unknown use_stemmer {language!r}; expected True (Porter, in the 'rouge' tokenizer), "
            f"False, or a language of NLTK's Snowball stemmers: {names}."
        )
    return _remember_snowball(language)


@cache
def _remember_snowball(language: str) -> StemMemory:
    from nltk.stem.snowball import SnowballStemmer

    unused = SnowballStemmer(language).stemmer
    # NLTK's Arabic stemmer keeps from one word what it finds out about it, which changes the stems
    # of later words. A fresh one for each word makes a stem depend on its word alone. Some stems
    # are empty, such as that of a lone Russian soft sign; the word stands for those.
    return StemMemory(lambda word: word and (copy(unused).stem(word) or word))

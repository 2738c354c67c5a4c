"""Stemmers behind a bounded cache of stems: Porter's in two programs, and those of NLTK on demand.

Porter (1980), "An algorithm for suffix stripping", as ``rouge_score`` has it, which is NLTK's
(``nltk.stem.porter``, mode ``NLTK_EXTENSIONS``), and as ROUGE-1.5.5 has it; the stems of the latter
were checked against the program. Both stem only words of more than three characters. The kernel has
NLTK's in ``native/text/porter.hpp``. The Snowball stemmers stem every token of any tokenizer.
"""

import re
from collections.abc import Callable
from copy import copy
from functools import cache
from typing import Any, Final, NamedTuple

from ..checks import describe_unknown, find_closest
from ..extras import needs

Stemmer = Callable[[str], str]

# Bound of a cache of stems: 65,536 words of at most 64 characters, about 16 MB when full. A natural
# text has fewer frequent words, and a longer "word" rarely occurs again.
_MOST_CACHED: Final = 1 << 16
_LONGEST_CACHED: Final = 64

LONGEST_UNSTEMMED: Final = 3

# [C](VC)^m[V] of the paper: C is a run of consonants, V is a run of vowels; "y" after a consonant
# is a vowel. A "y" at the start of the word is written "Y" during the steps: it is a consonant.
_C: Final = "[^aeiou][^aeiouy]*"
_V: Final = "[aeiouy][aeiou]*"
_MEASURE_ABOVE_0: Final = re.compile(f"(?:{_C})?{_V}{_C}")
_MEASURE_ABOVE_1: Final = re.compile(f"(?:{_C})?{_V}{_C}{_V}{_C}")
_MEASURE_1: Final = re.compile(f"(?:{_C})?{_V}{_C}(?:{_V})?")
_VOWEL: Final = re.compile(f"(?:{_C})?[aeiouy]")
# Measure 1, and the end consonant, vowel, consonant other than w, x, y.
_SHORT: Final = f"{_C}[aeiouy][^aeiouwxy]"

# Parity: NLTK has a table of these words; they are not in the paper.
_IRREGULAR: Final = {
    "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "innings": "inning",
    "outings": "outing", "cannings": "canning",
    **{word: word for word in (
        "sky", "news", "inning", "outing", "canning", "howe", "proceed", "exceed", "succeed",
    )},
}  # fmt: skip

# The rules of steps: a suffix and what replaces it. Letters before "|" are those that it follows.
# Parity: "bli" instead of the paper's "abli" is in Porter's later programs too.
_STEP_2: Final = (
    "ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e "
    "ousli:ous ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous "
    "aliti:al iviti:ive biliti:ble"
)
_STEP_3: Final = "icate:ic ative: alize:al iciti:ic ical:ic ful: ness:"
_STEP_4: Final = "al: ance: ence: er: ic: able: ible: ant: ement: ou: ism: ate: iti: ous: ive: ize:"


class _Step(NamedTuple):
    """Rules of which the one with the longest suffix applies, if the rest has the measure."""

    suffix: re.Pattern[str]
    written: dict[str, str]
    measure: re.Pattern[str]


class _Program(NamedTuple):
    """What differs between the programs: ``short`` matches words of measure 1 that keep an "e"."""

    is_nltk: bool
    short: re.Pattern[str]
    steps: tuple[_Step, ...]


def _read_step(rules: str, measure: re.Pattern[str]) -> _Step:
    """Read the rules of a step."""
    written = {}
    patterns = []
    for rule in rules.split():
        before, _, rest = rule.rpartition("|")
        suffix, _, written[suffix] = rest.partition(":")
        patterns.append(f"(?<=[{before}]){suffix}" if before else suffix)
    return _Step(re.compile(rf"(?:{'|'.join(patterns)})\Z"), written, measure)


_NLTK: Final = _Program(
    is_nltk=True,
    # Parity: in NLTK the two letters vowel, consonant count as such an end too.
    short=re.compile(f"{_SHORT}|[aeiou][^aeiou]"),
    steps=(
        # Parity: NLTK first turns "alli" into "al", and then applies the rules to the rest.
        _read_step("alli:al", _MEASURE_ABOVE_0),
        # Parity: "fulli" and "logi" are not in the paper; the measure includes the "l".
        _read_step(f"{_STEP_2} fulli:ful l|ogi:og", _MEASURE_ABOVE_0),
        _read_step(_STEP_3, _MEASURE_ABOVE_0),
        _read_step(f"{_STEP_4} ment: ent: st|ion:", _MEASURE_ABOVE_1),
    ),
)
_PERL: Final = _Program(
    is_nltk=False,
    short=re.compile(_SHORT),
    steps=(
        # Parity: "logi" is in Porter's later programs too.
        _read_step(f"{_STEP_2} logi:log", _MEASURE_ABOVE_0),
        _read_step(_STEP_3, _MEASURE_ABOVE_0),
        # Parity: the paper and NLTK remove only one suffix in step 4, the longest. ROUGE-1.5.5
        # removes one of each of these groups: "traditional" loses "al" and then "ion".
        _read_step(_STEP_4, _MEASURE_ABOVE_1),
        _read_step("ment:", _MEASURE_ABOVE_1),
        _read_step("ent: st|ion:", _MEASURE_ABOVE_1),
    ),
)


def stem_porter(word: str) -> str:
    """Return the stem that NLTK's Porter stemmer makes of lower-case ASCII letters and digits.

    >>> [stem_porter(word) for word in ("running", "flies", "possibly", "governmental")]
    ['run', 'fli', 'possibl', 'government']
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    # Parity: the limit of two letters is not in the paper.
    return _stem(word, _NLTK) if len(word) > 2 else word


def stem_perl_porter(word: str) -> str:
    """Return the stem that ROUGE-1.5.5 makes of more than three lower-case letters and digits.

    >>> [stem_perl_porter(word) for word in ("running", "flies", "possibly", "governmental")]
    ['run', 'fli', 'possibl', 'govern']
    """
    return _stem(word, _PERL)


def _stem(word: str, program: _Program) -> str:
    """Apply the steps of a program to a word."""
    if word[0] == "y":
        word = "Y" + word[1:]
    word = _strip_past(_strip_plural(word, program), program)
    if word[-1] == "y":
        # Parity: NLTK requires a consonant before the "y", and another letter before this
        # consonant; the paper requires a vowel anywhere before the "y".
        is_changed = (
            len(word) > 2 and not _ends_in_vowel(word[:-1])
            if program.is_nltk
            else _VOWEL.match(word[:-1])
        )
        word = word[:-1] + "i" if is_changed else word
    for step in program.steps:
        # The leftmost match is the longest suffix.
        suffix = step.suffix.search(word)
        if suffix and step.measure.match(word[: suffix.start()]):
            word = word[: suffix.start()] + step.written[suffix[0]]
    if word.endswith("e"):
        stem = word[:-1]
        if _MEASURE_ABOVE_1.match(stem) or (
            _MEASURE_1.fullmatch(stem) and not program.short.fullmatch(stem)
        ):
            word = stem
    is_double = word.endswith("ll") and _MEASURE_ABOVE_1.match(word)
    return (word[:-1] if is_double else word).lower()


def _strip_plural(word: str, program: _Program) -> str:
    """Apply step 1a."""
    if word.endswith(("sses", "ies")):
        # Parity: not in the paper: "dies" becomes "die".
        is_short = program.is_nltk and len(word) == 4 and word.endswith("ies")
        return word[:-1] if is_short else word[:-2]
    return word[:-1] if word[-1] == "s" and word[-2] != "s" else word


def _strip_past(word: str, program: _Program) -> str:
    """Apply step 1b."""
    if program.is_nltk and word.endswith("ied"):
        # Parity: not in the paper: "died" becomes "die", "spied" becomes "spi".
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _MEASURE_ABOVE_0.match(word[:-3]) else word
    stem = word[:-2] if word.endswith("ed") else word.removesuffix("ing")
    if stem == word or not _VOWEL.match(stem):
        return word
    if stem.endswith(("at", "bl", "iz")) or program.short.fullmatch(stem):
        return stem + "e"
    if len(stem) < 2 or stem[-1] != stem[-2] or stem[-1] in "lsz":
        return stem
    # Parity: a double "y" may be a consonant in NLTK alone.
    is_vowel = _ends_in_vowel(stem) if program.is_nltk else stem[-1] in "aeiouy"
    return stem if is_vowel else stem[:-1]


def _ends_in_vowel(word: str) -> bool:
    """Return whether the last letter is a vowel: "y" after a consonant is one."""
    if word[-1] != "y":
        return word[-1] in "aeiou"
    # In a run of "y" vowels and consonants alternate; a word does not begin with "y" here.
    before = word.rstrip("y")
    return (before[-1] in "aeiou") == ((len(word) - len(before)) % 2 == 0)


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
    return StemCache(lambda word: stem_porter(word) if len(word) > LONGEST_UNSTEMMED else word)


@cache
def perl_porter_stems() -> StemCache:
    """Return the cache of the stems that ROUGE-1.5.5 makes, shared by all texts."""
    return StemCache(lambda word: stem_perl_porter(word) if len(word) > LONGEST_UNSTEMMED else word)


@cache
def google_adk_stems() -> StemCache:
    """Return the cache of the stems that the evaluator of google-adk makes."""
    stems = porter_stems()
    # Parity: only ASCII words reach the stemmer.
    return StemCache(lambda word: stems[word] if word.isascii() else word)


def snowball_stems(language: str) -> StemCache:
    """Return the cache of the stems of NLTK's Snowball stemmer, shared by all texts.

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

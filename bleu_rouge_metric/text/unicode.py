"""Tokenize texts of any language: words by Unicode word boundaries, and grapheme clusters.

``unicode`` normalizes a text (NFKC), folds its case, and splits it at the default word boundaries
of Unicode (UAX #29, section 4). In a script that puts no space between words, only a dictionary
could find words, so the tokens of such scripts are:

* ideographs and hiragana: one character each; katakana: a whole run (both as in UAX #29);
* Thai, Lao, Khmer, Burmese and related scripts (line breaking class SA): one letter each, with its
  vowel signs and tone marks and, in Khmer and Burmese, with the letters stacked under it. A vowel
  that is a letter, such as Thai U+0E40 or U+0E32, is a separate token. No token ends inside a
  grapheme cluster.

A ``segmenter``, a callable from a run of such a script to its words, replaces these rules.

Not done here: stemming; the removal of accents, Arabic diacritics or invisible characters; case
rules of one language (Turkish U+0130 becomes "i" and a dot above it). The character tables come
from the installed ``regex`` package.
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from .align import fold_text

# Signs that stack the next letter under the last one: Burmese virama, Khmer coeng, Tai Tham sakot.
_STACKING: Final = r"\u1039\u17d2\u1a60"
_MARK: Final = r"\p{M}\u200c\u200d"
# Letters of scripts that need a dictionary to find line breaks, and so words; and the characters of
# Chinese and Japanese, including long vowel marks and voicing marks.
_COMPLEX: Final = r"\p{LB=SA}"
_EAST_ASIAN: Final = r"\p{Han}\p{Hiragana}\p{Katakana}\u30fc\uff70\u309b\u309c\uff9e\uff9f"


# Source: UAX #29, section 4.1, rules WB4 to WB13b, as one pattern for every segment between two
# boundaries that can hold a letter or a number. The WORD flag of the regex package also finds
# boundaries, but gets marks at the start of a text wrong, and a format character as in
# "1.\ufeff5". The rules for emoji and flags (WB3c, WB15, WB16) are left out: these are not words.
_JOINED: Final = r"[\p{WB=Extend}\p{WB=Format}\p{WB=ZWJ}]*+"
_HEBREW: Final = r"\p{WB=Hebrew_Letter}"
_LETTER: Final = r"[\p{WB=ALetter}\p{WB=Hebrew_Letter}]"
_IN_LETTERS: Final = r"[\p{WB=MidLetter}\p{WB=MidNumLet}\p{WB=Single_Quote}]"
_IN_NUMBERS: Final = r"[\p{WB=MidNum}\p{WB=MidNumLet}\p{WB=Single_Quote}]"
_UNIT: Final = (
    rf"(?:\p{{WB=ALetter}}++{_JOINED}(?:{_IN_LETTERS}{_JOINED}(?={_LETTER}))?"
    rf"|\p{{WB=Numeric}}++{_JOINED}(?:{_IN_NUMBERS}{_JOINED}(?=\p{{WB=Numeric}}))?"
    rf"|{_HEBREW}{_JOINED}(?:{_IN_LETTERS}{_JOINED}(?={_LETTER})"
    rf"|\p{{WB=Double_Quote}}{_JOINED}(?={_HEBREW})|(?!\p{{WB=Single_Quote}})))"
)
_KATAKANA: Final = rf"(?:\p{{WB=Katakana}}{_JOINED})++"
_CONNECTOR: Final = rf"\p{{WB=ExtendNumLet}}{_JOINED}"
# A single quote after a Hebrew letter belongs to the word and ends it (WB7a).
_GERESH: Final = rf"{_HEBREW}{_JOINED}\p{{WB=Single_Quote}}{_JOINED}"
_WORD: Final = (
    rf"(?=[{_LETTER}\p{{WB=Numeric}}\p{{WB=Katakana}}\p{{WB=ExtendNumLet}}])"
    rf"(?:{_CONNECTOR})*+(?:(?:{_UNIT}++|{_KATAKANA})(?:{_CONNECTOR})++)*+"
    rf"(?:{_UNIT}++(?:{_GERESH})?|{_GERESH}|{_KATAKANA})?"
    # A letter without a word-break class, such as an ideograph, is a word by itself.
    rf"|[\p{{L}}\p{{N}}--[\p{{WB=Extend}}]]{_JOINED}"
)


@cache
def _read_regex_version() -> str:
    from importlib.metadata import version

    # Before 2025, regex.__version__ is another number.
    return version("regex")


# The versions that characters depend on: that of Unicode in Python, and of the ``regex`` package.
VERSIONS: Final[Mapping[str, Callable[[], str]]] = {
    "unicode": lambda: unicodedata.unidata_version,
    "regex": _read_regex_version,
}


def has_gaps(starts: Iterable[int]) -> bool:
    """Return whether ranges without characters start at these code points in ``regex``.

    Each version of Unicode adds characters at the starts of such ranges, so that all of them tell
    the version.
    """
    import regex

    ends = "".join(chr(start - 1) + chr(start) for start in starts)
    return regex.fullmatch(r"(?:\P{Cn}\p{Cn})++", ends) is not None


class _Patterns(NamedTuple):
    """Compiled patterns of the ``regex`` package."""

    word: Any
    letter_or_number: Any
    complex_run: Any
    complex_character: Any
    unspaced_run: Any
    cluster: Any


@cache
def compile_patterns() -> _Patterns:
    """Return the compiled patterns."""
    # Importing regex takes 10 ms, so it is imported only if one of these tokenizers is used.
    import regex

    def compile_pattern(pattern: str) -> Any:
        return regex.compile("(?V1)" + pattern)

    start = f"[^{_MARK}]"
    # All quantifiers are possessive, so that every text takes linear time.
    stacked = f"[[{_MARK}]--[{_STACKING}]]*+[{_STACKING}][{_MARK}]*+{start}"
    return _Patterns(
        word=compile_pattern(_WORD),
        letter_or_number=compile_pattern(r"[\p{L}\p{N}]"),
        complex_run=compile_pattern(f"([[{_COMPLEX}]--[{_MARK}]][{_COMPLEX}{_MARK}]*+)"),
        complex_character=compile_pattern(f"{start}(?:{stacked})*+[{_MARK}]*+"),
        unspaced_run=compile_pattern(
            f"([[{_COMPLEX}]--[{_MARK}]][{_COMPLEX}{_MARK}]*+|[{_EAST_ASIAN}][{_EAST_ASIAN}{_MARK}]*+)"
        ),
        # Fast path: equals \X, which finds the pairs of a row of flags by counting from the first
        # one each time: 10,000 flags in a row take 2 ms instead of 0.7 s.
        cluster=compile_pattern(r"\p{RI}\p{RI}(?=\p{RI})|\X"),
    )


def tokenize_unicode(text: str) -> list[str]:
    """Return the words of the folded text, by Unicode word boundaries; for every language.

    A word holds at least one letter or number.

    >>> tokenize_unicode("Don't pay 3.5 EUR – здравствуй, мир! 我爱你 😀")
    ["don't", 'pay', '3.5', 'eur', 'здравствуй', 'мир', '我', '爱', '你']
    """
    text = fold_text(text)
    if text.isascii():
        return _list_words(text)
    patterns = compile_patterns()
    tokens: list[str] = []
    # Every second part is a run of class SA; there is a word boundary on both sides of it.
    for index, part in enumerate(patterns.complex_run.split(text)):
        if index % 2:
            tokens += filter(patterns.letter_or_number.search, _list_complex(part))
        else:
            tokens += _list_words(part)
    return tokens


def make_unicode_tokenizer(
    segment: Callable[[str], list[str]],
) -> Callable[[str], list[str]]:
    """Make a ``tokenize_unicode`` that splits scripts without spaces with the user's function.

    Args:
        segment: from a run of ideographs and kana, or of Thai, Lao, Khmer, Burmese and related
            scripts, to its words. It gets the run unchanged; white space, digits and punctuation
            end a run. The words are folded, and dropped if they hold no letter or number.

    >>> tokenize = make_unicode_tokenizer(lambda run: [run[:2], run[2:]])
    >>> tokenize("In 北京大学 gibt es")
    ['in', '北京', '大学', 'gibt', 'es']
    """
    patterns = compile_patterns()

    def tokenize(text: str) -> list[str]:
        tokens: list[str] = []
        for index, part in enumerate(patterns.unspaced_run.split(text)):
            if index % 2:
                words = map(fold_text, segment(part))
                tokens += filter(patterns.letter_or_number.search, words)
            else:
                tokens += tokenize_unicode(part)
        return tokens

    return tokenize


def tokenize_grapheme(text: str) -> list[str]:
    """Return the extended grapheme clusters (what readers see as characters) without white space.

    Case is kept, and nothing is normalized.

    >>> tokenize_grapheme("Öl नमस्ते 🇩🇪")
    ['Ö', 'l', 'न', 'म', 'स्ते', '🇩🇪']
    """
    if text.isascii():
        return list("".join(text.split()))
    return [
        cluster for cluster in compile_patterns().cluster.findall(text) if not cluster.isspace()
    ]


def _list_words(text: str) -> list[str]:
    """Return the segments between word boundaries that hold a letter or a number."""
    patterns = compile_patterns()
    has_letter = patterns.letter_or_number.search
    return [word for word in patterns.word.findall(text) if word.isalnum() or has_letter(word)]


def _list_complex(run: str) -> list[str]:
    """Return the letters of a run of class SA, each with its marks and its stacked letters."""
    characters: list[str] = compile_patterns().complex_character.findall(run)
    return characters

r"""The words of ``xlsum``: those of the multilingual ROUGE that XL-Sum's scores come from.

Equals multilingual-rouge 0.0.1. Two tokenizations: :func:`normalize_xlsum` drops punctuation and
control characters, which is all that ``rougeLsum`` gets of a line; of a whole text, words are split
further, into runs of letters and of digits, or by a segmenter of the language. Not done here:
stems (``xlsum_stems.py``).
"""

import re
from collections.abc import Callable
from typing import Final
from unicodedata import category

from .mapped_text import MappedText, join_mapped
from .segmenters import load_mecab

# Bound of a table by character: 65,536 characters, about 6 MB when full; a text has few.
_MOST_CHARACTERS: Final = 1 << 16

# What the Tokenizer of OpenNMT, which XL-Sum uses, writes for a space that a mark combines with.
_SPACE_OF_MARKS: Final = "\uff050020"
# Parity: it replaces the characters that it marks tokens with.
_REPLACED: Final = {"\u2581": "_", "\uffed": "\u25a0", "\uffe8": "\u2502"}

# Letters, digits, marks and other characters by the first letter of their category.
_RUN: Final = re.compile("L[LM]*|N[NM]*|SM*|M+")
_IDEOGRAPH: Final = re.compile(
    "[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002ceaf"
    "\U0002f800-\U0002fa1f]"
)


class _CharacterTable(dict[int, str]):
    """A table for ``str.translate`` that is filled on first use."""

    def __init__(self, translate: Callable[[str], str]) -> None:
        super().__init__()
        self._translate = translate

    def __missing__(self, code_point: int) -> str:
        if len(self) >= _MOST_CHARACTERS:
            self.clear()
        translated = self[code_point] = self._translate(chr(code_point))
        return translated


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


_CLEAN: Final = _CharacterTable(_clean)
_CLASSES: Final = _CharacterTable(_classify)


def normalize_xlsum(text: str) -> list[str]:
    r"""Return the words of a text in lower case, without punctuation.

    >>> normalize_xlsum("Don't pay $5.00, x\u200by!")
    ['don', 't', 'pay', '5', '00', 'xy']
    """
    return text.lower().translate(_CLEAN).split()


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
        escaped = _SPACE_OF_MARKS if start and run[0][0] == "M" and text[start - 1] == " " else ""
        tokens.append(escaped + text[start:end])
    joined = " ".join(tokens)
    for character, other in _REPLACED.items():
        joined = joined.replace(character, other)
    return _IDEOGRAPH.sub(r" \g<0> ", joined).split()


def rewrite_xlsum(mapped: MappedText) -> MappedText:
    """Return what the tokens of a text are searched in, with the places of its characters."""
    mapped = mapped.map_characters(str.lower)
    pieces: list[MappedText] = []
    is_inside = True
    for index, character in enumerate(mapped.text):
        piece = mapped.slice(index, index + 1)
        cleaned = _CLEAN[ord(character)]
        if not cleaned:
            continue
        if not is_inside and category(cleaned)[0] == "M":
            # The inserted text gets the position of the mark.
            pieces.append(piece.replace(character, _SPACE_OF_MARKS))
        is_inside = not cleaned.isspace()
        pieces.append(piece.replace(character, _REPLACED.get(cleaned, cleaned)))
    return join_mapped(pieces)


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

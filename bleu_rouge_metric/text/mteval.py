"""Tokenizers of sacrebleu 2.6 that need only regular expressions: ``intl`` and ``zh``.

Both equal sacrebleu's classes on every text. Before any tokenizer, sacrebleu's BLEU strips white
space from the end of a text; ``scoring/counting.py`` does so too.

sacrebleu's ``none`` is ``whitespace`` here, and its ``char`` has the same name. ``external.py`` has
the tokenizers that need a dictionary or a model.
"""

import re
import string
from functools import cache
from typing import Any, Final

# Source: mteval-v13a.pl, "language-dependent part". ASCII punctuation is always a token of its own,
# except the apostrophe, comma, hyphen and full stop.
_SYMBOL: Final = re.compile(
    "([" + re.escape("".join(sorted(set(string.punctuation) - set("',-.")))) + "])"
)
# Parity: evaluate's tokenizer_13a and sacrebleu consume the neighbour together with the mark, so
# that in " ,.5" the full stop stays with the digit. A look-around would separate it.
_POINT_AFTER_NON_DIGIT: Final = re.compile(r"([^0-9])([.,])")
_POINT_BEFORE_NON_DIGIT: Final = re.compile(r"([.,])([^0-9])")
_HYPHEN_AFTER_DIGIT: Final = re.compile(r"([0-9])(-)")

# First and last code points of the blocks that sacrebleu 2.6 treats as Chinese.
_CHINESE_RANGES: Final = (
    # Parity: sacrebleu's tokenizer_zh writes extension B, U+20000 to U+2A6D6, with four digits
    # instead of five, which means this range. So Western quotation marks and dashes become tokens
    # of their own, and the ideographs of extension B do not.
    (0x2001, 0x2A6D),
    (0x2E80, 0x2EFF),  # radicals supplement
    (0x2F00, 0x2FDF),  # Kangxi radicals
    (0x2FF0, 0x2FFF),  # ideographic description
    (0x3000, 0x303F),  # punctuation
    (0x3100, 0x312F),  # Bopomofo
    (0x31A0, 0x31BF),  # Bopomofo extended
    (0x31C0, 0x31EF),  # strokes
    (0x3200, 0x33FF),  # enclosed letters and compatibility
    (0x3400, 0x4DB5),  # extension A, as of Unicode 3.0
    (0x4E00, 0x9FBB),  # unified ideographs, as of Unicode 4.1
    (0xF900, 0xFA2D),  # compatibility ideographs
    (0xFA30, 0xFA6A),
    (0xFA70, 0xFAD9),
    (0xFE10, 0xFE1F),  # vertical forms
    (0xFE30, 0xFE4F),  # compatibility forms
    (0xFF00, 0xFFEF),  # half-width and full-width forms
)


def separate_ascii_marks(text: str) -> str:
    """Put spaces around ASCII punctuation, as ``mteval-v13a`` does.

    Full stops, commas and hyphens inside numbers get no spaces.
    """
    text = _SYMBOL.sub(r" \1 ", text)
    if "." in text or "," in text:
        text = _POINT_AFTER_NON_DIGIT.sub(r"\1 \2 ", text)
        text = _POINT_BEFORE_NON_DIGIT.sub(r" \1 \2", text)
    if "-" in text:
        text = _HYPHEN_AFTER_DIGIT.sub(r"\1 \2 ", text)
    return text


def tokenize_zh(text: str) -> list[str]:
    """Tokenize Chinese characters one by one, and the rest as ``13a`` does.

    Unlike ``13a``, it keeps entities such as ``&amp;`` and does not join lines. Equals sacrebleu's
    ``zh``. Case is kept. Kana and Hangul do not count as Chinese.

    >>> tokenize_zh("我在IBM工作了3.5年。")
    ['我', '在', 'IBM', '工', '作', '了', '3.5', '年', '。']
    """
    # Parity: 13a puts a space before the text, and zh does not. So a text that begins with ".5"
    # keeps its full stop.
    return separate_ascii_marks(_compile_chinese().sub(r" \1 ", text.strip())).split()


@cache
def _compile_chinese() -> re.Pattern[str]:
    """Compile the pattern of Chinese characters, which takes 2 ms."""
    ranges = "".join(f"{chr(first)}-{chr(last)}" for first, last in _CHINESE_RANGES)
    return re.compile(f"([{ranges}])")


@cache
def compile_international() -> tuple[Any, Any, Any]:
    """Compile the patterns: punctuation after a non-number, punctuation before one, symbols."""
    import regex

    return (
        regex.compile(r"(\P{N})(\p{P})"),
        regex.compile(r"(\p{P})(\P{N})"),
        regex.compile(r"(\p{S})"),
    )


def tokenize_intl(text: str) -> list[str]:
    """Tokenize as the international WMT tokenizer ``mteval-v14``, which separates punctuation.

    Equals sacrebleu's ``intl``. Case is kept.

    >>> tokenize_intl("„Das kostet 1.000,50 €“, sagt sie.")
    ['„', 'Das', 'kostet', '1.000,50', '€', '“', ',', 'sagt', 'sie', '.']
    """
    # Source: mteval-v14.pl with --international-tokenization.
    # Parity: sacrebleu's tokenizer_intl puts no space around the text, so the full stop of
    # "in 1999." stays with the number. Each pattern consumes the neighbour of the mark, as in 13a.
    after_no_number, before_no_number, symbol = compile_international()
    text = after_no_number.sub(r"\1 \2 ", text)
    text = before_no_number.sub(r" \1 \2", text)
    words: list[str] = symbol.sub(r" \1 ", text).split()
    return words

"""The tokenizer ``ptb`` compared with the Java program that it reproduces."""

import pytest

from bleu_rouge_metric.text.ptb import tokenize_ptb

from ..support.ptb import make_captions, make_hard_lines, tokenize_with_java
from ..support.strategies import EVERY_CHARACTER

pytestmark = pytest.mark.extra

# Line separators shift captions, and surrogates cannot be written as UTF-8.
CHARACTERS = [
    character
    for character in EVERY_CHARACTER
    if (character <= "\uffff" or ord(character) % 64 == 0)
    and character not in "\n\r\v\f\u2028\u2029"
    and not "\ud800" <= character <= "\udfff"
]


def list_differences(texts: list[str]) -> list[tuple[str, list[str], list[str]]]:
    """Return the texts whose tokens differ, with our tokens and the program's."""
    rows = zip(texts, map(tokenize_ptb, texts), tokenize_with_java(texts), strict=True)
    return [row for row in rows if row[1] != row[2]]


def test_every_code_point_is_of_the_same_class() -> None:
    texts = [
        form.format(character)
        for form in ("{}", "a{}b", "a {} b", "{0}{0}", "1{}2")
        for character in CHARACTERS
    ]
    assert list_differences(texts) == []


def test_generated_captions_have_the_same_tokens() -> None:
    assert list_differences(make_captions(10_000)) == []


@pytest.mark.parametrize("seed", [1, 2])
def test_hard_lines_have_the_same_tokens(seed: int) -> None:
    assert list_differences(make_hard_lines(5_000, seed)) == []

"""Alignment: every token is a slice of the text as it was given, and is compared as its form.

``tokens.json`` has slices worked by hand.
"""

import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bleu_rouge_metric.samples.token_ids import IDS
from bleu_rouge_metric.text.align import MappedText, Token, align_sentences, align_tokens, fold_text
from bleu_rouge_metric.text.steps import make_truncation
from bleu_rouge_metric.text.tokenizer import TOKENIZERS, Tokenizer

from ..conftest import require
from ..support.strategies import any_texts

# The tokenizers that need no other library.
OWN = [name for name, row in TOKENIZERS.items() if not row.needs and name != IDS]

# What rewriting changes in length or in order.
PIECES = [
    *("a", "B", "1", "2", " ", "  ", "\n", "\r\n", "\x85", "\u2028", "\xa0", *".,-'_"),
    *('"', "''", "``", "(", "\u201c"),
    *("&quot;", "&amp;lt;", "&amp;", "&lt;", "-\n", "<skipped>", "\ud800", "\udc00", "\u200d"),
    *("\u0130", "\ufb01", "\xbd", "\u338f", "\u212a", "\xdf", "\u03a3", "\u03c2", "\u0149"),
    *("e\u0301", "\u0301", "\u0315", "\u0323", "\u3099", "\uff9e", "\uff76", "\u304b"),
    *("\u1100", "\u1161", "\u11a8", "\uac00", "\u09c7", "\u09be", "\u0915", "\u093f", "\u094d"),
    *("\u2581", "\uffe8", "\u1000", "\u1031", "\u103a", "\u1037", "\u1039", "\U00020000", "\x1c"),
    *("\U0001f1e9", "\U0001f1ea", "\u4e2d", "\u0e44", "\u0e17\u0e22"),
]
hard_texts = any_texts | st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


def align(text: str, name: str) -> list[Token]:
    return align_tokens(text, MappedText.of(text), TOKENIZERS[name])


@pytest.mark.parametrize("name", OWN)
@given(hard_texts)
@example("")
@example(" \n\t")
@example("<skipped>-\n")
@example("\u0315\u0300a\u0315\u0300")
def test_tokens_are_those_of_the_tokenizer_and_slices_of_the_text(name: str, text: str) -> None:
    tokens = align(text, name)
    assert [token.form for token in tokens] == TOKENIZERS[name](text)
    end = 0
    for token in tokens:
        assert token.text == text[token.start : token.end]
        assert token.text or not token.form, "every token has a place, but for empty ones"
        assert token.end >= end
        end = token.end


@given(hard_texts)
def test_places_go_through_folding(text: str) -> None:
    folded = MappedText.of(text).normalize().map_characters(str.casefold).normalize()
    assert folded.text == unicodedata.normalize(
        "NFKC", unicodedata.normalize("NFKC", text).casefold()
    )
    assert len(folded.starts) == len(folded.ends) == len(folded.text)
    # What comes from one piece of the text does not depend on what is around it.
    for start, end in set(zip(folded.starts, folded.ends, strict=True)):
        whole = "".join(
            character
            for character, place in zip(folded.text, folded.starts, strict=True)
            if place == start
        )
        assert whole == fold_text(text[start:end]) or "\u03a3" in text


@pytest.mark.parametrize(
    ("function", "text", "expected"),
    [
        (str.split, "The cat", [(0, 3, "The"), (4, 7, "cat")]),
        (
            lambda text: text.lower().replace(",", "").split(),
            "The cat, THE dog",
            [(0, 3, "the"), (4, 7, "cat"), (9, 12, "the"), (13, 16, "dog")],
        ),
        # SentencePiece has a mark for a space.
        (
            lambda _: ["\u2581MK", "\u2581", "cat", "s"],
            "\uff2d\uff2b cats",
            [(0, 2, "\u2581MK"), (2, 2, "\u2581"), (3, 6, "cat"), (6, 7, "s")],
        ),
        # A token that is not in the text has no place.
        (
            lambda _: ["<s>", "a", "zzz", "b", ""],
            "a b",
            [(0, 0, "<s>"), (0, 1, "a"), (1, 1, "zzz"), (2, 3, "b"), (3, 3, "")],
        ),
        # Without the steps of "13a".
        (
            lambda text: text.replace("&amp;", "&").split(),
            "a &amp; b",
            [(0, 1, "a"), (2, 3, "&"), (8, 9, "b")],
        ),
    ],
)
def test_tokens_of_a_callable_are_searched_in_order(
    function: Callable[[str], list[str]], text: str, expected: list[tuple[int, int, str]]
) -> None:
    found = align_tokens(text, MappedText.of(text), Tokenizer("13a", function))
    assert [(token.start, token.end, token.form) for token in found] == expected
    assert all(token.text == text[token.start : token.end] for token in found)


@pytest.mark.parametrize("limits", [(1, None), (2, None), (5, None), (None, 1), (None, 9)])
@given(hard_texts)
def test_places_go_through_limits(limits: tuple[int | None, int | None], text: str) -> None:
    truncate = make_truncation(*limits)
    assert truncate is not None
    kept = truncate(MappedText.of(text))
    assert kept.text == truncate(text)
    assert "".join(text[start:end] for start, end in zip(kept.starts, kept.ends, strict=True)) == (
        kept.text
    )


@given(hard_texts)
def test_sentences_are_slices(text: str) -> None:
    lines = [line for line in text.split("\n") if line]
    found = align_sentences(MappedText.of(text), lines)
    assert [text[part.starts[0] : part.ends[-1]] for part in found] == lines


def test_a_rewritten_sentence_has_no_place() -> None:
    found = align_sentences(MappedText.of("One. Two."), ["One.", "TWO"])
    assert found[1].text == "TWO"
    assert set(zip(found[1].starts, found[1].ends, strict=True)) == {(4, 4)}


@pytest.mark.parametrize(
    ("name", "module", "text"),
    [
        ("ja-mecab", "MeCab", "\u79c1\u306f \u672c\u3092\u8aad\u3080\u3002"),
        ("ko-mecab", "mecab_ko", "\ub098\ub294 \ucc45\uc744 \uc77d\ub294\ub2e4."),
    ],
)
def test_tokens_of_analysers_are_slices(name: str, module: str, text: str) -> None:
    require(module)
    tokens = align(text, name)
    assert [token.form for token in tokens] == [token.text for token in tokens]
    assert "".join(token.text for token in tokens) == "".join(text.split())

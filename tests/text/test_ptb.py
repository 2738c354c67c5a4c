"""The rules of the tokenizer ``ptb``, which is compared with the Java program."""

from collections.abc import Callable

import pytest

from bleu_rouge_metric.text import ptb
from bleu_rouge_metric.text.ptb import (
    PUNCTUATION,
    RULES,
    compile_pattern,
    find_ptb_tokens,
    tokenize_ptb,
    write_shape,
)

from ..parity.goldens import each_corpus
from ..parity.practice import each_practice, read_practice
from ..parity.ptb_shares import list_texts
from ..support.ptb import make_captions, make_hard_lines, tokenize_with_java
from ..support.strategies import EVERY_CHARACTER


@pytest.mark.parametrize("make", [make_captions, make_hard_lines])
def test_common_words_are_those_of_the_rules(
    make: Callable[[int], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = make(1_000)
    tokens = [find_ptb_tokens(line) for line in lines]
    monkeypatch.setattr(ptb, "_COMMON", "(?!)")
    assert [find_ptb_tokens(line) for line in lines] == tokens


def test_tokens_have_places_in_order() -> None:
    for text in [*make_captions(200), *make_hard_lines(200)]:
        end = 0
        for token, start, stop in find_ptb_tokens(text):
            assert end <= start < stop <= len(text), text
            assert token, text
            assert token not in PUNCTUATION, text
            end = stop


def test_a_rule_matches_only_where_it_begins_and_fails_in_the_whole_of_its_run() -> None:
    for shape in map(write_shape, make_hard_lines(300)):
        for rule in RULES:
            pattern, begins = compile_pattern(rule.pattern), compile_pattern(f"[{rule.firsts}]")
            assert all(begins.match(match[0]) for match in pattern.finditer(shape)), rule
            if rule.run is None:
                continue
            for at in range(len(shape)):
                run = compile_pattern(rule.run).match(shape, at)
                if run and begins.match(shape, at) and not pattern.match(shape, at):
                    inside = range(at, run.end())
                    assert not any(pattern.match(shape, place) for place in inside), (rule, shape)


# The Java program that it reproduces.

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


@pytest.mark.extra
def test_every_code_point_is_of_the_same_class() -> None:
    texts = [
        form.format(character)
        for form in ("{}", "a{}b", "a {} b", "{0}{0}", "1{}2")
        for character in CHARACTERS
    ]
    assert list_differences(texts) == []


@pytest.mark.extra
def test_generated_captions_have_the_same_tokens() -> None:
    assert list_differences(make_captions(10_000)) == []


@pytest.mark.extra
@pytest.mark.parametrize("seed", [1, 2])
def test_hard_lines_have_the_same_tokens(seed: int) -> None:
    assert list_differences(make_hard_lines(5_000, seed)) == []


# Real captions, summaries and translations: stored and live tokens.


@each_practice("coco/ptb")
def test_stored_tokens_are_equal(corpus: str) -> None:
    samples = read_practice(corpus)
    stored = samples.scores["coco/ptb"]
    assert [" ".join(tokenize_ptb(text)) for text in samples.predictions] == (
        stored["tokens_predictions"]
    )
    assert [[" ".join(tokenize_ptb(text)) for text in texts] for texts in samples.references] == (
        stored["tokens_references"]
    )


@pytest.mark.extra
@each_corpus()
def test_live_tokens_are_equal(corpus: str) -> None:
    assert list_differences(list_texts(corpus)) == []

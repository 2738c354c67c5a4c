"""The tokenizer ``ptb`` by hand; ``test_ptb_program.py`` compares it with the Java program."""

from collections.abc import Callable

import pytest
from hypothesis import given

from bleu_rouge_metric import explain
from bleu_rouge_metric.text import ptb
from bleu_rouge_metric.text.ptb import (
    PUNCTUATION,
    RULES,
    compile_pattern,
    find_longest,
    find_ptb_tokens,
    tokenize_ptb,
    write_shape,
)

from ..support.ptb import make_captions, make_hard_lines
from ..support.strategies import any_texts


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("2 3/4", "2\u00a03/4"),
        ("(555) 123-4567", "-lrb-555-rrb-\u00a0123-4567"),
        ("100 200 3000", "100\u00a0200\u00a03000"),
        ("<br />", "<br\u00a0/>"),
    ],
)
def test_a_token_with_spaces_has_no_break_spaces(text: str, token: str) -> None:
    assert tokenize_ptb(text) == [token]


def test_a_caption_ends_where_the_text_ends() -> None:
    # The single letter is not followed by a word that begins a sentence.
    assert tokenize_ptb("vitamin X.") == ["vitamin", "x."]
    assert tokenize_ptb("vitamin X.\nThe end") == ["vitamin", "x", "the", "end"]


@pytest.mark.parametrize("make", [make_captions, make_hard_lines])
def test_common_words_are_those_of_the_rules(
    make: Callable[[int], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = make(1_000)
    tokens = [find_ptb_tokens(line) for line in lines]
    monkeypatch.setattr(ptb, "_COMMON", "(?!)")
    assert [find_ptb_tokens(line) for line in lines] == tokens


@given(any_texts)
def test_the_shape_of_a_text_is_as_long_as_the_text(text: str) -> None:
    assert len(write_shape(text)) == len(text)


def test_tokens_have_places_in_order() -> None:
    for text in [*make_captions(200), *make_hard_lines(200)]:
        end = 0
        for token, start, stop in find_ptb_tokens(text):
            assert end <= start < stop <= len(text), text
            assert token, text
            assert token not in PUNCTUATION, text
            end = stop


def test_a_rule_matches_only_where_it_says_that_it_begins() -> None:
    shapes = [write_shape(line) for line in make_hard_lines(400)]
    for rule in RULES:
        begins = compile_pattern(f"[{rule.firsts}]").match
        for shape in shapes:
            for match in compile_pattern(rule.pattern).finditer(shape):
                assert begins(match[0]), (rule, match)


def test_a_rule_that_fails_matches_nowhere_in_its_run() -> None:
    for shape in map(write_shape, make_hard_lines(300)):
        for rule in RULES:
            if rule.run is None:
                continue
            pattern, begins = compile_pattern(rule.pattern), compile_pattern(f"[{rule.firsts}]")
            for at in range(len(shape)):
                run = compile_pattern(rule.run).match(shape, at)
                if run and begins.match(shape, at) and not pattern.match(shape, at):
                    inside = range(at, run.end())
                    assert not any(pattern.match(shape, place) for place in inside), (rule, shape)


# Rare tokens, of which the generator has none.
RARE = [
    *("<!-- x -->", "o'o", "US$5", "&odq;", "a.b, c", "&APOS;", "X. The x", "’no", "a-b; c"),
    *("(==)", "R&D., x", "-lrb-", "&apos;a", "100 200 3000", "Inc.-é", "www.a:b://c.de/x"),
    *("x-y., z", "j'ai"),
]


def test_every_rule_has_a_token() -> None:
    used = set()
    for line in [*make_hard_lines(4_000), *RARE]:
        shape = write_shape(line + "\r")
        at = 0
        while at < len(shape):
            rule, end = find_longest(shape, at, {})
            used.add(rule)
            at = max(end, at + 1)
    assert [rule for rule in RULES if rule not in used] == []


def test_explain_shows_what_a_token_is_written_from() -> None:
    explanation = explain("A (man) can't", "the (man) cannot", tokenizer="ptb", family="rouge")
    words = [(token.text, token.form) for token in explanation.prediction.tokens]
    assert words == [
        ("A", "a"), ("(", "-lrb-"), ("man", "man"), (")", "-rrb-"), ("ca", "ca"), ("n't", "n't"),
    ]  # fmt: skip

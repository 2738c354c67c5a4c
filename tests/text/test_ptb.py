"""The tokenizer ``ptb`` by hand; ``test_ptb_program.py`` compares it with the Java program."""

import time
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

from ..support.ptb_captions import make_captions, make_hard_lines
from ..support.strategies import any_texts


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("A man rides, slowly.", "a man rides slowly"),
        ('A (man) "runs", - well... ok! [x] !!', "a -lrb- man -rrb- runs well ok -lsb- x -rsb- !!"),
        ("", ""),
        (" . , ... ", ""),
        ("don't cannot gonna it’s", "do n't can not gon na it 's"),
        ("rock 'n' roll, y'all", "rock 'n' roll y' all"),
        ("O'Neil's o'clock ma'am", "o'neil 's o'clock ma'am"),
        ("'90s '97 x 1990s", "'90s '97 x 1990s"),
        ("Mr. X of Foo Inc. is here", "mr. x of foo inc. is here"),
        ("the U.S. team at 5 p.m. on Sat.", "the u.s. team at 5 p.m. on sat"),
        ("no. 5 and no. x", "no. 5 and no x"),
        ("Vitamin X. The end", "vitamin x the end"),
        ("Vitamin X. No end", "vitamin x. no end"),
        ("a cat., a dog", "a cat. a dog"),
        ("the dog.The cat", "the dog.the cat"),
        ("1,000.50 10:30 -5 1.5km", "1,000.50 10:30 -5 1.5 km"),
        ("$5 £5 5% 5¢", "$ 5 # 5 5 % 5 cents"),
        ("20-year-old U.S.-led a_b and/or", "20-year-old u.s.-led a_b and/or"),
        ("AT&T AT&amp;T c++ C#", "at&t at&t c++ c#"),
        ("http://x.co/a, me@x.co @me #tag", "http://x.co/a me@x.co @me #tag"),
        ("see a.txt <b> &lt;", "see a.txt <b> <"),
        (":) :D", ":-rrb- :d"),
        ("“hi” ’ ‘", "hi"),
        ("5°C 日本語。 ²³", "5 ° c 日本語 。 ²³"),
        ("n\u00adn't a\u00adn't \u00adn't", "nn t a n't n t"),
        ("visit \u00a0example.com", "visit example.com"),
        ("'n\u00a0x 'n\u2003x '97\u0085x '97\u202fx", "'n x n x '97 x 97 x"),
        ("soft\u00adly a\U0001f600b 1½", "softly a b 1 1/2"),
        ("ΣΑΣ İ ẞ", "σας i̇ ß"),
    ],
)
def test_tokens_by_hand(text: str, tokens: str) -> None:
    assert " ".join(tokenize_ptb(text)) == tokens


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


@pytest.mark.parametrize("text", [*make_captions(200), *make_hard_lines(200)])
def test_tokens_have_places_in_order(text: str) -> None:
    end = 0
    for token, start, stop in find_ptb_tokens(text):
        assert end <= start < stop <= len(text)
        assert token
        assert token not in PUNCTUATION
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
    *(
        "<!-- x -->",
        "o'o",
        "US$5",
        "&odq;",
        "a.b, c",
        "&APOS;",
        "X. The x",
        "’no",
        "a-b; c",
        "(==)",
    ),
    *(
        "R&D., x",
        "-lrb-",
        "&apos;a",
        "100 200 3000",
        "Inc.-é",
        "www.a:b://c.de/x",
        "x-y., z",
        "j'ai",
    ),
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


@pytest.mark.parametrize(
    "unit",
    [
        *("a", " ", ".", "-", "(", "1", "'", '"', "&", "<", "@", "_", "/", "é", "\u0301", "\xad"),
        *("a.", "1.1", "1,", "a-", "a,", "a!", "a1-.", "a--", "<a ", "<!a", '<a b="', "<a b='"),
        *('<a b="x" ', "http://", "www.", "www.1;", "www.1-", "a@", "a@ ", "a;b", "&amp;", "A&"),
        *("X. <!b ", "Inc. ", "555 ", "1/2/", "a_", "'s", "n't", "cannot", "ea'o", "a1.txt.", ". "),
        *(
            ":)",
            "“",
            "«foo.",
            "foo.com/",
            "\t\xa0",
            "A.A-",
            "a,,,,",
            "a.b1,",
            "😀",
            "a\xad",
            "X.  ",
        ),
    ],
)
def test_repetitions_take_linear_time(unit: str) -> None:
    def fastest(length: int) -> float:
        times = []
        for _ in range(3):
            start = time.process_time()
            tokenize_ptb((unit * length)[:length])
            times.append(time.process_time() - start)
        return min(times)

    # As for the tokenizer "unicode": eight times the text takes eight times as long, or 64 times
    # if the time were quadratic; what takes less than 20 ms cannot be told apart.
    assert fastest(20_000) < max(30 * fastest(2_500), 0.02)


def test_explain_shows_what_a_token_is_written_from() -> None:
    explanation = explain("A (man) can't", "the (man) cannot", tokenizer="ptb", family="rouge")
    words = [(token.text, token.form) for token in explanation.prediction.tokens]
    assert words == [
        ("A", "a"), ("(", "-lrb-"), ("man", "man"), (")", "-rrb-"), ("ca", "ca"), ("n't", "n't"),
    ]  # fmt: skip

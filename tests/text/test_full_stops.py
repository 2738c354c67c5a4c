"""Sentences of the packages ``rouge`` and ``rouge-chinese``."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric.text.sentences import (
    CHINESE,
    FULL_STOPS,
    SentenceRules,
    split_chinese,
    split_full_stops,
)

from ..conftest import require

# Marks of both rules, and what may be beside them.
PIECES = [*"ab你。！？?.…”’，\n\t ", "......", "……", "。”"]
texts = st.lists(st.sampled_from(PIECES), max_size=20).map("".join)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("", []),
        ("...", []),
        ("3.14", ["3", "14"]),
        ("a b. ", ["a b", " "]),
        ("a\nb", ["a\nb"]),
        ("a。b", ["a。b"]),
    ],
)
def test_full_stops_end_sentences(text: str, sentences: list[str]) -> None:
    assert split_full_stops(text) == sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("", []),
        (" \n ", []),
        (".", ["."]),
        ("a?b", ["a?", "b"]),
        ("吗？？好", ["吗？", "？好"]),
        ("a......b", ["a......", "b"]),
        ("a……b", ["a……", "b"]),
        ("他说。”好", ["他说。”", "好"]),
        ("他说。”，好", ["他说。”，好"]),
        ("你好 。 \n 再见", ["你好 。", " ", " 再见"]),
        ("你好。\n", ["你好。"]),
    ],
)
def test_chinese_marks_end_sentences(text: str, sentences: list[str]) -> None:
    assert split_chinese(text) == sentences


@given(texts)
def test_chinese_sentences_are_those_of_the_library(text: str) -> None:
    library = require("rouge_chinese").Rouge()
    assert split_chinese(text) == [line for line in library.cut_sent(text) if line]


@pytest.mark.parametrize("rules", [FULL_STOPS, CHINESE], ids=["stops", "chinese"])
@given(text=texts)
def test_the_word_of_a_blank_sentence_is_in_no_other(rules: SentenceRules, text: str) -> None:
    sentences = rules.split(text)
    assert not any(rules.blank in sentence for sentence in sentences)
    words = [sentence.split() or [rules.blank] for sentence in sentences]
    lines = rules.write_lines(text, keeps_blank=True)
    assert [line.split() for line in lines.split("\n") if line] == words


def test_a_blank_sentence_is_left_out_if_it_has_no_word() -> None:
    assert FULL_STOPS.write_lines("a. .\nb c", keeps_blank=False) == "a\n\n b c"
    assert FULL_STOPS.write_lines("a. .\nb c", keeps_blank=True) == "a\n.\n b c"

"""Sentence splitters compared with the libraries that they are named after."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nltk
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric import rouge_scores
from bleu_rouge_metric.text import sentences
from bleu_rouge_metric.text.sentences import (
    CHINESE,
    FULL_STOPS,
    SentenceRules,
    resolve_sentence_splitter,
    split_chinese,
    split_full_stops,
)

from ..conftest import require
from ..support.dictionaries import TRAINING, trained_punkt
from ..support.strategies import any_texts


@pytest.fixture
def punkt(tmp_path: Path) -> Iterator[None]:
    with trained_punkt(tmp_path):
        yield


@pytest.mark.usefixtures("punkt")
def test_punkt_equals_nltk() -> None:
    texts = ["", " ", TRAINING, "Dr. Brown left. He ran.", "One. Two!\nThree? four", "«Да». Нет."]
    for name, language in (("punkt", "english"), ("punkt-german", "german")):
        split = resolve_sentence_splitter(name)
        for text in texts:
            assert split(text) == nltk.sent_tokenize(text, language)
    assert split("Dr. Brown left. He ran.") == ["Dr. Brown left.", "He ran."]
    assert resolve_sentence_splitter("punkt-english") is resolve_sentence_splitter("punkt")


@pytest.mark.usefixtures("punkt")
@pytest.mark.parametrize("language", ["klingon", "English", "..", "english/../german"])
def test_a_language_that_punkt_has_not_is_an_error(language: str) -> None:
    message = (
        f"Unknown language {language!r} of sentence_splitter 'punkt'; the installed punkt_tab "
        "has 'english', 'german'."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        resolve_sentence_splitter(f"punkt-{language}")


def test_punkt_without_its_data_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    sentences._load_punkt.cache_clear()
    message = (
        "sentence_splitter 'punkt' needs NLTK's data punkt_tab, which is not installed; "
        "use python -m nltk.downloader punkt_tab."
    )
    for name in ("punkt", "punkt-german"):
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            resolve_sentence_splitter(name)


@given(any_texts)
def test_pysbd_equals_the_package(text: str) -> None:
    pysbd: Any = require("pysbd")
    split = resolve_sentence_splitter("pysbd")
    assert split(text) == pysbd.Segmenter(language="en", clean=False).segment(text)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("pysbd", "Mr. Smith left. He ran.", ["Mr. Smith left. ", "He ran."]),
        ("pysbd-en", "At 5 p.m. it ended. Why?", ["At 5 p.m. it ended. ", "Why?"]),
        ("pysbd-ja", "雨です。傘がない。", ["雨です。", "傘がない。"]),
        ("pysbd-hi", "यह है। वह भी।", ["यह है। ", "वह भी।"]),
        ("newline", "One. Two.\n\nThree.", ["One. Two.", "Three."]),
    ],
)
def test_splitters_by_hand(name: str, text: str, expected: list[str]) -> None:
    if name != "newline":
        require("pysbd")
    assert resolve_sentence_splitter(name)(text) == expected


def test_empty_sentences_of_a_callable_are_dropped() -> None:
    assert resolve_sentence_splitter(lambda text: text.split("."))("a.b.") == ["a", "b"]


def test_an_error_of_pysbd_names_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    segmenter = pytest.importorskip("pysbd").Segmenter

    def fail(_: object, text: str) -> list[str]:
        if "odd" in text:
            raise IndexError("list index out of range")
        return text.splitlines()  # pysbd itself takes seconds

    monkeypatch.setattr(segmenter, "segment", fail)
    reason = "sentence_splitter 'pysbd' fails with IndexError: list index out of range"
    texts, odd = ["One. Two."] * 5000, ["One. Two."] * 4999 + ["odd"]
    lists = [[text] for text in texts[:-1]] + [["a", "odd"]]
    options: dict[str, Any] = {"rouge_types": ["rougeLsum"], "sentence_splitter": "pysbd"}
    for predictions, references, place in (
        (odd, texts, "predictions[4999]"),
        (texts, lists, "references[4999]"),
    ):
        with pytest.raises(ValueError, match=f"^{re.escape(f'{place}: {reason}')}$"):
            rouge_scores(predictions, references, **options)


def test_a_text_that_pysbd_takes_too_long_for_is_an_error() -> None:
    pytest.importorskip("pysbd")
    options: dict[str, Any] = {"rouge_types": ["rougeLsum"], "sentence_splitter": "pysbd"}
    for text, seconds in (("1. " * 20_000, 134), ("i. " * 20_000, 134), ("x" * 200_000, 150)):
        message = (
            f"sentence_splitter 'pysbd' may take {seconds} s for a text of "
            f"{len(text):,} characters; at most 60 s are allowed. Use 'punkt', or put a newline "
            "between sentences and use 'newline'."
        )
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            rouge_scores(["a"], [text], **options)


def test_a_text_that_pysbd_takes_long_for_is_a_warning_before_the_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stop(*_: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(pytest.importorskip("pysbd").Segmenter, "segment", stop)
    options: dict[str, Any] = {"rouge_types": ["rougeLsum"], "sentence_splitter": "pysbd"}
    message = (
        "references[1] has 40,000 characters; sentence_splitter 'pysbd' may take 6 s for it, and "
        "four times as long for a text of twice the length. Use 'punkt', or put a newline between "
        "sentences and use 'newline'."
    )
    with (
        pytest.warns(UserWarning, match=f"^{re.escape(message)}$") as caught,
        pytest.raises(KeyboardInterrupt),
    ):
        rouge_scores(["a", "x" * 20_000], ["a", "x" * 40_000], **options)
    assert caught[0].filename == __file__


# Sentences of the packages ``rouge`` and ``rouge-chinese``.

# Marks of both rules, and what may be beside them.
PIECES = [*"ab你。！？?.…”’，\n\t ", "......", "……", "。”"]
texts = st.lists(st.sampled_from(PIECES), max_size=20).map("".join)


def test_full_stops_end_sentences() -> None:
    texts = ["", "...", "3.14", "a b. ", "a\nb", "a。b"]
    expected = [[], [], ["3", "14"], ["a b", " "], ["a\nb"], ["a。b"]]
    assert [*map(split_full_stops, texts)] == expected


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

"""``nltk`` and ``mteval-v11a``: the installed NLTK, and CodeXGLUE's steps as published, decide."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.tokenize import word_tokenize

from bleu_rouge_metric.text.rules import tokenize_mteval_v11a, tokenize_nltk

from ..parity.goldens import CORPORA, real_texts
from ..support.strategies import EVERY_CHARACTER, any_texts, examples

# What the rules of NLTK look for, and what stands beside it.
PIECES = [
    *("'", '"', "''", "`", "``", ".", "..", ",", ":", " ", "  ", "\n", "\t", "\x1c", "\x85"),
    *("a", "s", "S", "t", "d", "'ll", "'RE", "'Ve", "n't", "N'T", "'s", "'D", "'m", "n"),
    *("can", "not", "cannot", "d'ye", "more'n", "wanna", "gonna", "Gimme", "g\u0131mme", "lemme"),
    *("'t", "is", "was", "\u0131s", "\u017f", "1", "5", "\u0663", "(", ")", "[", "]", "<", ">"),
    *("{", "}", "*", "-", "--", "\u2013", "\u2014", "\xab", "\xbb", "\u201c", "\u201d", "\u2018"),
    *("\u2019", "\u201e", "?", "!", "$", "%", "&", ";", "@", "#", "_", "\xe9", "e\u0301"),
    *("\u0301", "\u200d", "\u0915\u094d", "\u65e5", "\ud800", "\U0001f642", "\u212a", "\u2167"),
]
hard_texts = st.lists(st.sampled_from(PIECES), max_size=16).map("".join)

needs_corpora = pytest.mark.skipif(not CORPORA, reason="the corpora are not at ../shared/data")


def nltk_tokens(text: str) -> list[str]:
    tokens: list[str] = word_tokenize(text, preserve_line=True)
    return tokens


@examples(4)
@given(any_texts | hard_texts)
def test_words_equal_nltks(text: str) -> None:
    assert tokenize_nltk(text) == nltk_tokens(text)


def test_words_equal_nltks_on_every_code_point() -> None:
    for start in range(0, len(EVERY_CHARACTER), 4096):
        characters = EVERY_CHARACTER[start : start + 4096]
        text = " ".join(f"{character}'{character}s ,{character}" for character in characters)
        assert tokenize_nltk(text) == nltk_tokens(text)


@pytest.mark.parametrize("form", ["{0}.", "x.{0}", "x,{0}", "a{0}'t '{0} {0}:", '"{0}"{0}'])
@pytest.mark.parametrize("step", [50, pytest.param(1, marks=pytest.mark.slow)])
def test_words_beside_marks_equal_nltks(form: str, step: int) -> None:
    # All white space and all quotation marks are among these; letters are much alike.
    characters = EVERY_CHARACTER[:0x3100]
    letters = [character for character in characters if character.isalpha()]
    for character in (*sorted({*characters} - {*letters}), *letters[::step]):
        text = form.format(character)
        assert tokenize_nltk(text) == nltk_tokens(text)


@needs_corpora
def test_words_equal_nltks_on_real_texts() -> None:
    texts = real_texts()
    assert len(texts) > 5000
    for text in texts:
        assert tokenize_nltk(text) == nltk_tokens(text)


def codexglue_words(text: str) -> list[str]:
    """Do as CodeXGLUE, step by step: split punctuation, then the rules of mteval-v11a."""
    text = " ".join(re.findall(r"\w+|[^\s\w]", text.lower()))
    text = text.replace("<skipped>", "")
    for entity, mark in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        text = text.replace(entity, mark)
    text = re.sub(r"([{-~[-` -&(-+:-@/])", r" \1 ", f" {text} ".lower())
    text = re.sub(r"([^0-9])([.,])", r"\1 \2 ", text)
    text = re.sub(r"([.,])([^0-9])", r" \1 \2", text)
    return re.sub(r"([0-9])(-)", r"\1 \2 ", text).split()


@given(any_texts)
def test_words_of_code_equal_codexglues(text: str) -> None:
    assert tokenize_mteval_v11a(text) == codexglue_words(text)


def test_words_of_code_equal_codexglues_on_every_code_point() -> None:
    for start in range(0, len(EVERY_CHARACTER), 4096):
        characters = EVERY_CHARACTER[start : start + 4096]
        text = "".join(f"a{character}1{character}_.{character}-" for character in characters)
        assert tokenize_mteval_v11a(text) == codexglue_words(text)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("don't &amp;", ["don", "'", "t", "&", "amp", ";"]),
        ("x_1 = 1.5", ["x", "_", "1", "=", "1", ".", "5"]),
        ("हिन्दी", ["ह", "ि", "न", "्", "द", "ी"]),
        ("", []),
    ],
)
def test_words_of_code_by_hand(text: str, tokens: list[str]) -> None:
    assert tokenize_mteval_v11a(text) == tokens

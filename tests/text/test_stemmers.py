"""Snowball stemmers compared with NLTK's, and the bound of the cache of stems."""

import re
from collections.abc import Callable
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.stem.snowball import SnowballStemmer

from bleu_rouge_metric.text import stemmers
from bleu_rouge_metric.text.stemmers import StemCache, porter_stems, snowball_stems
from bleu_rouge_metric.text.tokenizer import TOKENIZERS, Tokenize, add_stemmer, resolve_tokenizer

LANGUAGES = SnowballStemmer.languages
# Letters of the alphabets that have a stemmer, and marks that occur in words.
ALPHABET = "abcdefghijklmnopqrstuvwxyzäöüßéèçñőş'’-абвгдеийлмностуьяاأةتدسلمنهويÄ1\ud800"


@pytest.mark.parametrize("language", LANGUAGES)
@given(words=st.lists(st.text(ALPHABET, max_size=12), max_size=8))
def test_stems_equal_those_of_a_fresh_stemmer(language: str, words: list[str]) -> None:
    stems = snowball_stems(language)
    for word in words:
        # An empty word has no stem; some of NLTK's stemmers fail at it.
        assert stems[word] == (word and (SnowballStemmer(language).stem(word) or word))


def test_a_stem_depends_on_its_word_alone() -> None:
    # NLTK's Arabic stemmer itself gives another stem to a word that comes after certain others.
    words = ["كتبها", "كتبوا", "كتبنا"]
    stems = {word: SnowballStemmer("arabic").stem(word) for word in words}
    assert stems["كتبوا"] == "كتب"
    for order in permutations(words):
        stemmers._cache_snowball.cache_clear()
        assert {word: snowball_stems("arabic")[word] for word in order} == stems


@pytest.mark.parametrize(
    ("language", "tokenizer", "text", "tokens"),
    [
        ("german", "unicode", "Die Häuser der Kinder", ["die", "haus", "der", "kind"]),
        ("german", "whitespace", "Die Häuser", ["die", "haus"]),
        ("russian", "unicode", "красивые книги", ["красив", "книг"]),
        ("english", "rouge", "The cats were running", ["the", "cat", "were", "run"]),
        ("spanish", "13a", "los gatos, corriendo", ["los", "gat", ",", "corr"]),
        ("russian", "unicode", "Ь", ["ь"]),  # a stem is never empty
        ("french", lambda text: text.split("-"), "le-maisons", ["le", "maison"]),
    ],
)
def test_a_language_stems_the_tokens_of_any_tokenizer(
    language: str, tokenizer: str | Tokenize, text: str, tokens: list[str]
) -> None:
    assert add_stemmer(resolve_tokenizer("tokenizer", tokenizer), language)(text) == tokens


def test_the_cache_of_stems_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stemmers, "_MOST_CACHED", 1000)
    makers: list[Callable[[], StemCache]] = [porter_stems, lambda: snowball_stems("english")]
    for make in makers:
        make().clear()
        sizes = []
        for word in range(5_000):
            assert make()[f"{word}ing"]
            sizes.append(len(make()))
        assert max(sizes) == 1000
        assert make()["x" * 65] == "x" * 65
        assert "x" * 65 not in make()


@pytest.mark.parametrize(
    ("language", "hint"),
    [("klingon", ""), ("German", " Did you mean 'german'?"), ("", ""), ("de", "")],
)
def test_an_unknown_language_is_an_error(language: str, hint: str) -> None:
    message = (
        f"Unknown use_stemmer {language!r}; expected True (Porter, in the 'rouge' tokenizer), "
        "False, or a language of NLTK's Snowball stemmers: 'arabic', 'danish', 'dutch', "
        "'english', 'finnish', 'french', 'german', 'hungarian', 'italian', 'norwegian', "
        f"'porter', 'portuguese', 'romanian', 'russian', 'spanish', 'swedish'.{hint}"
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        add_stemmer(TOKENIZERS["unicode"], language)

"""Stemmers of Python and of the kernel compared with NLTK's, and the bound of the cache."""

from collections.abc import Callable, Iterable
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from nltk.stem.snowball import SnowballStemmer

from bleu_rouge_metric.text import stemmers
from bleu_rouge_metric.text.rules import tokenize_rouge
from bleu_rouge_metric.text.stemmers import StemCache, porter_stems, snowball_stems, stem_porter
from bleu_rouge_metric.text.tokenizer import Tokenize, add_stemmer, resolve_tokenizer

from ..conftest import is_native_missing
from ..parity.goldens import DATA, real_texts
from ..support.strategies import examples

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
        assert make()["a" * 65 + "ing"] == "a" * 65
        assert "a" * 65 + "ing" not in make()


# Porter, in Python and in the kernel.

STEMMERS: dict[str, Callable[[str], str]] = {"python": stem_porter}

if not is_native_missing:
    import bleu_rouge_kernel

    def stem_natively(word: str) -> str:
        return bleu_rouge_kernel.stem(word.encode()).decode()

    STEMMERS["native"] = stem_natively

SUFFIXES = [
    *("s", "ies", "sses", "ss", "ied", "eed", "ed", "ing", "at", "bl", "iz", "y"),
    *("ational", "tional", "enci", "anci", "izer", "abli", "bli", "alli", "entli", "eli", "ousli"),
    *("ization", "ation", "ator", "alism", "iveness", "fulness", "ousness", "aliti", "iviti"),
    *("biliti", "fulli", "logi", "icate", "ative", "alize", "iciti", "ical", "ful", "ness"),
    *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "sion"),
    *("tion", "ion", "ou", "ism", "ate", "iti", "ous", "ive", "ize", "e", "ll", "le", "ly"),
    *("lly", "ely", "ying", "eing"),
]


def assert_same_stems(words: Iterable[str]) -> None:
    words = sorted(words)
    stem = PorterStemmer().stem
    expected = {word: stem(word) for word in words}
    for name, function in STEMMERS.items():
        assert {word: function(word) for word in words} == expected, name


def test_stems_of_real_words() -> None:
    if not DATA.is_dir():
        pytest.skip(f"{DATA} is not there")
    words = {word for text in real_texts() for word in tokenize_rouge(text)}
    assert len(words) > 10_000
    assert_same_stems(words)


def test_stems_of_short_words_of_listed_ones_and_of_those_with_every_suffix() -> None:
    stems = ["".join(letters) for size in range(5) for letters in product("aebyl", repeat=size)]
    stems += ["hop", "fall", "fizz", "tr", "geo", "archaeo", "radic", "sk", "1", "a1", "yy", "w9x"]
    words = {stem + suffix for stem in stems for suffix in SUFFIXES}
    words |= {stem + first + last for stem in stems[:40] for first in SUFFIXES for last in SUFFIXES}
    words |= {"".join(w) for size in range(1, 5) for w in product("aeiybdlstx1", repeat=size)}
    # NLTK lists irregular words; others are like them.
    listed = "sky skies dying lying tying news innings inning outings outing cannings canning howe"
    near = "skying proceeds exceeds succeeded dies died ties flies spied alli allialli oed aing"
    assert_same_stems({*words, *listed.split(), "proceed", "exceed", "succeed", *near.split()})


@given(st.text("aeioubdlnstyz019", min_size=1, max_size=20))
@examples(30)
def test_stems_of_random_words(word: str) -> None:
    assert_same_stems([word])


@pytest.mark.parametrize("name", STEMMERS)
@pytest.mark.parametrize("end", ["", "e", "ing", "ed", "ational"])
def test_a_long_word_is_stemmed_in_linear_time(name: str, end: str) -> None:
    for letter in "by":
        assert len(STEMMERS[name](letter * 1_000_000 + end)) >= 1_000_000

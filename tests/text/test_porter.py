"""The Porter stemmers of Python and of the kernel compared with NLTK's."""

import random
import string
from collections.abc import Callable, Iterable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer

from bleu_rouge_metric.text.rules import tokenize_rouge
from bleu_rouge_metric.text.stemmers import stem_porter

from ..conftest import is_native_missing
from ..parity.goldens import DATA, real_texts
from ..support.strategies import examples

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


def test_stems_with_every_suffix() -> None:
    stems = ["".join(letters) for size in range(5) for letters in product("aebyl", repeat=size)]
    stems += ["hop", "fall", "fizz", "tr", "geo", "archaeo", "radic", "sk", "1", "a1", "yy", "w9x"]
    words = {stem + suffix for stem in stems for suffix in SUFFIXES}
    words |= {stem + first + last for stem in stems[:40] for first in SUFFIXES for last in SUFFIXES}
    assert_same_stems(words)


def test_stems_of_all_short_words() -> None:
    assert_same_stems("".join(w) for n in range(1, 5) for w in product("aeiybdlstx1", repeat=n))


def test_stems_of_the_words_that_nltk_lists() -> None:
    irregular = "sky skies dying lying tying news innings inning outings outing cannings canning"
    irregular += " howe proceed exceed succeed"
    near = "skying proceeds exceeds succeeded dies died ties flies spied alli allialli oed aing"
    assert_same_stems([*irregular.split(), *near.split()])


@given(st.text("aeioubdlnstyz019", min_size=1, max_size=20))
@examples(30)
def test_stems_of_random_words(word: str) -> None:
    assert_same_stems([word])


def test_stems_of_random_letters_before_suffixes() -> None:
    generator = random.Random(7)
    alphabet = string.ascii_lowercase + string.digits
    assert_same_stems(
        "".join(generator.choices(alphabet, k=generator.randrange(9))) + generator.choice(SUFFIXES)
        for _ in range(20_000)
    )


@pytest.mark.parametrize("name", STEMMERS)
@pytest.mark.parametrize("end", ["", "e", "ing", "ed", "ational"])
def test_a_long_word_is_stemmed_in_linear_time(name: str, end: str) -> None:
    for letter in "by":
        assert len(STEMMERS[name](letter * 1_000_000 + end)) >= 1_000_000

"""Tokenizers compared with the libraries that they equal, and with CodeXGLUE's published steps."""

import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from nltk.tokenize import word_tokenize
from rouge_score import tokenize as rouge_score_tokenize
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from sacrebleu.tokenizers.tokenizer_none import NoneTokenizer
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

from bleu_rouge_metric.text.tokenizer import TOKENIZERS, add_stemmer

from ..parity.goldens import CORPORA, real_texts
from ..support.strategies import EVERY_CHARACTER, any_texts, examples


def split_codexglue(text: str) -> list[str]:
    """Do as CodeXGLUE, step by step: split punctuation, then the rules of mteval-v11a."""
    text = " ".join(re.findall(r"\w+|[^\s\w]", text.lower()))
    text = text.replace("<skipped>", "")
    for entity, mark in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        text = text.replace(entity, mark)
    text = re.sub(r"([{-~[-` -&(-+:-@/])", r" \1 ", f" {text} ".lower())
    text = re.sub(r"([^0-9])([.,])", r"\1 \2 ", text)
    text = re.sub(r"([.,])([^0-9])", r" \1 \2", text)
    return re.sub(r"([0-9])(-)", r"\1 \2 ", text).split()


def split_as(tokenizer: Any) -> Callable[[str], list[str]]:
    """Return the words of the text that a tokenizer of sacrebleu returns, which it counts."""
    return lambda text: tokenizer(text).split()


def split_nltk(text: str) -> list[str]:
    tokens: list[str] = word_tokenize(text, preserve_line=True)
    return tokens


def stem_rouge(text: str) -> list[str]:
    tokens: list[str] = rouge_score_tokenize.tokenize(text, PorterStemmer())
    return tokens


LIBRARIES: Final[dict[str, Callable[[str], list[str]]]] = {
    "rouge": lambda text: rouge_score_tokenize.tokenize(text, None),
    # evaluate's tokenizer is sacrebleu's, which joins the tokens with a space at the end.
    "13a": split_as(Tokenizer13a()),  # type: ignore[no-untyped-call]
    "intl": split_as(TokenizerV14International()),  # type: ignore[no-untyped-call]
    "zh": split_as(TokenizerZh()),  # type: ignore[no-untyped-call]
    "none": split_as(NoneTokenizer()),
    "whitespace": split_as(NoneTokenizer()),
    "char": split_as(TokenizerChar()),  # type: ignore[no-untyped-call]
    "nltk": split_nltk,
    "mteval-v11a": split_codexglue,
}
SACREBLEUS: Final = ("13a", "intl", "zh", "none", "char")
# A character between letters, digits and marks, and at the start and end. Letters beside it show
# whether it separates or joins.
FORMS: Final = {
    "rouge": "a{0}b ",
    "13a": "1{0}.{0}a,{0}",
    "nltk": "{0}'{0}s ,{0} ",
    "mteval-v11a": "a{0}1{0}_.{0}-",
}


@pytest.mark.parametrize("name", LIBRARIES)
@given(text=any_texts)
def test_tokens_equal_the_librarys(name: str, text: str) -> None:
    assert TOKENIZERS[name](text) == LIBRARIES[name](text)


@given(any_texts)
def test_stems_equal_rouge_scores(text: str) -> None:
    assert add_stemmer(TOKENIZERS["rouge"], stemmer=True)(text) == stem_rouge(text)


@pytest.mark.parametrize("name", LIBRARIES)
def test_tokens_equal_the_librarys_on_every_code_point(name: str) -> None:
    form = FORMS.get(name, "{0}1{0}.a{0}")
    for start in range(0, len(EVERY_CHARACTER), 4096):
        text = "".join(map(form.format, EVERY_CHARACTER[start : start + 4096]))
        assert TOKENIZERS[name](text) == LIBRARIES[name](text)


@pytest.mark.skipif(not CORPORA, reason="the corpora are not at ../shared/data")
@pytest.mark.parametrize("name", LIBRARIES)
def test_tokens_equal_the_librarys_on_real_texts(name: str) -> None:
    for text in real_texts():
        assert TOKENIZERS[name](text) == LIBRARIES[name](text)


@pytest.mark.parametrize("lowercase", [False, True])
@given(text=any_texts)
def test_a_prepared_text_has_the_tokens_that_sacrebleu_counts(text: str, lowercase: bool) -> None:
    # scoring/counting.py prepares texts in this way in the profile sacrebleu.
    prepared = (text.lower() if lowercase else text).rstrip()
    for name in SACREBLEUS:
        metric = BLEU(tokenize=name, lowercase=lowercase)
        assert TOKENIZERS[name](prepared) == metric._preprocess_segment(text).split(), name


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


@examples(4)
@given(st.lists(st.sampled_from(PIECES), max_size=16).map("".join))
def test_words_of_hard_texts_equal_nltks(text: str) -> None:
    assert TOKENIZERS["nltk"](text) == split_nltk(text)


@pytest.mark.parametrize("form", ["{0}.", "x.{0}", "x,{0}", "a{0}'t '{0} {0}:", '"{0}"{0}'])
@pytest.mark.parametrize("step", [50, pytest.param(1, marks=pytest.mark.slow)])
def test_words_beside_marks_equal_nltks(form: str, step: int) -> None:
    # All white space and all quotation marks are among these; letters are much alike.
    characters = EVERY_CHARACTER[:0x3100]
    letters = [character for character in characters if character.isalpha()]
    for character in (*sorted({*characters} - {*letters}), *letters[::step]):
        text = form.format(character)
        assert TOKENIZERS["nltk"](text) == split_nltk(text)

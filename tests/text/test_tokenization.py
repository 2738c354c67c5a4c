"""Tokenizers compared with the libraries that they equal."""

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from nltk.stem.porter import PorterStemmer
from rouge_score import tokenize as rouge_score_tokenize
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from bleu_rouge_metric.text.rules import (
    tokenize_13a,
    tokenize_char,
    tokenize_rouge,
    tokenize_whitespace,
)
from bleu_rouge_metric.text.tokenizer import (
    TOKENIZERS,
    Tokenizer,
    add_stemmer,
    make_rouge_tokenizer,
    resolve_tokenizer,
)

from ..support.strategies import EVERY_CHARACTER, SEPARATORS, any_texts

SACREBLEU_13A: Any = Tokenizer13a()  # type: ignore[no-untyped-call]
OURS = [tokenizer for tokenizer in TOKENIZERS.values() if not tokenizer.needs]
# Between two spaces is one, or before the first and behind the last.
WITH_EMPTY = ("space", "korouge")
EVERY_ONE = [*OURS, *(tokenizer.stemmed for tokenizer in OURS if tokenizer.stemmed)]


def test_rouge_equals_rouge_score_on_every_code_point() -> None:
    for start in range(0, len(EVERY_CHARACTER), 4096):
        # A letter on either side shows whether a character separates or joins.
        text = "".join(f"a{character}b " for character in EVERY_CHARACTER[start : start + 4096])
        assert tokenize_rouge(text) == rouge_score_tokenize.tokenize(text, None)


def test_rouge_lowers_each_code_point_as_rouge_score_does() -> None:
    kept = {
        character: tokenize_rouge(character)
        for character in EVERY_CHARACTER
        if character.isalpha() and tokenize_rouge(character)
    }
    # All of ASCII, and the two other code points whose lower case has an ASCII letter.
    assert {character for character in kept if not character.isascii()} == {"\u0130", "\u212a"}
    assert len(kept) == 26 * 2 + 2


@given(any_texts)
def test_rouge_equals_rouge_score(text: str) -> None:
    assert tokenize_rouge(text) == rouge_score_tokenize.tokenize(text, None)


@given(any_texts)
def test_stemmed_rouge_equals_rouge_score(text: str) -> None:
    expected = rouge_score_tokenize.tokenize(text, PorterStemmer())
    assert make_rouge_tokenizer("rouge", use_stemmer=True)(text) == expected


def test_stems_of_words_too_long_to_remember_are_right() -> None:
    word = "x" * 100 + "ational"
    assert make_rouge_tokenizer("rouge", use_stemmer=True)(word) == [PorterStemmer().stem(word)]


def _sacrebleu_13a(text: str) -> list[str]:
    tokens: list[str] = SACREBLEU_13A(text).split()
    return tokens


@given(any_texts)
def test_13a_equals_sacrebleu(text: str) -> None:
    # evaluate's tokenizer is sacrebleu's, which joins the tokens with a space at the end.
    assert tokenize_13a(text) == _sacrebleu_13a(text)


def test_13a_equals_sacrebleu_on_every_code_point() -> None:
    for start in range(0, len(EVERY_CHARACTER), 4096):
        characters = EVERY_CHARACTER[start : start + 4096]
        text = "".join(f"1{character}.{character}a,{character}" for character in characters)
        assert tokenize_13a(text) == _sacrebleu_13a(text)


def test_white_space_is_what_python_splits_on() -> None:
    spaces = [character for character in EVERY_CHARACTER if character.isspace()]
    assert len(spaces) == 29
    for character in spaces:
        text = f"a{character}b"
        assert tokenize_whitespace(text) == tokenize_char(text) == tokenize_13a(text) == ["a", "b"]


@given(any_texts)
def test_char_keeps_every_character_that_is_not_white_space(text: str) -> None:
    assert tokenize_char(text) == [character for character in text if not character.isspace()]


@pytest.mark.parametrize("tokenize", EVERY_ONE)
@pytest.mark.parametrize("text", ["x" * 10_000, " " * 10_000, "." * 10_000, "1," * 5_000])
def test_long_repetitions_are_tokenized(tokenize: Tokenizer, text: str) -> None:
    tokens = tokenize(text)
    assert all(tokens) or tokenize.name in WITH_EMPTY
    assert len("".join(tokens)) <= len(text)


@given(any_texts)
def test_a_newline_separates_tokens_as_the_end_of_a_text_does(text: str) -> None:
    for tokenize in EVERY_ONE:
        if not tokenize.keeps_lines:
            continue
        lines = [token for line in text.split("\n") for token in tokenize(line)]
        assert tokenize(text) == lines


@pytest.mark.parametrize("separator", SEPARATORS)
def test_no_tokenizer_returns_an_empty_token(separator: str) -> None:
    for tokenize in EVERY_ONE:
        if tokenize.name in WITH_EMPTY:
            continue
        assert all(tokenize(f"{separator}a{separator}{separator}b{separator}"))


def test_porter_is_for_the_tokenizers_of_rouge() -> None:
    rouge, rouge155, char = (TOKENIZERS[name] for name in ("rouge", "rouge-1.5.5", "char"))
    assert add_stemmer(rouge, stemmer=True)("running") == ["run"]
    assert add_stemmer(rouge155, stemmer=True)("running") == ["run"]
    assert add_stemmer(char, stemmer=True) is char


@pytest.mark.parametrize("name", [name for name, row in TOKENIZERS.items() if not row.needs])
def test_a_name_is_its_row_of_the_registry(name: str) -> None:
    assert resolve_tokenizer("tokenizer", name) is TOKENIZERS[name]
    assert TOKENIZERS[name].name == name


def test_none_is_sacrebleus_name_of_whitespace() -> None:
    assert TOKENIZERS["none"] == replace(TOKENIZERS["whitespace"], name="none")


def test_a_callable_has_the_name_of_its_function() -> None:
    class Words:
        def __call__(self, text: str) -> list[str]:
            return text.split()

    names = [resolve_tokenizer("tokenizer", choice).name for choice in (str.split, Words())]
    assert names == ["split", "Words"]


def test_what_is_made_of_a_row_is_not_taken_for_it() -> None:
    # Without its steps, the kernel would count the tokens of the row itself.
    made = [
        add_stemmer(TOKENIZERS["13a"], "german"),
        make_rouge_tokenizer("rouge", stop_words={"the"}),
        make_rouge_tokenizer("rouge", word_limit=3),
        make_rouge_tokenizer("rouge-1.5.5", use_stemmer=True),
        resolve_tokenizer("tokenizer", str.split),
    ]
    assert [
        (tokenizer.kernel_name, tokenizer.truncation is not None, tokenizer.forms is not None)
        for tokenizer in made
    ] == [
        ("13a", False, True),
        ("rouge", False, True),
        ("rouge", True, False),
        ("rouge-1.5.5", False, True),
        (None, False, False),
    ]
    assert [tokenizer.keeps_lines for tokenizer in made] == [False, True, False, True, False]


def test_a_segmenter_is_for_unicode() -> None:
    tokenize = resolve_tokenizer("tokenizer", "unicode", segmenter=lambda run: [run[:2], run[2:]])
    assert tokenize("北京大学!") == ["北京", "大学"]


def test_a_callable_is_used_and_a_tuple_is_as_good_as_a_list() -> None:
    tokenize = resolve_tokenizer("tokenizer", lambda text: tuple(text.split("-")))  # type: ignore[arg-type,return-value]
    assert tokenize("a-b") == ["a", "b"]


@pytest.mark.parametrize(
    ("choice", "error", "message"),
    [
        (
            "moses",
            ValueError,
            "Unknown bleu_tokenizer 'moses'; expected '13a', 'rouge', 'rouge-1.5.5', 'whitespace', "
            "'char', 'none', 'space', 'intl', 'zh', 'nltk', 'mteval-v11a', 'ptb', 'unicode', "
            "'grapheme', 'xlsum', 'xlsum-burmese', 'korouge', 'google-adk', 'ids', 'ja-mecab', "
            "'ko-mecab', 'spm', 'flores101', 'flores200', 'my-syllables', 'zh-jieba', "
            "'ja-unidic-lite', 'th-pythainlp', 'xlsum-chinese', 'xlsum-japanese', 'ja-fugashi', "
            "'xlsum-thai' or a callable str -> list[str].",
        ),
        (
            7,
            TypeError,
            "bleu_tokenizer is of type int; "
            "expected the name of a tokenizer or a callable str -> list[str].",
        ),
    ],
)
def test_a_bad_choice_is_an_error(choice: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        resolve_tokenizer("bleu_tokenizer", choice)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("choice", "segmenter", "error", "message"),
    [
        (
            "char",
            str.split,
            ValueError,
            "segmenter is given, but tokenizer is 'char'; only 'unicode' uses a segmenter. "
            "Use tokenizer='unicode', or leave the segmenter out.",
        ),
        (
            str.split,
            str.split,
            ValueError,
            "segmenter is given, but tokenizer is a callable; only 'unicode' uses a segmenter. "
            "Use tokenizer='unicode', or leave the segmenter out.",
        ),
        (
            "unicode",
            3,
            TypeError,
            "segmenter is of type int; expected the name of a segmenter or a callable str -> "
            "list[str].",
        ),
    ],
)
def test_a_bad_segmenter_is_an_error(
    choice: Any, segmenter: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        resolve_tokenizer("tokenizer", choice, segmenter=segmenter)


def test_a_segmenter_that_returns_no_list_of_str_is_an_error() -> None:
    tokenize = resolve_tokenizer("tokenizer", "unicode", segmenter=lambda _: "ab")  # type: ignore[arg-type,return-value]
    message = "segmenter returned str for the text '北京'; expected a list of str (words)."
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        tokenize("in 北京")


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (
            "a b",
            "rouge_tokenizer returned str for the text 'a b'; expected a list of str (tokens).",
        ),
        (
            None,
            "rouge_tokenizer returned NoneType for the text 'a b'; "
            "expected a list of str (tokens).",
        ),
        (
            ["a", 2],
            "rouge_tokenizer returned a list whose item 1 is 2 (int) for the text 'a b'; "
            "expected a list of str (tokens).",
        ),
    ],
)
def test_a_callable_that_returns_no_list_of_str_is_an_error(result: object, message: str) -> None:
    tokenize = resolve_tokenizer("rouge_tokenizer", lambda _: result)  # type: ignore[arg-type,return-value]
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        tokenize("a b")


def test_the_error_shows_only_the_beginning_of_a_long_text() -> None:
    tokenize = resolve_tokenizer("tokenizer", lambda _: None)  # type: ignore[arg-type,return-value]
    with pytest.raises(TypeError, match=re.escape(f"for the text '{'x' * 56}...; expected")):
        tokenize("x" * 1000)

"""Limits, stop words, exceptions and stems in the compiled kernel: as in Python."""

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric.counting import native_kernel
from bleu_rouge_metric.counting.kernels import count_rouge, use_kernel
from bleu_rouge_metric.counting.rouge_types import plan_bleu
from bleu_rouge_metric.samples.inputs import Samples
from bleu_rouge_metric.text.sentences import NEWLINE, SentenceSplitter
from bleu_rouge_metric.text.stemmers import StemCache
from bleu_rouge_metric.text.steps import Truncation, WordForms
from bleu_rouge_metric.text.tokenizer import (
    Tokenizer,
    add_steps,
    make_rouge_tokenizer,
    resolve_tokenizer,
)

from ..conftest import needs_native
from ..support.strategies import examples

pytestmark = needs_native

TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
NAMES = (
    *("rouge", "rouge-1.5.5", "whitespace", "char", "13a"),
    *("unicode", "grapheme", "intl", "zh", "xlsum"),
)
STEPS: dict[str, dict[str, Any]] = {
    "stop words": {"stop_words": frozenset(["the", "The", "a", "i", "в", "internationalisation"])},
    "stems": {"use_stemmer": "english"},
    "Porter": {"use_stemmer": True},
    "exceptions": {
        "use_stemmer": True,
        "stemmer_exceptions": {"geese": "goose", "went": "go" * 20, "internationalisation": "i"},
    },
    "words": {"word_limit": 5},
    "bytes": {"byte_limit": 12},
    "all": {"use_stemmer": "english", "stop_words": frozenset(["the", "a"]), "word_limit": 7},
}
PIECES = [
    *("The", "the", "a", "i", "geese", "went", "running", "internationalisation", "в", "Häuser"),
    *(" ", " ", "\n", "\n ", "\t", "-\n", ".", "5", "\u2028", "\x1c", "\ud800", "字", "e\u0301"),
    *("東京", "\u0301", "x\u0e01", "\u0e34\u0e01"),
]


def count(tokenizer: Tokenizer, texts: list[str], kernel: Any) -> list[Any]:
    """Count the first text with all texts, by sentences of what is left of a text too."""
    truncation = tokenizer.truncation
    splitter = SentenceSplitter(
        "newline",
        (lambda text: NEWLINE(truncation(text))) if truncation else NEWLINE.function,
        takes_lines=True,
        truncation=truncation,
    )
    samples = Samples(texts[:1], texts, np.array([0, len(texts)]))
    with use_kernel(kernel):
        found = count_rouge(samples, TYPES, tokenizer, splitter)
    numbers: list[Any] = found.integers.tolist()
    return numbers


# NLTK's data is not there for the stems of xlsum, but it has Porter's.
@pytest.mark.parametrize(
    ("name", "steps"),
    [pair for pair in product(NAMES, STEPS) if pair not in {("xlsum", "stems"), ("xlsum", "all")}],
)
@given(
    texts=st.lists(
        st.lists(st.sampled_from(PIECES), max_size=30).map("".join), min_size=1, max_size=4
    )
)
@examples(5)
def test_steps_before_and_after_the_tokenizer(name: str, steps: str, texts: list[str]) -> None:
    tokenizer = make_rouge_tokenizer(name, **STEPS[steps])
    # No tokenizer here depends on the package regex.
    assert native_kernel.find_tokenization(tokenizer) is not None
    assert count(tokenizer, texts, "native") == count(tokenizer, texts, "python")


@pytest.mark.parametrize(
    "truncation",
    [
        *(Truncation(word_limit=limit) for limit in (1, 3)),
        *(Truncation(byte_limit=limit) for limit in (1, 7, 8, 99)),
    ],
)
@given(text=st.lists(st.sampled_from([*" \n\t\v\r\x1c", "a", "bc", "é", "字", "😀"])).map("".join))
@examples(20)
def test_what_a_limit_leaves(truncation: Truncation, text: str) -> None:
    tokenizer = add_steps(resolve_tokenizer("", "char"), truncation, None)
    # Each character that is left is counted as a hit with the whole.
    texts = [text, "".join(sorted(text))]
    assert count(tokenizer, texts, "native") == count(tokenizer, texts, "python")


def make_tokenizer(find: Callable[[str], str]) -> Tokenizer:
    """Return a tokenizer whose stems a function makes."""
    return add_steps(resolve_tokenizer("", "whitespace"), None, WordForms(StemCache(find)))


def test_more_words_than_are_kept_have_their_forms() -> None:
    tokenizer = make_tokenizer(lambda word: word[: len(word) // 2] or word)
    draws = random.Random(1)
    words = [f"{draws.getrandbits(40)}" * draws.choice([1, 1, 1, 3]) for _ in range(70_000)]
    parts = [" ".join(words[at : at + 1000]) for at in range(0, 70_000, 1000)]
    texts = [parts[0], *parts]
    assert count(tokenizer, texts, "native") == count(tokenizer, texts, "python")


def test_an_error_of_a_stemmer_is_raised_and_the_next_call_counts() -> None:
    def stem(word: str) -> str:
        if word == "bad":
            raise RuntimeError("cannot stem")
        return word.upper()

    tokenizer = make_tokenizer(stem)
    samples = Samples(["a b"] * 3000, ["a", "bad", "c"] * 1000, np.arange(3001))
    for _ in range(2):
        with use_kernel("native"), pytest.raises(RuntimeError, match=r"^cannot stem$"):
            count_rouge(samples, ("rouge1",), tokenizer, NEWLINE)
    assert count(tokenizer, ["a b", "A c"], "native") == count(tokenizer, ["a b", "A c"], "python")


def test_each_word_is_stemmed_once_in_a_process() -> None:
    words: list[str] = []

    def stem(word: str) -> str:
        words.append(word)
        return word

    tokenizer = make_tokenizer(stem)
    for _ in range(3):
        count(tokenizer, ["some words of some text", "other words"], "native")
    assert sorted(words) == ["of", "other", "some", "text", "words"]


def test_threads_may_ask_for_stems_at_the_same_time() -> None:
    tokenizer = make_tokenizer(str.lower)
    texts = [" ".join(f"W{number * 7 % 1000 + at}" for at in range(300)) for number in range(40)]
    expected = count(tokenizer, texts, "python")
    with ThreadPoolExecutor(4) as pool:
        found = [pool.submit(count, tokenizer, texts, "native") for _ in range(4)]
    assert [each.result() for each in found] == [expected] * 4


def test_a_pair_is_counted_with_forms() -> None:
    tokenizer = make_rouge_tokenizer("rouge", use_stemmer="english", stop_words={"the"})
    count_pair = native_kernel.make_pair_counter(plan_bleu(2), tokenizer, NEWLINE)
    assert count_pair is not None
    assert count_pair("The cats were running", ["the cat were run", "the"]) == [3, 2, 3, 3, 0]

"""Distinct n-grams and the LCS of pairs of sentences in both kernels."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bleu_rouge_metric.counting.kernels import count_columns
from bleu_rouge_metric.counting.rouge_types import CountPlan
from bleu_rouge_metric.samples.inputs import check_samples
from bleu_rouge_metric.text.sentences import NEWLINE
from bleu_rouge_metric.text.tokenizer import TOKENIZERS, Tokenizer

from ..support import textbook

pytestmark = pytest.mark.usefixtures("kernel")

ONCE = CountPlan((1, 2, 5), lcs=True, once=True, pairs=True)
OFTEN = CountPlan((1, 2), pairs=True)

WHITESPACE = TOKENIZERS["whitespace"]


def count(prediction: str, reference: str, plan: CountPlan) -> list[list[int]]:
    samples = check_samples([prediction], [reference])
    rows: list[list[int]] = count_columns(samples, plan, WHITESPACE, NEWLINE)[0].tolist()
    return rows


def test_an_ngram_counts_once_however_often_a_text_has_it() -> None:
    rows = count("the the the the", "the cat", ONCE)
    assert rows[:2] == [[1, 1, 2], [0, 1, 1]]
    assert count("the the the the", "the cat", OFTEN)[:2] == [[1, 4, 2], [0, 3, 1]]


def test_the_lcs_of_whole_texts_has_repeated_words() -> None:
    assert count("a a b", "a a c a", ONCE)[3] == [2, 3, 4]


def test_words_of_all_pairs_of_sentences_are_united() -> None:
    assert count("b a", "a b\na", ONCE)[-1] == [2, 2, 2]
    assert count("b a", "a b", ONCE)[-1] == [1, 2, 2]


def test_lengths_of_all_pairs_of_sentences_are_summed_without_a_limit() -> None:
    assert count("a\na", "a\na", OFTEN)[-1] == [4, 2, 2]
    assert count("a\na", "a\na", ONCE)[-1] == [1, 1, 1]


def test_of_several_lcs_the_reference_goes_back_only_if_that_keeps_more() -> None:
    # Both "a" and "b" are an LCS with the second sentence. From the ends, the prediction goes back
    # first, so that its first word is found.
    assert textbook.list_lcs(["b", "a"], ["a", "b"]) == ["a"]
    assert textbook.list_lcs(["a", "b"], ["b", "a"]) == ["b"]
    # With "a" the union has one word; the other choice would make it two.
    assert count("a b", "b a\na", ONCE)[-1] == [1, 2, 2]
    assert count("a b\na", "b a", ONCE)[-1] == [1, 2, 2]


@pytest.mark.parametrize("plan", [ONCE, OFTEN])
@pytest.mark.parametrize(("prediction", "reference"), [("", ""), ("", "a"), ("a", ""), ("\n", "a")])
def test_an_empty_text_has_no_hits(plan: CountPlan, prediction: str, reference: str) -> None:
    rows = count(prediction, reference, plan)
    assert [row[0] for row in rows] == [0] * plan.columns
    assert rows[-1] == [0, len(prediction.split()), len(reference.split())]


def test_several_references_are_counted_one_by_one() -> None:
    samples = check_samples(["a b\na", "c"], [["b b", "a\nb"], "d c d"])
    for plan in (ONCE, OFTEN):
        together = count_columns(samples, plan, WHITESPACE, NEWLINE).tolist()
        alone = [("a b\na", "b b"), ("a b\na", "a\nb"), ("c", "d c d")]
        assert together == [count(*pair, plan) for pair in alone]


TEXTS = st.lists(st.lists(st.sampled_from("abcde"), min_size=1, max_size=8), min_size=1, max_size=4)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, TEXTS)
def test_counts_equal_their_definitions(
    prediction: list[list[str]], reference: list[list[str]]
) -> None:
    compare(prediction, reference)


@pytest.mark.parametrize("length", [30, 64, 65, 200])
def test_long_sentences_equal_the_definitions(length: int) -> None:
    rng = random.Random(length)
    for letters in (3, 40):
        words = [f"w{number}" for number in range(letters)]
        compare(*([rng.choices(words, k=length) for _ in range(3)] for _ in range(2)))


def test_many_sentences_equal_the_definitions() -> None:
    rng = random.Random(0)
    compare(*([rng.choices("abcd", k=rng.randint(1, 3)) for _ in range(70)] for _ in range(2)))


def compare(prediction: list[list[str]], reference: list[list[str]]) -> None:
    """Compare both kernels, by their own tokenizer and by one of Python, with the textbook."""
    texts = ["\n".join(map(" ".join, side)) for side in (prediction, reference)]
    words, theirs = ([word for words in side for word in words] for side in (prediction, reference))
    once = [textbook.count_sets(words, theirs, order) for order in ONCE.orders]
    united = textbook.count_pair_words(prediction, reference)
    summed = textbook.sum_pairs(prediction, reference)
    samples = check_samples(texts[:1], texts[1:])
    for tokenizer in (WHITESPACE, Tokenizer("words", str.split)):
        rows = count_columns(samples, ONCE, tokenizer, NEWLINE)[0].tolist()
        assert [*rows[:3], rows[-1]] == [*once, united]
        assert count_columns(samples, OFTEN, tokenizer, NEWLINE)[0].tolist()[-1] == summed

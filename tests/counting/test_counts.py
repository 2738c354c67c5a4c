"""Integer counts compared with results worked by hand and with the textbook."""

import random
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import _summary_level_lcs, lcs_ind

from bleu_rouge_metric.counting.kernels import count_bleu, count_columns, count_rouge
from bleu_rouge_metric.counting.lcs import count_union_lcs, lcs_length, list_lcs_pairs
from bleu_rouge_metric.counting.ngrams import count_clipped_matches, count_overlap, list_ngrams
from bleu_rouge_metric.counting.rouge_types import CountPlan
from bleu_rouge_metric.counting.self_bleu import (
    count_self_bleu,
    count_self_matches,
    find_closest_lengths,
)
from bleu_rouge_metric.samples.inputs import check_samples
from bleu_rouge_metric.text.sentences import NEWLINE, split_newline
from bleu_rouge_metric.text.tokenizer import TOKENIZERS, Tokenizer, add_stemmer

from ..support import textbook
from ..support.strategies import samples, sentences, spaced_texts, tokens


@given(tokens, tokens)
def test_lcs_length_is_that_of_the_table(reference: list[str], prediction: list[str]) -> None:
    assert lcs_length(reference, prediction) == textbook.lcs_length(reference, prediction)


@given(tokens, tokens, st.integers(1, 5))
def test_overlap_is_the_intersection_of_multisets(
    prediction: list[str], reference: list[str], order: int
) -> None:
    found = count_overlap(list_ngrams(prediction, order), list_ngrams(reference, order))
    expected = textbook.overlap(
        textbook.ngrams(prediction, order), textbook.ngrams(reference, order)
    )
    assert found == expected


@given(tokens, st.lists(tokens, min_size=1, max_size=4), st.integers(1, 6))
def test_clipped_matches_are_those_of_the_union_of_the_references(
    prediction: list[str], references: list[list[str]], max_order: int
) -> None:
    expected = []
    for order in range(1, max_order + 1):
        most: Counter[tuple[str, ...]] = Counter()
        for reference in references:
            most |= textbook.ngrams(reference, order)
        expected.append(textbook.overlap(textbook.ngrams(prediction, order), most))
    assert count_clipped_matches(prediction, references, max_order) == expected


@given(sentences, sentences)
# Both kernels count equal sentences once.
@example([["a", "b"], ["b"], ["c", "a"]] * 30, [["b", "a"], ["a", "c"]] * 40)
@example([["a"], ["a"], ["b"]], [["a", "b"]])
def test_union_lcs_equals_rouge_score(
    reference: list[list[str]], prediction: list[list[str]]
) -> None:
    expected = _summary_level_lcs(reference, prediction)
    recall = count_union_lcs(reference, prediction) / max(1, sum(map(len, reference)))
    assert recall == expected.recall


@given(tokens, tokens)
def test_lcs_pairs_are_those_that_rouge_score_picks(
    reference: list[str], prediction: list[str]
) -> None:
    pairs = list_lcs_pairs(reference, prediction)
    assert [there for _, there in pairs] == lcs_ind(reference, prediction)
    assert all(prediction[here] == reference[there] for here, there in pairs)
    assert [here for here, _ in pairs] == sorted({here for here, _ in pairs})


@pytest.mark.usefixtures("kernel")
def test_bleu_counts_by_hand() -> None:
    checked = check_samples(["the the the cat", ""], [["the cat", "the the dog"], "a"])
    counts = count_bleu(checked, 3, TOKENIZERS["whitespace"])
    assert counts.matches.tolist() == [[3, 2, 0], [0, 0, 0]]
    assert counts.prediction_lengths.tolist() == [4, 0]
    assert counts.reference_lengths.tolist() == [2, 3, 1]
    assert {array.dtype for array in counts} == {np.dtype(np.int64)}


@pytest.mark.usefixtures("kernel")
def test_rouge_counts_by_hand() -> None:
    checked = check_samples(["a b c\nd", "x"], [["a b", "d\na b c"], "y"])
    types = ["rougeLsum", "rouge2", "rougeL", "rouge1"]
    counts = count_rouge(checked, types, TOKENIZERS["rouge"], NEWLINE).integers
    assert counts.dtype == np.int64
    assert counts.tolist() == [
        [[2, 4, 2], [1, 3, 1], [2, 4, 2], [2, 4, 2]],
        [[4, 4, 4], [2, 3, 3], [3, 4, 4], [4, 4, 4]],
        [[0, 1, 1], [0, 0, 0], [0, 1, 1], [0, 1, 1]],
    ]


OURS = [tokenizer for tokenizer in TOKENIZERS.values() if not tokenizer.needs]
STEMMED = [add_stemmer(tokenizer, stemmer=True) for tokenizer in OURS if tokenizer.stemmed]


@given(samples, st.sampled_from([*OURS, *STEMMED]))
def test_the_summary_counts_the_tokens_of_its_sentences(
    generated: list[tuple[str, list[str]]], tokenize: Tokenizer
) -> None:
    checked = check_samples([text for text, _ in generated], [refs for _, refs in generated])
    counts = count_rouge(checked, ["rougeL", "rougeLsum"], tokenize, NEWLINE).integers
    pairs = [(text, reference) for text, references in generated for reference in references]
    for (prediction, reference), (lcs, summary) in zip(pairs, counts.tolist(), strict=True):
        tokens, reference_tokens = tokenize(prediction), tokenize(reference)
        length = textbook.lcs_length(reference_tokens, tokens)
        assert lcs == [length, len(tokens), len(reference_tokens)]
        of_lines = (isinstance(tokenize, Tokenizer) and tokenize.of_sentences) or tokenize
        lines = [of_lines(line) for line in split_newline(prediction)]
        reference_lines = [of_lines(line) for line in split_newline(reference)]
        assert summary[0] == count_union_lcs(reference_lines, lines)
        assert summary[1:] == [sum(map(len, lines)), sum(map(len, reference_lines))]


@pytest.mark.usefixtures("kernel")
def test_a_sentence_may_have_other_tokens_than_its_text() -> None:
    checked = check_samples(["a-\n"], ["a"])
    counts = count_rouge(checked, ["rougeL", "rougeLsum"], TOKENIZERS["13a"], NEWLINE).integers
    assert counts.tolist() == [[[1, 1, 1], [0, 1, 1]]]


# Distinct n-grams, and the LCS of pairs of sentences.

ONCE = CountPlan((1, 2, 5), lcs=True, once=True, pairs=True)
OFTEN = CountPlan((1, 2), pairs=True)
WHITESPACE = TOKENIZERS["whitespace"]


def count(prediction: str, reference: str, plan: CountPlan) -> list[list[int]]:
    samples = check_samples([prediction], [reference])
    rows: list[list[int]] = count_columns(samples, plan, WHITESPACE, NEWLINE)[0].tolist()
    return rows


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize(
    ("prediction", "reference", "united", "summed"),
    [
        ("b a", "a b\na", [2, 2, 2], [2, 2, 3]),
        ("a\na", "a\na", [1, 1, 1], [4, 2, 2]),
        # Both "a" and "b" are an LCS. From the ends, the prediction goes back first, so that its
        # first word is found. With "a" the union has one word; with "b" it would have two.
        ("a b", "b a\na", [1, 2, 2], [2, 2, 3]),
        ("a b\na", "b a", [1, 2, 2], [2, 3, 2]),
    ],
)
def test_pairs_of_sentences_by_hand(
    prediction: str, reference: str, united: list[int], summed: list[int]
) -> None:
    assert count(prediction, reference, ONCE)[-1] == united
    assert count(prediction, reference, OFTEN)[-1] == summed


@pytest.mark.usefixtures("kernel")
def test_several_references_are_counted_one_by_one() -> None:
    samples = check_samples(["a b\na", "c"], [["b b", "a\nb"], "d c d"])
    for plan in (ONCE, OFTEN):
        together = count_columns(samples, plan, WHITESPACE, NEWLINE).tolist()
        alone = [("a b\na", "b b"), ("a b\na", "a\nb"), ("c", "d c d")]
        assert together == [count(*pair, plan) for pair in alone]


def generate_sentences(length: int, letters: int) -> list[list[list[str]]]:
    """Return a prediction and a reference of three sentences each."""
    rng = random.Random(length)
    words = [f"w{number}" for number in range(letters)]
    return [[rng.choices(words, k=length) for _ in range(3)] for _ in range(2)]


lists_of_words = st.lists(st.lists(st.sampled_from("abcde"), max_size=8), max_size=4)


@pytest.mark.usefixtures("kernel")
@given(st.tuples(lists_of_words, lists_of_words))
@example(generate_sentences(30, 3))
@example(generate_sentences(64, 40))
@example(generate_sentences(65, 3))
@example(generate_sentences(200, 40))
@example([[[*"ab"], ["c"]] * 35, [["b"], [*"dab"]] * 35])
def test_pairs_of_sentences_equal_their_definitions(sides: Sequence[list[list[str]]]) -> None:
    texts = ["\n".join(map(" ".join, side)) for side in sides]
    words, theirs = ([word for words in side for word in words] for side in sides)
    expected = [textbook.count_sets(words, theirs, order) for order in ONCE.orders]
    expected.append([textbook.lcs_length(theirs, words), len(words), len(theirs)])
    expected.append(textbook.count_pair_words(*sides))
    samples = check_samples(texts[:1], texts[1:])
    for tokenizer in (WHITESPACE, Tokenizer("words", str.split)):
        assert count_columns(samples, ONCE, tokenizer, NEWLINE)[0].tolist() == expected
        summed = count_columns(samples, OFTEN, tokenizer, NEWLINE)[0].tolist()[-1]
        assert summed == textbook.sum_pairs(*sides)


# Counts against all other texts of a group.

SPLIT = Tokenizer("split", str.split)


def find_closest(length: int, others: list[int]) -> int:
    """Return the closest of some lengths, the shorter one of two."""
    return min(others, key=lambda other: (abs(other - length), other))


@given(
    st.lists(st.lists(spaced_texts, min_size=2, max_size=6), min_size=1, max_size=4),
    st.integers(1, 5),
)
@pytest.mark.usefixtures("kernel")
def test_counts_of_groups_are_those_of_samples_with_all_references(
    groups: list[list[str]], max_order: int
) -> None:
    texts = [text for group in groups for text in group]
    numbers = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    found = count_self_bleu(texts, numbers, max_order, SPLIT)
    references = [
        group[:index] + group[index + 1 :] for group in groups for index in range(len(group))
    ]
    expected = count_bleu(check_samples(texts, references), max_order, SPLIT)
    assert found.matches.tolist() == expected.matches.tolist()
    assert found.prediction_lengths.tolist() == expected.prediction_lengths.tolist()
    lengths = [[len(other.split()) for other in others] for others in references]
    assert found.reference_lengths.tolist() == [
        find_closest(own, others)
        for own, others in zip(found.prediction_lengths.tolist(), lengths, strict=True)
    ]


@given(st.permutations(range(6)))
def test_groups_need_not_be_next_to_each_other(order: list[int]) -> None:
    texts = ["a b a", "a b", "b a", "a b c", "a a b", "c"]
    groups = np.array([0, 0, 0, 1, 1, 1])
    expected = count_self_bleu(texts, groups, 3, SPLIT)
    shuffled = count_self_bleu([texts[i] for i in order], groups[order], 3, SPLIT)
    assert shuffled.matches.tolist() == expected.matches[order].tolist()
    assert shuffled.reference_lengths.tolist() == expected.reference_lengths[order].tolist()


@pytest.mark.parametrize(
    ("texts", "matches", "closest"),
    [
        # The text with the most "a" is clipped by the second largest count: 3, not 5.
        (["a a a a a", "a a a", "a"], [3, 3, 1], [3, 1, 3]),
        # Two texts have the most: neither is clipped.
        (["a a a", "a a a", "a"], [3, 3, 1], [3, 3, 3]),
        (["a"], [0], [0]),
        ([], [], []),
    ],
)
def test_counts_of_other_texts_by_hand(
    texts: list[str], matches: list[int], closest: list[int]
) -> None:
    groups = np.zeros(len(texts), dtype=np.int64)
    found = count_self_bleu(texts, groups, 1, SPLIT)
    assert found.matches[:, 0].tolist() == matches
    assert found.reference_lengths.tolist() == closest


def test_large_ids_are_told_apart() -> None:
    large = (1 << 31) - 1
    tokens, bounds = np.array([large, 0, large, 0, large - 1, 0]), np.array([0, 2, 4, 6])
    assert count_self_matches(tokens, bounds, 2).tolist() == [[2, 1], [2, 1], [1, 0]]


def test_one_token_repeated_ten_thousand_times() -> None:
    tokens, bounds = np.zeros(25_000, dtype=np.int64), np.array([0, 10_000, 15_000, 25_000])
    found = count_self_matches(tokens, bounds, 3).tolist()
    assert found == [[10_000, 9_999, 9_998], [5_000, 4_999, 4_998], [10_000, 9_999, 9_998]]


def test_inputs_are_not_changed() -> None:
    tokens, bounds = np.array([7, 8, 7, 8]), np.array([0, 2, 4])
    groups = np.array([0, 0])
    for array in (tokens, bounds, groups):
        array.flags.writeable = False
    count_self_matches(tokens, bounds, 2, groups)
    find_closest_lengths(bounds[1:], groups)

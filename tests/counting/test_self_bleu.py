"""Compare counts against all other texts with counts of the kernels, which get all references."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric.counting.kernels import count_bleu
from bleu_rouge_metric.counting.self_bleu import (
    count_self_bleu,
    count_self_matches,
    find_closest_lengths,
)
from bleu_rouge_metric.samples.inputs import check_samples
from bleu_rouge_metric.text.tokenizer import Tokenizer

from ..support.strategies import spaced_texts

SPLIT = Tokenizer("split", str.split)

groups_of_texts = st.lists(st.lists(spaced_texts, min_size=2, max_size=6), min_size=1, max_size=4)


def number_groups(groups: Sequence[Sequence[str]]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return the group of each text."""
    return np.repeat(np.arange(len(groups)), [len(group) for group in groups])


def find_closest(length: int, others: list[int]) -> int:
    """Return the closest of some lengths, the shorter one of two."""
    return min(others, key=lambda other: (abs(other - length), other))


@given(groups_of_texts, st.integers(1, 5))
@pytest.mark.usefixtures("kernel")
def test_counts_are_those_of_samples_with_all_references(
    groups: list[list[str]], max_order: int
) -> None:
    texts = [text for group in groups for text in group]
    found = count_self_bleu(texts, number_groups(groups), max_order, SPLIT)
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
    ("texts", "matches"),
    [
        # The text with the most "a" is clipped by the second largest count: 3, not 5.
        (["a a a a a", "a a a", "a"], [3, 3, 1]),
        # Two texts have the most: neither is clipped.
        (["a a a", "a a a", "a"], [3, 3, 1]),
        (["a b", "c d"], [0, 0]),
        (["", "a", "a"], [0, 1, 1]),
        (["a"], [0]),
        ([], []),
    ],
)
def test_counts_by_hand(texts: list[str], matches: list[int]) -> None:
    groups = np.zeros(len(texts), dtype=np.int64)
    found = count_self_bleu(texts, groups, 1, SPLIT)
    assert found.matches[:, 0].tolist() == matches


def test_an_order_that_no_text_has_is_zero() -> None:
    tokens, bounds = np.array([5, 6, 5, 6]), np.array([0, 2, 4])
    assert count_self_matches(tokens, bounds, 4).tolist() == [[2, 1, 0, 0]] * 2


def test_an_ngram_does_not_cross_the_end_of_a_text() -> None:
    # "a b" is in the first text; the others have "a" and then "b".
    tokens, bounds = np.array([1, 2, 1, 2]), np.array([0, 2, 3, 4])
    assert count_self_matches(tokens, bounds, 2).tolist() == [[2, 0], [1, 0], [1, 0]]


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


@pytest.mark.parametrize(
    ("lengths", "groups", "closest"),
    [
        ([4, 6, 5], [0, 0, 0], [5, 5, 4]),
        ([3, 3], [0, 0], [3, 3]),
        ([3, 9], [0, 1], [0, 0]),
        ([0, 9, 1], [0, 0, 1], [9, 0, 0]),
        ([], [], []),
        ([2], [0], [0]),
    ],
)
def test_closest_lengths_by_hand(lengths: list[int], groups: list[int], closest: list[int]) -> None:
    found = find_closest_lengths(np.array(lengths, np.int64), np.array(groups, np.int64))
    assert found.tolist() == closest

"""Integer counts compared with results worked by hand and with ``rouge_score``."""

import random
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import lcs_ind

from bleu_rouge_metric.counting import lcs
from bleu_rouge_metric.counting.kernels import count_bleu, count_columns
from bleu_rouge_metric.counting.rouge_types import CountPlan, plan_bleu
from bleu_rouge_metric.counting.self_bleu import (
    count_self_bleu,
    count_self_matches,
    find_closest_lengths,
)
from bleu_rouge_metric.samples.inputs import check_samples
from bleu_rouge_metric.text.sentences import NEWLINE
from bleu_rouge_metric.text.tokenizer import TOKENIZERS, Tokenizer, add_stemmer

from ..support.strategies import spaced_texts, tokens


@given(tokens, tokens)
def test_lcs_pairs_are_those_that_rouge_score_picks(
    reference: list[str], prediction: list[str]
) -> None:
    pairs = lcs.list_lcs_pairs(reference, prediction)
    assert [there for _, there in pairs] == lcs_ind(reference, prediction)
    assert all(prediction[here] == reference[there] for here, there in pairs)
    assert [here for here, _ in pairs] == sorted({here for here, _ in pairs})


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


# Counts against all other texts of a group.

SPLIT = Tokenizer("split", str.split)


@given(
    st.lists(st.lists(spaced_texts, min_size=2, max_size=6), min_size=1, max_size=4),
    st.integers(1, 5),
    st.randoms(use_true_random=False),
)
@pytest.mark.usefixtures("kernel")
def test_counts_of_groups_are_those_of_samples_with_all_references(
    groups: list[list[str]], max_order: int, draw: random.Random
) -> None:
    rows = [
        (text, group[:index] + group[index + 1 :], number)
        for number, group in enumerate(groups)
        for index, text in enumerate(group)
    ]
    draw.shuffle(rows)
    texts, references, numbers = map(list, zip(*rows, strict=True))
    found = count_self_bleu(texts, np.array(numbers), max_order, SPLIT)
    expected = count_bleu(check_samples(texts, references), max_order, SPLIT)
    assert found.matches.tolist() == expected.matches.tolist()
    assert found.prediction_lengths.tolist() == expected.prediction_lengths.tolist()
    own = [len(text.split()) for text in texts]
    others = [[len(text.split()) for text in texts] for texts in references]
    assert found.reference_lengths.tolist() == [
        min(lengths, key=lambda other: (abs(other - length), other))
        for length, lengths in zip(own, others, strict=True)
    ]


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


def test_large_ids_are_told_apart_and_inputs_are_not_changed() -> None:
    large = (1 << 31) - 1
    tokens, bounds = np.array([large, 0, large, 0, large - 1, 0]), np.array([0, 2, 4, 6])
    groups = np.zeros(3, np.int64)
    for array in (tokens, bounds, groups):
        array.flags.writeable = False
    assert count_self_matches(tokens, bounds, 2, groups).tolist() == [[2, 1], [2, 1], [1, 0]]
    assert find_closest_lengths(bounds[1:], groups).tolist() == [4, 2, 4]


# What a caller passes, and what is counted once.


@pytest.mark.usefixtures("kernel")
def test_an_error_of_a_callable_is_the_callers() -> None:
    def tokenize(text: str) -> list[str]:
        raise RuntimeError(f"no tokens for {text}")

    samples = check_samples(["a"], ["b"])
    for plan in (plan_bleu(4), CountPlan((1,))):
        with pytest.raises(RuntimeError, match=r"^no tokens for a$"):
            count_columns(samples, plan, Tokenizer("tokenize", tokenize), NEWLINE)


# A str whose methods return another text.
METHODS: dict[str, Any] = dict.fromkeys(("__str__", "lower", "replace"), lambda *_: "SHOUTED")
METHODS |= {"split": lambda *_: ["SHOUTED"], "encode": lambda *_: b"SHOUTED"}
METHODS |= {"__eq__": lambda *_: False, "__hash__": lambda _: 1}
Shouted: Any = type("Shouted", (str,), METHODS)


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("name", ["rouge", "13a", "whitespace", "char"])
def test_the_text_of_a_subclass_of_str_is_what_it_holds(name: str) -> None:
    prediction, references = "Running, he said\nthe cat ran.", ["He said\nthe cat runs.", "cat"]
    plain = check_samples([prediction], [references])
    shouted = check_samples([Shouted(prediction)], [[*map(Shouted, references)]])
    plan = CountPlan((1, 2), lcs=True, summary=True, skip_distances=(5,))
    for tokenizer in (TOKENIZERS[name], add_stemmer(TOKENIZERS[name], stemmer=True)):
        found, expected = (
            count_columns(samples, plan, tokenizer, NEWLINE).tolist()
            for samples in (shouted, plain)
        )
        assert found == expected


def test_python_compares_each_pair_of_different_lines_once() -> None:
    prediction, reference = [["a", "b"], ["b"]] * 50, [["b", "a"], ["a"], ["c"]] * 50
    with patch.object(lcs, "_lcs_positions", wraps=lcs._lcs_positions) as compared:
        assert lcs.count_union_lcs(reference, prediction) == 100
    assert compared.call_count == 2 * 3

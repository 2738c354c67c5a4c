"""Pairs of a pool are counted as samples with one reference are, in both kernels."""

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bleu_rouge_metric.counting import kernels
from bleu_rouge_metric.counting.pools import Pool, PoolPairs
from bleu_rouge_metric.counting.rouge_types import CountPlan
from bleu_rouge_metric.counting.weighted_lcs import MOST_TOKENS
from bleu_rouge_metric.text.sentences import NEWLINE, SentenceSplitter, make_id_splitter
from bleu_rouge_metric.text.tokenizer import TOKENIZERS, Tokenizer, make_id_tokenizer

pytestmark = pytest.mark.usefixtures("kernel")

WHITESPACE = TOKENIZERS["whitespace"]
PYTHON_ONLY = Tokenizer("callable", str.split)
HALVES = SentenceSplitter("halves", lambda text: [part for part in text.split(".") if part])
TYPES = ("rouge1", "rouge3", "rougeL", "rougeLsum", "rougeW-1.2", "rougeS4", "rougeSU*")

# Few words, so that texts share many; lines, and words that only some texts have.
words = st.sampled_from(["a", "b", "c", "d", "e f", "\n", "-\n", "Zürich", "b.", "ß" * 20])
texts = st.lists(st.lists(words, max_size=9).map(" ".join), min_size=1, max_size=6)
common = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def pair_all(pool: Pool) -> PoolPairs:
    """Pair each text with each, from the last to the first."""
    count = len(pool.texts)
    rows = np.arange(count)[::-1].copy()
    return PoolPairs(pool, rows, np.arange(count + 1) * count, np.tile(rows, count))


@pytest.mark.parametrize("lin2004", [False, True])
@pytest.mark.parametrize("tokenizer", [WHITESPACE, TOKENIZERS["13a"], PYTHON_ONLY])
@given(texts=texts)
@common
def test_all_rouge_types_of_pairs(texts: list[str], tokenizer: Tokenizer, *, lin2004: bool) -> None:
    pairs = pair_all(Pool(texts))
    for split in (NEWLINE, HALVES):
        ours = kernels.count_rouge(pairs, TYPES, tokenizer, split, lin2004=lin2004)
        theirs = kernels.count_rouge(pairs.to_samples(), TYPES, tokenizer, split, lin2004=lin2004)
        assert (ours.integers == theirs.integers).all()
        assert (ours.weighted == theirs.weighted).all()


@pytest.mark.parametrize("max_order", [1, 4, 5, 64, 65])
@given(texts=texts)
@common
def test_bleu_of_pairs(texts: list[str], max_order: int) -> None:
    pairs = pair_all(Pool(texts))
    ours = kernels.count_bleu(pairs, max_order, TOKENIZERS["13a"])
    theirs = kernels.count_bleu(pairs.to_samples(), max_order, TOKENIZERS["13a"])
    assert all((one == other).all() for one, other in zip(ours, theirs, strict=True))


@pytest.mark.parametrize("plan", [CountPlan((1, 2), once=True, pairs=True), CountPlan(pairs=True)])
@given(texts=texts)
@common
def test_sentence_pairs_of_pairs(texts: list[str], plan: CountPlan) -> None:
    pairs = pair_all(Pool(texts))
    ours = kernels.count_columns(pairs, plan, WHITESPACE, NEWLINE)
    theirs = kernels.count_columns(pairs.to_samples(), plan, WHITESPACE, NEWLINE)
    assert (ours == theirs).all()


@given(ids=st.lists(st.lists(st.integers(0, 5), max_size=8).map(tuple), min_size=1, max_size=5))
@common
def test_pairs_of_token_ids(ids: list[tuple[int, ...]]) -> None:
    pairs = pair_all(Pool(ids, are_ids=True))
    tokenizer = make_id_tokenizer(2)
    split = make_id_splitter(2)
    ours = kernels.count_rouge(pairs, TYPES, tokenizer, split)
    theirs = kernels.count_rouge(pairs.to_samples(), TYPES, tokenizer, split)
    assert (ours.integers == theirs.integers).all()


def count_lcs(pool: Pool, rows: Sequence[int], columns: Sequence[int]) -> list[int]:
    """Return the LCS of the first row with some columns."""
    pairs = PoolPairs(pool, np.array(rows), np.array([0, len(columns)]), np.array(columns))
    counts = kernels.count_columns(pairs, CountPlan(lcs=True), WHITESPACE, NEWLINE)
    hits: list[int] = counts[:, 0, 0].tolist()
    return hits


def test_a_pool_grows_and_shrinks_between_counts() -> None:
    pool = Pool(["a b c"])
    assert count_lcs(pool, [0], [0]) == [3]
    pool.extend(["x b c d", "c d"])
    assert count_lcs(pool, [1], [0, 1, 2]) == [2, 4, 2]
    pool.truncate(2)
    pool.extend(["d x"])
    assert count_lcs(pool, [1], [2, 0]) == [1, 2]
    pool.truncate(7)
    assert len(pool.texts) == 3


def test_sentences_of_a_pool_that_shrank() -> None:
    pool = Pool(["a b\nc", "d-\ne", "a c"])
    for _ in range(2):
        pairs = pair_all(pool)
        for tokenizer in (TOKENIZERS["13a"], PYTHON_ONLY):
            ours = kernels.count_rouge(pairs, ["rougeLsum"], tokenizer, NEWLINE)
            theirs = kernels.count_rouge(pairs.to_samples(), ["rougeLsum"], tokenizer, NEWLINE)
            assert (ours.integers == theirs.integers).all()
        pool.truncate(1)
        pool.extend(["c\nb a", "-\n-\na"])


def test_rows_may_have_different_columns_or_none() -> None:
    pool = Pool(["a b", "b", "c a b"])
    pairs = PoolPairs(pool, np.array([2, 0, 1]), np.array([0, 2, 2, 3]), np.array([0, 1, 1]))
    counts = kernels.count_columns(pairs, CountPlan((1,), lcs=True), WHITESPACE, NEWLINE)
    assert counts[:, 1].tolist() == [[2, 3, 2], [1, 3, 1], [1, 1, 1]]
    assert pairs.find_pair(2) == ("b", "b")
    assert pairs.find_pair(0) == ("c a b", "a b")


def test_long_predictions_among_short_ones() -> None:
    pool = Pool([" ".join("abcdefgh"[: 1 + index % 7]) * (index * 9) for index in range(12)])
    pairs = pair_all(pool)
    plan = CountPlan((1, 2, 5), lcs=True)
    ours = kernels.count_columns(pairs, plan, WHITESPACE, NEWLINE)
    theirs = kernels.count_columns(pairs.to_samples(), plan, WHITESPACE, NEWLINE)
    assert (ours == theirs).all()


def test_a_sentence_that_is_too_long_is_named() -> None:
    pairs = pair_all(Pool(["a " * (MOST_TOKENS + 1), "b"]))
    with pytest.raises(ValueError, match=r"A sentence has more than .* begins with 'b', or of its"):
        kernels.count_rouge(pairs, ["rougeW"], WHITESPACE, NEWLINE)


def test_a_subclass_of_str_counts_as_what_it_holds() -> None:
    class Loud(str):
        __slots__ = ()

        def split(self, *_: Any) -> list[str]:
            return ["loud"]

    assert count_lcs(Pool([Loud("a b"), "b"]), [0], [0, 1]) == [2, 1]


def test_texts_are_tokenized_once() -> None:
    seen: list[str] = []

    def tokenize(text: str) -> list[str]:
        seen.append(text)
        return text.split()

    pool = Pool(["a b", "b c", "c"])
    tokenizer = Tokenizer("callable", tokenize)
    for _ in range(3):
        kernels.count_rouge(pair_all(pool), ["rouge1"], tokenizer, NEWLINE)
    once = kernels.current_kernel() == "native"
    assert len(seen) == (3 if once else 36)


def test_a_copy_of_a_pool_is_counted_alone() -> None:
    pool = Pool(["a b"])
    count_lcs(pool, [0], [0])
    other = Pool(copy.copy(pool.texts))
    other.extend(["b"])
    assert count_lcs(other, [0], [1]) == [1]
    assert len(pool.texts) == 1

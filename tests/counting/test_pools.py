"""Pairs of a pool are counted as samples with one reference are, in both kernels."""

import copy
import os
import signal
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bleu_rouge_metric import DuplicateIndex
from bleu_rouge_metric.counting import kernels
from bleu_rouge_metric.counting.pools import Batch, Pool, PoolPairs, ScoreTable
from bleu_rouge_metric.counting.rouge_types import CountPlan
from bleu_rouge_metric.counting.weighted_lcs import MOST_TOKENS
from bleu_rouge_metric.text.sentences import NEWLINE, SentenceSplitter, make_id_splitter
from bleu_rouge_metric.text.tokenizer import TOKENIZERS, Tokenizer, make_id_tokenizer

from ..conftest import needs_native

pytestmark = pytest.mark.usefixtures("kernel")

# Instead of both kernels.
only_native = pytest.mark.parametrize(
    "kernel", [pytest.param("native", marks=needs_native)], indirect=True
)

LCS = CountPlan(lcs=True)
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


def assert_pairs_count_as_samples(pool: Pool, count: Callable[[Batch], Iterable[Any]]) -> None:
    pairs = pair_all(pool)
    for ours, theirs in zip(count(pairs), count(pairs.to_samples()), strict=True):
        assert (ours == theirs).all()


@pytest.mark.parametrize("lin2004", [False, True])
@pytest.mark.parametrize("tokenizer", [WHITESPACE, TOKENIZERS["13a"], PYTHON_ONLY])
@given(texts=texts)
@common
def test_all_rouge_types_of_pairs(texts: list[str], tokenizer: Tokenizer, *, lin2004: bool) -> None:
    pool = Pool(texts)
    for split in (NEWLINE, HALVES):

        def count(batch: Batch, split: SentenceSplitter = split) -> list[Any]:
            counts = kernels.count_rouge(batch, TYPES, tokenizer, split, lin2004=lin2004)
            return [counts.integers, counts.weighted]

        assert_pairs_count_as_samples(pool, count)


@pytest.mark.parametrize("max_order", [1, 4, 5, 64, 65])
@given(texts=texts)
@common
def test_bleu_of_pairs(texts: list[str], max_order: int) -> None:
    assert_pairs_count_as_samples(
        Pool(texts), lambda batch: kernels.count_bleu(batch, max_order, TOKENIZERS["13a"])
    )


@pytest.mark.parametrize(
    "plan", [CountPlan((1, 2, 5), lcs=True, once=True, pairs=True), CountPlan((1, 2), pairs=True)]
)
@given(texts=texts)
@example(texts=[" ".join("abcdefgh"[: 1 + index % 7]) * (index * 9) for index in range(12)])
@common
def test_plans_of_pairs(texts: list[str], plan: CountPlan) -> None:
    assert_pairs_count_as_samples(
        Pool(texts), lambda batch: [kernels.count_columns(batch, plan, WHITESPACE, NEWLINE)]
    )


@given(ids=st.lists(st.lists(st.integers(0, 5), max_size=8).map(tuple), min_size=1, max_size=5))
@common
def test_pairs_of_token_ids(ids: list[tuple[int, ...]]) -> None:
    tokenizer, split = make_id_tokenizer(2), make_id_splitter(2)
    assert_pairs_count_as_samples(
        Pool(ids, are_ids=True),
        lambda batch: [kernels.count_rouge(batch, TYPES, tokenizer, split).integers],
    )


def count_lcs(pool: Pool, rows: Sequence[int], columns: Sequence[int]) -> list[int]:
    """Return the LCS of the first row with some columns."""
    pairs = PoolPairs(pool, np.array(rows), np.array([0, len(columns)]), np.array(columns))
    counts = kernels.count_columns(pairs, LCS, WHITESPACE, NEWLINE)
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


@pytest.mark.parametrize("tokenizer", [TOKENIZERS["13a"], PYTHON_ONLY])
def test_sentences_of_a_pool_that_shrank(tokenizer: Tokenizer) -> None:
    pool = Pool(["a b\nc", "d-\ne", "a c"])
    for _ in range(2):
        assert_pairs_count_as_samples(
            pool,
            lambda batch: [kernels.count_rouge(batch, TYPES, tokenizer, NEWLINE).integers],
        )
        pool.truncate(1)
        pool.extend(["c\nb a", "-\n-\na"])


def test_rows_may_have_different_columns_or_none() -> None:
    pool = Pool(["a b", "b", "c a b"])
    pairs = PoolPairs(pool, np.array([2, 0, 1]), np.array([0, 2, 2, 3]), np.array([0, 1, 1]))
    counts = kernels.count_columns(pairs, CountPlan((1,), lcs=True), WHITESPACE, NEWLINE)
    assert counts[:, 1].tolist() == [[2, 3, 2], [1, 3, 1], [1, 1, 1]]
    assert pairs.find_pair(2) == ("b", "b")
    assert pairs.find_pair(0) == ("c a b", "a b")


def test_a_sentence_that_is_too_long_is_named() -> None:
    pairs = pair_all(Pool(["a " * (MOST_TOKENS + 1), "b"]))
    with pytest.raises(ValueError, match=r"A sentence has more than .* begins with 'b', or of its"):
        kernels.count_rouge(pairs, ["rougeW"], WHITESPACE, NEWLINE)


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


# The nearest texts that an index finds are those of a comparison with each, in both kernels.

PLANS = (LCS, CountPlan((1,)), CountPlan((1,), once=True), CountPlan(once=True, pairs=True))

letters = st.sampled_from(["a", "b", "c", "d", "e", "f\n"])
candidates = st.lists(st.lists(letters, max_size=8).map(" ".join), min_size=1, max_size=40)


def count_all(pool: Pool, plan: CountPlan) -> Any:
    """Return hits and totals of all pairs, shape (texts, texts, 3)."""
    counts = kernels.count_columns(pair_all(pool), plan, WHITESPACE, NEWLINE)
    return counts.reshape(len(pool.texts), len(pool.texts), 3)[::-1, ::-1]


def make_table(totals: Any, score: Any) -> tuple[ScoreTable, Any]:
    """Make a table for texts of these totals, and return the kinds of the texts."""
    kinds = np.arange(totals.max() + 1)
    widest = len(kinds)
    hits = np.arange(widest)
    values = score(hits, kinds[:, None, None], kinds[:, None])
    starts = np.arange(len(kinds) ** 2).reshape(len(kinds), len(kinds)) * widest
    return ScoreTable(np.append(values.ravel(), np.zeros(widest)), starts), totals


def f1(hits: Any, predicted: Any, referred: Any) -> Any:
    return np.where(hits > 0, 2 * hits / np.maximum(predicted + referred, 1), 0.0)


def step(hits: Any, predicted: Any, referred: Any) -> Any:
    """Return a score with many ties."""
    return np.floor(3 * f1(hits, predicted, referred))


def find(texts: list[str], plan: CountPlan, most: int, score: Any = f1) -> tuple[Any, Any, Any]:
    """Search for all texts among the texts; return places, scores and pairs that were counted."""
    pool = Pool(texts)
    table, totals = make_table(count_all(pool, plan).diagonal()[1], score)
    index = kernels.make_nearest_index(pool, plan, WHITESPACE, NEWLINE)
    indices = np.arange(len(texts))
    half = len(texts) // 2
    for part in (indices[:half], indices[half:]):
        index.add(part, totals[part])
    found = index.search(indices, totals, table, most)
    return found.places, np.where(found.places < 0, -1, table.values[found.scores]), found.compared


@pytest.mark.parametrize("plan", PLANS)
@given(texts=candidates, most=st.integers(1, 12), score=st.sampled_from([f1, step]))
@common
def test_the_nearest_of_all(texts: list[str], plan: CountPlan, most: int, score: Any) -> None:
    places, scores, compared = find(texts, plan, most, score)
    counts = count_all(Pool(texts), plan)
    for row, values in enumerate(score(*np.moveaxis(counts, -1, 0))):
        order = np.argsort(-values, kind="stable")[:most].tolist()
        missing = [-1] * (most - len(order))
        assert places[row].tolist() == order + missing
        assert scores[row].tolist() == values[order].tolist() + missing
    assert (compared <= len(texts)).all()


def test_shared_tokens_rule_out_most_pairs() -> None:
    texts = [f"w{index} v{index} u{index}" for index in range(400)]
    places, _, compared = find(texts, LCS, 1)
    assert places[:, 0].tolist() == list(range(400))
    # The text itself, and those that come before any is found.
    assert compared.max() <= 32


@only_native
def test_wrong_arguments_of_the_compiled_index() -> None:
    pool = Pool(["a b", "b"])
    index = kernels.make_nearest_index(pool, LCS, WHITESPACE, NEWLINE)
    table, totals = make_table(np.array([2, 1]), f1)
    one = np.array([0])
    # A start behind the values, no values, and fewer kinds than the candidates have.
    behind = ScoreTable(table.values, table.starts + len(table.values))
    empty, narrow = ScoreTable(np.zeros(1), table.starts), table.starts[:, :1].copy()
    with pytest.raises(ValueError, match="out of range"):
        index.add(np.array([2]), one)
    with pytest.raises(ValueError, match="out of range"):
        index.add(one, np.array([-1]))
    index.add(np.array([0, 1]), totals)
    wrong: list[tuple[Any, Any, ScoreTable, int, str]] = [
        (np.array([5]), one, table, 1, "out of range"),
        (np.array([-1]), one, table, 1, "out of range"),
        (one, np.array([7]), table, 1, "out of range"),
        (one, np.array([0, 1]), table, 1, "wrong shape"),
        (one, one, table, 0, "no candidate is wanted"),
        (one, one, behind, 1, "out of range"),
        (one, one, empty, 1, "out of range"),
        (one, one, ScoreTable(table.values, narrow), 1, "too few"),
    ]
    for *arguments, message in wrong:
        with pytest.raises(ValueError, match=message):
            index.search(*arguments)
    pool.truncate(1)
    with pytest.raises(ValueError, match="not in the pool any more"):
        index.search(one, one, table, 1)
    for plan in (CountPlan((1, 2)), CountPlan((2,)), CountPlan(lcs=True, once=True)):
        with pytest.raises(ValueError, match="what shared tokens do not bound"):
            kernels.make_nearest_index(Pool(["a"]), plan, WHITESPACE, NEWLINE)


# Threads share a pool of the compiled kernel, and signals come while it adds texts.


@only_native
def test_candidates_are_added_while_others_search() -> None:
    pool = Pool([f"w{index} a" for index in range(300)])
    index = kernels.make_nearest_index(pool, LCS, WHITESPACE, NEWLINE)
    index.add(np.array([0]), np.array([0]))
    table = ScoreTable(np.zeros(8), np.zeros((1, 1), dtype=np.int64))
    errors: list[str] = []

    def search() -> None:
        try:
            for _ in range(2000):
                index.search(np.arange(20), np.zeros(20, dtype=np.int64), table, 1)
        except ValueError as error:
            errors.append(str(error))

    threads = [threading.Thread(target=search) for _ in range(2)]
    for thread in threads:
        thread.start()
    for text in range(1, 300):
        # From now on the table has too few columns.
        index.add(np.array([text]), np.array([1_000_000]))
    for thread in threads:
        thread.join()
    assert set(errors) <= {"the table of scores has too few columns."}


@only_native
def test_texts_are_added_while_others_count() -> None:
    pool = Pool(["a b c"] * 50)
    columns = np.tile(np.arange(50), 50)
    pairs = PoolPairs(pool, np.arange(50), np.arange(51) * 50, columns)
    found: list[Any] = []

    def count() -> None:
        for _ in range(200):
            counts = kernels.count_columns(pairs, LCS, WHITESPACE, NEWLINE)
            found.append((counts == 3).all())

    thread = threading.Thread(target=count)
    thread.start()
    for text in range(300):
        pool.extend([f"x{text} y"])
    thread.join()
    assert all(found)


@only_native
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers on this system")
def test_signals_leave_an_index_whole() -> None:
    class StopError(Exception):
        pass

    def stop(*_: object) -> None:
        raise StopError

    before = signal.signal(signal.SIGALRM, stop)
    stopped = 0
    try:
        for attempt in range(12):
            index = DuplicateIndex()
            index.add(["first text"])
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.0005 * (1 + attempt))
                index.add([f"word{number} of{number} many" for number in range(20_000)])
            except StopError:
                stopped += 1
                assert len(index) == 1
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            assert index.add_if_new("g h i j").is_new
            assert index.find("g h i j").score == 1.0
            assert index.find("first text")[:3] == (False, 1.0, 0)
    finally:
        signal.signal(signal.SIGALRM, before)
    # On a slow machine each attempt is stopped, on a fast one at least the first.
    assert stopped or os.environ.get("LD_PRELOAD")

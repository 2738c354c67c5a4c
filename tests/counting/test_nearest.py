"""The nearest texts that an index finds are those of a comparison with each, in both kernels."""

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bleu_rouge_metric import use_kernel
from bleu_rouge_metric.counting import kernels
from bleu_rouge_metric.counting.pools import Pool, PoolPairs, ScoreTable
from bleu_rouge_metric.counting.rouge_types import CountPlan
from bleu_rouge_metric.text.sentences import NEWLINE
from bleu_rouge_metric.text.tokenizer import TOKENIZERS

WHITESPACE = TOKENIZERS["whitespace"]
LCS = CountPlan(lcs=True)
UNIGRAMS = CountPlan((1,))
ONCE = CountPlan((1,), once=True)
SENTENCES = CountPlan(once=True, pairs=True)
PLANS = (LCS, UNIGRAMS, ONCE, SENTENCES)

words = st.sampled_from(["a", "b", "c", "d", "e", "f\n"])
texts = st.lists(st.lists(words, max_size=8).map(" ".join), min_size=1, max_size=40)
common = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def count_all(pool: Pool, plan: CountPlan) -> Any:
    """Return hits and totals of all pairs, shape (texts, texts, 3)."""
    count = len(pool.texts)
    columns = np.tile(np.arange(count), count)
    pairs = PoolPairs(pool, np.arange(count), np.arange(count + 1) * count, columns)
    return kernels.count_columns(pairs, plan, WHITESPACE, NEWLINE).reshape(count, count, 3)


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


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("plan", PLANS)
@given(texts=texts, most=st.integers(1, 12), score=st.sampled_from([f1, step]))
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


@pytest.mark.parametrize("plan", PLANS)
def test_both_kernels_count_the_same_pairs(plan: CountPlan) -> None:
    generator = np.random.default_rng(7)
    texts = [" ".join(generator.choice([*"abcdefghijkl"], size)) for size in range(1, 100)]
    found = []
    for name in ("python", "native"):
        with use_kernel(name):
            found.append(find(texts, plan, 3))
    assert all((one == other).all() for one, other in zip(*found, strict=True))
    assert found[0][2].sum() < len(texts) ** 2


@pytest.mark.usefixtures("kernel")
def test_shared_tokens_rule_out_most_pairs() -> None:
    texts = [f"w{index} v{index} u{index}" for index in range(400)]
    places, _, compared = find(texts, LCS, 1)
    assert places[:, 0].tolist() == list(range(400))
    # The text itself, and those that come before any is found.
    assert compared.max() <= 32


@pytest.mark.usefixtures("kernel")
def test_an_empty_index_has_no_nearest() -> None:
    pool = Pool(["a"])
    index = kernels.make_nearest_index(pool, LCS, WHITESPACE, NEWLINE)
    table, totals = make_table(np.array([1]), f1)
    found = index.search(np.array([0]), totals, table, 2)
    assert found.places.tolist() == [[-1, -1]]
    assert found.scores.tolist() == [[-1, -1]]


@pytest.mark.usefixtures("kernel")
def test_repeated_tokens_count_as_often_as_both_texts_have_them() -> None:
    places, scores, _ = find(["a a a", "a b", "a a b b"], UNIGRAMS, 3)
    assert places.tolist() == [[0, 2, 1], [1, 2, 0], [2, 1, 0]]
    assert scores[0].tolist() == [1.0, 4 / 7, 0.4]


def test_wrong_arguments_of_the_compiled_index() -> None:
    with use_kernel("native"):
        pool = Pool(["a b", "b"])
        index = kernels.make_nearest_index(pool, LCS, WHITESPACE, NEWLINE)
        table, totals = make_table(np.array([2, 1]), f1)
        one = np.array([0])
        for texts, kinds in [(np.array([2]), one), (np.array([-1]), one), (one, np.array([-1]))]:
            with pytest.raises(ValueError, match="out of range"):
                index.add(texts, kinds)
        index.add(np.array([0, 1]), totals)
        for texts, kinds in [(np.array([5]), one), (one, np.array([7]))]:
            with pytest.raises(ValueError, match="out of range"):
                index.search(texts, kinds, table, 1)
        with pytest.raises(ValueError, match="wrong shape"):
            index.search(one, np.array([0, 1]), table, 1)
        with pytest.raises(ValueError, match="no candidate is wanted"):
            index.search(one, one, table, 0)
        # A start behind the values, no values, and fewer kinds than the candidates have.
        for wrong in (
            ScoreTable(table.values, table.starts + len(table.values)),
            ScoreTable(np.zeros(1), table.starts),
            ScoreTable(table.values, table.starts[:, :1].copy()),
        ):
            with pytest.raises(ValueError, match=r"out of range|too few"):
                index.search(one, one, wrong, 1)
        pool.truncate(1)
        with pytest.raises(ValueError, match="not in the pool any more"):
            index.search(one, one, table, 1)
        wide = CountPlan((1, 2))
        for plan in (wide, CountPlan((2,)), CountPlan(lcs=True, once=True), CountPlan(pairs=True)):
            with pytest.raises(ValueError, match="what shared tokens do not bound"):
                kernels.make_nearest_index(Pool(["a"]), plan, WHITESPACE, NEWLINE)

"""The three evaluators of BLEU give the same scores, bit for bit: one sum, one pair, many rows."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric.arrays import map_equal_rows
from bleu_rouge_metric.counting.kernels import BleuCounts
from bleu_rouge_metric.families.bleu.formula import (
    prepare_sentence_score,
    score_rows,
    score_sentences,
)
from bleu_rouge_metric.families.bleu.rules import (
    ARITHMETICS,
    LAST_SAMPLE_SMOOTHINGS,
    SMOOTHINGS,
    BleuRules,
    make_bleu_rules,
)
from bleu_rouge_metric.families.bleu.score import score_corpus
from bleu_rouge_metric.families.bleu.statistics import (
    choose_reference_lengths,
    make_columns,
)

WEIGHTS = [None, [0.5, 0.5], [0.25] * 4, [0.1, 0.2, 0.3, 0.4], [0, 0, 1], [1]]


@st.composite
def _rules(draw: st.DrawFn) -> BleuRules:
    options: dict[str, Any] = {
        "arithmetic": draw(st.sampled_from(ARITHMETICS)),
        "smooth": draw(st.sampled_from(SMOOTHINGS)),
        "reference_length": draw(st.sampled_from(["shortest", "closest", "longest", "average"])),
        "effective_order": draw(st.sampled_from([None, True, False])),
        "auto_reweigh": draw(st.booleans()),
        "weights": draw(st.sampled_from(WEIGHTS)),
    }
    if options["weights"] is None:
        options["max_order"] = draw(st.integers(1, 5))
    return make_bleu_rules(**options)


@st.composite
def _counts(draw: st.DrawFn, order: int) -> tuple[BleuCounts, np.ndarray]:
    lengths = draw(st.lists(st.integers(0, 9), min_size=1, max_size=4))
    matches = []
    for length in lengths:
        row, most = [], length
        for start in range(order):
            most = draw(st.integers(0, max(min(most, length - start), 0)))
            row.append(most)
        matches.append(row)
    references = [draw(st.lists(st.integers(0, 9), min_size=1, max_size=3)) for _ in lengths]
    counts = BleuCounts(
        np.array(matches, np.int32),
        np.array(lengths, np.int32),
        np.array([length for row in references for length in row], np.int32),
    )
    return counts, np.cumsum([0, *map(len, references)])


@given(st.data())
def test_the_sum_of_all_rows_scores_as_the_corpus(data: st.DataObject) -> None:
    rules = data.draw(_rules())
    counts, offsets = data.draw(_counts(rules.counted_order))
    if rules.smooth in LAST_SAMPLE_SMOOTHINGS:
        return
    columns = make_columns(counts, offsets, rules)
    (found,) = score_rows(columns.sum(axis=0, keepdims=True).astype(np.float64), rules)
    corpus = score_corpus(counts, offsets, rules)
    expected = corpus["score" if rules.arithmetic == "sacrebleu" else "bleu"]
    if rules.reference_length == "average":
        # The mean length of a sample is rounded to a millionth of a token.
        assert found == pytest.approx(expected, rel=1e-5)
    else:
        assert found == expected


@given(st.data())
def test_each_sample_scores_alike_as_a_row_a_pair_and_a_corpus(data: st.DataObject) -> None:
    rules = data.draw(_rules())
    if rules.reference_length == "average":
        rules = rules._replace(reference_length="closest")
    counts, offsets = data.draw(_counts(rules.counted_order))
    columns = make_columns(counts, offsets, rules).astype(np.float64)
    lengths = choose_reference_lengths(counts, offsets, rules).tolist()
    samples = counts.matches.tolist(), counts.prediction_lengths.tolist(), lengths
    pairs = [*map(prepare_sentence_score(rules), *samples)]
    assert pairs == score_sentences(counts, offsets, rules).tolist()
    if rules.smooth in LAST_SAMPLE_SMOOTHINGS:
        return
    assert score_rows(columns, rules, is_sentence=True).tolist() == pairs
    for index, score in enumerate(score_rows(columns, rules).tolist()):
        alone = BleuCounts(
            counts.matches[index : index + 1],
            counts.prediction_lengths[index : index + 1],
            counts.reference_lengths[offsets[index] : offsets[index + 1]],
        )
        stop = int(offsets[index + 1] - offsets[index])
        assert score == next(iter(score_corpus(alone, np.array([0, stop]), rules).values()))


def test_no_rows_have_no_scores() -> None:
    assert score_rows(np.zeros((0, 9)), BleuRules()).tolist() == []


def compute(columns: list[Any], rows: Any) -> Any:
    """Return a number that all columns decide."""
    total = np.zeros(len(rows))
    for column in columns:
        total = np.sqrt(total + column[rows])
    return total


@given(
    count=st.sampled_from([1, 255, 256, 20_000]),
    most=st.lists(st.sampled_from([0, 1, 30, 3000, 1 << 40]), min_size=1, max_size=4),
    seed=st.integers(0, 99),
)
def test_the_numbers_are_those_of_all_rows(count: int, most: list[int], seed: int) -> None:
    generator = np.random.default_rng(seed)
    columns = [generator.integers(0, limit, count, endpoint=True) for limit in most]
    found = map_equal_rows(columns, lambda rows: compute(columns, rows))
    assert (found == compute(columns, np.arange(count))).all()


@pytest.mark.parametrize(("distinct", "most"), [(5, 5), (1000, 2000)])
def test_equal_rows_are_computed_once(distinct: int, most: int) -> None:
    column = np.arange(30_000) % distinct
    computed = []

    def count(rows: Any) -> Any:
        computed.append(len(rows))
        return column[rows] * 0.5

    assert (map_equal_rows([column], count) == column * 0.5).all()
    # Some keys have the slot of another one, whose rows are computed each.
    assert distinct <= sum(computed) <= most * 10

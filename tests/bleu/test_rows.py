"""Scores of many summed counts equal those of the formulas, bit for bit."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric.counting.kernels import BleuCounts
from bleu_rouge_metric.families.bleu.rows import bleu_columns, check_resampled, score_rows
from bleu_rouge_metric.families.bleu.rules import (
    ARITHMETICS,
    LAST_SAMPLE_SMOOTHINGS,
    SMOOTHINGS,
    BleuRules,
    make_bleu_rules,
)
from bleu_rouge_metric.families.bleu.score import score_corpus

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
    columns = bleu_columns(counts, offsets, rules)
    (found,) = score_rows(columns.sum(axis=0, keepdims=True).astype(np.float64), rules)
    corpus = score_corpus(counts, offsets, rules)
    expected = corpus["score" if rules.arithmetic == "sacrebleu" else "bleu"]
    if rules.reference_length == "average":
        # The mean length of a sample is rounded to a millionth of a token.
        assert found == pytest.approx(expected, rel=1e-5)
    else:
        assert found == expected


@given(st.data())
def test_each_row_scores_as_a_corpus_of_one_sample(data: st.DataObject) -> None:
    rules = data.draw(_rules())
    if rules.reference_length == "average":
        rules = rules._replace(reference_length="closest")
    counts, offsets = data.draw(_counts(rules.counted_order))
    found = score_rows(bleu_columns(counts, offsets, rules).astype(np.float64), rules)
    for index, score in enumerate(found.tolist()):
        alone = BleuCounts(
            counts.matches[index : index + 1],
            counts.prediction_lengths[index : index + 1],
            counts.reference_lengths[offsets[index] : offsets[index + 1]],
        )
        stop = int(offsets[index + 1] - offsets[index])
        assert score == next(iter(score_corpus(alone, np.array([0, stop]), rules).values()))


@pytest.mark.parametrize("smooth", LAST_SAMPLE_SMOOTHINGS)
def test_smoothing_by_the_last_sample_is_refused(smooth: str) -> None:
    with pytest.raises(ValueError, match="uses counts of the last sample") as caught:
        check_resampled(make_bleu_rules(arithmetic="nltk", smooth=smooth))
    assert str(caught.value) == (
        f"smooth {smooth!r} uses counts of the last sample, so resampling would change what is "
        f"measured; use '{smooth}-corrected'."
    )


def test_several_sets_of_weights_are_refused() -> None:
    with pytest.raises(ValueError, match="weights has 2 sets") as caught:
        check_resampled(make_bleu_rules(weights=[[1.0], [0.5, 0.5]]))
    assert str(caught.value) == (
        "weights has 2 sets; expected one, because one score is resampled."
    )


def test_no_rows_have_no_scores() -> None:
    assert score_rows(np.zeros((0, 9)), BleuRules()).tolist() == []

"""Draws do not depend on the size of blocks, and sums of drawn counts are exact."""

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric.resampling import draws
from bleu_rouge_metric.resampling.draws import (
    Weights,
    all_swaps,
    bootstrap_weights,
    join_sums,
    split_scores,
    sum_columns,
    swap_weights,
)

Draw = Callable[[int, int, int], Iterator[Weights]]


@pytest.mark.parametrize("samples", [1, 3, 31, 32, 33, 100])
@pytest.mark.parametrize("draw", [bootstrap_weights, swap_weights])
def test_blocks_of_any_size_draw_the_same(
    draw: Draw, samples: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = np.concatenate(list(draw(samples, 50, 7)))
    if samples > 30:
        assert not np.array_equal(whole, next(draw(samples, 50, 8)))
    monkeypatch.setattr(draws, "_WEIGHTS_PER_BLOCK", 7 * samples)
    blocks = list(draw(samples, 50, 7))
    assert len(blocks) == 8
    assert np.array_equal(np.concatenate(blocks), whole)


def test_each_sample_is_drawn_once_and_swapped_in_half_of_the_resamples() -> None:
    weights = next(bootstrap_weights(9, 1_000, 0))
    assert (weights.sum(axis=1) == 9).all()
    # Each of the 9,000 places holds 1 on average, with a standard error of 0.03.
    assert weights.mean(axis=0) == pytest.approx(np.ones(9), abs=0.15)
    weights = next(swap_weights(40, 10_000, 0))
    assert set(np.unique(weights).tolist()) == {0, 1}
    # The standard error of each share is 0.005.
    assert weights.mean(axis=0) == pytest.approx(np.full(40, 0.5), abs=0.025)
    assert len({tuple(row) for block in all_swaps(4) for row in block.tolist()}) == 16


def test_products_in_parts_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(0)
    weights = generator.integers(0, 4, (6, 50)).astype(np.uint8)
    tables = [generator.integers(0, 2**31, (50, 3)), generator.integers(0, 9, (50, 1))]
    expected = weights.astype(np.int64) @ np.concatenate(tables, axis=1)
    assert np.array_equal(sum_columns(weights, tables), expected)
    monkeypatch.setattr(draws, "_SIZE_OF_PRODUCT", 1)
    monkeypatch.setattr(draws, "_ROWS_PER_PRODUCT", 4)
    assert np.array_equal(sum_columns(weights, tables), expected)
    baseline = generator.integers(0, 9, (50, 3))
    found = sum_columns(weights, [tables[0], tables[0]], baseline)
    assert np.array_equal(found, np.tile(weights @ (baseline - tables[0]), 2))


_numbers = st.floats(-1e9, 1e9, allow_subnormal=False).filter(lambda value: abs(value) > 1e-3)


@given(st.lists(_numbers, min_size=1, max_size=20) | st.just([0.0] * 3))
def test_sums_of_split_scores_are_exact_to_the_last_place_of_the_largest(
    scores: list[float],
) -> None:
    largest = max(map(abs, scores))
    halves = split_scores(np.array(scores), largest)
    sums = halves.sum(axis=0, keepdims=True).astype(np.float64)
    exact = sum(map(Fraction, scores), Fraction(0))
    # Each score is rounded by half of that place at most, and the sum once more.
    bound = len(scores) * Fraction(largest) * 2 / 2**52 + abs(exact) / 2**52
    assert abs(Fraction(float(join_sums(sums, largest)[0])) - exact) <= bound

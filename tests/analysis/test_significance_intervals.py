"""Intervals of few samples are wide enough."""

from typing import Any

import numpy as np
import pytest
import scipy.stats

from bleu_rouge_metric import compare_systems
from bleu_rouge_metric.analysis.system_comparison import SystemScore


def _compare(scores: np.ndarray, **keywords: Any) -> SystemScore:
    """Compare two systems by scores of samples, shape (2, samples)."""
    texts = ["a"] * scores.shape[1]
    return compare_systems(
        {"A": texts, "B": texts},
        texts,
        pairs=None,
        scores={"x": {"A": scores[0], "B": scores[1]}},
        profile="google_bleu",
        **keywords,
    ).rows[-1]


@pytest.mark.parametrize("confidence", [0.95, 0.8])
@pytest.mark.parametrize("samples", [2, 5, 12, 200])
def test_the_interval_of_a_difference_of_means_is_that_of_the_paired_t_test(
    samples: int, confidence: float
) -> None:
    scores = np.random.default_rng(samples).normal(size=(2, samples))
    row = _compare(scores, confidence=confidence, n_resamples=100_000, test="bootstrap")
    expected = scipy.stats.ttest_rel(scores[1], scores[0]).confidence_interval(confidence)
    width = expected.high - expected.low
    # The standard error of 100,000 resamples is right to about 0.2%.
    assert row.delta_low == pytest.approx(expected.low, abs=0.01 * width)
    assert row.delta_high == pytest.approx(expected.high, abs=0.01 * width)


@pytest.mark.parametrize("samples", [5, 12])
@pytest.mark.parametrize("clusters", [None, 2])
def test_95_of_100_intervals_hold_the_true_difference(samples: int, clusters: int | None) -> None:
    sets, held = 200, 0
    for seed in range(sets):
        # Most samples differ little, and some much more.
        scores = np.random.default_rng([samples, seed]).gamma(1.0, size=(2, samples))
        labels = None
        if clusters is not None:
            scores, labels = np.repeat(scores, clusters, axis=1), np.repeat(range(samples), 2)
        row = _compare(scores, clusters=labels, n_resamples=300, test="bootstrap", seed=seed)
        held += (row.delta_low or 0) <= 0 <= (row.delta_high or 0)
    # Percentiles hold it in 80 to 90 of 100. The standard error of this share is 0.015.
    assert 0.93 <= held / sets <= 0.99


def test_a_single_resample_has_no_interval_of_the_difference() -> None:
    row = _compare(np.random.default_rng(0).normal(size=(2, 9)), n_resamples=1)
    assert (row.delta_low, row.delta_high, row.detectable) == (None, None, None)
    assert row.low == row.high


def test_bounds_of_a_score_lie_within_its_resamples() -> None:
    scores = np.array([[0.0, 1.0, 1.0], [1.0, 1.0, 1.0]])
    texts = ["a"] * 3
    first, second = compare_systems(
        {"A": texts, "B": texts},
        texts,
        pairs=None,
        scores={"x": {"A": scores[0], "B": scores[1]}},
        profile="google_bleu",
    ).rows[-2:]
    assert (first.low, first.high) == (0, 1)
    assert (second.low, second.high) == (1, 1)

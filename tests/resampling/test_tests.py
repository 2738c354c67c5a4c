"""Paired tests and corrections agree with scipy, and with what must hold."""

from typing import Any, get_args

import numpy as np
import pytest
import scipy.stats

from bleu_rouge_metric.resampling.corrections import Correction, correct
from bleu_rouge_metric.resampling.draws import System, bootstrap, join_statistics
from bleu_rouge_metric.resampling.tests import (
    Alternative,
    approximate_randomization,
    bootstrap_p_values,
)
from bleu_rouge_metric.scoring.intervals import make_mean_statistic, sum_clusters

ALTERNATIVES: tuple[Alternative, ...] = get_args(Alternative)


def _make(scores: Any, clusters: Any = None) -> System:
    statistic = make_mean_statistic(np.array(scores, dtype=np.float64), 1.0, clusters)
    return join_statistics([statistic if clusters is None else sum_clusters(statistic, clusters)])


def _scores(samples: int, systems: int = 2, seed: int = 0) -> np.ndarray:
    return np.round(np.random.default_rng(seed).random((systems, samples)), 2)


def _subtract(ours: np.ndarray, theirs: np.ndarray, axis: int) -> Any:
    return np.mean(ours, axis=axis) - np.mean(theirs, axis=axis)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("size", [1, 3])
def test_all_swaps_equal_scipy(alternative: Alternative, seed: int, size: int) -> None:
    baseline, system = _scores(9 * size, seed=seed)
    # Clusters are swapped as a whole.
    clusters = None if size == 1 else np.repeat(range(9), size)
    systems = [_make(row, clusters) for row in (baseline, system)]
    found = approximate_randomization(systems, 1_000, 0, alternative)
    expected = scipy.stats.permutation_test(
        tuple(row.reshape(9, size).sum(axis=1) for row in (system, baseline)),
        _subtract,
        permutation_type="samples",
        alternative=alternative,
        n_resamples=np.inf,
    )
    assert (found.is_exact, found.n_resamples) == (True, 512)
    assert found.p_values[0, 0] == expected.pvalue


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_drawn_swaps_come_near_all_swaps(alternative: Alternative) -> None:
    systems = [_make(row) for row in _scores(16)]
    exact = approximate_randomization(systems, 1 << 16, 0, alternative)
    drawn = approximate_randomization(systems, 20_000, 0, alternative)
    assert (exact.is_exact, drawn.is_exact) == (True, False)
    # The standard error of a share is at most 0.0036.
    assert drawn.p_values[0, 0] == pytest.approx(exact.p_values[0, 0], abs=0.015)


@pytest.mark.parametrize("seed", range(3))
def test_corrections_equal_scipy_and_hand(seed: int) -> None:
    p_values = np.random.default_rng(seed).random(12) ** 3
    found = correct(p_values, "fdr_bh")
    # scipy multiplies in another order.
    assert found == pytest.approx(scipy.stats.false_discovery_control(p_values), rel=1e-14)
    assert correct(p_values, "bonferroni").tolist() == np.minimum(12 * p_values, 1).tolist()
    ranked = np.sort(p_values)
    holm = [max(ranked[place] * (12 - place) for place in range(rank + 1)) for rank in range(12)]
    assert np.sort(correct(p_values, "holm")) == pytest.approx(np.minimum(holm, 1))
    for correction in get_args(Correction):
        assert correct(p_values[:1], correction).tolist() == p_values[:1].tolist()


def test_a_resample_of_clusters_is_a_mean_of_its_samples() -> None:
    scores = np.array([1.0, 0.0, 0.0, 0.0, 0.5])
    resampled = bootstrap([_make(scores, np.array([0, 0, 0, 0, 1]))], 200, 0)
    # Both clusters once, the large one twice, the small one twice.
    assert set(resampled[0, 0].round(12).tolist()) == {0.3, 0.25, 0.5}
    # Clusters that are samples change nothing.
    alone = bootstrap([_make(scores, np.arange(5))], 50, 0)
    assert np.array_equal(alone, bootstrap([_make(scores)], 50, 0))


def test_where_a_lower_score_is_better_less_is_the_greater_side() -> None:
    systems = [_make(row) for row in _scores(9)]
    lower = [each._replace(signs=(-1,)) for each in systems]
    found, mirrored, both, plain = (
        approximate_randomization(each, 512, 0, side).p_values.tolist()
        for each, side in zip(
            (lower, systems[::-1], lower, systems), np.repeat(ALTERNATIVES[::-1], 2), strict=True
        )
    )
    assert (found, both) == (mirrored, plain)
    resampled = bootstrap(lower, 200, 0)
    observed = np.array([each.score_all() for each in lower])
    p_lower = bootstrap_p_values(resampled, observed, "greater", signs=(-1,))
    p_higher = bootstrap_p_values(-resampled, -observed, "greater")
    assert p_lower.tolist() == p_higher.tolist()

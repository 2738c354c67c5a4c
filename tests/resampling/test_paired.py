"""Paired tests agree with scipy, with enumeration by hand, and with what must hold."""

import itertools
from typing import Any, get_args

import numpy as np
import pytest
import scipy.stats

from bleu_rouge_metric.resampling.corrections import Correction, correct
from bleu_rouge_metric.resampling.pair_tests import (
    Alternative,
    approximate_randomization,
    bootstrap_p_values,
)
from bleu_rouge_metric.resampling.paired import System, bootstrap, join_statistics
from bleu_rouge_metric.scoring.statistics import make_mean_statistic, sum_clusters

ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater")


def _make(scores: Any, clusters: Any = None) -> System:
    statistic = make_mean_statistic(np.array(scores, dtype=np.float64), 1.0, clusters)
    return join_statistics([statistic if clusters is None else sum_clusters(statistic, clusters)])


def _scores(samples: int, systems: int = 2, seed: int = 0) -> np.ndarray:
    """Scores with ties, shape (systems, samples)."""
    return np.round(np.random.default_rng(seed).random((systems, samples)), 2)


def _subtract(ours: np.ndarray, theirs: np.ndarray, axis: int) -> Any:
    return np.mean(ours, axis=axis) - np.mean(theirs, axis=axis)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("seed", range(5))
def test_all_swaps_equal_scipy(alternative: Alternative, seed: int) -> None:
    baseline, system = _scores(9, seed=seed)
    found = approximate_randomization([_make(baseline), _make(system)], 1_000, 0, alternative)
    expected = scipy.stats.permutation_test(
        (system, baseline),
        _subtract,
        permutation_type="samples",
        alternative=alternative,
        n_resamples=np.inf,
    )
    assert found.is_exact
    assert found.n_resamples == 512
    assert found.p_values[0, 0] == expected.pvalue


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_drawn_swaps_come_near_all_swaps(alternative: Alternative) -> None:
    systems = [_make(row) for row in _scores(16)]
    exact = approximate_randomization(systems, 1 << 16, 0, alternative)
    drawn = approximate_randomization(systems, 20_000, 0, alternative)
    assert (exact.is_exact, drawn.is_exact) == (True, False)
    # The standard error of a share is at most 0.0036.
    assert drawn.p_values[0, 0] == pytest.approx(exact.p_values[0, 0], abs=0.015)


def test_the_bootstrap_comes_near_that_of_scipy() -> None:
    baseline, system = _scores(200)
    resampled = bootstrap([_make(baseline), _make(system)], 10_000, 0)
    deltas = resampled[1, 0] - resampled[0, 0]
    expected = scipy.stats.bootstrap(
        (system, baseline),
        _subtract,
        paired=True,
        method="percentile",
        n_resamples=10_000,
        rng=np.random.default_rng(1),
    )
    low, high = np.percentile(deltas, [2.5, 97.5])
    # Both draw 10,000 times; the standard error of each bound is about a fiftieth of the width.
    margin = 0.06 * (high - low)
    assert low == pytest.approx(expected.confidence_interval.low, abs=margin)
    assert high == pytest.approx(expected.confidence_interval.high, abs=margin)
    assert deltas.std(ddof=1) == pytest.approx(expected.standard_error, rel=0.05)


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


@pytest.mark.parametrize("correction", get_args(Correction))
def test_one_p_value_needs_no_correction(correction: Correction) -> None:
    assert correct(np.array([0.03]), correction).tolist() == [0.03]


@pytest.mark.parametrize("samples", [5, 40])
def test_equal_systems_have_p_of_1(samples: int) -> None:
    system = _make(_scores(samples)[0])
    assert approximate_randomization([system] * 2, 500, 0).p_values.tolist() == [[1.0]]
    resampled = bootstrap([system] * 2, 500, 0)
    observed = np.array([system.score_all()] * 2)
    assert bootstrap_p_values(resampled, observed).tolist() == [[1.0]]


def test_one_different_sample_has_p_of_1() -> None:
    baseline = _scores(40)[0]
    system = baseline.copy()
    system[17] += 0.25
    systems = [_make(baseline), _make(system)]
    assert approximate_randomization(systems, 500, 0).p_values.tolist() == [[1.0]]


@pytest.mark.parametrize("samples", [6, 40])
def test_swapped_systems_have_the_same_p(samples: int) -> None:
    first, second = (_make(row) for row in _scores(samples))
    forth = approximate_randomization([first, second], 300, 3)
    back = approximate_randomization([second, first], 300, 3)
    assert forth.p_values.tolist() == back.p_values.tolist()


def test_the_order_of_samples_does_not_matter_to_all_swaps() -> None:
    scores = _scores(10)
    order = np.random.default_rng(1).permutation(10)
    found = [
        approximate_randomization([_make(row) for row in rows], 1_024, 0).p_values.tolist()
        for rows in (scores, scores[:, order])
    ]
    assert found[0] == found[1]


def test_one_sided_p_values_of_both_sides_cover_everything() -> None:
    first, second = (_make(row) for row in _scores(10))
    better = approximate_randomization([first, second], 1_024, 0, "greater").p_values[0, 0]
    worse = approximate_randomization([second, first], 1_024, 0, "greater").p_values[0, 0]
    assert better + worse > 1


def test_a_cluster_is_swapped_as_a_whole() -> None:
    baseline, system = _scores(12)
    clusters = np.repeat(range(4), 3)
    found = approximate_randomization(
        [_make(row, clusters) for row in (baseline, system)], 1_000, 0
    )
    sums = [row.reshape(4, 3).sum(axis=1) for row in (system, baseline)]
    expected = scipy.stats.permutation_test(
        tuple(sums), _subtract, permutation_type="samples", n_resamples=np.inf
    )
    assert found.n_resamples == 16
    assert found.p_values[0, 0] == expected.pvalue


def test_a_resample_of_clusters_is_a_mean_of_its_samples() -> None:
    scores = np.array([1.0, 0.0, 0.0, 0.0, 0.5])
    clusters = np.array([0, 0, 0, 0, 1])
    resampled = bootstrap([_make(scores, clusters)], 200, 0)
    # Both clusters once, the large one twice, the small one twice.
    assert set(resampled[0, 0].round(12).tolist()) == {0.3, 0.25, 0.5}


def test_clusters_that_are_samples_change_nothing() -> None:
    scores = _scores(20)[0]
    alone = bootstrap([_make(scores, np.arange(20))], 50, 0)
    assert np.array_equal(alone, bootstrap([_make(scores)], 50, 0))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("samples", [7, 40])
def test_a_pair_among_all_pairs_is_tested_as_alone(alternative: Alternative, samples: int) -> None:
    systems = [_make(row) for row in _scores(samples, 4)]
    pairs = [(2, 0), (1, 3), (0, 3)]
    found = approximate_randomization(systems, 300, 5, alternative, pairs=pairs)
    resampled = bootstrap(systems, 300, 5)
    observed = np.array([system.score_all() for system in systems])
    shifted = bootstrap_p_values(resampled, observed, alternative, pairs=pairs)
    for index, pair in enumerate(pairs):
        alone = [systems[place] for place in pair]
        expected = approximate_randomization(alone, 300, 5, alternative)
        assert found.p_values[index].tolist() == expected.p_values[0].tolist()
        kept = list(pair)
        other = bootstrap_p_values(resampled[kept], observed[kept], alternative)
        assert shifted[index].tolist() == other[0].tolist()


def test_where_a_lower_score_is_better_less_is_the_greater_side() -> None:
    baseline, system = (_make(row) for row in _scores(9))
    lower = [each._replace(signs=(-1,)) for each in (baseline, system)]
    found = approximate_randomization(lower, 512, 0, "greater")
    mirrored = approximate_randomization([system, baseline], 512, 0, "greater")
    assert found.p_values.tolist() == mirrored.p_values.tolist()
    both = approximate_randomization(lower, 512, 0)
    assert (
        both.p_values.tolist() == approximate_randomization([baseline, system], 512, 0)[0].tolist()
    )
    resampled = bootstrap(lower, 200, 0)
    observed = np.array([each.score_all() for each in lower])
    p_lower = bootstrap_p_values(resampled, observed, "greater", signs=(-1,))
    p_higher = bootstrap_p_values(-resampled, -observed, "greater")
    assert p_lower.tolist() == p_higher.tolist()


def test_holm_over_all_pairs_bounds_any_false_find() -> None:
    # 5 equally good systems have 10 pairs; without a correction a third of the test sets have one
    # that differs.
    generator = np.random.default_rng(11)
    pairs = list(itertools.combinations(range(5), 2))
    found, uncorrected = 0, 0
    for _ in range(200):
        systems = [_make(row) for row in generator.random((5, 30))]
        p_values = approximate_randomization(systems, 999, 1, pairs=pairs).p_values[:, 0]
        uncorrected += p_values.min() <= 0.05
        found += correct(p_values, "holm").min() <= 0.05
    # 99.9% of the values of a binomial of 200 and 0.05 are at most 20.
    assert found <= 20
    assert uncorrected >= 40

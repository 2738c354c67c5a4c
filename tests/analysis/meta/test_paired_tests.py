"""Tests between two metrics: exact ones by hand, false positives and power by simulation."""

from itertools import product

import numpy as np
import pytest
import scipy.stats

from bleu_rouge_metric.analysis.meta.coefficients import (
    Grouping,
    RatedGroups,
    correlate,
    group_texts,
    group_weights,
)
from bleu_rouge_metric.analysis.meta.resampling import (
    Swapped,
    permute_systems,
    permute_texts,
    williams,
)
from bleu_rouge_metric.resampling.student import student_tail


def simulate(
    seed: int, noise: tuple[float, float], shape: tuple[int, int] = (6, 20), axis: int = 0
) -> np.ndarray:
    """Ratings, then the scores of two metrics.

    The errors of a metric are its own in each text, and the same in part in all texts of an item
    (axis 0) or of a system (axis 1), as if it were biased.
    """
    generator = np.random.default_rng(seed)
    quality = generator.normal(size=shape) + generator.normal(size=(shape[0], 1))
    bias = (1, shape[1]) if axis == 0 else (shape[0], 1)
    errors = [generator.normal(size=shape) + generator.normal(size=bias) / 2 for _ in noise]
    return np.stack([quality, *(quality + size * e for size, e in zip(noise, errors, strict=True))])


def test_all_ways_to_swap_are_tried_if_there_are_few() -> None:
    ratings = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    values = np.array([[1.0, 2.0, 3.0, 4.0, 6.0], [2.0, 1.0, 3.0, 5.0, 4.0]])
    x, y = (scipy.stats.zscore(row) for row in values)

    def compare(swaps: tuple[int, ...]) -> float:
        swapped = np.array(swaps, bool)
        first, second = np.where(swapped, y, x), np.where(swapped, x, y)
        return float(
            scipy.stats.pearsonr(first, ratings)[0] - scipy.stats.pearsonr(second, ratings)[0]
        )

    differences = np.abs([compare(swaps) for swaps in product((0, 1), repeat=5)])
    expected = np.mean(differences >= differences[0] - 1e-12)
    found = permute_systems("pearson", values, ratings, n_resamples=100, seed=0)
    assert found == (expected, 32, True)


@pytest.mark.parametrize("coefficient", ["kendall_b", "spearman", "calibrated_accuracy"])
@pytest.mark.parametrize("swapped", ["items", "systems"])
@pytest.mark.parametrize("grouping", ["item", "system", "none"])
def test_p_is_the_share_of_swaps_with_a_difference_as_large(
    coefficient: str, grouping: Grouping, swapped: Swapped
) -> None:
    ratings, *metrics = simulate(3, (0.5, 1.5), (5, 6)).round()
    # A group with equal scores has no coefficient, and counts for neither mean.
    metrics[0][0] = metrics[0][:, 0] = 1.0
    samples = np.stack(metrics)
    x, y = ((one - one.mean()) / one.std() for one in samples)
    weights = group_weights(np.ones(5), np.ones(6), grouping)

    def measure(scores: np.ndarray) -> float:
        groups = RatedGroups(group_texts(scores, grouping), group_texts(ratings, grouping))
        return correlate(coefficient, groups, *weights)

    differences = []
    for swaps in product((False, True), repeat=6 if swapped == "items" else 5):
        mask = np.array(swaps) if swapped == "items" else np.array(swaps)[:, np.newaxis]
        differences.append(measure(np.where(mask, y, x)) - measure(np.where(mask, x, y)))
    sizes = np.abs(differences)
    found = permute_texts(coefficient, samples, ratings, grouping, swapped, n_resamples=100, seed=1)
    assert found == (np.mean(sizes >= sizes[0] - 1e-12), len(sizes), True)


@pytest.mark.parametrize(
    ("level", "swapped"),
    [("system", "systems"), ("item", "items"), ("none", "items"), ("item", "systems")],
)
def test_equal_metrics_are_called_different_in_5_of_100_data_sets(
    level: str, swapped: Swapped
) -> None:
    sets, found = 200, 0
    for seed in range(sets):
        # What is swapped has errors that are independent of those of the others.
        ratings, *metrics = simulate(seed, (1.0, 1.0), axis=int(swapped == "systems"))
        samples = np.stack(metrics)
        if level == "system":
            means = samples.mean(axis=2), ratings.mean(axis=1)
            test = permute_systems("pearson", *means, n_resamples=99, seed=seed)
        else:
            grouping: Grouping = "item" if level == "item" else "none"
            test = permute_texts(
                "pearson", samples, ratings, grouping, swapped, n_resamples=99, seed=seed
            )
        assert test.p_value is not None
        found += test.p_value <= 0.05
    # The standard error of this share is 0.015.
    assert found / sets <= 0.09


def test_a_swap_of_items_is_about_the_systems_as_they_are() -> None:
    sets, found = 60, 0
    for seed in range(sets):
        # Errors of a metric in all texts of a system are differences between metrics there.
        ratings, *metrics = simulate(seed, (1.0, 1.0), (6, 60), axis=1)
        test = permute_texts(
            "pearson", np.stack(metrics), ratings, "item", "items", n_resamples=99, seed=seed
        )
        found += (test.p_value or 1) <= 0.05
    assert found / sets >= 0.15


def test_a_better_metric_is_found() -> None:
    found = 0
    for seed in range(40):
        ratings, *metrics = simulate(seed, (0.5, 1.5))
        test = permute_texts(
            "kendall_b", np.stack(metrics), ratings, "item", "items", n_resamples=99, seed=seed
        )
        found += (test.p_value or 1) <= 0.05
    assert found >= 36


def test_a_metric_does_not_differ_from_itself_on_another_scale() -> None:
    ratings, metric, _ = simulate(0, (1.0, 1.0))
    samples = np.stack([metric, 100 * metric + 7])
    for coefficient in ("pearson", "calibrated_accuracy"):
        test = permute_texts(coefficient, samples, ratings, "item", "items", n_resamples=20, seed=0)
        assert test.p_value == 1.0


@pytest.mark.parametrize("degrees", [1, 2, 7, 40, 1500])
def test_p_values_of_student_are_those_of_scipy(degrees: int) -> None:
    for statistic in (0.0, 0.3, -2.5, 9.0):
        expected = 2 * scipy.stats.t.sf(abs(statistic), degrees)
        # Terms of a series are added, here and there in another order.
        assert 2 * student_tail(abs(statistic), degrees) == pytest.approx(expected, abs=1e-12)


def test_williams_is_the_formula_of_steiger() -> None:
    # Steiger (1980), equation 7, written with the determinant of the matrix of correlations.
    r12, r13, r23, units = 0.6, 0.4, 0.5, 103
    matrix = np.array([[1, r12, r13], [r12, 1, r23], [r13, r23, 1]])
    mean = (r12 + r13) / 2
    below = 2 * (units - 1) / (units - 3) * np.linalg.det(matrix) + mean**2 * (1 - r23) ** 3
    statistic = (r12 - r13) * np.sqrt((units - 1) * (1 + r23) / below)
    expected = 2 * scipy.stats.t.sf(statistic, units - 3)
    assert williams(r12, r13, r23, units) == pytest.approx(expected, abs=1e-12)
    assert williams(r13, r12, r23, units) == williams(r12, r13, r23, units)


def test_williams_is_undefined_for_equal_metrics_and_for_few_units() -> None:
    assert williams(0.5, 0.5, 1.0, 20) is None
    assert williams(0.6, 0.4, 0.5, 3) is None


def test_williams_errs_in_5_of_100_normal_data_sets() -> None:
    sets, found = 400, 0
    for seed in range(sets):
        ratings, *metrics = np.random.default_rng(seed).normal(size=(3, 30))
        x, y = (metric + ratings for metric in metrics)
        (_, between, first), (*_, second), _ = np.corrcoef([x, y, ratings])
        p_value = williams(float(first), float(second), float(between), 30)
        assert p_value is not None
        found += p_value <= 0.05
    # The standard error of this share is 0.011.
    assert 0.02 <= found / sets <= 0.085

"""Student's t distribution agrees with scipy; intervals of few units become wider."""

import math

import numpy as np
import pytest
import scipy.stats

from bleu_rouge_metric.resampling.student import (
    estimate_run_variances,
    standard_errors,
    student_quantile,
    student_tail,
    widen_tail,
)

DEGREES = [1, 2, 3, 4, 5, 7, 10, 11, 30, 99, 100, 500, 998, 999, 1000, 1001, 5000, 10**6]


@pytest.mark.parametrize("degrees", DEGREES)
def test_quantiles_and_tails_equal_those_of_scipy(degrees: int) -> None:
    for probability in (0.5001, 0.6, 0.8, 0.9, 0.975, 0.9995, 1 - 1e-6):
        expected = scipy.stats.t.ppf(probability, degrees)
        # A probability near 1 has few digits; the series for many degrees ends after two terms.
        assert student_quantile(probability, degrees) == pytest.approx(expected, rel=2e-7)
        assert student_quantile(1 - probability, degrees) == pytest.approx(-expected, rel=2e-7)
    for value in (-30.0, -1.0, 0.0, 0.3, 2.0, 5.0):
        expected = scipy.stats.t.sf(value, degrees)
        assert student_tail(value, degrees) == pytest.approx(expected, rel=1e-6, abs=1e-10)
    assert (student_tail(np.inf, degrees), student_tail(-np.inf, degrees)) == (0, 1)


@pytest.mark.parametrize("units", [2, 5, 12, 100])
@pytest.mark.parametrize("tail", [0.025, 0.05, 0.25])
def test_tails_are_expanded_as_hesterberg_does(tail: float, units: int) -> None:
    distance = scipy.stats.t.ppf(tail, units - 1) * math.sqrt(units / (units - 1))
    assert widen_tail(tail, units) == pytest.approx(scipy.stats.norm.cdf(distance), rel=1e-6)
    assert widen_tail(tail, units) < tail


@pytest.mark.parametrize("units", [2, 12, 5000])
def test_a_confidence_next_to_1_has_a_finite_quantile(units: int) -> None:
    assert 8 < student_quantile(1.0, units - 1) < math.inf
    assert student_quantile(0.0, units - 1) == -student_quantile(1.0, units - 1)
    assert 0 <= widen_tail(1e-17, units) < 1e-15


def test_many_units_and_a_single_one_are_not_widened() -> None:
    assert widen_tail(0.025, 10**6) == pytest.approx(0.025, rel=1e-5)
    assert widen_tail(0.025, 1) == 0.025


@pytest.mark.parametrize("degrees", [1.2, 1.99288, 3.5, 7.3, 18.9, 500.5])
def test_degrees_need_not_be_whole(degrees: float) -> None:
    # Interpolation between 1 and 2 degrees makes a quantile up to 18% too large.
    tolerance = 0.2 if degrees < 2 else 0.01
    found = student_quantile(0.975, degrees)
    assert found == pytest.approx(scipy.stats.t.ppf(0.975, degrees), rel=tolerance)
    found = student_tail(2.5, degrees)
    assert found == pytest.approx(scipy.stats.t.sf(2.5, degrees), rel=tolerance)


def test_standard_errors_of_all_resamples_are_those_of_the_mean() -> None:
    # All 3 ** 3 resamples of three units, as often as each is drawn.
    scores = np.array([0.2, 0.3, 0.9])
    resampled = scores[np.indices((3, 3, 3)).reshape(3, -1)].mean(axis=0)
    found = standard_errors(np.tile(resampled, (2, 10_000)), 3)
    assert found.tolist() == pytest.approx([scipy.stats.sem(scores)] * 2, rel=1e-5)


def test_variances_of_runs_by_hand() -> None:
    # Two runs; in the resamples the first score differs by chance, and the second does not.
    observed = np.array([[0.0, 0.0], [0.4, 0.4]])
    resampled = np.array([[[0.1, -0.1], [0.0, 0.0]], [[0.4, 0.4], [0.4, 0.4]]])
    found = estimate_run_variances(observed, resampled, 4)
    # Around the mean of the runs each varies by 0.05; chance is 4 / 3 of 2 * 0.05 ** 2.
    assert found.between.tolist() == pytest.approx([0.04, 0.04])
    assert found.runs.tolist() == pytest.approx([0.04 - 4 / 3 * 0.005, 0.04])
    assert found.degrees == 1

"""Coefficients of groups and of resamples are those of scipy, or of a textbook's loops."""

from itertools import combinations

import numpy as np
import pytest
import scipy.stats

from bleu_rouge_metric.analysis.meta.coefficients import (
    COEFFICIENTS,
    RatedGroups,
    accuracy,
    calibrate,
    kendall_b,
    kendall_c,
    pearson,
    spearman,
)

ONES = np.ones((1, 1))


def draw_groups(seed: int) -> tuple[RatedGroups, np.ndarray]:
    """Groups with many ties, and how often each unit is drawn; in every other case once."""
    generator = np.random.default_rng(seed)
    shape = generator.integers(1, 4), generator.integers(3, 14)
    scores = generator.integers(0, 7, shape) / 3
    ratings = generator.integers(0, 5, shape).astype(float)
    weights = np.ones((1, shape[1]))
    if seed % 2:
        weights = generator.integers(0, 4, (1, shape[1])).astype(float)
    return RatedGroups(scores, ratings), weights


def repeat(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return np.repeat(values, weights[0].astype(int))


def is_constant(scores: np.ndarray, ratings: np.ndarray) -> bool:
    return len(set(scores)) < 2 or len(set(ratings)) < 2


@pytest.mark.parametrize("seed", range(60))
def test_correlations_are_those_of_scipy(seed: int) -> None:
    groups, weights = draw_groups(seed)
    for row, (scores, ratings) in enumerate(zip(groups.scores, groups.ratings, strict=True)):
        x, y = repeat(scores, weights), repeat(ratings, weights)
        if is_constant(x, y):
            continue
        # Parity: equal to the last bit.
        assert kendall_b(groups, weights)[row] == scipy.stats.kendalltau(x, y).statistic
        assert (
            kendall_c(groups, weights)[row] == scipy.stats.kendalltau(x, y, variant="c").statistic
        )
        # Sums of floats are rounded in another order.
        assert pearson(groups, weights)[row] == pytest.approx(
            scipy.stats.pearsonr(x, y).statistic, abs=1e-13
        )
        assert spearman(groups, weights)[row] == pytest.approx(
            scipy.stats.spearmanr(x, y).statistic, abs=1e-13
        )


def test_large_groups_are_counted_as_scipy_counts_them() -> None:
    generator = np.random.default_rng(0)
    scores = generator.normal(size=(1, 5000)).round(2)
    ratings = generator.integers(1, 100, (1, 5000)).astype(float)
    expected = scipy.stats.kendalltau(scores[0], ratings[0]).statistic
    assert kendall_b(RatedGroups(scores, ratings), ONES).tolist() == [expected]


def find_pairs(weights: np.ndarray) -> list[tuple[int, int]]:
    """All pairs of a resample but those of a unit with itself."""
    drawn = np.repeat(np.arange(weights.shape[1]), weights[0].astype(int))
    return [(i, j) for i, j in combinations(drawn.tolist(), 2) if i != j]


@pytest.mark.parametrize("seed", range(40))
def test_the_accuracy_is_the_share_of_pairs_in_the_same_order(seed: int) -> None:
    groups, weights = draw_groups(seed)
    pairs = find_pairs(weights)
    for row, (x, y) in enumerate(zip(groups.scores, groups.ratings, strict=True)):
        same = [np.sign(x[i] - x[j]) == np.sign(y[i] - y[j]) for i, j in pairs]
        expected = sum(same) / len(pairs) if pairs else np.nan
        np.testing.assert_equal(accuracy(groups, weights)[row], expected)


@pytest.mark.parametrize("seed", range(40))
def test_the_calibrated_accuracy_is_that_of_the_best_threshold(seed: int) -> None:
    groups, weights = draw_groups(seed)
    counts = np.random.default_rng(seed).integers(0, 3, len(groups.scores)).astype(float)
    pairs = find_pairs(weights)
    rows = list(zip(groups.scores, groups.ratings, counts.tolist(), strict=True))
    total = len(pairs) * counts.sum()
    thresholds = {0.0, *(abs(x[i] - x[j]) for x, _, _ in rows for i, j in pairs)}
    shares = {}
    for threshold in sorted(thresholds):
        correct = sum(
            count * (sign(x[i] - x[j], threshold) == sign(y[i] - y[j], 0))
            for x, y, count in rows
            for i, j in pairs
        )
        shares[threshold] = correct / total if total else np.nan
    found = calibrate(groups, weights, counts)
    if not total:
        assert np.isnan(found).all()
        return
    # The number of pairs is exact, and divided once.
    assert found.accuracy == max(shares.values())
    assert shares[found.threshold] == found.accuracy


def sign(difference: float, threshold: float) -> int:
    return 0 if abs(difference) <= threshold else 1 if difference > 0 else -1


def test_constant_groups_have_no_correlation() -> None:
    groups = RatedGroups(
        np.array([[0.1, 0.1, 0.1], [0.1, 0.2, 0.3], [0.1, 0.2, 0.3]]),
        np.array([[1.0, 2.0, 3.0], [4.0, 4.0, 4.0], [1.0, 2.0, 3.0]]),
    )
    for name in ("pearson", "spearman", "kendall_b", "kendall_c"):
        np.testing.assert_allclose(COEFFICIENTS[name](groups, ONES), [np.nan, np.nan, 1.0])
    # A resample may leave a single value of what differs otherwise.
    assert np.isnan(pearson(groups, np.array([[0.0, 3.0, 0.0]]))).all()


def test_a_unit_drawn_twice_makes_no_pair_with_itself() -> None:
    groups = RatedGroups(np.array([[1.0, 2.0]]), np.array([[2.0, 1.0]]))
    assert accuracy(groups, np.array([[2.0, 1.0]])).tolist() == [0.0]
    assert np.isnan(accuracy(groups, np.array([[2.0, 0.0]]))).all()


def test_tiny_and_huge_scores_are_correlated() -> None:
    scores = np.array([[1e-170, 2e-170, 4e-170], [1e150, 2e150, 4e150]])
    ratings = np.array([[1.0, 2.0, 4.0]] * 2)
    assert pearson(RatedGroups(scores, ratings), ONES).tolist() == pytest.approx([1.0, 1.0])

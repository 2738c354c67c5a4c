"""Tests and intervals keep what they promise, and claim nothing where nothing varies."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats

from bleu_rouge_metric import Scorer, compare_systems
from bleu_rouge_metric.analysis import design
from bleu_rouge_metric.resampling.student import student_quantile

from ..support.errors import list_warnings, read_errors
from ..support.system_rows import compare_numbers
from .test_compare import REFERENCES, ROUGE, RUNS, SYSTEMS, WORDS, vary, write_texts

TESTS = ["approximate_randomization", "bootstrap", "bootstrap_t"]


# Nothing varies.


@pytest.mark.parametrize("test", TESTS)
def test_one_constant_difference_has_the_exact_p_and_no_interval(test: str) -> None:
    comparison = compare_numbers([[0.25, 0.5], [0.5, 0.75]], test=test)
    row = comparison.rows[-1]
    assert (row.delta, row.delta_low, row.delta_high, row.p_value) == (0.25, None, None, 0.5)
    assert (row.delta_error, row.detectable) == (0, None)


@pytest.mark.parametrize("test", TESTS)
def test_equal_systems_have_p_of_1_and_no_interval_of_the_difference(test: str) -> None:
    numbers = np.random.default_rng(0).random(30)
    row = compare_numbers([numbers, numbers], test=test, correction="holm").rows[-1]
    assert (row.p_value, row.p_corrected) == (1, 1)
    assert (row.delta, row.delta_low, row.delta_high, row.detectable) == (0, None, None, None)
    assert row.low is not None


def test_runs_without_any_variance_have_no_p() -> None:
    same, other = REFERENCES[:8], ["x y"] * 8
    runs = {"A": [same, same], "B": [other, other], "C": [same, same]}
    comparison = compare_systems(runs, same, **ROUGE)
    for row in comparison.rows:
        assert row[3:5] + row[6:10] == (None,) * 6
    assert comparison.warnings[-1] == (
        "ROUGE-1 and ROUGE-L of B and A, C and A: the difference does not vary between samples or "
        "runs, so it has no standard error, no interval and no p."
    )
    assert comparison.sentences()[:2] == [
        "B scores 1.0000 ROUGE-1 less than A on a scale of 0 to 1: not tested, because the "
        "difference does not vary.",
        "C and A have the same ROUGE-1: not tested, because the difference does not vary.",
    ]


# Scores that vary too little, or too few of them.


RANDOM = np.random.default_rng(0).random(30)


def warn(*scores: Any, **options: Any) -> str:
    """Return the warnings of a comparison that name its score x0."""
    found = [text for text in compare_numbers(scores, **options).warnings if "x0" in text]
    return " ".join(found) or "none"


@pytest.mark.parametrize(
    ("call", "expected"), read_errors(Path(__file__).with_name("intervals.txt"))
)
def test_intervals_that_are_missing_or_too_narrow(call: str, expected: str) -> None:
    assert eval(call, {"RANDOM": RANDOM, "np": np, "warn": warn}) == expected


@pytest.mark.parametrize(
    ("texts", "sizes", "reason"),
    [
        (SYSTEMS["A"][:1], None, "from 1 sample are too narrow; use at least 10 samples."),
        (SYSTEMS["A"][:9], None, "from 9 samples are too narrow; use at least 10 samples."),
        (SYSTEMS["A"][:10], None, None),
        (["x"] * 25 + REFERENCES[25:], None, "of rouge1 are too narrow, because fewer than 6 "
         "samples differ from the most frequent score"),
        (["x"] * 24 + REFERENCES[24:], None, None),
        (SYSTEMS["A"], [27, 3], "from 3 samples in the group 'b' are too narrow; use at least 10 "
         "samples."),
        (SYSTEMS["A"], [10, 10, 8, 2], "from 8 samples in the group 'c' and 1 other are too "
         "narrow; use at least 10 samples."),
    ],
)  # fmt: skip
def test_intervals_of_scores_that_are_too_narrow(
    texts: list[str], sizes: list[int] | None, reason: str | None
) -> None:
    scorer = Scorer("rouge", confidence=0.95, rouge_types=["rouge1"])
    scorer.update(texts, REFERENCES[: len(texts)])
    groups = sizes and np.repeat(list("abcd")[: len(sizes)], sizes).tolist()
    # Once per scorer.
    found = list_warnings(*[lambda: scorer.result(groups=groups)] * 2, pattern="confidence")
    the = "the " if reason and reason.startswith("of") else ""
    assert found == ([f"confidence is 0.95, but {the}intervals {reason}"] if reason else [])


# Impossible values.


@pytest.mark.parametrize("n_resamples", [3, 200])
def test_an_interval_is_cut_at_what_is_possible_and_not_at_what_was_drawn(n_resamples: int) -> None:
    # The first words of the reference, and words that are not in it.
    reference = list("abcdefghij")
    texts = [" ".join([*reference[:count], *["x"] * (10 - count)]) for count in (3, 4, 5)]
    systems, references = {"A": ["x"] * 3, "B": texts}, [" ".join(reference)] * 3
    chosen: dict[str, Any] = {**ROUGE, "n_resamples": n_resamples}
    row = compare_systems(systems, references, **chosen).rows[1]
    margin = student_quantile(0.975, 2) * (row.delta_error or 0)
    expected = max(0, 0.4 - margin), min(1, 0.4 + margin)
    assert (row.delta_low, row.delta_high) == pytest.approx(expected)
    assert (row.delta_high or 0) > 0.5


def test_no_system_is_worse_than_one_that_never_scores() -> None:
    few = {"A": [REFERENCES[0], *["x y"] * 11], "B": ["x y"] * 12}
    for test in TESTS:
        chosen: dict[str, Any] = {"family": "bleu", "max_order": 2, "test": test}
        row = compare_systems(few, REFERENCES[:12], **chosen).rows[1]
        assert (row.value, row.low, row.high) == (0, None, None)
        assert row.delta_low is not None
        assert row.delta_low < (row.delta or 0) < 0
        assert row.delta_high is not None
        assert row.delta_high <= 0


@pytest.mark.parametrize("profile", ["hf", "sacrebleu"])
@pytest.mark.parametrize("test", [*TESTS, None])
def test_intervals_stay_within_the_scale(test: str | None, profile: str) -> None:
    for seed in range(20):
        generator = np.random.default_rng(seed)
        samples = int(generator.integers(2, 7))
        references, *texts = (
            [" ".join(row) for row in generator.choice(["a", "b"], (samples, 2))] for _ in range(5)
        )
        # Without a test: two runs of each system.
        runs: dict[str, Any] = {"A": texts[:2], "B": texts[2:]}
        systems = runs if test is None else {name: own[0] for name, own in runs.items()}
        chosen: dict[str, Any] = {"profile": profile, "max_order": 1, "n_resamples": 30}
        row: Any
        for row in compare_systems(systems, references, test=test, seed=seed, **chosen).rows:
            # sacrebleu's perfect score is 100.00000000000004.
            scale = row.scale * (1 + 1e-12)
            if row.low is not None:
                assert 0 <= row.low <= row.value <= row.high <= scale
            if row.delta_low is not None:
                assert -scale <= row.delta_low <= row.delta <= row.delta_high <= scale


# Degrees of freedom.


@pytest.mark.parametrize(
    ("count", "degrees", "variance"),
    # The variance of both means. Satterthwaite's formula adds the two degrees of three runs.
    [(2, 1, 2 * 0.005 / 2), (3, 4, 2 * 0.01 / 3)],
)
def test_degrees_of_freedom_of_runs(count: int, degrees: int, variance: float) -> None:
    # All samples of a run are equal: nothing but the runs varies.
    references = [f"{WORDS[place % 12]} b c d e f g h i j" for place in range(30)]
    runs = [references, [text.replace(" d ", " x ") for text in references]]
    runs.append([text.replace(" e ", " y ") for text in runs[1]])
    row = compare_systems({"A": runs[:count], "B": runs[:count]}, references, **ROUGE).rows[1]
    assert (row.run_share, row.delta) == (1, 0)
    assert row.delta_high == pytest.approx(student_quantile(0.975, degrees) * variance**0.5)


@pytest.mark.parametrize("samples", [12, 27, 48, 63])
def test_equal_runs_lose_no_degree_of_freedom_to_rounding(samples: int) -> None:
    references, runs = write_texts(samples, 0), {}
    for name in "AB":
        first = vary(references, 0.3, np.random.default_rng(ord(name)))
        # The same words in another order: only BLEU differs.
        runs[name] = [first, [" ".join(text.split()[::-1]) for text in first]]
    rows = compare_systems(runs, references, rouge_types=["rouge1"], smooth="exp").rows
    row = next(row for row in rows if (row.system, row.score) == ("B", "rouge1"))
    expected = student_quantile(0.975, samples - 1) * (row.delta_error or 0)
    assert (row.delta_high or 0) - (row.delta or 0) == pytest.approx(expected, rel=1e-9)


# Clusters.


def test_clusters_of_equal_sizes_are_samples() -> None:
    numbers = np.random.default_rng(0).random((2, 12))
    alone = compare_numbers(numbers)
    comparison = compare_numbers(
        np.repeat(numbers, 2, axis=1), clusters=np.repeat(range(12), 2).tolist()
    )
    assert (comparison.n_clusters, comparison.effective_clusters) == (12, 12)
    assert "Samples: 24 in 12 clusters.\n" in str(comparison)
    row, expected = comparison.rows[-1], alone.rows[-1]
    assert row[2:9] == pytest.approx(expected[2:9], rel=1e-15)
    assert row.detectable == pytest.approx(expected.detectable, rel=1e-15)


@pytest.mark.parametrize("test", TESTS[:2])
def test_clusters_of_unequal_sizes_count_as_fewer(test: str) -> None:
    sizes = [11, 5, 2, 2, 1]
    clusters = np.repeat(range(5), sizes).tolist()
    comparison = compare_numbers(
        np.random.default_rng(1).random((2, 21)), clusters=clusters, test=test
    )
    effective = 21**2 / sum(size**2 for size in sizes)
    assert comparison.effective_clusters == pytest.approx(effective)
    assert "Samples: 21 in 5 clusters of unequal sizes, which count as 2.8.\n" in str(comparison)
    row = comparison.rows[-1]
    margin = student_quantile(0.975, effective - 1) * (row.delta_error or 0)
    assert (row.delta_high or 0) - (row.delta or 0) == pytest.approx(margin)


def test_the_standard_error_of_unequal_clusters_is_wider() -> None:
    numbers = np.random.default_rng(1).random((2, 12))
    clusters = np.repeat(range(6), [7, 1, 1, 1, 1, 1]).tolist()
    errors = compare_numbers(numbers, clusters=clusters, n_resamples=5).rows[-1].delta_error
    units = 144 / 54
    generator = np.random.default_rng([12345, 1])
    differences = numbers[1] - numbers[0]
    drawn = []
    for _ in range(5):
        weights = np.bincount(generator.integers(0, 6, 6), minlength=6)[clusters]
        drawn.append(differences @ weights / weights.sum())
    assert errors == pytest.approx(np.std(drawn, ddof=1) * np.sqrt(units / (units - 1)))


# The number of resamples.


def test_very_many_samples_have_fewer_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = np.random.default_rng(1).random((2, 50))
    monkeypatch.setattr(design, "_MOST_DRAWS", 20_000)
    for test, default in (("approximate_randomization", "10,000"), ("bootstrap_t", "1,000")):
        comparison = compare_numbers(numbers, test=test)
        assert comparison.n_resamples == 400
        note = (
            f"With 50 samples, 400 resamples are the default in place of {default}; n_resamples= "
            "(--n-resamples) sets another number."
        )
        assert note in str(comparison)
        assert "default" not in str(compare_numbers(numbers, test=test, n_resamples=300))
    monkeypatch.setattr(design, "_MOST_DRAWS", 50)
    assert compare_numbers(numbers).n_resamples == 100


@pytest.mark.parametrize(
    ("test", "scores", "tests"), [("approximate_randomization", 39, 640), ("bootstrap", 3, 64)]
)
def test_a_correction_over_many_tests_has_enough_resamples(
    test: str, scores: int, tests: int
) -> None:
    numbers = np.random.default_rng(1).random((scores, 2, 30))
    chosen: dict[str, Any] = {"correction": "bonferroni", "groups": [*range(15)] * 2, "test": test}
    comparison = compare_numbers(*numbers, **chosen)
    # The smallest p, 1 / (n_resamples + 1), times the tests is 0.05.
    assert (comparison.n_tests, comparison.n_resamples) == (tests, 20 * tests - 1)
    assert "can be clear" not in str(replace(comparison, groups={}))
    chosen["n_resamples"] = 20 * tests - 1
    assert compare_numbers(*numbers, **chosen) == comparison


# Intervals of few samples, and of runs.


@pytest.mark.parametrize("confidence", [0.95, 0.8])
@pytest.mark.parametrize("samples", [2, 5, 12, 200])
def test_the_interval_of_a_difference_of_means_is_that_of_the_paired_t_test(
    samples: int, confidence: float
) -> None:
    scores = np.random.default_rng(samples).normal(size=(2, samples))
    chosen: dict[str, Any] = {"n_resamples": 100_000, "test": "bootstrap"}
    row = compare_numbers(scores, confidence=confidence, **chosen).rows[-1]
    expected = scipy.stats.ttest_rel(scores[1], scores[0]).confidence_interval(confidence)
    # The standard error of 100,000 resamples is right to about 0.2%.
    assert row[6:8] == pytest.approx(expected, abs=0.01 * (expected.high - expected.low))


def test_a_single_resample_has_no_interval_of_the_difference() -> None:
    row = compare_numbers(np.random.default_rng(0).normal(size=(2, 9)), n_resamples=1).rows[-1]
    assert (row.delta_low, row.delta_high, row.detectable) == (None, None, None)
    assert row.low == row.high


def test_no_detectable_difference_is_larger_than_the_scale() -> None:
    # Two runs that differ widely, of which little is known.
    rough = {name: [texts[0], ["x"] * len(texts[0])] for name, texts in RUNS.items()}
    rows = [
        row for row in compare_systems(rough, REFERENCES, **ROUGE).rows if row.delta is not None
    ]
    assert [row.detectable for row in rows] == [None] * 4

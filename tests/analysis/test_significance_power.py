"""``detectable``: a difference of this size is found in about 8 of 10 test sets."""

from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric.analysis.significance import compare_systems
from bleu_rouge_metric.analysis.system_comparison import SystemScore

SETS = 100


def _compare(
    samples: int, shift: float, seed: int, tests: int = 1, clusters: Any = None, **keywords: Any
) -> list[SystemScore]:
    """Compare normally distributed scores; only those of ``x0`` differ, by ``shift``."""
    generator = np.random.default_rng([samples, seed])
    outside = {}
    for test in range(tests):
        labels = np.arange(samples) if clusters is None else np.array(clusters)
        # Samples of a cluster are equal, so that clusters count and samples do not.
        scores = generator.normal(size=(2, samples))[:, labels]
        scores[1] += shift * (test == 0)
        outside[f"x{test}"] = {"A": scores[0], "B": scores[1]}
    texts = ["a"] * samples
    comparison = compare_systems(
        {"A": texts, "B": texts},
        texts,
        scores=outside,
        profile="google_bleu",
        clusters=clusters,
        seed=seed,
        **{"n_resamples": 500, **keywords},
    )
    return [row for row in comparison.rows if row.system == "B" and row.score.startswith("x")]


CASES: dict[str, dict[str, Any]] = {
    "12 samples": {"samples": 12},
    "40 samples": {"samples": 40},
    "8 samples, all swaps": {"samples": 8},
    "8 clusters": {"samples": 16, "clusters": [place // 2 for place in range(16)]},
    "one-sided": {"samples": 12, "alternative": "greater"},
    "confidence of 90%": {"samples": 12, "confidence": 0.9},
    "bonferroni": {"samples": 30, "tests": 11, "correction": "bonferroni", "n_resamples": 2000},
    "holm": {"samples": 30, "tests": 11, "correction": "holm", "n_resamples": 2000},
    "fdr_bh": {"samples": 30, "tests": 11, "correction": "fdr_bh", "n_resamples": 2000},
}


@pytest.mark.parametrize("case", CASES)
def test_a_detectable_difference_is_found_in_8_of_10_sets(case: str) -> None:
    options = CASES[case]
    level = round(1 - options.get("confidence", 0.95), 12)
    # The mean over test sets is the difference that the samples can be said to show.
    rows = [_compare(shift=0.0, seed=seed, **options)[0] for seed in range(30)]
    detectable = float(np.mean([row.detectable for row in rows]))
    found = 0
    for seed in range(SETS):
        row = _compare(shift=detectable, seed=seed + 1000, **options)[0]
        p = row.p_value if row.p_corrected is None else row.p_corrected
        found += p is not None and p <= level
    # The standard error of this share is 0.03, and that of the mean moves it as much.
    assert 0.68 <= found / SETS <= 0.92


@pytest.mark.parametrize(
    ("samples", "options"),
    [
        (4, {}),
        (5, {}),
        (4, {"alternative": "greater"}),
        (8, {"tests": 9, "correction": "holm"}),
        (8, {"tests": 9, "correction": "bonferroni"}),
        (8, {"tests": 9, "correction": "fdr_bh"}),
        (30, {"n_resamples": 18}),
        (30, {"n_resamples": 18, "test": "bootstrap"}),
        (30, {"tests": 9, "correction": "holm", "n_resamples": 198}),
        (30, {"n_resamples": 1}),
    ],
    ids=str,
)
def test_none_is_detectable_if_no_p_can_be_small_enough(
    samples: int, options: dict[str, Any]
) -> None:
    for shift in (0.0, 100.0):
        row = _compare(samples, shift, 0, **options)[0]
        assert row.detectable is None
        p = row.p_corrected if "correction" in options else row.p_value
        # fdr_bh may find it together with others, but not alone.
        assert p is not None
        assert p > 0.05


@pytest.mark.parametrize(
    ("samples", "options"),
    [
        (6, {}),
        (5, {"alternative": "greater"}),
        (9, {"tests": 4, "correction": "holm"}),
        (30, {"n_resamples": 19}),
        (30, {"tests": 9, "correction": "holm", "n_resamples": 199}),
    ],
    ids=str,
)
def test_the_least_that_can_find_something_does(samples: int, options: dict[str, Any]) -> None:
    row = _compare(samples, 100.0, 0, **options)[0]
    assert row.detectable is not None
    p = row.p_corrected if "correction" in options else row.p_value
    assert p is not None
    assert p <= 0.05


def test_more_tests_need_a_larger_difference() -> None:
    detectable = [
        _compare(30, 0.0, 0, correction=correction, n_resamples=5000, tests=tests)[0].detectable
        for correction, tests in ((None, 11), ("holm", 1), ("holm", 5), ("bonferroni", 5))
    ]
    plain, of_two, of_six, bonferroni = map(float, detectable)  # type: ignore[arg-type]
    # The profile has a score of its own.
    assert plain < of_two < of_six == bonferroni


def test_equal_systems_say_nothing_of_what_can_be_detected() -> None:
    texts = ["a", "b", "c"]
    row = compare_systems({"A": texts, "B": texts}, texts).rows[-1]
    assert (row.delta, row.detectable) == (0, None)

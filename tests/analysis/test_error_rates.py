"""Simulations: how often equal systems differ, intervals hold, and differences are found."""

from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import SystemScore, compare_systems
from bleu_rouge_metric.analysis.design import check_design
from bleu_rouge_metric.analysis.system_scores import SystemScores, average_runs
from bleu_rouge_metric.analysis.testing import PairResults, run_tests
from bleu_rouge_metric.resampling.draws import join_statistics
from bleu_rouge_metric.scoring.intervals import make_mean_statistic

from ..support.system_rows import compare_numbers
from .test_compare import vary, write_texts


@pytest.mark.parametrize("samples", [5, 12])
@pytest.mark.parametrize("size", [1, 2])
def test_95_of_100_intervals_hold_the_true_difference(samples: int, size: int) -> None:
    sets, held = 200, 0
    clusters = np.repeat(range(samples), size).tolist()
    for seed in range(sets):
        # Most samples differ little, and some much more.
        scores = np.random.default_rng([samples, seed]).gamma(1.0, size=(2, samples))
        chosen: dict[str, Any] = {"clusters": clusters, "n_resamples": 300, "test": "bootstrap"}
        row = compare_numbers(np.repeat(scores, size, axis=1), seed=seed, **chosen).rows[-1]
        held += (row.delta_low or 0) <= 0 <= (row.delta_high or 0)
    # Percentiles hold it in 80 to 90 of 100. The standard error of this share is 0.015.
    assert 0.93 <= held / sets <= 0.99


@pytest.mark.parametrize("kind", ["samples", "clusters"])
def test_of_equally_good_systems_one_in_twenty_differs(kind: str) -> None:
    # 500 test sets on which both systems are drawn in the same way.
    generator = np.random.default_rng(5)
    hits: dict[str, int] = {}
    for _ in range(500):
        references = write_texts(24, int(generator.integers(2**32)), 8)
        clusters = [place // 2 for place in range(24)] if kind == "clusters" else None
        systems: dict[str, list[str]] = {"A": [], "B": []}
        for texts in systems.values():
            # A system is better in some documents than in others.
            for start in range(0, 24, 2):
                share = float(generator.random()) if clusters else 0.4
                texts.extend(vary(references[start : start + 2], share, generator))
        chosen: dict[str, Any] = {"rouge_types": ["rouge1", "rougeL"], "smooth": "exp"}
        seed = int(generator.integers(2**32))
        for row in compare_systems(
            systems, references, clusters=clusters, n_resamples=199, seed=seed, **chosen
        ).rows:
            if row.p_value is not None:
                hits[row.score] = hits.get(row.score, 0) + (row.p_value <= 0.05)
    # 99.9% of the values of a binomial of 500 and 0.05 lie between 10 and 42.
    assert {name: 10 <= count <= 42 for name, count in hits.items()} == dict.fromkeys(hits, True)
    assert len(hits) == 3


# Several runs.


def compare_runs(*systems: np.ndarray) -> PairResults:
    """Test two systems by scores, each of shape (runs, samples)."""
    runs = [
        SystemScores(
            {"x": float(row.mean())},
            {"x": row},
            join_statistics([make_mean_statistic(row, 16.0)]),
            {"x": None},
            {"x": 1},
        )
        for system in systems
        for row in system
    ]
    owners = [place for place, system in enumerate(systems) for _ in system]
    design = check_design(n_resamples=150, seed=1, has_runs=True)
    return run_tests(average_runs(runs, owners), [(0, 1)], design)


def draw_runs(
    generator: np.random.Generator, spreads: tuple[float, float], runs: int = 3, shift: float = 0.0
) -> list[np.ndarray]:
    """Draw scores of two systems with 40 samples; the second is better by ``shift``."""
    difficulty = generator.normal(size=40)
    return [
        difficulty
        + generator.normal(0, 0.3, 40)
        + generator.normal(0, spread, (runs, 1))
        + generator.normal(0, 0.4, (runs, 40))
        + place * shift
        for place, spread in enumerate(spreads)
    ]


@pytest.mark.parametrize(
    ("runs", "spreads"),
    [(3, (0.0, 0.0)), (3, (0.1, 0.1)), (3, (0.5, 0.5)), (2, (0.5, 0.5)), (2, (0.0, 0.5))],
    ids=str,
)
def test_equal_systems_of_several_runs_differ_in_one_of_twenty(
    runs: int, spreads: tuple[float, float]
) -> None:
    generator = np.random.default_rng([3, runs, int(10 * spreads[0])])
    errors, held, scores_held = 0, 0, 0
    for _ in range(150):
        systems = draw_runs(generator, spreads, runs)
        found = compare_runs(*systems)
        errors += found.p_values[0, 0] <= 0.05
        held += abs(systems[1].mean() - systems[0].mean()) <= found.margins[0, 0]
        scores_held += int(found.low[1, 0] <= 0 <= found.high[1, 0])
    # 99.9% of the values of a binomial of 150 and 0.05 are at most 17.
    assert errors <= 17
    assert held == 150 - errors
    # Those of 2 runs hold the true score in 0.88 of test sets.
    assert scores_held >= (133 if runs > 2 else 125)


def test_the_share_of_runs_is_that_of_the_variances() -> None:
    generator = np.random.default_rng(6)
    # Runs that are equal but for a constant: all that differs between them is the run.
    base = generator.normal(size=(2, 40))
    constants = np.array([[-0.5], [0.0], [0.5]])
    found = compare_runs(base[0] + constants, base[1] + constants)
    samples, runs = (base[1] - base[0]).var(ddof=1) / 40, 2 * 0.25 / 3
    assert found.run_shares is not None
    assert found.run_shares[0, 0] == pytest.approx(runs / (runs + samples), rel=0.1)
    assert found.errors[0, 0] ** 2 == pytest.approx(runs + samples, rel=0.1)
    # Runs that differ by chance alone add little.
    shares = [compare_runs(*draw_runs(generator, (0.0, 0.0))).run_shares for _ in range(20)]
    assert np.mean([share[0, 0] for share in shares if share is not None]) < 0.2


# The detectable difference.


def compare_shifted(
    samples: int, shift: float, seed: int, tests: int = 1, size: int = 1, **keywords: Any
) -> SystemScore:
    """Compare normally distributed scores; only those of ``x0`` differ, by ``shift``."""
    # Samples of a cluster are equal, so that clusters count and samples do not.
    numbers = np.random.default_rng([samples, seed]).normal(size=(tests, 2, samples))
    numbers[0, 1] += shift
    chosen = {"n_resamples": 500, "clusters": np.repeat(range(samples), size).tolist(), **keywords}
    rows = compare_numbers(*np.repeat(numbers, size, axis=2), seed=seed, **chosen).rows
    return next(row for row in rows if (row.system, row.score) == ("B", "x0"))


MANY: dict[str, Any] = {"samples": 30, "tests": 11, "n_resamples": 2000}
CASES: list[dict[str, Any]] = [
    *({"samples": samples} for samples in (8, 12, 40)),  # of 8 samples, all swaps
    {"samples": 8, "size": 2},
    {"samples": 12, "alternative": "greater"},
    {"samples": 12, "confidence": 0.9},
    *({**MANY, "correction": name} for name in ("bonferroni", "holm", "fdr_bh")),
]


@pytest.mark.parametrize("options", CASES, ids=str)
def test_a_detectable_difference_is_found_in_8_of_10_sets(options: dict[str, Any]) -> None:
    level = round(1 - options.get("confidence", 0.95), 12)
    # The mean over test sets is the difference that the samples can be said to show.
    rows = [compare_shifted(shift=0.0, seed=seed, **options) for seed in range(30)]
    detectable = float(np.mean([row.detectable for row in rows]))
    found = 0
    for seed in range(1000, 1100):
        row = compare_shifted(shift=detectable, seed=seed, **options)
        p = row.p_value if row.p_corrected is None else row.p_corrected
        found += p is not None and p <= level
    # The standard error of this share is 0.03, and that of the mean moves it as much.
    assert 0.68 <= found / 100 <= 0.92


# Samples, options, and whether p can be small enough.
ENOUGH: list[tuple[int, dict[str, Any], bool]] = [
    *((samples, {}, samples > 5) for samples in (4, 5, 6)),
    *((samples, {"alternative": "greater"}, samples > 4) for samples in (4, 5)),
    *((8, {"tests": 9, "correction": name}, False) for name in ("holm", "bonferroni", "fdr_bh")),
    (9, {"tests": 4, "correction": "holm"}, True),
    *((30, {"n_resamples": count}, count > 18) for count in (1, 18, 19)),
    *((30, {"n_resamples": count, "test": "bootstrap"}, count > 18) for count in (18, 19)),
    (30, {"tests": 9, "correction": "holm", "n_resamples": 199}, True),
]


@pytest.mark.parametrize(("samples", "options", "is_enough"), ENOUGH, ids=str)
def test_a_difference_is_detectable_if_p_can_be_small_enough(
    samples: int, options: dict[str, Any], *, is_enough: bool
) -> None:
    for shift in (0.0, 100.0) if not is_enough else (100.0,):
        row = compare_shifted(samples, shift, 0, **options)
        assert (row.detectable is not None) is is_enough
        p = row.p_corrected if "correction" in options else row.p_value
        # fdr_bh may find it together with others, but not alone.
        assert p is not None
        assert (p <= 0.05) is is_enough


def test_more_tests_need_a_larger_difference() -> None:
    plain, of_two, of_six, bonferroni = (
        compare_shifted(30, 0.0, 0, correction=name, n_resamples=5000, tests=tests).detectable or 0
        for name, tests in ((None, 11), ("holm", 1), ("holm", 5), ("bonferroni", 5))
    )
    # The profile has a score of its own.
    assert 0 < plain < of_two < of_six == bonferroni

"""Several runs per system: what resampling says of runs and of samples, and what is shown."""

import json
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

from bleu_rouge_metric import Scorer, compare_systems, influence
from bleu_rouge_metric.analysis.significance_design import check_design
from bleu_rouge_metric.analysis.significance_tests import PairResults, run_tests
from bleu_rouge_metric.analysis.systems import SystemScores, average_runs
from bleu_rouge_metric.resampling.paired import join_statistics
from bleu_rouge_metric.scoring.statistics import make_mean_statistic

from .test_significance import QUICK, REFERENCES, _vary

RUNS = {
    name: [_vary(REFERENCES, share, np.random.default_rng([place, run])) for run in range(3)]
    for place, (name, share) in enumerate({"A": 0.3, "B": 0.25, "C": 0.6}.items())
}
KEPT: dict[str, Any] = {"family": "rouge", "rouge_types": ["rouge1", "rougeL"], **QUICK}


def _score(*systems: np.ndarray) -> list[SystemScores]:
    """Scores of systems, each of shape (runs, samples)."""
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
    return average_runs(runs, owners)


def _test(*systems: np.ndarray, test: str = "bootstrap_t", n_resamples: int = 300) -> PairResults:
    design = check_design(
        test=test,
        n_resamples=n_resamples,
        confidence=0.95,
        seed=1,
        alternative="two-sided",
        correction=None,
        convention=None,
    )
    return run_tests(_score(*systems), [(0, 1)], design, 1, None)


def _draw(generator: np.random.Generator, spread: float, shift: float = 0.0) -> list[np.ndarray]:
    """Scores of two systems with 3 runs, 40 samples; the second is better by ``shift``."""
    difficulty = generator.normal(size=40)
    return [
        difficulty
        + generator.normal(0, 0.3, 40)
        + generator.normal(0, spread, (3, 1))
        + generator.normal(0, 0.4, (3, 40))
        + place * shift
        for place in range(2)
    ]


@pytest.mark.parametrize("spread", [0.0, 0.1, 0.5])
def test_equal_systems_differ_in_one_of_twenty(spread: float) -> None:
    generator = np.random.default_rng([3, int(10 * spread)])
    errors, held = 0, 0
    for _ in range(150):
        systems = _draw(generator, spread)
        found = _test(*systems, n_resamples=150)
        errors += found.p_values[0, 0] <= 0.05
        held += abs(systems[1].mean() - systems[0].mean()) <= found.margins[0, 0]
    # 99.9% of the values of a binomial of 150 and 0.05 are at most 17.
    assert errors <= 17
    assert held == 150 - errors


def test_the_intervals_of_scores_hold_the_true_ones() -> None:
    generator = np.random.default_rng(8)
    held = 0
    for _ in range(100):
        found = _test(*_draw(generator, 0.4), n_resamples=150)
        held += int(found.low[0, 0] <= 0 <= found.high[0, 0])
    assert held >= 88


def test_a_large_difference_is_found() -> None:
    generator = np.random.default_rng(4)
    found = [_test(*_draw(generator, 0.1, shift=1.0)).p_values[0, 0] for _ in range(20)]
    assert np.mean(np.array(found) <= 0.05) >= 0.9


def test_the_share_of_runs_is_that_of_the_variances() -> None:
    generator = np.random.default_rng(6)
    # Runs that are equal but for a constant: all that differs between them is the run.
    base = generator.normal(size=(2, 40))
    constants = np.array([[-0.5], [0.0], [0.5]])
    found = _test(base[0] + constants, base[1] + constants)
    samples = (base[1] - base[0]).var(ddof=1) / 40
    runs = 2 * 0.25 / 3
    assert found.run_shares is not None
    assert found.run_shares[0, 0] == pytest.approx(runs / (runs + samples), rel=0.1)
    assert found.errors[0, 0] ** 2 == pytest.approx(runs + samples, rel=0.1)
    # Runs that differ by chance alone add little.
    shares = [_test(*_draw(generator, 0.0), n_resamples=150).run_shares for _ in range(20)]
    assert np.mean([share[0, 0] for share in shares if share is not None]) < 0.2


def test_stratified_randomization_shuffles_within_each_sample() -> None:
    first, second = np.array([[1.0], [2.0]]), np.array([[5.0], [9.0]])
    result = _test(
        np.repeat(first, 2, axis=1),
        np.repeat(second, 2, axis=1),
        test="approximate_randomization",
        n_resamples=20_000,
    )
    # The two best outputs of each sample have to come to one system, in both samples the same.
    # There are 6 ways to choose the two outputs of a system: 2 of 36 are as far apart.
    assert result.p_values[0, 0] == pytest.approx(1 / 18, abs=0.006)


def test_the_two_level_bootstrap_draws_runs_too() -> None:
    base = np.random.default_rng(2).normal(size=(2, 40))
    constants = np.array([[-1.0], [0.0], [1.0]])
    apart = _test(base[0] + constants, base[1] + constants + 0.8, test="bootstrap")
    equal = _test(base[0] + 0 * constants, base[1] + 0 * constants + 0.8, test="bootstrap")
    assert equal.p_values[0, 0] < 0.01
    assert apart.p_values[0, 0] > 0.05


def test_rows_have_the_mean_and_the_deviation_of_the_runs() -> None:
    comparison = compare_systems(RUNS, REFERENCES, **KEPT)
    assert comparison.test == "bootstrap_t"
    assert comparison.systems == ["A", "B", "C"]
    for place in range(3):
        run = {name: runs[place] for name, runs in RUNS.items()}
        alone = compare_systems(run, REFERENCES, **KEPT)
        for row in alone.rows:
            single = [
                each.value
                for other in range(3)
                for each in compare_systems(
                    {name: runs[other] for name, runs in RUNS.items()}, REFERENCES, **KEPT
                ).rows
                if (each.system, each.score) == (row.system, row.score)
            ]
            found = next(
                each
                for each in comparison.rows
                if (each.system, each.score) == (row.system, row.score)
            )
            assert found.value == pytest.approx(np.mean(single), rel=1e-14)
            assert found.run_std == pytest.approx(np.std(single, ddof=1), rel=1e-12)
            assert found.runs == 3
        break
    assert json.loads(json.dumps(comparison.to_dict()))["rows"][0]["runs"] == 3


def test_every_way_to_give_runs_is_the_same() -> None:
    expected = compare_systems(RUNS, REFERENCES, **KEPT)
    seeds = {name: dict(zip((7, 8, 9), runs, strict=True)) for name, runs in RUNS.items()}
    assert compare_systems(seeds, REFERENCES, **KEPT) == expected
    scorers: dict[str, list[Scorer]] = {}
    for name, runs in RUNS.items():
        for run in runs:
            scorer = Scorer("rouge", rouge_types=["rouge1", "rougeL"])
            scorer.update(run, REFERENCES)
            scorers.setdefault(name, []).append(scorer)
    assert compare_systems(scorers, **QUICK) == expected
    ids = {
        name: [[list(map(len, text.split())) for text in run] for run in runs]
        for name, runs in RUNS.items()
    }
    references = [list(map(len, text.split())) for text in REFERENCES]
    found = compare_systems(ids, references, tokenizer="ids", **KEPT)
    assert found.rows[0].runs == 3


def test_runs_may_be_series_whose_labels_begin_elsewhere() -> None:
    runs: dict[str, Any] = {
        name: [pd.Series(texts, index=range(5, 5 + len(texts))) for texts in several]
        for name, several in RUNS.items()
    }
    assert compare_systems(runs, REFERENCES, **KEPT) == compare_systems(RUNS, REFERENCES, **KEPT)


def test_no_detectable_difference_is_larger_than_the_scale() -> None:
    # Two runs that differ widely, of which little is known.
    rough = {name: [texts[0], ["x"] * len(texts[0])] for name, texts in RUNS.items()}
    for row in compare_systems(rough, REFERENCES, **KEPT).rows:
        assert row.detectable is None or row.detectable <= 1
    comparison = compare_systems(rough, REFERENCES, **KEPT)
    assert any(row.delta is not None and row.detectable is None for row in comparison.rows)
    # What estimates the number of samples refuses runs.
    assert "required_samples" not in str(comparison)


def test_pairs_and_groups_have_runs() -> None:
    groups = ["a"] * 12 + ["b"] * 18
    ranking = compare_systems(RUNS, REFERENCES, pairs="all", groups=groups, **KEPT)
    comparison = compare_systems(RUNS, REFERENCES, baseline="A", groups=groups, **KEPT)
    rows = {(row.system, row.score): row for row in comparison.groups["b"].rows}
    for pair in ranking.groups["b"].pairs:
        if pair.baseline == "A":
            row = rows[pair.system, pair.score]
            assert (pair.p_value, pair.delta, pair.run_share) == (
                row.p_value,
                row.delta,
                row.run_share,
            )
    assert {row.runs for row in ranking.rows} == {3}


def test_the_table_and_the_sentences_name_the_runs() -> None:
    comparison = compare_systems(RUNS, REFERENCES, **KEPT)
    shown = str(comparison)
    assert re.search(
        r"^A \(baseline\)  0\.\d{4} \(sd 0\.\d{4}\) \[0\.\d{4}, 0\.\d{4}\]", shown, re.MULTILINE
    )
    assert "Samples: 30. Runs of each system: 3; sd is their standard deviation." in shown
    for line in comparison.sentences():
        assert re.search(
            r"\. (Most of its variance \(\d\d%\) comes from (samples|runs), the rest from "
            r"(samples|runs)|Nearly all of its variance comes from (samples|runs))\.$",
            line,
        )
    swapped = str(compare_systems(RUNS, REFERENCES, test="approximate_randomization", **KEPT))
    assert (
        "Runs that vary make approximate randomization and the bootstrap find too many "
        "differences; use bootstrap_t." in swapped
    )
    assert "bootstrap_t." not in shown


@pytest.mark.parametrize(
    ("systems", "keywords", "message"),
    [
        (
            {"A": RUNS["A"], "B": RUNS["B"][0]},
            {},
            "systems['A'] has several runs, but systems['B'] is a single one; expected two runs or "
            "more of each system.",
        ),
        (
            {"A": RUNS["A"], "B": RUNS["B"][:1]},
            {},
            "systems['B'] has 1 run; expected at least 2, because one does not say how much runs "
            "differ.",
        ),
        (
            {"A": RUNS["A"], "B": [REFERENCES, REFERENCES[:3]]},
            {},
            "systems['B'][1]: predictions has 3 samples, but references has 30; expected one item "
            "in references for every prediction.",
        ),
        (
            {"A": RUNS["A"], "B": {7: REFERENCES, 8: REFERENCES[:3]}},
            {},
            "systems['B'][8]: predictions has 3 samples, but references has 30; expected one item "
            "in references for every prediction.",
        ),
        (
            RUNS,
            {"scores": {"x": dict.fromkeys(RUNS, range(30))}},
            "scores is given, but the systems have several runs; leave it out, or give one run of "
            "each system.",
        ),
        (
            RUNS,
            {"convention": "sacrebleu"},
            "convention is given, but the systems have several runs; leave it out, or give one run "
            "of each system.",
        ),
    ],
)
def test_runs_that_do_not_fit_are_one_error(
    systems: dict[str, Any], keywords: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        compare_systems(systems, REFERENCES, **keywords)


def test_influence_is_of_one_run() -> None:
    comparison = compare_systems(RUNS, REFERENCES, **KEPT)
    with pytest.raises(ValueError, match=r"^The systems of the comparison have several runs; "):
        influence(comparison, "B")

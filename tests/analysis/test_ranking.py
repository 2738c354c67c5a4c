"""Comparisons of all pairs of systems: equal to each pair alone, and ranks worked by hand."""

import json
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import SystemComparison, SystemPair, SystemRank, compare_systems

from ..support import system_rows

NAMES = ["A", "B", "C", "D"]


def _score_systems(samples: int, gains: list[float], seed: int = 0) -> dict[str, Any]:
    """Return what makes systems that differ in an outside score by about some gains."""
    generator = np.random.default_rng(seed)
    shared = generator.normal(size=samples)
    names = NAMES[: len(gains)]
    scores = {
        name: (shared + gain + 0.3 * generator.normal(size=samples)).tolist()
        for name, gain in zip(names, gains, strict=True)
    }
    texts = ["a cat sat"] * samples
    return {
        "systems": dict.fromkeys(names, texts),
        "references": texts,
        "family": "rouge",
        "rouge_types": ["rouge1"],
        "scores": {"x": scores},
    }


def _select(arguments: dict[str, Any], *names: str) -> dict[str, Any]:
    """Return the arguments for some of the systems."""
    scores = {name: arguments["scores"]["x"][name] for name in names}
    systems = {name: arguments["systems"][name] for name in names}
    return {**arguments, "systems": systems, "scores": {"x": scores}}


def _pair(first: str, second: str, delta: float, p: float) -> SystemPair:
    return SystemPair(first, second, "bleu", delta, None, None, p, p, 0, 0, 0, None, None, 100)


def _rank(values: dict[str, float], *pairs: SystemPair) -> SystemComparison:
    rows = [system_rows.baseline(name, "bleu", value, 0, 1) for name, value in values.items()]
    return system_rows.compare(*rows, pairs=pairs, correction="holm", n_tests=len(pairs))


@pytest.mark.parametrize("samples", [7, 60])
@pytest.mark.parametrize("test", ["approximate_randomization", "bootstrap"])
def test_each_pair_is_as_if_compared_alone(test: str, samples: int) -> None:
    arguments = _score_systems(samples, [0, 0.1, 0.3, 0.1])
    together = compare_systems(**arguments, pairs="all", test=test, n_resamples=300)
    assert len(together.pairs) == 2 * 6
    for pair in together.pairs:
        alone = compare_systems(
            **_select(arguments, pair.baseline, pair.system), test=test, n_resamples=300
        )
        row = next(
            row for row in alone.rows if (row.system, row.score) == (pair.system, pair.score)
        )
        # A correction changes p_corrected, and the smallest difference that can be detected.
        expected = row._replace(p_corrected=pair.p_corrected, detectable=pair.detectable)
        assert pair.add_to(row) == expected
        values = {(row.system, row.score): row[:5] for row in together.rows}
        assert all(values[row.system, row.score] == row[:5] for row in alone.rows)


def test_ranks_and_clusters_by_hand() -> None:
    comparison = _rank(
        {"A": 20.0, "B": 31.0, "C": 30.0, "D": 10.0},
        _pair("A", "B", 11, 0.01),
        _pair("A", "C", 10, 0.02),
        _pair("A", "D", -10, 0.2),
        _pair("B", "C", -1, 0.5),
        _pair("B", "D", -21, 0.001),
        _pair("C", "D", -20, 0.05),
    )
    assert comparison.ranks("bleu") == [
        SystemRank("B", 31.0, 1, 2, 1, ("A", "D")),
        SystemRank("C", 30.0, 1, 2, 1, ("A", "D")),
        SystemRank("A", 20.0, 3, 4, 2, ()),
        SystemRank("D", 10.0, 3, 4, 2, ()),
    ]
    assert comparison.sentences() == ["BLEU: 2 clusters, the best one first: 1. B, C; 2. A, D."]


def test_a_chain_of_small_differences_is_one_cluster() -> None:
    comparison = _rank(
        {"A": 20.0, "B": 21.0, "C": 22.0},
        _pair("A", "B", 1, 0.2),
        _pair("A", "C", 2, 0.01),
        _pair("B", "C", 1, 0.2),
    )
    ranks = {rank.system: rank[2:5] for rank in comparison.ranks("bleu")}
    assert ranks == {"C": (1, 2, 1), "B": (1, 3, 1), "A": (2, 3, 1)}
    assert comparison.sentences() == [
        "BLEU: one cluster; no group of systems is clearly better than all others."
    ]


def test_the_table_has_ranks_and_letters() -> None:
    comparison = _rank({"A": 20.0, "B": 31.0}, _pair("A", "B", 11, 0.01))
    lines = str(comparison).splitlines()
    assert [line.split() for line in lines[:3]] == [
        ["BLEU", "rank", "better", "than"],
        ["a)", "A", "20.00", "[0.00,", "1.00]", "2"],
        ["b)", "B", "31.00", "[0.00,", "1.00]", "1", "a"],
    ]
    assert lines[4].startswith("Test of all pairs: approximate randomization, ")
    assert r"b) B & 31.00 [0.00, 1.00] & 1 & a \\" in comparison.to_latex()
    assert "b) B" in comparison.to_markdown()
    assert json.loads(json.dumps(comparison.to_dict()))["pairs"] == [
        pair._asdict() for pair in comparison.pairs
    ]


def test_p_values_of_all_pairs_scores_and_groups_are_corrected_together() -> None:
    arguments = _score_systems(40, [0, 0.3, 0.4])
    groups = ["a", "b"] * 20
    comparison = compare_systems(**arguments, pairs="all", groups=groups, n_resamples=99)
    assert comparison.correction == "holm"
    assert comparison.n_tests == 3 * 2 * 3
    parts = [comparison, *comparison.groups.values()]
    assert all(pair.p_corrected is not None for part in parts for pair in part.pairs)
    assert all(part.is_ranking and part.ranks("x") for part in parts)


def test_a_signature_is_read_back() -> None:
    arguments = _score_systems(20, [0, 0.3, 0.4])
    comparison = compare_systems(**arguments, pairs="all", n_resamples=99)
    keywords = SystemComparison.read_signature(comparison.signature())
    assert keywords["pairs"] == "all"
    assert "baseline" not in keywords
    given = {key: arguments[key] for key in ("systems", "references", "scores")}
    assert compare_systems(**given, **keywords) == comparison


def test_one_sample_per_group_is_not_ranked() -> None:
    arguments = _score_systems(3, [0, 1.0])
    comparison = compare_systems(**arguments, pairs="all", groups=["a", "a", "b"], n_resamples=9)
    alone = comparison.groups["b"]
    assert alone.sentences() == [
        "ROUGE-1: not tested, because there is only 1 sample.",
        "x: not tested, because there is only 1 sample.",
    ]
    assert [rank[2:5] for rank in alone.ranks("x")] == [(1, 2, 1), (1, 2, 1)]


def test_of_equal_systems_few_sets_have_a_clear_difference() -> None:
    # Of 100 sets of four equally good systems, any difference is clear in 5 or so; the probability
    # of more than 11 is below 0.005 at a rate of 0.05.
    found = 0
    for seed in range(100):
        arguments = _score_systems(25, [0.0] * 4, seed)
        comparison = compare_systems(**arguments, pairs="all", n_resamples=500, seed=seed)
        found += any(rank.better_than for rank in comparison.ranks("x"))
    assert 0 < found <= 11


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ({"baseline": "A"}, "baseline is 'A'"),
        ({"alternative": "greater"}, "alternative is 'greater'"),
        ({"convention": "sacrebleu"}, "convention is 'sacrebleu'"),
    ],
)
def test_what_all_pairs_cannot_have(given: dict[str, Any], shown: str) -> None:
    with pytest.raises(ValueError, match="pairs='all'") as caught:
        compare_systems({"A": ["a"] * 3, "B": ["a"] * 3}, ["a"] * 3, pairs="all", **given)
    assert str(caught.value) == (
        f"{shown}, but pairs='all' tests each system against each other one, two-sided; leave one "
        "of the two out."
    )


def test_ranks_need_all_pairs_and_a_known_score() -> None:
    arguments = _score_systems(5, [0, 1.0])
    with pytest.raises(ValueError, match="baseline") as caught:
        compare_systems(**arguments, n_resamples=9).ranks("x")
    assert str(caught.value) == (
        "The systems were compared with the baseline 'A'; use compare_systems(..., pairs='all') "
        "for ranks."
    )
    with pytest.raises(ValueError, match="score") as caught:
        compare_systems(**arguments, pairs="all", n_resamples=9).ranks("bleu")
    assert str(caught.value) == "score is 'bleu'; expected one of 'rouge1', 'x'."
    with pytest.raises(ValueError, match="pairs") as caught:
        compare_systems(**arguments, pairs="each")
    assert str(caught.value) == "Unknown pairs 'each'; expected one of 'baseline', 'all'."

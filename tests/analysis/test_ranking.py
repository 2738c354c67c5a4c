"""All pairs of systems: each is tested as in a comparison of its own, and systems are ranked."""

import json
import pickle
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import SystemComparison, SystemRanking, compare_systems
from bleu_rouge_metric.analysis.ranking import find_clusters, find_rank_ranges

from .test_compare import REFERENCES, SYSTEMS, TALKS, select, vary

FOUR = {**SYSTEMS, "D_4": vary(REFERENCES, 0.22, np.random.default_rng(4))}
CHOSEN: dict[str, Any] = {"family": "rouge", "rouge_types": ["rouge1", "rougeL"], "pairs": "all"}


@pytest.fixture(scope="module")
def ranking() -> SystemRanking:
    ranked: SystemRanking = compare_systems(FOUR, REFERENCES, n_resamples=2_000, **CHOSEN)
    return ranked


def test_five_systems_by_hand() -> None:
    wins = np.zeros((5, 5), dtype=bool)
    for pair in ((0, 2), (0, 3), (0, 4), (1, 3), (1, 4), (2, 4), (3, 4)):
        wins[pair] = True
    assert find_rank_ranges(wins) == [(1, 2), (1, 3), (2, 4), (3, 4), (5, 5)]
    # Of the first four, none is a cluster: 1 does not beat 2.
    assert find_clusters(wins) == [1, 1, 1, 1, 2]
    every = np.triu(np.ones((5, 5), dtype=bool), 1)
    assert (find_clusters(~wins & wins), find_rank_ranges(~wins & wins)) == ([1] * 5, [(1, 5)] * 5)
    assert find_clusters(every) == [1, 2, 3, 4, 5]
    assert find_rank_ranges(every) == [(place, place) for place in range(1, 6)]


@pytest.mark.parametrize("test", ["approximate_randomization", "bootstrap"])
def test_pairs_are_those_of_comparisons_with_each_baseline(test: str) -> None:
    chosen: dict[str, Any] = {"test": test, "smooth": "exp", "n_resamples": 600}
    ranking = compare_systems(FOUR, REFERENCES, pairs="all", **chosen)
    assert len(ranking.pairs) == 6 * 5
    for baseline in FOUR:
        comparison = compare_systems(FOUR, REFERENCES, baseline=baseline, **chosen)
        rows = {(row.system, row.score): row for row in comparison.rows}
        for pair in (pair for pair in ranking.pairs if pair.baseline == baseline):
            row = rows[pair.system, pair.score]
            for name in set(pair._fields) - {"baseline", "p_corrected", "detectable"}:
                assert getattr(pair, name) == getattr(row, name), name
        for ranked in ranking.rows:
            row = rows[ranked.system, ranked.score]
            assert (ranked.value, ranked.low, ranked.high) == (row.value, row.low, row.high)


def test_p_is_corrected_over_all_pairs_and_scores(ranking: SystemRanking) -> None:
    assert (ranking.correction, ranking.n_tests) == ("holm", 12)
    bounded = compare_systems(FOUR, REFERENCES, correction="bonferroni", n_resamples=300, **CHOSEN)
    assert [pair.p_corrected for pair in bounded.pairs] == [
        min(1, 12 * (pair.p_value or 0)) for pair in bounded.pairs
    ]


def test_groups_are_ranked_as_each_alone() -> None:
    ranking = compare_systems(FOUR, REFERENCES, groups=TALKS, n_resamples=2_000, **CHOSEN)
    assert ranking.n_tests == 36
    places = [place for place in range(30) if TALKS[place] == "talk"]
    alone = compare_systems(*select(places, FOUR), n_resamples=2_000, **CHOSEN).pairs
    changed = {"p_corrected": None, "detectable": None}
    found = ranking.groups["talk"].pairs
    assert [pair._replace(**changed) for pair in found] == [
        pair._replace(**changed) for pair in alone
    ]
    assert ranking.to_table()[0][0] == ranking.to_table(pairs=True)[0][0] == "group"
    assert str(ranking).count("Test of all pairs: ") == 3


def test_a_group_of_one_sample_has_no_ranks() -> None:
    groups = ["one", *["rest"] * 29]
    part = compare_systems(FOUR, REFERENCES, groups=groups, n_resamples=480, **CHOSEN).groups["one"]
    assert {row[3:8] for row in part.rows} == {(None,) * 5}
    assert part.sentences() == []
    assert str(part).endswith("Not tested, because there is only 1 sample.\nSamples: 1.")


def test_everything_is_in_the_dict_the_frames_and_the_signature(ranking: SystemRanking) -> None:
    found = json.loads(json.dumps(ranking.to_dict()))
    assert found["rows"] == [row._asdict() for row in ranking.rows]
    assert found["pairs"] == [pair._asdict() for pair in ranking.pairs]
    assert list(ranking.to_pandas().columns) == list(ranking.rows[0]._fields)
    p_values = [pair.p_value for pair in ranking.pairs]
    assert ranking.to_pandas(pairs=True)["p_value"].tolist() == p_values
    assert pickle.loads(pickle.dumps(ranking)) == ranking
    keywords = SystemComparison.read_signature(ranking.signature())
    assert keywords["pairs"] == "all"
    assert compare_systems(FOUR, REFERENCES, **keywords) == ranking

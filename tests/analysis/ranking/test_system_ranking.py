"""All pairs of systems: each is tested as in a comparison of its own, and systems are ranked."""

import json
import pickle
import re
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import SystemComparison, SystemRanking, compare_systems

from ..test_significance import QUICK, REFERENCES, SYSTEMS, _vary

FOUR = {**SYSTEMS, "D_4": _vary(REFERENCES, 0.22, np.random.default_rng(4))}
KEPT: dict[str, Any] = {
    "n_resamples": 2_000,
    "family": "rouge",
    "rouge_types": ["rouge1", "rougeL"],
}


@pytest.fixture(scope="module")
def ranking() -> SystemRanking:
    return compare_systems(FOUR, REFERENCES, pairs="all", **KEPT)


@pytest.mark.parametrize("test", ["approximate_randomization", "bootstrap"])
def test_pairs_are_those_of_comparisons_with_each_baseline(test: str) -> None:
    ranking = compare_systems(FOUR, REFERENCES, pairs="all", test=test, smooth="exp", **QUICK)
    assert len(ranking.pairs) == 6 * 5
    for baseline in FOUR:
        comparison = compare_systems(
            FOUR, REFERENCES, baseline=baseline, test=test, smooth="exp", **QUICK
        )
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
    bounded = compare_systems(FOUR, REFERENCES, pairs="all", correction="bonferroni", **KEPT)
    for pair in bounded.pairs:
        assert pair.p_value is not None
        assert pair.p_corrected == min(1, 12 * pair.p_value)


def test_the_best_system_comes_first_with_its_ranks(ranking: SystemRanking) -> None:
    for score in ("rouge1", "rougeL"):
        rows = [row for row in ranking.rows if row.score == score]
        values = [row.value for row in rows]
        assert values == sorted(values, reverse=True)
        assert [row.system for row in rows] == ["D_4", "B", "A", "C"]
        assert [row[5:9] for row in rows] == [
            (1, 2, 1, "a"),
            (1, 2, 1, "a"),
            (3, 3, 2, "b"),
            (4, 4, 3, "c"),
        ]


def test_groups_are_ranked_as_each_alone() -> None:
    groups = ["news" if place % 3 else "talk" for place in range(30)]
    ranking = compare_systems(FOUR, REFERENCES, pairs="all", groups=groups, **KEPT)
    assert ranking.n_tests == 36
    kept = [place for place in range(30) if groups[place] == "talk"]
    alone = compare_systems(
        {name: [texts[place] for place in kept] for name, texts in FOUR.items()},
        [REFERENCES[place] for place in kept],
        pairs="all",
        **KEPT,
    )
    uncorrected = [pair._replace(p_corrected=None, detectable=None) for pair in alone.pairs]
    found = ranking.groups["talk"].pairs
    assert [pair._replace(p_corrected=None, detectable=None) for pair in found] == uncorrected
    assert ranking.to_table()[0][0] == ranking.to_table(pairs=True)[0][0] == "group"
    assert str(ranking).count("Test of all pairs: ") == 3
    assert "\n**Group talk**\n" in ranking.to_markdown()
    assert r"\caption{Group talk. Test of all pairs: " in ranking.to_latex()
    assert "<caption>Group talk</caption>" in ranking._repr_html_()


def test_a_group_of_one_sample_has_no_ranks() -> None:
    groups = ["one", *["rest"] * 29]
    part = compare_systems(FOUR, REFERENCES, pairs="all", groups=groups, **KEPT).groups["one"]
    assert {row[3:9] for row in part.rows} == {(None,) * 6}
    assert part.sentences() == []
    assert str(part).endswith("Not tested, because there is only 1 sample.\nSamples: 1.")


def test_it_is_printed_as_a_table_per_score(ranking: SystemRanking) -> None:
    lines = str(ranking).split("\n")
    assert [line.split()[0] for line in lines[1:5]] == ["D_4", "B", "A", "C"]
    assert lines[0].split() == ["ROUGE-1", "rank", "cluster", "letters"]
    assert lines[2].split()[-3:] == ["1-2", "1", "a"]
    assert lines[-7:] == [
        "Test of all pairs: approximate randomization, 2,000 resamples, seed 12345, two-sided, p "
        "corrected with Holm's method over 12 tests.",
        "Intervals: 95%, from 1,000 bootstrap resamples, not corrected.",
        "Samples: 30.",
        "Systems that share a letter do not differ significantly.",
        "",
        *(
            f"{score}: 5 of 6 pairs differ at the level 5%; D_4 and B are each better than all "
            "other systems."
            for score in ("ROUGE-1", "ROUGE-L")
        ),
    ]


def test_latex_has_letters_and_markdown_escapes_names(ranking: SystemRanking) -> None:
    latex = ranking.to_latex()
    assert re.findall(r"^(\w\S*) & \S+ .*\$\^\{(\w+)\}\$ & (\S+) & (\d)", latex, re.MULTILINE)[
        :4
    ] == [
        (r"D\_4", "a", "1--2", "1"),
        ("B", "a", "1--2", "1"),
        ("A", "b", "3", "2"),
        ("C", "c", "4", "3"),
    ]
    assert latex.count(r"\begin{table}") == 2
    assert r"| D\_4 | 0.8704 [0.8407, 0.9000] | 1-2 | 1 | a |" in ranking.to_markdown()
    assert (
        "<td>0.8704 [0.8407, 0.9000]</td><td>1-2</td><td>1</td><td>a</td>" in ranking._repr_html_()
    )


def test_everything_is_in_the_dict_and_the_frames(ranking: SystemRanking) -> None:
    found = json.loads(json.dumps(ranking.to_dict()))
    assert found["rows"] == [row._asdict() for row in ranking.rows]
    assert found["pairs"] == [pair._asdict() for pair in ranking.pairs]
    assert found["signature"] == ranking.signature()
    assert list(ranking.to_pandas().columns) == list(ranking.rows[0]._fields)
    assert ranking.to_pandas(pairs=True)["p_value"].tolist() == [
        pair.p_value for pair in ranking.pairs
    ]
    assert pickle.loads(pickle.dumps(ranking)) == ranking


def test_too_few_resamples_for_all_pairs_come_with_the_remedy() -> None:
    keywords: dict[str, Any] = {"pairs": "all", "n_resamples": 500}
    text = str(compare_systems(FOUR, REFERENCES, **keywords))
    assert (
        "With 500 resamples and 30 tests, no corrected p can be below 0.060, so that no difference "
        "can be clear; use at least 600 resamples (n_resamples=, --resamples) or fewer scores."
    ) in text
    text = str(compare_systems(FOUR, REFERENCES, **{**keywords, "n_resamples": 600}))
    assert "can be clear" not in text


def test_the_signature_reads_back(ranking: SystemRanking) -> None:
    keywords = SystemComparison.read_signature(ranking.signature())
    assert keywords["pairs"] == "all"
    assert compare_systems(FOUR, REFERENCES, **keywords) == ranking


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        (
            {"baseline": "A"},
            "baseline is 'A', but pairs='all' tests each system against each other one, two-sided; "
            "leave one of the two out.",
        ),
        (
            {"alternative": "greater"},
            "alternative is 'greater', but pairs='all' tests each system against each other one, "
            "two-sided; leave one of the two out.",
        ),
        (
            {"convention": "sacrebleu"},
            "convention is 'sacrebleu', but pairs='all' tests each system against each other one, "
            "two-sided; leave one of the two out.",
        ),
        ({"pairs": "every"}, "Unknown pairs 'every'; expected one of 'all'."),
    ],
)
def test_what_all_pairs_cannot_have_is_one_error(keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        compare_systems(FOUR, REFERENCES, **{"pairs": "all", **keywords})

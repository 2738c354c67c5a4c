"""Groups: one correction over all of them; values without inference where a test is impossible."""

import json
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import SystemComparison, compare_systems

REFERENCES = [f"reference {place}" for place in range(160)]
GROUPS = [place % 20 for place in range(160)]


def _draw(seed: int, systems: str = "AB") -> dict[str, Any]:
    """The scores of systems that are equally good."""
    scores = np.random.default_rng(seed).random((len(systems), len(REFERENCES)))
    return {"x": dict(zip(systems, scores, strict=True))}


def _compare(scores: dict[str, Any], **keywords: Any) -> SystemComparison:
    systems = dict.fromkeys(scores["x"], REFERENCES)
    options = {"family": "rouge", "rouge_types": ["rouge1"], **keywords}
    return compare_systems(systems, REFERENCES, pairs=None, scores=scores, **options)


def _list_rows(comparison: SystemComparison) -> list[Any]:
    parts = [comparison, *comparison.groups.values()]
    return [row for part in parts for row in part.rows]


def test_of_20_groups_of_equal_systems_few_differ() -> None:
    # One run in 20 may find anything. If each group was corrected alone, two in five would.
    found = 0
    for seed in range(25):
        comparison = _compare(
            _draw(seed), groups=GROUPS, correction="holm", n_resamples=256, seed=seed
        )
        corrected = [row.p_corrected for row in _list_rows(comparison) if row.system == "B"]
        assert len(corrected) == 42
        found += any(p is not None and p <= 0.05 for p in corrected)
    assert found <= 3


def test_a_group_that_differs_is_found_among_others() -> None:
    scores = _draw(1)
    groups = [place % 10 for place in range(160)]
    scores["x"]["B"][::10] += 0.8
    comparison = _compare(scores, groups=groups, correction="holm")
    clear = {
        name: [row.score for row in part.rows if row.p_corrected and row.p_corrected <= 0.05]
        for name, part in comparison.groups.items()
    }
    assert clear == {"0": ["x"], **{str(name): [] for name in range(1, 10)}}


@pytest.mark.parametrize("correction", ["holm", "bonferroni", "fdr_bh"])
def test_all_scores_systems_and_groups_are_one_family(correction: str) -> None:
    scores = _draw(0, "ABC")
    plain = _compare(scores, groups=GROUPS, n_resamples=100)
    comparison = _compare(scores, groups=GROUPS, n_resamples=100, correction=correction)
    p_values = np.array([row.p_value for row in _list_rows(plain) if row.p_value is not None])
    # 2 scores of 2 systems in all samples and 20 groups.
    assert len(p_values) == 84
    parts = [comparison, *comparison.groups.values()]
    assert {part.n_tests for part in parts} == {84}
    corrected = [row.p_corrected for row in _list_rows(comparison) if row.p_value is not None]
    ranks = np.argsort(np.argsort(p_values, kind="stable"))
    if correction == "bonferroni":
        assert corrected == np.minimum(1, p_values * 84).tolist()
    elif correction == "holm":
        lowest = int(np.argmin(ranks))
        assert corrected[lowest] == min(1, p_values[lowest] * 84)
    else:
        highest = int(np.argmax(ranks))
        assert corrected[highest] == p_values[highest]
    for part in parts:
        assert "over 84 tests of all samples and groups" in str(part)
        assert "|tests:84|" in part.signature()
        assert part.to_dict()["n_tests"] == 84
    keywords = SystemComparison.read_signature(comparison.signature())
    assert _compare(scores, groups=GROUPS, **keywords) == comparison


UNTESTED = {
    "one": "there is only 1 sample",
    "alike": "all 5 samples are in one cluster",
}


def _compare_odd_groups(**keywords: Any) -> SystemComparison:
    """Ten samples of one group, five in one cluster, and a single one."""
    groups = ["large"] * 10 + ["alike"] * 5 + ["one"]
    clusters = [*range(10), *[10] * 5, 11]
    scores = {"x": {name: scores[:16] for name, scores in _draw(3)["x"].items()}}
    texts = REFERENCES[:16]
    return compare_systems(
        {"A": texts, "B": [*texts[:15], "nothing"]},
        texts,
        pairs=None,
        scores=scores,
        groups=groups,
        clusters=clusters,
        rouge_types=["rouge1"],
        **keywords,
    )


@pytest.mark.parametrize("name", UNTESTED)
@pytest.mark.parametrize("test", ["approximate_randomization", "bootstrap"])
def test_what_cannot_be_resampled_has_values_and_a_reason(test: str, name: str) -> None:
    comparison = _compare_odd_groups(test=test, correction="holm")
    group = comparison.groups[name]
    assert group.untested_reason == UNTESTED[name]
    assert (group.n_resamples, group.interval_resamples, group.is_exact) == (0, 0, False)
    for row in group.rows:
        assert (row.low, row.high, row.delta_low, row.delta_high) == (None,) * 4
        assert (row.p_value, row.p_corrected, row.detectable) == (None,) * 3
    row = group.rows[-1]
    assert row.delta == pytest.approx(row.value - group.rows[-2].value)
    assert (row.wins or 0) + (row.ties or 0) + (row.losses or 0) == group.n_samples
    assert (row.effect_size is None) is (name == "one")
    assert f"Not tested, because {UNTESTED[name]}." in str(group)
    assert len(group.sentences()) == 3
    assert all(
        line.endswith(f"not tested, because {UNTESTED[name]}.") for line in group.sentences()
    )
    assert json.loads(json.dumps(group.to_dict()))["untested_reason"] == UNTESTED[name]
    assert group.to_latex().count("Not tested") == 1
    assert group.to_markdown().count("Not tested") == 1
    assert group._repr_html_().count("Not tested") == 1


def test_what_is_not_tested_is_not_corrected_for() -> None:
    comparison = _compare_odd_groups(correction="bonferroni")
    # BLEU, ROUGE-1 and x of all samples and of the group "large".
    assert comparison.n_tests == 6
    large = comparison.groups["large"]
    assert large.untested_reason is None
    assert [row.p_corrected for row in large.rows if row.system == "B"] == [
        min(1, 6 * (row.p_value or 0)) for row in large.rows if row.system == "B"
    ]


def test_groups_of_one_sample_are_not_tested_by_sacrebleu_either() -> None:
    texts = ["a b c d e", "a b c d f", "c d e f g"]
    comparison = compare_systems(
        {"A": texts, "B": texts[::-1]}, texts, groups=[1, 1, 2], convention="sacrebleu"
    )
    assert comparison.groups["2"].untested_reason == "there is only 1 sample"
    assert comparison.groups["2"].rows[1].p_value is None
    assert comparison.groups["1"].rows[1].p_value is not None

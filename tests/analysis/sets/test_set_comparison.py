"""Several test sets: means, combined p-values and the number of sets won."""

import json
import re
from typing import Any

import numpy as np
import pytest
import scipy.stats

from bleu_rouge_metric import SetComparison, compare_systems, compare_test_sets
from bleu_rouge_metric.resampling.corrections import combine_p_values, count_effects

from ..test_significance import _vary, _write


def _make_sets() -> dict[str, Any]:
    sets = {}
    for place, name in enumerate(("news", "talk", "law_1")):
        references = _write(20 + 10 * place, 100 + place)
        shares = {"A": 0.3, "B": 0.2, "C": 0.4}
        systems = {
            system: _vary(references, share, np.random.default_rng([place, at]))
            for at, (system, share) in enumerate(shares.items())
        }
        sets[name] = systems, references
    return sets


SETS = _make_sets()
KEPT: dict[str, Any] = {"family": "rouge", "rouge_types": ["rouge1", "rougeL"], "n_resamples": 500}


@pytest.fixture(scope="module")
def compared() -> SetComparison:
    return compare_test_sets(SETS, **KEPT)


@pytest.mark.parametrize("seed", range(5))
def test_fishers_method_equals_scipy(seed: int) -> None:
    p_values = np.random.default_rng(seed).random(6) ** 2
    expected = scipy.stats.combine_pvalues(p_values, method="fisher").pvalue
    assert combine_p_values(p_values.tolist(), independent=True) == pytest.approx(expected)
    # Without the two smallest, it is that of the others.
    others = scipy.stats.combine_pvalues(np.sort(p_values)[2:], method="fisher").pvalue
    assert combine_p_values(p_values.tolist(), 3, independent=True) == pytest.approx(others)
    dependent = combine_p_values(p_values.tolist(), 3, independent=False)
    assert dependent == min(1, 4 * np.sort(p_values)[2])


def test_the_number_of_effects_by_hand() -> None:
    p_values = [0.001, 0.02, 0.03, 0.9]
    # Bonferroni: 4 * 0.001, 3 * 0.02 = 0.06.
    assert count_effects(p_values, 0.05, independent=False) == 1
    assert count_effects([0.001] * 4, 0.05, independent=False) == 4
    assert count_effects([0.5] * 4, 0.05, independent=True) == 0
    assert count_effects([0.0, 0.0], 0.05, independent=True) == 2


@pytest.mark.parametrize("independent", [True, False])
def test_too_many_sets_are_counted_in_one_of_twenty(independent: bool) -> None:
    # 3 of 6 data sets have an effect that is always found.
    generator = np.random.default_rng(9)
    too_many, found = 0, 0
    for _ in range(1_000):
        p_values = [*generator.random(3), *(generator.random(3) * 1e-6)]
        count = count_effects(p_values, 0.05, independent=independent)
        too_many += count > 3
        found += count >= 3
    # 99.9% of the values of a binomial of 1,000 and 0.05 are at most 73.
    assert too_many <= 73
    assert found == 1_000


def test_each_set_is_compared_as_alone(compared: SetComparison) -> None:
    for name, (systems, references) in SETS.items():
        assert compared.sets[name] == compare_systems(systems, references, **KEPT)


def test_means_of_sets_by_hand(compared: SetComparison) -> None:
    for place, row in enumerate(compared.rows):
        parts = [each.rows[place] for each in compared.sets.values()]
        assert row.value == pytest.approx(np.mean([part.value for part in parts]), rel=1e-14)
        if row.delta is None:
            assert row[5:13] == (None,) * 8
            continue
        assert row.delta == pytest.approx(np.mean([part.delta for part in parts]), rel=1e-14)
        variances = np.array([part.delta_error for part in parts], dtype=float) ** 2
        error = np.sqrt(variances.sum()) / 3
        degrees = int(variances.sum() ** 2 / (variances**2 / np.array([19, 29, 39])).sum())
        assert row.p_value == pytest.approx(
            2 * scipy.stats.t.sf(abs(row.delta) / error, degrees), rel=1e-6
        )
        width = scipy.stats.t.ppf(0.975, degrees) * error
        assert row.delta_high == pytest.approx(row.delta + width)
        better = [
            p / 2 if part.delta > 0 else 1 - p / 2
            for part in parts
            if (p := part.p_value) is not None and part.delta is not None
        ]
        assert row.won == count_effects(better, 0.025, independent=True)


def test_intervals_of_means_hold_the_true_difference() -> None:
    generator = np.random.default_rng(12)
    held, errors = 0, 0
    texts = ["a"] * 15
    for seed in range(80):
        scores: dict[str, Any] = {}
        for name, shift in {"x": 0.5, "y": -0.5, "z": 0.3}.items():
            numbers = generator.normal(size=(2, 15)) * (1 + len(scores))
            scores[name] = {"n": {"A": numbers[0], "B": numbers[1] + shift}}
        sets = {name: ({"A": texts, "B": texts}, texts) for name in scores}
        row = compare_test_sets(
            sets, scores=scores, profile="google_bleu", n_resamples=200, seed=seed
        ).rows[-1]
        assert row.delta_low is not None
        assert row.delta_high is not None
        held += row.delta_low <= 0.1 <= row.delta_high
        errors += (row.won or 0) > 2
    assert 70 <= held <= 80
    assert errors <= 10


def test_p_values_are_corrected_over_all_sets() -> None:
    found = compare_test_sets(SETS, correction="bonferroni", **KEPT)
    for part in found.sets.values():
        assert part.n_tests == 12
        for row in part.rows:
            assert row.p_corrected == (None if row.p_value is None else min(1, 12 * row.p_value))
    for macro in found.rows:
        expected = None if macro.p_value is None else min(1, 4 * macro.p_value)
        assert macro.p_corrected == expected


def test_corrected_means_can_be_significant_with_few_resamples() -> None:
    # Student's t does not count resamples: 1 / 101 times 6 tests would be above the level.
    compared = compare_test_sets(SETS, **{**KEPT, "n_resamples": 100}, correction="bonferroni")
    row = next(row for row in compared.rows if row.system == "B")
    assert row.p_corrected is not None
    assert row.p_corrected < 0.01


def test_one_sided_and_dependent_sets() -> None:
    greater = compare_test_sets(SETS, alternative="greater", independent=False, **KEPT)
    for place, row in enumerate(greater.rows):
        if row.delta is not None:
            p_values = [each.rows[place].p_value or 0 for each in greater.sets.values()]
            assert row.p_combined == min(1, 3 * min(p_values))
            assert row.lost is None
    assert "Bonferroni's method, as the sets depend on each other" in str(greater)


def test_a_set_that_is_given_twice_is_no_more_certain() -> None:
    twice = {"one": SETS["news"], "again": SETS["news"]}
    compared = compare_test_sets(twice, independent=False, **KEPT)
    independent = compare_test_sets(twice, **KEPT)
    degrees = len(SETS["news"][1]) - 1
    width = scipy.stats.t.ppf(0.975, degrees)
    rows: Any = compared.rows, compared.sets["one"].rows, independent.rows
    for macro, row, other in zip(*rows, strict=True):
        assert macro.high == pytest.approx(row.value + width * row.error)
        assert macro.high > other.high
        if row.delta is not None:
            assert macro.delta_high == pytest.approx(row.delta + width * row.delta_error)
            p_value = 2 * scipy.stats.t.sf(abs(row.delta) / row.delta_error, degrees)
            assert macro.p_value == pytest.approx(max(1 / 501, p_value))


def test_it_shows_a_column_per_set(compared: SetComparison) -> None:
    lines = str(compared).split("\n")
    assert lines[0].split() == [
        *("ROUGE-1", "news", "talk", "law_1", "mean", "diff", "p", "won"),
    ]
    assert re.fullmatch(
        r"B +0\.\d{4}\*? +0\.\d{4}\*? +0\.\d{4}\*? +0\.\d{4} \[0\.\d{4}, 0\.\d{4}\] +\+0\.\d{4} +"
        r"<0\.001 +[23]/3",
        lines[2],
    )
    assert re.search(
        r"^On average, B scores 0\.\d+ ROUGE-1 more than A on a scale of 0 to 1 \(95% interval "
        r"0\.\d+ to 0\.\d+, p < 0\.001, combined p < 0\.001\); it is better in at least [23] of 3 sets, and is worse in "
        r"at least 0\.$",
        str(compared),
        re.MULTILINE,
    )
    latex = compared.to_latex()
    assert r"& law\_1 & mean & $\Delta$ & $p$ & won \\" in latex
    assert re.search(r"& \$\+0\.\d{4}\$ & \$<0\.001\$ & [23]/3 \\\\", latex)
    assert r"| law\_1 |" in compared.to_markdown()
    assert compared._repr_html_().count("<table>") == 2
    assert list(compared.to_pandas()["system"]) == ["A", "B", "C"] * 2
    found = json.loads(json.dumps(compared.to_dict()))
    assert found["sets"]["talk"]["n_samples"] == 30
    assert found["rows"][1] == compared.rows[1]._asdict()


ONE = SETS["news"]


@pytest.mark.parametrize(
    ("sets", "keywords", "error", "message"),
    [
        (
            [ONE, ONE],
            {},
            TypeError,
            "test_sets is of type list; expected a mapping of two or more names to systems and "
            'references, such as {"news": (systems, references), ...}.',
        ),
        (
            {"a": ONE},
            {},
            ValueError,
            "test_sets has 1 set; expected a mapping of two or more names to systems and "
            'references, such as {"news": (systems, references), ...}.',
        ),
        (
            {"a": ONE, "b": ({"A": ONE[1], "D": ONE[1]}, ONE[1])},
            {},
            ValueError,
            "test_sets['b'] has the systems 'A', 'D', but test_sets['a'] has 'A', 'B', 'C'; "
            "expected the same.",
        ),
        (
            {"a": ONE, "b": (ONE[0], ONE[1][:3])},
            {},
            ValueError,
            "test_sets['b']: systems['A']: predictions has 20 samples, but references has 3; "
            "expected one item in references for every prediction.",
        ),
        (
            {"a": ONE, "b": ({"A": [ONE[1]] * 2, "B": [ONE[1]] * 2}, ONE[1])},
            {},
            ValueError,
            "test_sets['b'] has several runs of a system; expected one run of each.",
        ),
        (
            {"a": ONE, "b": ONE},
            {"clusters": {"a": [1] * 20}},
            ValueError,
            "clusters does not have the names of test_sets; expected a mapping of each of 'a', 'b' "
            "to its own.",
        ),
        (
            {"a": ONE, "b": ONE},
            {"convention": "sacrebleu"},
            ValueError,
            "convention is given, but several test sets have none; leave it out.",
        ),
        (
            {"a": ONE, "b": ONE},
            {"pairs": "all"},
            ValueError,
            "pairs is given, but several test sets have none; leave it out.",
        ),
    ],
)
def test_sets_that_do_not_fit_are_one_error(
    sets: Any, keywords: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        compare_test_sets(sets, **{**KEPT, **keywords})

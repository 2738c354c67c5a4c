"""The number of samples has about the power that was asked for; what is wrong is one error."""

import json
import math
import re
from pickle import dumps, loads
from typing import Any

import numpy as np
import pytest
import scipy.stats

from bleu_rouge_metric import SampleSize, Scorer, compare_systems, required_samples, rouge_scores
from bleu_rouge_metric.analysis.power.required_samples import read_pilot

GENERATOR = np.random.default_rng(0)
WORDS = [f"w{number}" for number in range(60)]
NUMBERS = {"A": GENERATOR.normal(size=50), "B": GENERATOR.normal(size=50)}
TEXTS = [" ".join(GENERATOR.choice(WORDS, GENERATOR.integers(6, 20))) for _ in range(2000)]


def corrupt(texts: list[str], share: float, seed: int) -> list[str]:
    """Replace a share of the words of each text, more in some texts than in others."""
    generator = np.random.default_rng(seed)
    changed = []
    for text in texts:
        words = np.array(text.split())
        is_wrong = generator.random(len(words)) < share * generator.uniform(0, 2)
        changed.append(" ".join(np.where(is_wrong, generator.choice(WORDS, len(words)), words)))
    return changed


SYSTEMS = {"A": corrupt(TEXTS, 0.30, 1), "B": corrupt(TEXTS, 0.26, 2)}


def take(indices: np.ndarray) -> dict[str, Any]:
    return {
        "systems": {name: [texts[i] for i in indices] for name, texts in SYSTEMS.items()},
        "references": [TEXTS[i] for i in indices],
    }


def find_power(n_samples: int, score: str, studies: int, **keywords: Any) -> float:
    """Return the share of studies of so many samples in which the real test finds B better."""
    found = 0
    for seed in range(studies):
        drawn = np.random.default_rng([n_samples, seed]).integers(0, len(TEXTS), n_samples)
        rows = compare_systems(**take(drawn), n_resamples=400, seed=seed, **keywords).rows
        row = next(row for row in rows if (row.system, row.score) == ("B", score))
        assert row.p_value is not None
        assert row.delta is not None
        found += row.p_value <= 0.05 and row.delta > 0
    return found / studies


@pytest.mark.parametrize(
    ("score", "keywords"),
    [("bleu", {"family": "bleu"}), ("rouge1", {"family": "rouge", "rouge_types": ["rouge1"]})],
)
@pytest.mark.parametrize("power", [0.5, 0.8])
def test_the_test_finds_the_difference_as_often_as_asked(
    score: str, keywords: dict[str, Any], power: float
) -> None:
    pilot = compare_systems(SYSTEMS, TEXTS, n_resamples=2, **keywords)
    deltas = [row.delta for row in pilot.rows if row.score == score]
    difference = next(delta for delta in deltas if delta is not None)
    size = required_samples(pilot, difference, power=power, score=score)
    # The standard error of the share is 0.05.
    assert find_power(size.n_samples, score, 80, **keywords) == pytest.approx(power, abs=0.15)


def test_normal_differences_need_what_the_textbook_says() -> None:
    values = scipy.stats.norm.ppf((np.arange(400) + 0.5) / 400)
    values /= values.std(ddof=1)
    size = required_samples({"A": np.zeros(400), "B": values}, 0.2, n_resamples=20_000)
    # The power of the paired t test, from the noncentral t distribution.
    for samples, power in size.curve:
        critical = scipy.stats.t.ppf(0.975, samples - 1)
        exact = scipy.stats.nct.sf(critical, samples - 1, 0.2 * math.sqrt(samples))
        # The standard error of the simulation is at most 0.0035.
        assert power == pytest.approx(exact, abs=0.015)
    expected = next(
        n
        for n in range(100, 400)
        if scipy.stats.nct.sf(scipy.stats.t.ppf(0.975, n - 1), n - 1, 0.2 * math.sqrt(n)) >= 0.8
    )
    assert size.n_samples == pytest.approx(expected, rel=0.02)


def test_fewer_samples_are_needed_for_a_one_sided_test_and_more_for_several() -> None:
    sizes = [
        required_samples(NUMBERS, 0.3, **keywords).n_samples
        for keywords in ({"alternative": "greater"}, {}, {"n_tests": 6}, {"confidence": 0.999})
    ]
    assert sizes == sorted(sizes)
    assert required_samples(NUMBERS, 0.15).n_samples == pytest.approx(4 * sizes[1], rel=0.05)


def test_a_large_difference_needs_as_many_samples_as_a_small_p() -> None:
    # With five samples, the smallest two-sided p of a randomization test is 2 / 32.
    assert required_samples(NUMBERS, 100).n_samples == 6
    assert required_samples(NUMBERS, 100, alternative="greater").n_samples == 5


def test_the_interval_holds_the_number_of_a_large_pilot() -> None:
    generator = np.random.default_rng(3)
    many = generator.gamma(1.0, size=(2, 5000))
    expected = required_samples({"A": many[0], "B": many[1]}, 0.3).n_samples
    held = 0
    for _ in range(40):
        a, b = generator.gamma(1.0, size=(2, 60))
        size = required_samples({"A": a, "B": b}, 0.3, n_resamples=200)
        held += size.low <= expected <= size.high
    # Percentiles of a variance with outliers are a little too narrow.
    assert held >= 32


def test_values_of_a_mean_are_the_differences_of_samples() -> None:
    systems = {"A": TEXTS[:30], "B": TEXTS[30:60]}
    pilot = read_pilot(
        systems,
        references=SYSTEMS["A"][:30],
        system=None,
        baseline=None,
        score="rouge1",
        clusters=None,
        family="rouge",
        options={"rouge_types": ["rouge1"]},
    )
    both = []
    for texts in systems.values():
        scores = rouge_scores(texts, SYSTEMS["A"][:30], rouge_types=["rouge1"])
        both.append(scores["rouge1"].fmeasure)
    np.testing.assert_allclose(pilot.values, both[1] - both[0], atol=1e-12)


def test_clusters_of_equal_samples_need_as_many_clusters_as_samples_alone() -> None:
    alone = required_samples(NUMBERS, 0.3)
    repeated = {name: np.repeat(values, 3) for name, values in NUMBERS.items()}
    size = required_samples(repeated, 0.3, clusters=np.repeat(np.arange(50), 3))
    assert size.n_clusters == alone.n_samples
    assert size.n_samples == 3 * alone.n_samples
    assert f"{size.n_samples:,} samples in {size.n_clusters:,} clusters (" in str(size)


def test_texts_scorers_and_comparisons_are_the_same_pilot() -> None:
    part = take(np.arange(40))
    keywords: dict[str, Any] = {"rouge_types": ["rouge1"]}
    scorers = {}
    for name, texts in part["systems"].items():
        scorers[name] = Scorer(**keywords)
        scorers[name].update(texts, part["references"])
    sizes = [
        required_samples(part["systems"], 0.02, references=part["references"], **keywords),
        required_samples(scorers, 0.02),
        required_samples(compare_systems(scorers, n_resamples=2), 0.02),
    ]
    assert sizes[0] == sizes[1] == sizes[2]
    assert (sizes[0].score, sizes[0].scale, sizes[0].system) == ("bleu", 1, "B")


def test_the_result_is_shown_and_converted() -> None:
    size = SampleSize(
        system="new",
        baseline="a|b",
        score="bleu",
        scale=100,
        difference=0.5,
        power=0.8,
        n_samples=1930,
        n_clusters=None,
        low=1200,
        high=2900,
        curve=((965, 0.5), (1930, 0.8)),
        confidence=0.95,
        level=0.025,
        alternative="two-sided",
        n_tests=2,
        pilot_samples=200,
        n_resamples=4000,
        seed=1,
    )
    sentence = (
        "To find a difference of 0.5 BLEU points between new and a|b with a power of 0.8, a test "
        "set needs about 1,930 samples (95% interval 1,200 to 2,900; two-sided test at the level "
        "0.025; estimated from a pilot of 200 samples)."
    )
    assert str(size) == sentence
    assert (
        size.report().to_text() == f"samples  power\n965       0.50\n1,930     0.80\n\n{sentence}"
    )
    assert size.to_markdown().splitlines()[2:] == [
        "| 965 | 0.50 |",
        "| 1,930 | 0.80 |",
        "",
        sentence.replace("|", r"\|"),
    ]
    assert "<td>1,930</td><td>0.80</td>" in size._repr_html_()
    assert json.loads(json.dumps(size.to_dict()))["curve"] == [[965, 0.5], [1930, 0.8]]
    assert size.to_pandas()["samples"].tolist() == [965, 1930]


@pytest.mark.parametrize(
    ("keywords", "kind", "message"),
    [
        (
            {"pilot": {"A": NUMBERS["A"][:19], "B": NUMBERS["B"][:19]}},
            ValueError,
            "pilot has 19 samples; expected at least 20 to estimate how much they differ.",
        ),
        (
            {"clusters": [number // 5 for number in range(50)]},
            ValueError,
            "pilot has 10 clusters; expected at least 20 to estimate how much they differ.",
        ),
        (
            {"pilot": {"A": NUMBERS["A"], "B": NUMBERS["A"]}},
            ValueError,
            "'B' and 'A' differ by the same score in all samples of pilot; expected systems whose "
            "differences vary.",
        ),
        (
            {"pilot": {"A": NUMBERS["A"]}},
            ValueError,
            "pilot has 1 system; expected at least 2 to compare.",
        ),
        (
            {"pilot": {**NUMBERS, "C": NUMBERS["A"]}},
            ValueError,
            "system is None; expected one of 'B', 'C'.",
        ),
        ({"system": "x"}, ValueError, "system is 'x'; expected one of 'B'."),
        ({"baseline": "x"}, ValueError, "baseline is 'x'; expected one of 'A', 'B'."),
        (
            {"pilot": {"A": ["a"] * 30, "B": ["b"] * 30}},
            TypeError,
            "pilot['A'] has texts, but references is missing; give it.",
        ),
        (
            {"pilot": {"A": "text", "B": "text"}},
            TypeError,
            "pilot['A'] is of type str; expected one number for each sample, or texts with "
            "references.",
        ),
        (
            {"pilot": {**NUMBERS, "B": [1.0]}},
            ValueError,
            "pilot['B'] has 1 numbers, but there are 50 samples; expected one number for each.",
        ),
        (
            {"difference": 0},
            ValueError,
            "difference is 0; expected a number above 0, in the units of the score.",
        ),
        (
            {"difference": -0.5},
            ValueError,
            "difference is -0.5; expected a number above 0, in the units of the score.",
        ),
        (
            {"difference": "0.5"},
            TypeError,
            "difference is '0.5'; expected a number above 0, in the units of the score.",
        ),
        (
            {"difference": 1e-6},
            ValueError,
            "difference is 1e-06, which needs more than 1,000,000,000 samples; expected a larger "
            "difference.",
        ),
        (
            {"power": 1},
            ValueError,
            "power is 1; expected a number above 0 and below 1, such as 0.8.",
        ),
        (
            {"alternative": "less"},
            ValueError,
            "Unknown alternative 'less'; expected one of 'two-sided', 'greater'.",
        ),
        (
            {"n_tests": 0},
            ValueError,
            "n_tests is 0; expected an int from 1 to 1,000,000.",
        ),
        (
            {"pilot": [1, 2]},
            TypeError,
            "systems is of type list; expected a mapping of names to predictions, such as "
            '{"A": [...], "B": [...]}.',
        ),
    ],
)
def test_a_wrong_argument_is_one_error(
    keywords: dict[str, Any], kind: type[Exception], message: str
) -> None:
    keywords = {"pilot": NUMBERS, "difference": 0.3, "n_resamples": 50, **keywords}
    with pytest.raises(kind, match=f"^{re.escape(message)}$"):
        required_samples(**keywords)


def test_runs_rankings_and_differences_that_only_rounding_varies_are_errors() -> None:
    runs = {name: [texts[:30], texts[30:60]] for name, texts in SYSTEMS.items()}
    comparison = compare_systems(runs, TEXTS[:30], n_resamples=2)
    message = (
        "pilot has several runs of each system, and more samples do not make them agree; give one "
        "run of each."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        required_samples(comparison, 0.01)
    ranking: Any = compare_systems(**take(np.arange(30)), pairs="all", n_resamples=2)
    message = (
        "pilot is a ranking of all pairs; give the comparison of two systems, which "
        "compare_systems returns without pairs."
    )
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        required_samples(ranking, 0.01)
    # 0.1 is added to numbers of several sizes, so that the differences vary in their last digits.
    numbers = np.linspace(0.1, 0.9, 40)
    assert np.ptp((numbers + 0.1) - numbers) > 0
    message = "^'B' and 'A' differ by the same score in all samples of pilot; "
    with pytest.raises(ValueError, match=message):
        required_samples({"A": numbers, "B": numbers + 0.1}, 0.1)


def test_a_comparison_has_its_own_options_and_needs_counts() -> None:
    pilot = compare_systems(**take(np.arange(30)), n_resamples=2)
    message = (
        "pilot is a comparison, which has references, a baseline and options; give them to "
        "compare_systems."
    )
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        required_samples(pilot, 0.1, profile="nltk")
    message = "score is 'x'; expected one of 'bleu', 'rouge1', 'rouge2', 'rougeL', 'rougeLsum'."
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        required_samples(pilot, 0.1, score="x")
    message = "difference is 5, but bleu is from 0 to 1; expected a smaller difference."
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        required_samples(pilot, 5)
    message = (
        "The comparison has no counts, because it is a copy or comes from a pickle; give the one "
        "that compare_systems has returned."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        required_samples(loads(dumps(pilot)), 0.1)

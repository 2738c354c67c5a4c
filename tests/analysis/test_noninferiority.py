"""Non-inferiority, and Student's t with standard errors of the bootstrap."""

import json
import re
from typing import Any

import numpy as np
import pytest
import scipy.stats

from bleu_rouge_metric import SystemComparison, SystemScore, compare_systems
from bleu_rouge_metric.resampling.pair_tests import SMALLEST_T

from .test_significance import QUICK, REFERENCES, SYSTEMS

TEXTS = ["a"] * 40


def _compare(numbers: np.ndarray, **keywords: Any) -> SystemScore:
    """Compare two systems by numbers of samples, shape (2, samples)."""
    texts = TEXTS[: numbers.shape[1]]
    chosen: dict[str, Any] = {"profile": "google_bleu", "n_resamples": 2_000, **keywords}
    return compare_systems(
        {"A": texts, "B": texts},
        texts,
        pairs=None,
        scores={"x": {"A": numbers[0], "B": numbers[1]}},
        **chosen,
    ).rows[-1]


@pytest.mark.parametrize("seed", range(4))
def test_it_comes_near_the_paired_t_test_of_scipy(seed: int) -> None:
    numbers = np.random.default_rng(seed).normal(size=(2, 40))
    baseline, system = numbers
    for alternative in ("two-sided", "greater"):
        found = _compare(numbers, test="bootstrap_t", alternative=alternative)
        expected = scipy.stats.ttest_rel(system, baseline, alternative=alternative).pvalue
        # The standard error comes from 2,000 resamples, which is within 4% of the exact one.
        assert found.p_value == pytest.approx(expected, abs=0.02)
    margin = 0.3
    found = _compare(numbers, alternative="noninferior", margin=margin)
    expected = scipy.stats.ttest_rel(system + margin, baseline, alternative="greater").pvalue
    assert found.p_value == pytest.approx(expected, abs=0.02)
    # A lower score is better: the system may be larger by the margin.
    found = _compare(-numbers, alternative="noninferior", margin=margin, lower_is_better=["x"])
    assert found.p_value == pytest.approx(expected, abs=0.02)


def test_p_and_the_interval_agree() -> None:
    numbers = np.random.default_rng(7).normal(size=(2, 40))
    numbers[1] -= 0.5
    # The two-sided interval of 80% ends where the one-sided test has 0.1.
    edge = _compare(numbers, confidence=0.8, test="bootstrap_t").delta_low
    assert edge is not None
    at_edge = _compare(numbers, alternative="noninferior", margin=-edge)
    assert at_edge.p_value == pytest.approx(0.1, abs=1e-9)


def test_a_system_that_is_worse_by_the_margin_passes_in_one_of_twenty() -> None:
    # And one that is equal passes in 8 of 10 with the margin that is said to be detectable.
    generator = np.random.default_rng(1)
    passed, shown = 0, 0
    detectable = np.mean(
        [
            _compare(
                generator.normal(size=(2, 30)), alternative="noninferior", margin=0, n_resamples=200
            ).detectable
            for _ in range(20)
        ]
    )
    for seed in range(200):
        numbers = generator.normal(size=(2, 30))
        chosen: dict[str, Any] = {"alternative": "noninferior", "n_resamples": 200, "seed": seed}
        equal = _compare(numbers, margin=float(detectable), **chosen)
        shown += equal.p_value <= 0.05  # type: ignore[operator]
        numbers[1] -= 0.5
        passed += _compare(numbers, margin=0.5, **chosen).p_value <= 0.05  # type: ignore[operator]
    # 99.9% of the values of binomials of 200 with 0.05 and with 0.8.
    assert 2 <= passed <= 21
    assert 140 <= shown <= 178


def test_systems_that_do_not_differ_at_all() -> None:
    numbers = np.zeros((2, 40))
    same = _compare(numbers, alternative="noninferior", margin=0.1)
    assert same.p_value == SMALLEST_T
    assert _compare(numbers, alternative="noninferior", margin=0).p_value == 1
    assert _compare(numbers, test="bootstrap_t").p_value == 1


def test_the_sentences_name_the_margin() -> None:
    comparison = compare_systems(
        {name: SYSTEMS[name] for name in "ABC"},
        REFERENCES,
        alternative="noninferior",
        margin=0.05,
        correction="holm",
        family="rouge",
        rouge_types=["rouge1"],
    )
    assert comparison.sentences() == [
        "B scores 0.085 ROUGE-1 more than A on a scale of 0 to 1 (uncorrected 95% interval 0.022 "
        "to 0.148, corrected p < 0.001): not worse by more than 0.05 (one-sided test).",
        "C scores 0.10 ROUGE-1 less than A on a scale of 0 to 1 (uncorrected 95% interval 0.04 to "
        "0.17, corrected p = 0.952): it may be worse by more than 0.05 (one-sided test). For a "
        "system that is as good, the smallest margin that is shown with a power of 0.8 is 0.090.",
    ]
    assert (
        "Test against A: Student's t with standard errors of the bootstrap, 1,000 resamples, seed "
        "12345, one-sided (is the system worse by less than the margin?), p corrected with Holm's "
        "method over 2 tests." in str(comparison)
    )


@pytest.mark.parametrize("margin", [0.5, {"rouge1": 0.25, "x:y": 2}])
def test_the_signature_reads_back(margin: Any) -> None:
    scores = {"x:y": {name: list(range(30)) for name in SYSTEMS}}
    chosen: dict[str, Any] = {"family": "rouge", "rouge_types": ["rouge1"], "scores": scores}
    comparison = compare_systems(
        SYSTEMS, REFERENCES, pairs=None, alternative="noninferior", margin=margin, **chosen
    )
    keywords = SystemComparison.read_signature(comparison.signature())
    assert keywords["margin"] == margin
    assert compare_systems(SYSTEMS, REFERENCES, scores=scores, **keywords) == comparison
    margins = [row.margin for row in comparison.rows]
    first, second = (0.5, 0.5) if margin == 0.5 else (0.25, 2)
    assert margins == [None, first, first, None, second, second]
    assert json.loads(json.dumps(comparison.to_dict()))["margin"] == margin


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        (
            {"alternative": "noninferior"},
            ValueError,
            "margin is None, but alternative is 'noninferior'; expected a margin for alternative "
            "'noninferior', and none for the others.",
        ),
        (
            {"margin": 0.1},
            ValueError,
            "margin is 0.1, but alternative is 'two-sided'; expected a margin for alternative "
            "'noninferior', and none for the others.",
        ),
        (
            {"alternative": "noninferior", "margin": -0.1},
            ValueError,
            "margin is -0.1; expected a finite number of 0 or more: by how much a score may be "
            "worse.",
        ),
        (
            {"alternative": "noninferior", "margin": {"rouge1": "0.1"}},
            TypeError,
            "margin['rouge1'] is '0.1'; expected a finite number of 0 or more: by how much a score "
            "may be worse.",
        ),
        (
            {"alternative": "noninferior", "margin": {"bleu": 0.1}},
            ValueError,
            "margin has no score 'rouge1'; expected a number for each of 'rouge1'.",
        ),
        (
            {"alternative": "noninferior", "margin": {"rouge1": 0.1, "bleu": 0.1}},
            ValueError,
            "margin has the score 'bleu'; expected a number for each of 'rouge1'.",
        ),
        (
            {"alternative": "noninferior", "margin": 2},
            ValueError,
            "margin is 2.0, but rouge1 is from 0 to 1; expected a smaller margin.",
        ),
        (
            {"test": "bootstrap_t", "convention": "sacrebleu"},
            ValueError,
            "test is 'bootstrap_t', but sacrebleu supports only 'approximate_randomization' and "
            "'bootstrap'; leave it out, or leave the convention out.",
        ),
        (
            {"alternative": "noninferior", "margin": 0.1, "test": "bootstrap"},
            ValueError,
            "test is 'bootstrap', but alternative='noninferior' is tested by 'bootstrap_t' only; "
            "leave it out.",
        ),
    ],
)
def test_a_margin_that_does_not_fit_is_one_error(
    keywords: dict[str, Any], error: type[Exception], message: str
) -> None:
    chosen = {"family": "rouge", "rouge_types": ["rouge1"], **QUICK, **keywords}
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        compare_systems(SYSTEMS, REFERENCES, **chosen)

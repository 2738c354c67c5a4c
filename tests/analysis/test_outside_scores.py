"""Scores that are functions of sums are resampled exactly; a lower score can be the better one."""

import re
from typing import Any

import numpy as np
import pytest
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from bleu_rouge_metric import SummedScore, SystemScore, compare_systems
from bleu_rouge_metric.analysis.systems import check_outside_scores

from .test_significance import QUICK, REFERENCES, SYSTEMS

PAIR = {name: SYSTEMS[name] for name in "AC"}


def _divide(sums: np.ndarray) -> Any:
    return sums[:, 0] / sums[:, 1]


def _summed(columns: Any, score: Any = _divide, **keywords: Any) -> list[SystemScore]:
    """The rows of a summed score."""
    chosen: dict[str, Any] = {"family": "rouge", "rouge_types": ["rouge1"], **QUICK, **keywords}
    comparison = compare_systems(
        PAIR, REFERENCES, pairs=None, scores={"x": SummedScore(columns, score)}, **chosen
    )
    return [row for row in comparison.rows if row.score == "x"]


def _count_with(metric: Any) -> dict[str, Any]:
    """The statistics that sacrebleu sums, by system."""
    return {
        name: metric._extract_corpus_statistics(texts, [REFERENCES]) for name, texts in PAIR.items()
    }


METRICS: dict[str, Any] = {"chrF": CHRF(), "chrF++": CHRF(word_order=2), "TER": TER()}


@pytest.mark.parametrize("name", METRICS)
def test_scores_of_sacrebleu_are_those_of_its_corpus(name: str) -> None:
    metric = METRICS[name]

    def score(sums: np.ndarray) -> np.ndarray:
        return np.array([metric._compute_score_from_stats(row.tolist()).score for row in sums])

    rows = _summed(_count_with(metric), score, n_resamples=50)
    for row, texts in zip(rows, PAIR.values(), strict=True):
        assert row.value == metric.corpus_score(texts, [REFERENCES]).score
        assert row.low is not None
        assert row.high is not None
        assert row.low <= row.value <= row.high


def test_swaps_of_sums_by_hand() -> None:
    generator = np.random.default_rng(1)
    edits, words = generator.integers(0, 9, (2, 8)), generator.integers(5, 20, 8)
    columns = {name: np.stack([row, words], axis=1) for name, row in zip("AC", edits, strict=True)}
    eight = {name: texts[:8] for name, texts in PAIR.items()}
    comparison = compare_systems(
        eight, REFERENCES[:8], scores={"ter": SummedScore(columns, _divide)}, family="rouge"
    )
    row = next(row for row in comparison.rows if (row.score, row.system) == ("ter", "C"))
    observed = edits[1].sum() / words.sum() - edits[0].sum() / words.sum()
    assert row.delta == observed
    hits = 0
    for number in range(256):
        swaps = (number >> np.arange(8)) & 1
        ours = np.where(swaps, edits[0], edits[1]).sum() / words.sum()
        theirs = np.where(swaps, edits[1], edits[0]).sum() / words.sum()
        hits += abs(ours - theirs) >= abs(observed) - 1e-12
    assert row.p_value == hits / 256
    differences = edits[1] / words - edits[0] / words
    assert (row.wins, row.losses) == (np.sum(differences > 0), np.sum(differences < 0))


def test_columns_of_floats_are_resampled_as_their_mean() -> None:
    numbers = np.random.default_rng(2).normal(size=(2, 30)) * 1e3
    columns = {
        name: np.stack([row, np.ones(30)], axis=1) for name, row in zip("AC", numbers, strict=True)
    }
    clusters = [place // 2 for place in range(30)]
    for keywords in ({}, {"clusters": clusters}):
        rows = _summed(columns, **keywords)
        comparison = compare_systems(
            PAIR,
            REFERENCES,
            scores={"y": dict(zip("AC", numbers, strict=True))},
            family="rouge",
            **{**QUICK, **keywords},
        )
        means = [row for row in comparison.rows if row.score == "y"]
        for row, mean in zip(rows, means, strict=True):
            assert row[2:5] == pytest.approx(mean[2:5], rel=1e-12)
            assert row.p_value == mean.p_value


def test_lower_is_better_turns_the_one_sided_test_and_the_ranking() -> None:
    numbers = np.random.default_rng(3).normal(size=(2, 30))
    numbers[1] -= 0.4
    scores = {"loss": dict(zip("AC", numbers, strict=True))}
    gains = {"gain": dict(zip("AC", -numbers, strict=True))}
    chosen: dict[str, Any] = {"family": "rouge", "rouge_types": ["rouge1"], **QUICK}
    for alternative in ("two-sided", "greater"):
        loss, gain = (
            compare_systems(
                PAIR, REFERENCES, pairs=None, alternative=alternative, **given, **chosen
            ).rows[-1]
            for given in ({"scores": scores, "lower_is_better": ["loss"]}, {"scores": gains})
        )
        assert (loss.p_value, loss.wins, loss.losses) == (gain.p_value, gain.wins, gain.losses)
        assert loss.delta == -gain.delta  # type: ignore[operator]
    ranking = compare_systems(
        PAIR,
        REFERENCES,
        pairs="all",
        scores=scores,
        lower_is_better=["loss"],
        family="rouge",
        rouge_types=["rouge1"],
    )
    assert [row.system for row in ranking.rows] == ["A", "C", "C", "A"]


def test_groups_have_the_sums_of_their_samples() -> None:
    counts = _count_with(TER())
    groups = ["a"] * 10 + ["b"] * 20
    comparison = compare_systems(
        PAIR, REFERENCES, groups=groups, scores={"ter": SummedScore(counts, _divide)}, **QUICK
    )
    row = comparison.groups["a"].rows[-2]
    edits, words = np.array(counts["A"])[:10].sum(axis=0)
    assert (row.score, row.value) == ("ter", edits / words)


COLUMNS: dict[str, Any] = {"A": [[1, 2]] * 2, "B": [[1, 2]] * 2}
CASES: dict[str, tuple[Any, Any, type[Exception], str]] = {
    "no function": (
        SummedScore(COLUMNS, None),  # type: ignore[arg-type]
        (),
        TypeError,
        "scores['x'].score is of type NoneType; expected a callable from sums, shape (rows, "
        "columns), to one score per row.",
    ),
    "one number": (
        SummedScore(COLUMNS, lambda _: 1.0),
        (),
        ValueError,
        "scores['x'].score returns an array of shape () for 2 rows of sums; expected one score per "
        "row, shape (2,).",
    ),
    "not finite": (
        SummedScore({**COLUMNS, "B": [[1, 2], [0, 0]]}, _divide),
        (),
        ValueError,
        "scores['x'].score returns nan for the sums [0.0, 0.0]; expected a finite number for every "
        "sample, such as 0 for one without words.",
    ),
    "rows": (
        SummedScore({**COLUMNS, "B": [[1, 2]]}, _divide),
        (),
        ValueError,
        "scores['x']['B'] has 1 rows, but there are 2 samples; expected one row for each.",
    ),
    "width": (
        SummedScore({**COLUMNS, "B": [[1, 2], [1]]}, _divide),
        (),
        ValueError,
        "scores['x']['B'][1] has 1 numbers; expected 2, as in the rows before.",
    ),
    "no rows": (
        SummedScore({**COLUMNS, "B": [1, 2]}, _divide),
        (),
        TypeError,
        "scores['x']['B'][0] is of type int; expected numbers.",
    ),
    "text": (
        SummedScore({**COLUMNS, "B": [[1, 2], [1, "2"]]}, _divide),
        (),
        TypeError,
        "scores['x']['B'][1][1] is '2'; expected a number.",
    ),
    "unknown name": (
        {"A": [1, 2], "B": [1, 2]},
        ["bleu"],
        ValueError,
        "lower_is_better has 'bleu'; expected one of 'x'.",
    ),
    "a str": (
        {"A": [1, 2], "B": [1, 2]},
        "x",
        TypeError,
        "lower_is_better is 'x'; expected the names of some scores of scores=, such as ['ter'].",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_does_not_fit_is_one_error(case: str) -> None:
    score, lower, error, message = CASES[case]
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        check_outside_scores({"x": score}, ["A", "B"], 2, lower)


def test_a_name_without_scores_is_an_error() -> None:
    message = (
        "^lower_is_better is given, but scores is not; give the scores of other metrics, or leave "
        "it out.$"
    )
    with pytest.raises(ValueError, match=message):
        compare_systems(PAIR, REFERENCES, lower_is_better=["ter"])

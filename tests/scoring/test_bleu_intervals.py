"""Intervals of BLEU: percentiles of the BLEU of resampled samples, for every profile."""

from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import Scorer, compare_systems
from bleu_rouge_metric.families.counts import select_counts
from bleu_rouge_metric.resampling.student import widen_tail

from .test_scorer import PREDICTIONS, REFERENCES, fill

SEED, RESAMPLES = 7, 60

# The name of the score, and options.
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "hf": ("bleu", {}),
    "sacrebleu": ("score", {"profile": "sacrebleu"}),
    "sacrebleu's floor": ("score", {"profile": "sacrebleu", "smooth": "floor", "lowercase": True}),
    "nltk": ("bleu", {"profile": "nltk", "weights": (0.5, 0.25, 0.25)}),
    "method 4": ("bleu", {"profile": "nltk", "smooth": "method4"}),
    "method 5": ("bleu", {"profile": "nltk", "smooth": "method5-corrected"}),
    "method 7": ("bleu", {"profile": "nltk", "smooth": "method7-corrected"}),
    "reweighed": ("bleu", {"profile": "nltk", "auto_reweigh": True, "smooth": "method1"}),
    "google": ("google_bleu", {"profile": "google_bleu"}),
    "google's longer n-grams": ("google_bleu", {"profile": "google_bleu", "min_order": 2}),
}


def resample(scorer: Scorer, name: str, samples: int) -> list[float]:
    """The scores of the samples that each resample draws, one after the other."""
    counts, scores = scorer.counts(), []
    generator = np.random.default_rng([SEED, 1])
    for _ in range(RESAMPLES):
        drawn = Scorer.from_options(scorer.options, scorer.families)
        drawn.update_counts(select_counts(counts, generator.integers(0, samples, samples)))
        scores.append(drawn.result()[name])
    return scores


@pytest.mark.parametrize("confidence", [0.95, 0.5])
@pytest.mark.parametrize(("name", "options"), CASES.values(), ids=CASES)
def test_bounds_are_percentiles_of_scores_of_resamples(
    name: str, options: dict[str, Any], confidence: float
) -> None:
    scorer = fill(Scorer("bleu", **options, seed=SEED, n_resamples=RESAMPLES), [5, 30])
    cut = 100 * widen_tail((1 - confidence) / 2, len(PREDICTIONS))
    assert cut < 50 * (1 - confidence)
    resampled = resample(fill(Scorer("bleu", **options), []), name, len(PREDICTIONS))
    assert len(set(resampled)) > RESAMPLES / 2
    low, high = np.percentile(resampled, [cut, 100 - cut]).tolist()
    plain = fill(Scorer("bleu", **options), []).result()
    scores = scorer.result(confidence=confidence)
    assert scores == {**plain, f"{name}_low": low, f"{name}_high": high}
    assert list(scores)[:3] == [name, f"{name}_low", f"{name}_high"]


def test_the_mean_length_of_references_has_an_interval() -> None:
    options: dict[str, Any] = {"reference_length": "average"}
    resampled = resample(fill(Scorer("bleu", **options), []), "bleu", len(PREDICTIONS))
    scorer = fill(Scorer("bleu", **options, seed=SEED, n_resamples=RESAMPLES), [])
    scores: dict[str, Any] = scorer.result(confidence=0.9)
    # A mean is no integer: it is summed in parts of a token, 2 ** -20.
    cut = 100 * widen_tail(0.05, len(PREDICTIONS))
    expected = np.percentile(resampled, [cut, 100 - cut]).tolist()
    assert [scores["bleu_low"], scores["bleu_high"]] == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("profile", ["hf", "sacrebleu", "nltk", "google_bleu", "codexglue"])
def test_they_are_those_of_compare_systems(profile: Any) -> None:
    rows = compare_systems(
        {"a": PREDICTIONS, "b": PREDICTIONS[::-1]},
        REFERENCES,
        profile=profile,
        seed=SEED,
        n_resamples=RESAMPLES,
        confidence=0.8,
        test="bootstrap",
    ).rows
    row = next(row for row in rows if row.system == "a" and not row.score.startswith("rouge"))
    scorer = fill(Scorer("bleu", profile=profile, seed=SEED), [])
    scores = scorer.result(confidence=0.8, n_resamples=RESAMPLES)
    assert list(scores.values())[:3] == [row.value, row.low, row.high]


def test_rouge_keeps_its_own() -> None:
    options: dict[str, Any] = {"confidence": 0.9, "n_resamples": 20, "seed": 4}
    both = fill(Scorer(**options, sentence_bleu=True), []).result()
    # Single samples have no interval.
    assert "sentence_bleu_low" not in both
    assert len(both.pop("sentence_bleu")) == len(PREDICTIONS)
    bleu, rouge = (fill(Scorer(family, **options), []).result() for family in ("bleu", "rouge"))
    assert both == {**bleu, **rouge}
    assert list(both) == [*bleu, *rouge]

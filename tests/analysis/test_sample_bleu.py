"""Wins, ties, losses and effect sizes of BLEU come from sacrebleu's smoothed sentence score."""

from typing import Any

import numpy as np
import pytest
import sacrebleu

from bleu_rouge_metric import compare_systems

from ..support.bleu_references import plain_sums

WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "in", "mat", "house", "green", "old"]


def _write(seed: int, samples: int = 80) -> list[str]:
    """Texts of 2 to 9 words, few of which share four words in a row with each other."""
    generator = np.random.default_rng(seed)
    return [" ".join(generator.choice(WORDS, generator.integers(2, 10))) for _ in range(samples)]


REFERENCES, FIRST, SECOND = map(_write, range(3))
OPTIONS: list[dict[str, Any]] = [
    {},
    {"smooth": True},
    {"profile": "nltk"},
    {"profile": "nltk", "smooth": "method5-corrected"},
    {"profile": "nltk", "auto_reweigh": True},
    {"profile": "sacrebleu"},
    {"profile": "sacrebleu", "smooth": "floor", "smooth_value": 0.5},
    {"profile": "sacrebleu", "effective_order": False},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_samples_are_compared_by_the_sentence_score_of_sacrebleu(options: dict[str, Any]) -> None:
    with plain_sums():
        differences = np.array(
            [
                sacrebleu.sentence_bleu(ours, [reference]).score
                - sacrebleu.sentence_bleu(theirs, [reference]).score
                for ours, theirs, reference in zip(SECOND, FIRST, REFERENCES, strict=True)
            ]
        )
    ties = int(np.count_nonzero(differences == 0))
    # Without smoothing nearly all scores are 0.
    assert ties < 10
    _, row = compare_systems(
        {"A": FIRST, "B": SECOND}, REFERENCES, family="bleu", n_resamples=10, **options
    ).rows
    assert (row.score, row.ties) == ("bleu", ties)
    assert row.wins == np.count_nonzero(differences > 0)
    assert row.losses == np.count_nonzero(differences < 0)
    expected = differences.mean() / differences.std(ddof=1)
    assert row.effect_size == pytest.approx(expected, rel=1e-12)

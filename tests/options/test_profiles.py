"""Profiles: their families, and the keys of their results."""

from dataclasses import FrozenInstanceError
from typing import Any

import evaluate
import pytest

from bleu_rouge_metric.options.profiles import PROFILES

from ..integrations.test_metric import BLEU_KEYS, ROUGE_KEYS
from ..support.commands import ONE_REFERENCE

PREDICTIONS = ["the cat sat on the mat"]
REFERENCES = [["the cat lay on the mat", "a cat sat there"]]


def choose_references(profile: str) -> list[Any]:
    """Return what a profile can score; some compare with one reference."""
    return [texts[0] for texts in REFERENCES] if profile in ONE_REFERENCE else REFERENCES


KEYS = {
    "hf": [*BLEU_KEYS, *ROUGE_KEYS],
    "rouge_score": ROUGE_KEYS,
    "sacrebleu": ["score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len"],
    "nltk": BLEU_KEYS,
    "google_bleu": ["google_bleu"],
    "coco": ["Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4", "ROUGE_L"],
    "codexglue": ["bleu", "precisions"],
    "rouge": ["rouge-1", "rouge-2", "rouge-l"],
    "rouge-chinese": ["rouge-1", "rouge-2", "rouge-l"],
    "xlsum": ROUGE_KEYS,
    "rouge-1.5.5": ["rouge1", "rouge2", "rougeL", "rougeSU4"],
    "lin2004": ROUGE_KEYS,
}


@pytest.mark.parametrize("profile", PROFILES)
def test_a_profile_returns_the_keys_of_its_reference(metric: evaluate.Metric, profile: str) -> None:
    references = choose_references(profile)
    scores = metric.compute(predictions=PREDICTIONS, references=references, profile=profile)
    assert list(scores) == KEYS[profile]
    if profile in ("rouge-1.5.5", "lin2004"):
        assert {tuple(score) for score in scores.values()} == {("precision", "recall", "fmeasure")}
    # Every scorer of the process uses the same one.
    with pytest.raises(FrozenInstanceError):
        PROFILES[profile].presets = {}  # type: ignore[misc]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("family", ["bleu", "rouge"])
def test_a_configuration_and_a_profile_must_have_a_family_in_common(
    profile: str, family: str, request: pytest.FixtureRequest
) -> None:
    metric = request.getfixturevalue(family)
    if family in PROFILES[profile].families:
        references = choose_references(profile)
        assert metric.compute(predictions=PREDICTIONS, references=references, profile=profile)
        return
    with pytest.raises(ValueError, match=f"^profile '{profile}' has no {family.upper()}"):
        metric.compute(predictions=PREDICTIONS, references=REFERENCES, profile=profile)

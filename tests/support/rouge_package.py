"""Scores of one pair of texts under the profiles ``rouge`` and ``rouge-chinese``."""

from typing import Any

from bleu_rouge_metric import load

# The module of each profile's package.
PROFILES = {"rouge": "rouge", "rouge-chinese": "rouge_chinese"}


def compute(prediction: str, reference: str, profile: str = "rouge", **options: Any) -> Any:
    """Return the scores of one pair of texts."""
    metric = load()
    return metric.compute(
        predictions=[prediction], references=[reference], profile=profile, **options
    )


def score(prediction: str, reference: str, name: str, **options: Any) -> list[float]:
    """Return recall, precision and F-measure."""
    return [*compute(prediction, reference, rouge_types=[name], **options)[name].values()]

"""Captions with references for tests of ``coco``."""

from typing import Any

from bleu_rouge_metric import load

BLEU = ("Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4")
PREDICTIONS = [
    "a man rides a horse",
    "two dogs  play on the beach",
    "",
    "a plate of food",
    "The cat",
    "people walk in the rain with umbrellas today",
]
REFERENCES = [
    ["a man rides a brown horse", "a person on a horse"],
    ["two dogs play on a beach", "dogs on the beach", "two brown dogs are playing"],
    [""],
    ["a plate of food on a table"],
    ["a kitten sleeps"],
    ["people walk in the rain", "people with umbrellas walk in the rain"],
]
TEXTS: Any = {"predictions": PREDICTIONS, "references": REFERENCES, "profile": "coco"}


def compute(**options: Any) -> dict[str, Any]:
    metric: Any = load()
    scores: dict[str, Any] = metric.compute(**{**TEXTS, **options})
    return scores

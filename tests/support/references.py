"""Call the reference libraries of ROUGE, and our profiles of them, with our types of arguments."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
from rouge_score.rouge_scorer import RougeScorer
from rouge_score.scoring import BootstrapAggregator

from bleu_rouge_metric import load


def rouge_score_of_each(
    predictions: list[str],
    references: list[list[str]],
    rouge_types: list[str],
    *,
    use_stemmer: bool = False,
    tokenize: Callable[[str], list[str]] | None = None,
) -> dict[str, list[tuple[float, float, float]]]:
    """Return precision, recall and F-measure of every sample from ``rouge_score``."""
    tokenizer = None if tokenize is None else SimpleNamespace(tokenize=tokenize)
    scorer = RougeScorer(rouge_types, use_stemmer=use_stemmer, tokenizer=tokenizer)
    scores = [
        scorer.score_multi(sample, prediction)
        for prediction, sample in zip(predictions, references, strict=True)
    ]
    return {name: [tuple(score[name]) for score in scores] for name in rouge_types}


def evaluate_rouge(
    predictions: list[str],
    references: list[list[str]],
    rouge_types: list[str],
    seed: int,
    *,
    n_resamples: int = 1000,
) -> dict[str, float]:
    """Return the scores of evaluate's ``rouge`` after ``evaluate.load(..., seed=seed)``."""
    scorer = RougeScorer(rouge_types)
    aggregator = BootstrapAggregator(n_samples=n_resamples)
    for prediction, sample in zip(predictions, references, strict=True):
        aggregator.add_scores(scorer.score_multi(sample, prediction))
    state = np.random.get_state()  # noqa: NPY002 - the global stream is what evaluate seeds
    np.random.seed(seed)  # noqa: NPY002
    try:
        return {name: float(score.mid.fmeasure) for name, score in aggregator.aggregate().items()}
    finally:
        np.random.set_state(state)  # noqa: NPY002


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

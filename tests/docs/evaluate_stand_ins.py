"""Stands in for metrics that ``evaluate.load`` would download: what their scripts call."""

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import evaluate
from nltk.translate.gleu_score import corpus_gleu
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from ..support.references import evaluate_rouge, rouge_score_of_each
from ..support.textbook import evaluate_bleu

ROUGE_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")


def tokenize_13a(text: str) -> list[str]:
    """As evaluate's own copy of this tokenizer does."""
    make: Callable[[], Callable[[str], str]] = Tokenizer13a
    return make()(text).split()


def _to_lists(references: list[Any]) -> list[list[str]]:
    return [[texts] if isinstance(texts, str) else list(texts) for texts in references]


def bleu(
    predictions: list[str],
    references: list[Any],
    tokenizer: Callable[[str], list[str]] = tokenize_13a,
    max_order: int = 4,
    *,
    smooth: bool = False,
) -> dict[str, Any]:
    return evaluate_bleu(
        [tokenizer(text) for text in predictions],
        [[tokenizer(text) for text in texts] for texts in _to_lists(references)],
        max_order,
        smooth=smooth,
    )


def google_bleu(
    predictions: list[str], references: list[Any], min_len: int = 1, max_len: int = 4
) -> dict[str, Any]:
    tokens = [[tokenize_13a(text) for text in texts] for texts in _to_lists(references)]
    score = corpus_gleu(tokens, [tokenize_13a(text) for text in predictions], min_len, max_len)
    return {"google_bleu": score}


def sacrebleu(
    predictions: list[str],
    references: list[Any],
    *,
    use_effective_order: bool = False,
    **options: Any,
) -> dict[str, Any]:
    metric = BLEU(effective_order=use_effective_order, **options)
    streams = [list(stream) for stream in zip(*_to_lists(references), strict=True)]
    return {"score": metric.corpus_score(predictions, streams).score}


def rouge(
    predictions: list[str],
    references: list[Any],
    rouge_types: tuple[str, ...] = ROUGE_TYPES,
    *,
    seed: int | None,
    use_aggregator: bool = True,
    use_stemmer: bool = False,
) -> dict[str, Any]:
    names, samples = list(rouge_types), _to_lists(references)
    if use_aggregator:
        assert seed is not None, "its number changes from run to run without a seed"
        return evaluate_rouge(predictions, samples, names, seed)
    scores = rouge_score_of_each(predictions, samples, names, use_stemmer=use_stemmer)
    return {name: [fmeasure for *_, fmeasure in scores[name]] for name in names}


def load(path: str, config_name: str | None = None, *, seed: int | None = None) -> Any:
    """As ``evaluate.load``, with the metrics of this module by name."""
    known: dict[str, Callable[..., Any]] = {
        "bleu": bleu,
        "google_bleu": google_bleu,
        "sacrebleu": sacrebleu,
        "rouge": partial(rouge, seed=seed),
    }
    if path in known:
        return SimpleNamespace(compute=known[path])
    return evaluate.load(path, config_name, seed=seed)

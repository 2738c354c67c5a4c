"""BLEU of this package, of sacrebleu and of NLTK for the same texts."""

import math
import warnings
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from nltk.translate import bleu_score as nltk_bleu
from sacrebleu.metrics.bleu import BLEU

from bleu_rouge_metric.counting.kernels import count_bleu
from bleu_rouge_metric.families.bleu.formula import score_sentences
from bleu_rouge_metric.families.bleu.rules import BleuRules, make_bleu_rules
from bleu_rouge_metric.families.bleu.score import score_corpus
from bleu_rouge_metric.samples.inputs import check_samples
from bleu_rouge_metric.text.tokenizer import Tokenizer

Corpus = list[tuple[str, list[str]]]


def split_corpus(corpus: Corpus) -> tuple[list[str], list[list[str]]]:
    """Return predictions and references."""
    return [prediction for prediction, _ in corpus], [references for _, references in corpus]


def score_texts(
    corpus: Corpus, rules: BleuRules, tokenize: Callable[[str], list[str]] = str.split
) -> tuple[dict[str, Any], list[Any]]:
    """Return our scores of the corpus and of each of its sentences."""
    samples = check_samples(*split_corpus(corpus))
    counts = count_bleu(samples, rules.counted_order, Tokenizer("tokenize", tokenize))
    return (
        score_corpus(counts, samples.offsets, rules),
        score_sentences(counts, samples.offsets, rules).tolist(),
    )


def corpus_score(corpus: Corpus, **options: Any) -> dict[str, Any]:
    """Return our scores of the corpus, with options of ``make_bleu_rules``."""
    return score_texts(corpus, make_bleu_rules(**options))[0]


def plain_sums() -> AbstractContextManager[object]:
    """Let sacrebleu add floats from left to right, as Python does up to 3.11.

    Its sums are compensated since Python 3.12; the goldens were made with 3.11.
    """
    return patch("sacrebleu.metrics.bleu.sum", _add_up, create=True)


def sacrebleu_scores(
    corpus: Corpus, *, is_sentence: bool = False, tokenize: str = "none", **options: Any
) -> list[dict[str, Any]]:
    """Return sacrebleu's scores of the corpus or of each sentence, with counts before smoothing."""
    predictions, references = split_corpus(corpus)
    metric = BLEU(tokenize=tokenize, **options)
    unsmoothed_options = options | {"smooth_method": "none", "smooth_value": None}
    true = BLEU(tokenize=tokenize, **unsmoothed_options)
    with plain_sums():
        if is_sentence:
            pairs = [
                (metric.sentence_score(*sample), true.sentence_score(*sample)) for sample in corpus
            ]
        else:
            width = max(map(len, references))
            streams: Any = [
                [sample[stream] if stream < len(sample) else None for sample in references]
                for stream in range(width)
            ]
            pairs = [
                (metric.corpus_score(predictions, streams), true.corpus_score(predictions, streams))
            ]
    return [
        {
            "score": score.score,
            "counts": unsmoothed.counts,
            "totals": unsmoothed.totals,
            "precisions": score.precisions,
            "bp": score.bp,
            "sys_len": score.sys_len,
            "ref_len": score.ref_len,
        }
        for score, unsmoothed in pairs
    ]


def _add_up(values: Sequence[float]) -> float:
    """Sum from left to right."""
    total = 0.0
    for value in values:
        total += value
    return total


def nltk_score(
    corpus: Corpus, smooth: str = "none", smooth_value: float | None = None, **options: Any
) -> Any:
    """Return the result of NLTK's ``corpus_bleu``; None if it raises."""
    predictions, references = split_corpus(corpus)
    function = None
    if smooth != "none":
        parameter = {"method1": "epsilon", "method6": "alpha"}.get(smooth, "k")
        keywords = {} if smooth_value is None else {parameter: smooth_value}
        function = getattr(nltk_bleu.SmoothingFunction(**keywords), smooth)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "\nThe hypothesis contains 0 counts", UserWarning)
        try:
            return nltk_bleu.corpus_bleu(
                [[text.split() for text in sample] for sample in references],
                [prediction.split() for prediction in predictions],
                smoothing_function=function,
                **options,
            )
        except (AssertionError, IndexError, ZeroDivisionError):
            assert smooth == "method6"
            return None


def is_close(found: float, expected: float) -> bool:
    """Whether two floats differ only by rounding."""
    return math.isclose(found, expected, rel_tol=1e-12, abs_tol=1e-300)

"""Every BLEU of sacrebleu and NLTK on real system outputs, ``==``."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from sacrebleu.metrics.bleu import BLEU

from bleu_rouge_metric.bleu import score_corpus, score_sentences
from bleu_rouge_metric.bleu_rules import BleuRules, make_bleu_rules
from bleu_rouge_metric.bleu_statistics import gather_sentences
from bleu_rouge_metric.counts import BleuCounts, count_bleu
from bleu_rouge_metric.inputs import Samples, check_samples
from bleu_rouge_metric.tokenization import tokenize_13a, tokenize_char

from .goldens import each_corpus, read_golden

LONGEST = 6  # of the orders in the goldens


def _sacrebleu_tokenizer(name: str) -> Callable[[str], list[str]]:
    """One of sacrebleu's tokenizers; it gives tokens between spaces."""
    tokenizer: Callable[[str], str] = BLEU(tokenize=name).tokenizer
    return lambda text: tokenizer(text).split()


TOKENIZERS: dict[str, Callable[[str], list[str]]] = {
    "13a": tokenize_13a,
    "split": str.split,
    "none": str.split,
    "char": tokenize_char,
    "intl": _sacrebleu_tokenizer("intl"),
    "zh": _sacrebleu_tokenizer("zh"),
}


@cache
def _count(
    corpus: str, tokenizer: str, *, is_stripped: bool, is_lower: bool
) -> tuple[Samples, BleuCounts]:
    """Counts of all the orders that a golden has."""
    golden = read_golden(corpus)

    def tokenize(text: str) -> list[str]:
        # sacrebleu takes white space off the end, after it has lowered.
        text = text.lower() if is_lower else text
        return TOKENIZERS[tokenizer](text.rstrip() if is_stripped else text)

    samples = check_samples(golden.predictions, golden.references)
    return samples, count_bleu(samples, LONGEST, tokenize)


def _sacrebleu_rules(name: str) -> tuple[dict[str, Any], BleuRules]:
    """How to count and to score a name such as ``13a/floor0.5/eff0/order3``."""
    tokenizer, smooth, effective, *rest = name.split("/")
    values = {"floor0.5": ("floor", 0.5), "add-k2": ("add-k", 2)}
    smoothing, value = values.get(smooth, (smooth, None))
    orders = [int(part.removeprefix("order")) for part in rest if part.startswith("order")]
    rules = make_bleu_rules(
        arithmetic="sacrebleu",
        smooth=smoothing,
        smooth_value=value,
        effective_order=effective == "eff1",
        max_order=orders[0] if orders else None,
    )
    return {"tokenizer": tokenizer, "is_stripped": True, "is_lower": "lc" in rest}, rules


def _nltk_rules(name: str) -> tuple[dict[str, Any], BleuRules]:
    """How to count and to score a name such as ``13a/method1/bleu3``."""
    tokenizer, smooth, *rest = name.split("/")
    orders = [int(part.removeprefix("bleu")) for part in rest if part.startswith("bleu")]
    rules = make_bleu_rules(
        arithmetic="nltk",
        smooth=smooth,
        max_order=orders[0] if orders else None,
        auto_reweigh="auto_reweigh" in rest,
    )
    return {"tokenizer": tokenizer, "is_stripped": False, "is_lower": False}, rules


def _without_added(expected: dict[str, Any], rules: BleuRules) -> dict[str, Any]:
    """A golden with the counts before sacrebleu's add-k added to them."""
    added = rules.parameter if rules.smooth == "add-k" and any(expected["counts"]) else 0
    undone = {
        key: [count - added if order else count for order, count in enumerate(expected[key])]
        for key in ("counts", "totals")
    }
    return {**expected, **undone}


@each_corpus()
def test_corpus_bleu_equals_sacrebleu(corpus: str) -> None:
    goldens = read_golden(corpus).scores["sacrebleu"]["corpus"]
    assert len(goldens) >= 39
    for name, expected in goldens.items():
        counted, rules = _sacrebleu_rules(name)
        samples, counts = _count(corpus, **counted)
        scores = score_corpus(counts, samples.offsets, rules)
        numbers = np.array([scores["counts"], scores["totals"]])
        assert numbers.dtype == np.int64
        signed = {**scores, "signature": expected["signature"]}
        assert signed == _without_added(expected, rules), name


@each_corpus()
def test_sentence_bleu_equals_sacrebleu(corpus: str) -> None:
    goldens = read_golden(corpus).scores["sacrebleu"]["sentence"]
    assert len(goldens) >= 9
    for name, expected in goldens.items():
        counted, rules = _sacrebleu_rules(name)
        samples, counts = _count(corpus, **counted)
        assert score_sentences(counts, samples.offsets, rules) == expected, name


@each_corpus()
def test_statistics_of_sentences_equal_sacrebleu(corpus: str) -> None:
    golden = read_golden(corpus).scores["sacrebleu"]["sentence_stats_13a"]
    counted, rules = _sacrebleu_rules("13a/none/eff0")
    samples, counts = _count(corpus, **counted)
    assert golden["columns"] == "correct1-4,total1-4,sys_len,ref_len"
    assert golden["rows"] == [
        [*row.matches, *row.totals, row.prediction_length, row.reference_length]
        for row in gather_sentences(counts, samples.offsets, rules)
    ]


@each_corpus()
def test_corpus_bleu_equals_nltk(corpus: str) -> None:
    goldens = read_golden(corpus).scores["nltk"]["corpus"]
    assert len(goldens) >= 28
    for name, expected in goldens.items():
        counted, rules = _nltk_rules(name)
        samples, counts = _count(corpus, **counted)
        score = score_corpus(counts, samples.offsets, rules)["bleu"]
        assert score == _without_error(expected, rules), name


@each_corpus()
def test_sentence_bleu_equals_nltk(corpus: str) -> None:
    goldens = read_golden(corpus).scores["nltk"]["sentence"]
    assert len(goldens) >= 9
    for name, expected in goldens.items():
        counted, rules = _nltk_rules(name)
        samples, counts = _count(corpus, **counted)
        scores = score_sentences(counts, samples.offsets, rules)
        assert scores == [_without_error(score, rules) for score in expected], name


def _without_error(expected: float | dict[str, str], rules: BleuRules) -> float:
    """A golden; 0 where NLTK finds its method 6 not defined."""
    if isinstance(expected, float | int):
        return expected
    message = "This smoothing method requires non-zero precision for bigrams."
    assert expected == {"error": f"AssertionError: {message}"}
    assert rules.smooth == "method6"
    return 0.0

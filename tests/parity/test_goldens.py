"""Every number of the reference libraries on real system outputs equals ours (``==``)."""

from collections.abc import Iterator
from typing import Any

import evaluate
import numpy as np
import pytest

from bleu_rouge_metric import bleu_score, rouge_scores
from bleu_rouge_metric.resampling.rouge_score import bootstrap_percentiles

from ..conftest import METRIC, unfit_texts
from .goldens import TOKENIZERS, Golden, each_corpus, read_golden
from .parity import compare

pytestmark = [pytest.mark.usefixtures("kernel"), *unfit_texts]

PARTS = ("precision", "recall", "fmeasure")


def _rouge_variants(golden: Golden) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """List name, keyword arguments and scores of each variant of rouge_score."""
    for name, scores in golden.scores["rouge_score"].items():
        if "/" in name:
            tokenizer, stemmer = name.split("/")
            yield (
                name,
                {
                    "rouge_types": golden.scores["rouge_score"]["rouge_types"],
                    "tokenizer": TOKENIZERS[tokenizer],
                    "use_stemmer": stemmer == "stem",
                },
                scores,
            )


def _bleu_options(name: str) -> dict[str, Any]:
    """Return keyword arguments for a name such as ``13a/order4/smooth1``."""
    tokenizer, order, smooth = name.split("/")
    return {
        "tokenizer": TOKENIZERS[tokenizer],
        "max_order": int(order.removeprefix("order")),
        "smooth": smooth == "smooth1",
    }


@each_corpus()
def test_rouge_of_every_sample_equals_rouge_score(corpus: str) -> None:
    golden = read_golden(corpus)
    for name, options, expected in _rouge_variants(golden):
        scores = rouge_scores(golden.predictions, golden.references, **options)
        assert list(scores) == options["rouge_types"]
        for rouge_type, score in scores.items():
            found = np.stack(score, axis=1).tolist()
            wanted = expected["per_item"][rouge_type]
            compare("rouge_score", "each item of the corpora", found, wanted, name)


@each_corpus()
def test_mean_and_bootstrap_equal_rouge_score(corpus: str) -> None:
    golden = read_golden(corpus)
    metric = evaluate.load(METRIC, "rouge", seed=1234)
    for name, options, expected in _rouge_variants(golden):
        for aggregator, key in (("mean", "mean_PRF"), ("bootstrap", "bootstrap_seed1234")):
            scores = metric.compute(
                predictions=golden.predictions,
                references=golden.references,
                aggregator=aggregator,
                detailed=True,
                **options,
            )
            for rouge_type, score in scores.items():
                row = expected[key][rouge_type]
                values = row if aggregator == "mean" else row["mid"]
                wanted = dict(zip(PARTS, values, strict=True))
                compare("rouge_score", "means and bootstrap of the corpora", score, wanted, name)


@each_corpus()
def test_bootstrap_percentiles_equal_rouge_score(corpus: str) -> None:
    golden = read_golden(corpus)
    for name, options, expected in _rouge_variants(golden):
        generator = np.random.RandomState(1234)
        scores = rouge_scores(golden.predictions, golden.references, **options)
        for rouge_type, score in scores.items():
            percentiles = bootstrap_percentiles(np.stack(score), 1000, generator)
            bounds = dict(zip(("low", "mid", "high"), percentiles.tolist(), strict=True))
            wanted = expected["bootstrap_seed1234"][rouge_type]
            compare("rouge_score", "bootstrap intervals of the corpora", bounds, wanted, name)


@each_corpus()
def test_aggregated_rouge_equals_evaluate(corpus: str) -> None:
    golden = read_golden(corpus)
    metric = evaluate.load(METRIC, "rouge", seed=golden.scores["hf"]["rouge_seed"])
    for name, expected in golden.scores["hf"].items():
        if not name.startswith("rouge_agg/"):
            continue
        _, tokenizer, stemmer = name.split("/")
        scores = metric.compute(
            predictions=golden.predictions,
            references=golden.references,
            tokenizer=TOKENIZERS[tokenizer],
            use_stemmer=stemmer == "stem",
            aggregator="bootstrap",
        )
        compare("hf", "rouge of the corpora, for a seed", scores, expected, name)


@each_corpus()
def test_corpus_bleu_equals_evaluate(corpus: str) -> None:
    golden = read_golden(corpus)
    names = [name for name in golden.scores["hf"] if name.startswith("bleu/")]
    assert len(names) >= 20
    for name in names:
        options = _bleu_options(name.removeprefix("bleu/"))
        score = bleu_score(golden.predictions, golden.references, **options)
        wanted = golden.scores["hf"][name]
        compare("hf", "bleu of the corpora, all outputs", score._asdict(), wanted, name)


@each_corpus()
def test_sentence_bleu_equals_evaluate(corpus: str) -> None:
    golden = read_golden(corpus)
    metric = evaluate.load(METRIC, "bleu")
    for name, expected in golden.scores["hf"]["bleu_sentence"].items():
        scores = metric.compute(
            predictions=golden.predictions,
            references=golden.references,
            sentence_bleu=True,
            **_bleu_options(name),
        )
        found = scores["sentence_bleu"]
        compare("hf", "bleu of every sentence of the corpora", found, expected, name)

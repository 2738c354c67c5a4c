"""GLEU compared with NLTK."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.gleu_score import corpus_gleu

from bleu_rouge_metric.counting.kernels import count_rouge
from bleu_rouge_metric.families.counts import SampleCounts
from bleu_rouge_metric.families.gleu import NAME, Gleu
from bleu_rouge_metric.samples.inputs import check_samples
from bleu_rouge_metric.text.sentences import NEWLINE
from bleu_rouge_metric.text.tokenizer import TOKENIZERS

from ..support.bleu_references import Corpus, split_corpus
from ..support.strategies import spaced_corpora


@pytest.mark.usefixtures("kernel")
@given(spaced_corpora, st.integers(1, 9), st.integers(1, 9))
def test_gleu_equals_nltk(corpus: Corpus, first: int, second: int) -> None:
    orders = min(first, second), max(first, second)
    predictions, references = split_corpus(corpus)
    samples = check_samples(predictions, references)
    tokenizer = TOKENIZERS["whitespace"]
    names = [f"rouge{order}" for order in range(1, orders[1] + 1)]
    overlaps = count_rouge(samples, names, tokenizer, NEWLINE).integers
    counts = SampleCounts(np.diff(samples.offsets), {}, {"overlap": overlaps})
    given_orders: dict[str, Any] = {"min_order": orders[0], "max_order": orders[1]}
    gleu = Gleu(choice="whitespace", tokenizer=tokenizer, names=(NAME,), **given_orders)
    (score,) = gleu.score_row(gleu.make_rows(counts).sum(axis=0).tolist())
    pair = gleu.pair()
    assert pair is not None
    pairs = [pair(*sample)[0][0] for sample in zip(predictions, references, strict=True)]

    tokens = [prediction.split() for prediction in predictions]
    reference_tokens = [[text.split() for text in sample] for sample in references]
    assert score == corpus_gleu(reference_tokens, tokens, *orders)
    expected = [
        corpus_gleu([sample], [prediction], *orders)
        for sample, prediction in zip(reference_tokens, tokens, strict=True)
    ]
    assert gleu.score_samples(counts)[NAME].tolist() == pairs == expected

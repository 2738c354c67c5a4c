"""GLEU compared with results worked by hand and with NLTK."""

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


def gleu(corpus: Corpus, min_order: int = 1, max_order: int = 4) -> tuple[float, list[float]]:
    """Return GLEU of the corpus and of its sentences."""
    samples = check_samples(*split_corpus(corpus))
    names = [f"rouge{order}" for order in range(1, max_order + 1)]
    overlaps = count_rouge(samples, names, TOKENIZERS["whitespace"], NEWLINE).integers
    counts = SampleCounts(np.diff(samples.offsets), {}, {"overlap": overlaps})
    gleu = Gleu(
        choice="whitespace",
        tokenizer=TOKENIZERS["whitespace"],
        names=(NAME,),
        min_order=min_order,
        max_order=max_order,
    )
    (score,) = gleu.score_row(gleu.make_rows(counts).sum(axis=0).tolist())
    sentences = gleu.score_samples(counts)[NAME].tolist()
    pair = gleu.pair()
    assert pair is not None
    texts = zip(*split_corpus(corpus), strict=True)
    found = [pair(prediction, list(references)) for prediction, references in texts]
    assert [scores[0] for scores, _ in found] == sentences
    return score, sentences


@pytest.mark.usefixtures("kernel")
@given(spaced_corpora, st.integers(1, 9), st.integers(1, 9))
def test_gleu_equals_nltk(corpus: Corpus, first: int, second: int) -> None:
    orders = min(first, second), max(first, second)
    predictions, references = split_corpus(corpus)
    tokens = [prediction.split() for prediction in predictions]
    reference_tokens = [[text.split() for text in sample] for sample in references]
    score, sentences = gleu(corpus, *orders)
    assert score == corpus_gleu(reference_tokens, tokens, *orders)
    assert sentences == [
        corpus_gleu([sample], [prediction], *orders)
        for sample, prediction in zip(reference_tokens, tokens, strict=True)
    ]


@pytest.mark.parametrize(
    ("prediction", "references", "score"),
    [
        ("a b c", ["a b c"], 1.0),
        ("a b c", ["a b"], 3 / 6),  # 2 unigrams and 1 bigram of 3 + 2 + 1
        ("a b", ["a b c d"], 3 / 10),
        ("a b", ["x", "a b c d", "a c"], 1 / 3),  # the best is 1 of 3
        ("", ["a"], 0.0),
        ("a", [""], 0.0),
        ("", [""], 0.0),
    ],
)
def test_gleu_by_hand(prediction: str, references: list[str], score: float) -> None:
    assert gleu([(prediction, references)]) == (score, [score])


def test_a_reference_of_one_token_may_be_the_best() -> None:
    assert gleu([("a", ["a b", "a"])], 1, 1) == (1.0, [1.0])


def test_the_first_of_equally_good_references_counts_in_the_corpus() -> None:
    # Both have quotient 1/2: 1 of 2 unigrams, or 2 of 4.
    other = ("p", ["p"])
    assert gleu([("a b", ["a c", "a b c d"]), other], 1, 1)[0] == (1 + 1) / (2 + 1)
    assert gleu([("a b", ["a b c d", "a c"]), other], 1, 1)[0] == (2 + 1) / (4 + 1)

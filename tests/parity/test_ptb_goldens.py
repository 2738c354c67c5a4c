"""The tokenizer ``ptb`` on real captions, summaries and translations: stored and live tokens."""

import pytest

from bleu_rouge_metric.text.ptb import tokenize_ptb

from ..support.ptb import tokenize_with_java
from .goldens import CORPORA, each_corpus
from .practice import each_practice, read_practice
from .ptb_shares import list_texts


@each_practice("coco/ptb")
def test_stored_tokens_are_equal(corpus: str) -> None:
    samples = read_practice(corpus)
    stored = samples.scores["coco/ptb"]
    assert [" ".join(tokenize_ptb(text)) for text in samples.predictions] == (
        stored["tokens_predictions"]
    )
    assert [[" ".join(tokenize_ptb(text)) for text in texts] for texts in samples.references] == (
        stored["tokens_references"]
    )


@pytest.fixture(scope="module")
def java_tokens() -> dict[str, list[str]]:
    """Tokenize all texts of all corpora with one start of Java."""
    texts = sorted({text for corpus in CORPORA for text in list_texts(corpus)})
    return dict(zip(texts, tokenize_with_java(texts), strict=True))


@pytest.mark.extra
@each_corpus()
def test_live_tokens_are_equal(corpus: str, java_tokens: dict[str, list[str]]) -> None:
    texts = list_texts(corpus)
    assert [text for text in texts if tokenize_ptb(text) != java_tokens[text]] == []

"""Every stored score of pycocoevalcap equals ``metric.compute`` with the profile ``coco``."""

from typing import Any, Final

import evaluate
import pytest

from ..conftest import unfit_texts
from .parity import compare
from .practice import each_practice, read_practice

pytestmark = [pytest.mark.usefixtures("kernel"), *unfit_texts]

NAMES: Final = ["Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4"]


def check(
    metric: evaluate.Metric,
    what: str,
    texts: tuple[list[str], list[list[str]]],
    expected: dict[str, Any],
    **options: Any,
) -> None:
    """Compare the corpus values and the scores of every item."""
    given = {"predictions": texts[0], "references": texts[1], "profile": "coco", **options}
    found = metric.compute(**given, sentence_bleu=True)
    compare("coco", f"corpus scores {what}", [found[name] for name in NAMES], expected["Bleu"])
    compare("coco", f"corpus scores {what}", found["ROUGE_L"], expected["ROUGE_L"])
    each = found["sentence_bleu"]
    compare("coco", f"scores of every item {what}", each, expected["Bleu_samples"])
    rouge = metric.compute(**given, use_aggregator=False)["ROUGE_L"]
    compare("coco", f"scores of every item {what}", rouge, expected["ROUGE_L_samples"])


@each_practice("coco/raw")
def test_scores_of_texts_as_they_are(metric: evaluate.Metric, corpus: str) -> None:
    golden = read_practice(corpus)
    check(metric, "of texts as they are", golden[:2], golden.scores["coco/raw"])


# Where a line separator in a text shifts the tokens of others, no scores are stored.
@each_practice("coco/ptb")
def test_scores_of_tokenized_texts(metric: evaluate.Metric, corpus: str) -> None:
    expected = read_practice(corpus).scores["coco/ptb"]
    texts = expected["tokens_predictions"], expected["tokens_references"]
    check(metric, "of tokenized texts", texts, expected)


@each_practice("coco/ptb")
def test_scores_of_the_whole_pipeline(metric: evaluate.Metric, corpus: str) -> None:
    golden = read_practice(corpus)
    check(metric, "with tokenizer='ptb'", golden[:2], golden.scores["coco/ptb"], tokenizer="ptb")

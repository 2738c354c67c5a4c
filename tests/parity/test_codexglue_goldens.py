"""Every golden of CodeXGLUE's smoothed BLEU equals the profile ``codexglue``."""

import evaluate
import pytest

from bleu_rouge_metric import PairScorer

from ..conftest import unfit_texts
from .parity import compare
from .practice import each_practice, read_practice

pytestmark = [pytest.mark.usefixtures("kernel"), *unfit_texts]


@each_practice("codexglue")
def test_codexglue_of_a_corpus_and_of_every_sample(metric: evaluate.Metric, corpus: str) -> None:
    practice = read_practice(corpus)
    goldens = practice.scores["codexglue"]
    assert len(goldens) == len(practice.predictions) >= 20
    texts = {"predictions": practice.predictions, "references": practice.references}
    found = metric.compute(**texts, profile="codexglue", sentence_bleu=True)
    expected = [score * 100 for score, *_ in goldens]
    compare("codexglue", "BLEU of every sample", found["sentence_bleu"], expected, corpus)
    # As CodeXGLUE averages its five numbers.
    sums = [0.0] * 5
    for row in goldens:
        sums = [total + value for total, value in zip(sums, row, strict=True)]
    means = [total * 100.0 / len(goldens) for total in sums]
    compare(
        "codexglue",
        "BLEU and precisions of the corpora",
        [found["bleu"], *found["precisions"]],
        means,
        corpus,
    )
    pairs = PairScorer("bleu", profile="codexglue").batch(*texts.values())
    assert pairs.tolist() == expected


@each_practice("codexglue")
def test_codexglue_of_a_pair(metric: evaluate.Metric, corpus: str) -> None:
    practice = read_practice(corpus)
    for prediction, references, row in zip(
        practice.predictions, practice.references, practice.scores["codexglue"], strict=True
    ):
        found = metric.compute(
            predictions=[prediction], references=[references], profile="codexglue"
        )
        numbers = [found["bleu"], *found["precisions"]]
        compare("codexglue", "a single sample", numbers, [value * 100 for value in row], corpus)

"""Every score of pycocoevalcap, CodeXGLUE and XL-Sum equals ours."""

from typing import Any, Final

import evaluate
import pytest

from bleu_rouge_metric import PairScorer

from ..conftest import require, unfit_texts
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


# The package of the languages that have a tokenizer of their own.
SEGMENTERS = {"chinese": "jieba", "thai": "pythainlp"}


def options_of(language: str, *, has_stemmer: bool) -> dict[str, Any]:
    """Return the options of a language; the original has no stemmer for one with a segmenter."""
    if language in SEGMENTERS:
        return {"tokenizer": f"xlsum-{language}"}
    return {"use_stemmer": has_stemmer and (True if language == "None" else language)}


@each_practice("xlsum/None/stem")
def test_xlsum_of_every_sample(metric: evaluate.Metric, corpus: str) -> None:
    practice = read_practice(corpus)
    texts = {
        "predictions": practice.predictions,
        "references": [references[0] for references in practice.references],
    }
    runs = 0
    for name, goldens in practice.scores.items():
        kind, _, run = name.partition("/")
        if kind != "xlsum" or "error" in goldens:
            continue
        language, stemmed = run.split("/")
        if language in SEGMENTERS:
            require(SEGMENTERS[language])
        options = options_of(language, has_stemmer=stemmed == "stem")
        found = metric.compute(**texts, profile="xlsum", use_aggregator=False, **options)
        for score, parts in found.items():
            rows = [list(row) for row in zip(*parts.values(), strict=True)]
            expected = [golden[score] for golden in goldens]
            compare("xlsum", "every sample of the corpora", rows, expected, (corpus, name, score))
        runs += 1
    assert runs >= 2

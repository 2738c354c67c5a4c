"""Every golden of XL-Sum's multilingual ROUGE equals the profile ``xlsum``."""

from typing import Any

import evaluate
import pytest

from ..conftest import require, unfit_texts
from .parity import compare
from .practice import each_practice, read_practice

pytestmark = [pytest.mark.usefixtures("kernel"), *unfit_texts]

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

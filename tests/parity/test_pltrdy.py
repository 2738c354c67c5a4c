"""Scores of the packages ``rouge`` and ``rouge-chinese`` for real outputs, as they stored them."""

import gzip
import json
import re
from functools import cache
from typing import Any, Final, NamedTuple

import evaluate
import pytest

from ..conftest import require, unfit_texts
from .goldens import DATA, read_golden
from .parity import compare

PRACTICE: Final = DATA.parent / "data_practice"
CORPORA: Final = sorted(
    path.name.removesuffix(".practice.json.gz") for path in PRACTICE.glob("*.practice.json.gz")
)

# A character of Chinese, for whose texts the stored scores are those of words.
_CHINESE: Final = re.compile("[\u4e00-\u9fff]")

pytestmark = [
    *unfit_texts,
    pytest.mark.skipif(not CORPORA, reason="the stored scores are not at ../shared/data_practice"),
    pytest.mark.parametrize("corpus", CORPORA),
]


class Stored(NamedTuple):
    """Texts with one reference each, and what was stored of them."""

    predictions: list[str]
    references: list[str]
    scores: dict[str, Any]


@cache
def read_stored(corpus: str) -> Stored:
    """Read a corpus; what was stored names its samples by their ids."""
    lines = (DATA / f"{corpus}.jsonl").read_bytes().decode("utf-8").split("\n")
    samples = {item["id"]: item for item in map(json.loads, filter(None, lines))}
    path = PRACTICE / f"{corpus}.practice.json.gz"
    scores = json.loads(gzip.decompress(path.read_bytes()))
    chosen = [samples[name] for name in scores["items"]]
    return Stored(
        [item["prediction"] for item in chosen],
        [item["references"][0] for item in chosen],
        scores,
    )


def check(
    metric: evaluate.Metric,
    profile: str,
    key: str,
    texts: tuple[list[str], list[str]],
    expected: list[Any],
    **options: Any,
) -> None:
    """Compare the scores of all samples, of those that the library can score."""
    predictions, references = texts
    found = metric.compute(
        predictions=predictions,
        references=references,
        profile=profile,
        use_aggregator=False,
        **options,
    )
    compared = 0
    for index, scores in enumerate(expected):
        if "error" in scores:
            assert scores["error"].startswith("RecursionError")
            continue
        ours = {name: [parts[part][index] for part in "rpf"] for name, parts in found.items()}
        compare(profile, f"scores of every sample of the corpora, {key}", ours, scores, index)
        compared += 1
    assert compared > len(expected) / 2


@pytest.mark.usefixtures("kernel")
def test_rouge(metric: evaluate.Metric, corpus: str) -> None:
    predictions, references, scores = read_stored(corpus)
    for key, exclusive in (("rouge", True), ("rouge/exclusive=False", False)):
        check(metric, "rouge", key, (predictions, references), scores[key], exclusive=exclusive)


@pytest.mark.usefixtures("kernel")
def test_rouge_chinese(metric: evaluate.Metric, corpus: str) -> None:
    jieba = require("jieba")

    def segment(text: str) -> str:
        return " ".join(jieba.cut(text)) if _CHINESE.search(text) else text

    predictions, references, scores = read_stored(corpus)
    texts = [*map(segment, predictions)], [*map(segment, references)]
    check(metric, "rouge-chinese", "words of jieba", texts, scores["rouge-chinese"])


def test_corpora_are_those_of_the_other_tests(corpus: str) -> None:
    stored = read_stored(corpus)
    assert set(stored.predictions) <= set(read_golden(corpus).predictions)

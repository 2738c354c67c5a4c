"""Scores of the packages ``rouge`` and ``rouge-chinese`` for real outputs, as they stored them."""

import re
from typing import Any, Final

import evaluate
import pytest

from ..conftest import require, unfit_texts
from .goldens import read_golden
from .parity import compare
from .practice import each_practice, read_practice

# A character of Chinese, for whose texts the stored scores are those of words.
_CHINESE: Final = re.compile("[\u4e00-\u9fff]")

pytestmark = list(unfit_texts)


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
@each_practice("rouge")
def test_rouge(metric: evaluate.Metric, corpus: str) -> None:
    predictions, references, scores = read_practice(corpus)
    firsts = [texts[0] for texts in references]
    for key, exclusive in (("rouge", True), ("rouge/exclusive=False", False)):
        check(metric, "rouge", key, (predictions, firsts), scores[key], exclusive=exclusive)


@pytest.mark.usefixtures("kernel")
@each_practice("rouge-chinese")
def test_rouge_chinese(metric: evaluate.Metric, corpus: str) -> None:
    jieba = require("jieba")

    def segment(text: str) -> str:
        return " ".join(jieba.cut(text)) if _CHINESE.search(text) else text

    predictions, references, scores = read_practice(corpus)
    texts = [*map(segment, predictions)], [segment(others[0]) for others in references]
    check(metric, "rouge-chinese", "words of jieba", texts, scores["rouge-chinese"])


@each_practice("rouge")
def test_corpora_are_those_of_the_other_tests(corpus: str) -> None:
    stored = read_practice(corpus)
    assert set(stored.predictions) <= set(read_golden(corpus).predictions)

"""What is removed from texts before they are scored."""

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from bleu_rouge_metric import compute_metrics, load, score_table
from bleu_rouge_metric.text.strip import THINKING, compile_strip, strip_texts

from ..support.errors import list_warnings

# With thoughts, or only their end or their beginning, with tags inside them, and without any.
CASES = json.loads(Path(__file__).with_name("thinking.json").read_text("utf-8"))


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_thinking(text: str, expected: str) -> None:
    assert strip_texts([text, "the rest"], THINKING) == [expected, "the rest"]


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("^Answer:", "Answer: a cat", "a cat"),
        (r"\[\d+\]", "[12] a [3]cat", "a cat"),
        ("(?is)<note>.*?</note>", "a cat<NOTE>\n</note>", "a cat"),
        (re.compile("THE END", re.IGNORECASE), "a cat the end", "a cat"),
        (r"\s*\Z", "a cat \n", "a cat"),
        (re.escape("a.c"), "abc", "abc"),
        (".*", "a cat", ""),
    ],
)
def test_patterns(pattern: str | re.Pattern[str], text: str, expected: str) -> None:
    compiled = compile_strip(pattern)
    assert strip_texts([text], compiled) == [expected]
    assert compile_strip(compiled) == compiled


@pytest.mark.parametrize(
    "text",
    [
        "<think>" * 20_000,
        "</think>" * 20_000,
        "<think></think>" * 20_000,
        ("<think>" + "</think>" * 3) * 5_000,
        "a" * 200_000 + "</think>",
        "<thin" * 40_000 + "</think>",
    ],
    ids=lambda text: text[:16],
)
def test_long_thinking_takes_linear_time(text: str) -> None:
    # Some 0.01 s; a search of quadratic time takes minutes.
    assert strip_texts([text], THINKING) == [""]


THOUGHTS: dict[str, list[Any]] = {
    "prediction": ["<think>one</think> a cat", "two</think>a dog", "the bird", "<think>three"],
    "reference": [["a cat"], ["<think></think>a dog"], ["x</think>a", "the bird"], ["four"]],
}
EMPTIED = (
    "strip leaves nothing of 1 of 4 predictions, and nothing matches an empty text; generate more "
    "tokens if answers end inside their thinking."
)


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pa.table])
def test_a_table_is_scored_without_what_is_removed(make: Callable[[Any], Any]) -> None:
    table = make(THOUGHTS)
    # Options that no other call has: what was warned of is kept with them.
    score = partial(
        score_table, scores="rouge1", strip=THINKING, word_limit=990 + len(make.__name__)
    )
    scored: list[Any] = []
    found = list_warnings(*[lambda: scored.append(score(table))] * 2)
    assert found == [EMPTIED]
    for one in scored:
        assert [float(str(score)) for score in one["rouge1"]] == [1, 1, 1, 0]
        assert one["prediction"][0] == table["prediction"][0]


def test_the_hook_scores_and_signs_what_is_left() -> None:
    texts = [*THOUGHTS["prediction"], "a cat", "<think></think>a dog", "the bird", "four"]
    rows = np.arange(8).reshape(2, 4, 1)
    hook = load("rouge").compute_metrics(
        lambda ids: [texts[row[0]] for row in ids], rouge_types=["rouge1"], strip=THINKING
    )
    scores: list[dict[str, float]] = []
    found = list_warnings(*[lambda: scores.append(hook((rows[0], rows[1])))] * 2)
    assert found == [EMPTIED]
    assert scores == [{"rouge1": 0.75, "gen_len": 1.0}] * 2
    assert hook.signature().endswith("|strip:thinking")
    assert "strip=" in repr(hook)
    assert "strip" not in compute_metrics(str).signature()

"""The profile ``xlsum``: scores of multilingual-rouge, and wherever ROUGE is computed."""

from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric import compare_profiles, explain, load, rouge_scores

from ..conftest import require, unfit_texts

pytestmark = list(unfit_texts)

TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
# Tokens of the whole text and of its lines differ: "abc123" is two words or one.
PREDICTION = "abc123 costs.\n日本 abc"
REFERENCES = ["ABC 123\ncosts 日 abc", "other"]

words = st.sampled_from(
    [
        "a",
        "cats",
        "running",
        "x1",
        "x",
        "1",
        "日本",
        "日",
        "€",
        "करना",
        "कर",
        "kitapları",
        "\u0301b",
    ]
)
texts = st.lists(st.tuples(words, st.sampled_from([" ", "\n", ". ", "-"])), max_size=12).map(
    lambda pairs: "".join(word + separator for word, separator in pairs)
)


@cache
def original(language: str | None, *, use_stemmer: bool) -> Any:
    require("multilingual_rouge")
    from multilingual_rouge.rouge_scorer import RougeScorer

    return RougeScorer(TYPES, lang=language, use_stemmer=use_stemmer)


@pytest.mark.extra
@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize(
    ("language", "options"),
    [
        (None, {}),
        (None, {"use_stemmer": True}),
        ("french", {}),
        ("hindi", {"use_stemmer": "hindi"}),
        ("turkish", {"use_stemmer": "turkish"}),
        ("burmese", {"tokenizer": "xlsum-burmese"}),
    ],
    ids=str,
)
@given(prediction=texts, reference=texts)
def test_scores_equal_the_originals(
    language: str | None, options: dict[str, Any], prediction: str, reference: str
) -> None:
    if language == "turkish":
        require("TurkishStemmer")
    scorer = original(language, use_stemmer="use_stemmer" in options)
    expected = scorer.score(reference, prediction)
    found = rouge_scores([prediction], [reference], profile="xlsum", rouge_types=TYPES, **options)
    for name, score in expected.items():
        assert [part[0] for part in found[name]] == [*score]


def test_lines_are_only_normalized() -> None:
    metric: Any = load("rouge")
    options: dict[str, Any] = {"profile": "xlsum", "detailed": False}
    found = metric.compute(predictions=["abc123"], references=["abc 123"], **options)
    assert found == {"rouge1": 1.0, "rouge2": 1.0, "rougeL": 1.0, "rougeLsum": 0.0}


def test_an_explanation_shows_the_tokens_of_lines() -> None:
    explained = explain(PREDICTION, REFERENCES, profile="xlsum", use_stemmer=True)
    forms = [token.form for token in explained.prediction.tokens]
    assert forms == ["abc", "123", "cost", "日", "本", "abc"]
    lines = [[token.form for token in line] for line in explained.prediction.sentences]
    assert lines == [["abc123", "cost"], ["日本", "abc"]]
    assert [token.text for token in explained.prediction.sentences[1]] == ["日本", "abc"]


def test_the_tokenizer_is_the_reason_of_differences() -> None:
    found = compare_profiles(
        ["x1 日本"], ["x 1 日"], profiles=["hf", "xlsum"], rouge_types=["rouge1"]
    )
    steps = [(step.option, step.old, step.new) for step in found.differences]
    assert steps == [("rouge_tokenizer", "rouge", "xlsum")]

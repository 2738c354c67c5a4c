"""Scores of groups: those that the samples of each label have alone."""

import json
from enum import Enum
from functools import partial
from typing import Any

import evaluate
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from bleu_rouge_metric import Scorer, load

from ..conftest import METRIC
from ..support.engine_cases import OPTIONS
from .test_scorer import PREDICTIONS, REFERENCES

# Every case gets the seed, also cases that do not use it.
pytestmark = pytest.mark.filterwarnings("ignore:seed is")

LABELS = [("news", "law", "-", "-", "")[index * index % 5] for index in range(60)]
DISTINCT = ["news", "law", ""]
CASES: dict[str, dict[str, Any]] = {
    **OPTIONS,
    "the middle of resamples": {"aggregator": "bootstrap", "n_resamples": 20},
    "the last sample": {"profile": "nltk", "smooth": "method7", "weights": [(1,), (0.5, 0.5)]},
    "corrected": {"smooth": "method5-corrected"},
    "intervals of the program": {"profile": "rouge-1.5.5", "n_resamples": 20, "confidence": 0.9},
    "a line": {"signature": True, "confidence": 0.9, "n_resamples": 20},
}


def choose(label: str) -> tuple[list[str], list[Any]]:
    indices = [index for index, other in enumerate(LABELS) if other == label]
    return [PREDICTIONS[index] for index in indices], [REFERENCES[index] for index in indices]


def score_alone(label: str, options: dict[str, Any]) -> dict[str, Any]:
    scorer = Scorer(**options, seed=5)
    scorer.update(*choose(label))
    return scorer.result()


@pytest.mark.parametrize("options", CASES.values(), ids=CASES)
def test_a_group_has_the_scores_that_it_has_alone(options: dict[str, Any]) -> None:
    scorer = Scorer(**options, seed=5)
    scorer.update(PREDICTIONS, REFERENCES)
    scores: dict[str, Any] = scorer.result(groups=LABELS)
    groups = scores.pop("groups")
    assert scores == scorer.result()
    assert groups == {label: score_alone(label, options) for label in DISTINCT}
    assert list(groups) == DISTINCT
    family = options.get("family")
    rest = {name: value for name, value in options.items() if name != "family"}
    metric = load(family, seed=5)
    found = metric.compute(predictions=PREDICTIONS, references=REFERENCES, groups=LABELS, **rest)
    assert found == {**scores, "groups": groups}
    assert json.loads(json.dumps(found)) == found


def test_labels_are_in_the_order_of_the_keys() -> None:
    scorer = Scorer("rouge", rouge_types=["rouge1"])
    scorer.update(["a", "b"], ["a", "c"], keys=[7, 3])
    scorer.update(["b", "d d"], ["c", "d"], keys=[3, 5])
    scores: Any = scorer.result(groups=["three", "five", "seven"], use_aggregator=False)
    found = {label: group["rouge1"] for label, group in scores["groups"].items()}
    assert found == {"three": [0.0], "five": [2 / 3], "seven": [1.0]}


def test_labels_are_those_of_added_samples_and_then_of_the_given_ones() -> None:
    metric = evaluate.load(METRIC, "rouge")
    metric.add(prediction="a", reference="a")
    metric.add_batch(predictions=["b", "c"], references=["a", "c"])
    scores = metric.compute(
        predictions=["d"], references=["e"], groups=["x", "y", "x", "y"], rouge_types=["rouge1"]
    )
    assert scores["groups"] == {"x": {"rouge1": 1.0}, "y": {"rouge1": 0.0}}


class Domain(str, Enum):
    LAW = "law"


def test_all_sequences_of_labels_are_the_same() -> None:
    scorer = Scorer("rouge", rouge_types=["rouge1"])
    scorer.update(["a", "b", "c d"], ["a", "a", "c"])
    texts = ["law", "news", "law"]
    expected = scorer.result(groups=texts)
    kinds: list[Any] = [
        *(make(texts) for make in (tuple, iter, np.array, pa.array, pd.Categorical)),
        *(pd.Series(texts, index=[5, 5, 1]), pa.chunked_array([texts])),
        *(np.array(texts, dtype=object), [Domain.LAW, np.str_("news"), "law"]),
    ]
    for labels in kinds:
        found: dict[str, Any] = scorer.result(groups=labels)
        assert found == expected
        assert {type(label) for label in found["groups"]} == {str}
    # Ints are keys as JSON has them.
    arrays: list[Any] = [list, np.array, pd.Series, pa.array, partial(map, np.uint8)]
    for make in arrays:
        numbers: dict[str, Any] = scorer.result(groups=make([2, 0, 2]))
        assert list(numbers["groups"]) == ["2", "0"]
        assert list(numbers["groups"].values()) == list(expected["groups"].values())

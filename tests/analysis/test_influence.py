"""``influence``: each score without a sample is the score of the other samples."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric import Scorer, compare_systems, influence
from bleu_rouge_metric.analysis.influence import leave_out_of_mean
from bleu_rouge_metric.rounding import exact_mean

from ..support.commands import PREDICTIONS, REFERENCES

TEXTS = [*PREDICTIONS, "", "the cat sat on the mat", "a b c d e f g"]
TARGETS = [*REFERENCES, ["a b"], ["the cat sat on a mat"], ["a b c d e f", "b c d e f g h"]]
# The names of BLEU in a result.
BLEU = {"score": "bleu"}

CASES: list[dict[str, Any]] = [
    {},
    {"smooth": True, "max_order": 2},
    {"reference_length": "closest", "lowercase": True},
    {"reference_length": "average", "max_order": 2},
    {"profile": "nltk", "reference_length": "average", "max_order": 1},
    {"profile": "sacrebleu"},
    {"profile": "nltk", "smooth": "method4"},
    {"profile": "google_bleu"},
    {"profile": "lin2004", "detailed": False, "rouge_types": ["rouge2", "rougeW", "rougeSU4"]},
    {"profile": "rouge-1.5.5", "aggregator": "mean", "detailed": False},
    {"use_stemmer": True, "multi_reference": "micro"},
    {"multi_reference": "jackknife", "rouge_types": ["rouge1", "rougeLsum"]},
]


def hold(texts: list[str], targets: list[Any], **options: Any) -> Scorer:
    scorer = Scorer(**options)
    if texts:
        scorer.update(texts, targets)
    return scorer


def leave_out(at: int, items: list[Any]) -> list[Any]:
    return [*items[:at], *items[at + 1 :]]


@pytest.mark.usefixtures("kernel")
@pytest.mark.filterwarnings("ignore:.*leaves nothing")
@pytest.mark.parametrize("options", CASES, ids=str)
def test_each_score_is_that_of_the_other_samples(options: dict[str, Any]) -> None:
    scorer = hold(TEXTS, TARGETS, **options)
    found = influence(scorer)
    assert found.scores
    whole = {BLEU.get(name, name): value for name, value in scorer.result().items()}
    assert found.scores == {name: whole[name] for name in found.scores}
    for at in range(len(TEXTS)):
        result = hold(leave_out(at, TEXTS), leave_out(at, TARGETS), **options).result()
        others = {BLEU.get(name, name): value for name, value in result.items()}
        without = {name: values[at] for name, values in found.without.items()}
        assert without == {name: others[name] for name in found.scores}


@given(st.lists(st.floats(0, 3), min_size=2, max_size=9))
def test_the_mean_of_the_others_is_exact(values: list[float]) -> None:
    expected = [exact_mean(np.array(leave_out(at, values))) for at in range(len(values))]
    assert leave_out_of_mean(np.array(values)).tolist() == expected


@pytest.mark.filterwarnings("ignore:.*leaves nothing")
def test_a_difference_is_explained() -> None:
    other = ["the cat sat", *TEXTS[1:]]
    result = compare_systems({"A": TEXTS, "B": other, "C": other}, TARGETS, n_resamples=10)
    found = influence(result, "B")
    assert found.scores == {row.score: row.delta for row in result.rows if row.system == "B"}
    base, ours = influence(hold(TEXTS, TARGETS)), influence(hold(other, TARGETS))
    for name, values in found.without.items():
        assert values.tolist() == (ours.without[name] - base.without[name]).tolist()
        # Without the one sample that differs there is no difference of means.
        assert name == "bleu" or (found.ranking(name)[0], values[0]) == (0, 0)
    assert influence(compare_systems({"A": TEXTS, "B": other}, TARGETS)).scores == found.scores


def test_keys_name_the_samples_and_it_is_json() -> None:
    scorer = Scorer("rouge", rouge_types=["rouge1"])
    scorer.update(["a b", "c d"], ["a b", "c"], keys=[20, 10])
    found = influence(scorer)
    assert json.loads(json.dumps(found.to_dict())) == {
        "scores": {"rouge1": found.scores["rouge1"]},
        "without": {"rouge1": [1.0, 2 / 3]},
        "keys": [10, 20],
    }


def test_options_of_the_result_can_be_given() -> None:
    held = hold(["a b c"] * 3, ["a b c"] * 3, aggregator="bootstrap", rouge_types=["rouge1"])
    assert influence(held, aggregator="mean").without["rouge1"].tolist() == [1.0, 1.0, 1.0]

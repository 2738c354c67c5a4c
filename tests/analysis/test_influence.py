"""``influence``: each score without a sample is the score of the other samples."""

import copy
import json
import pickle
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric import Influence, Scorer, SystemComparison, compare_systems, influence
from bleu_rouge_metric.analysis.influence import leave_out_of_mean
from bleu_rouge_metric.rounding import exact_mean

from ..support.commands import PREDICTIONS, REFERENCES

TEXTS = [*PREDICTIONS, "", "the cat sat on the mat", "a b c d e f g"]
TARGETS = [*REFERENCES, ["a b"], ["the cat sat on a mat"], ["a b c d e f", "b c d e f g h"]]
# The names of BLEU in a result.
BLEU = {"score": "bleu"}

CASES: dict[str, dict[str, Any]] = {
    "defaults": {},
    "smoothed": {"smooth": True, "max_order": 2},
    "closest": {"reference_length": "closest", "lowercase": True},
    "average": {"reference_length": "average", "max_order": 2},
    "average_of_nltk": {"profile": "nltk", "reference_length": "average", "max_order": 1},
    "sacrebleu": {"profile": "sacrebleu"},
    "nltk": {"profile": "nltk", "smooth": "method4"},
    "google_bleu": {"profile": "google_bleu"},
    "lin2004": {
        "profile": "lin2004",
        "detailed": False,
        "rouge_types": ["rouge2", "rougeW", "rougeSU4"],
    },
    "rouge-1.5.5": {"profile": "rouge-1.5.5", "aggregator": "mean", "detailed": False},
    "stemmer": {"use_stemmer": True, "multi_reference": "micro"},
    "jackknife": {"multi_reference": "jackknife", "rouge_types": ["rouge1", "rougeLsum"]},
}


def _score(texts: list[str], targets: list[list[str]], options: dict[str, Any]) -> dict[str, Any]:
    scorer = Scorer(**options)
    scorer.update(texts, targets)
    return {BLEU.get(name, name): value for name, value in scorer.result().items()}


def _leave_out(at: int, items: list[Any]) -> list[Any]:
    return [*items[:at], *items[at + 1 :]]


@pytest.mark.usefixtures("kernel")
@pytest.mark.filterwarnings("ignore:.*leaves nothing")
@pytest.mark.parametrize("case", CASES)
def test_each_score_is_that_of_the_other_samples(case: str) -> None:
    options = CASES[case]
    scorer = Scorer(**options)
    scorer.update(TEXTS, TARGETS)
    found = influence(scorer)
    whole = _score(TEXTS, TARGETS, options)
    assert found.scores == {name: whole[name] for name in found.scores}
    assert found.scores
    for at in range(len(TEXTS)):
        others = _score(_leave_out(at, TEXTS), _leave_out(at, TARGETS), options)
        assert {name: values[at] for name, values in found.without.items()} == {
            name: others[name] for name in found.scores
        }


@given(st.lists(st.floats(0, 3), min_size=2, max_size=9))
def test_the_mean_of_the_others_is_exact(values: list[float]) -> None:
    expected = [exact_mean(np.array(_leave_out(at, values))) for at in range(len(values))]
    assert leave_out_of_mean(np.array(values)).tolist() == expected


@pytest.mark.filterwarnings("ignore:.*leaves nothing")
def test_a_difference_is_explained() -> None:
    other = ["the cat sat", *TEXTS[1:]]
    result = compare_systems({"A": TEXTS, "B": other, "C": other}, TARGETS, n_resamples=10)
    found = influence(result, "B")
    rows = {row.score: row.delta for row in result.rows if row.system == "B"}
    assert found.scores == rows
    first, second = Scorer(), Scorer()
    first.update(TEXTS, TARGETS)
    second.update(other, TARGETS)
    base, ours = influence(first), influence(second)
    for name, values in found.without.items():
        assert values.tolist() == (ours.without[name] - base.without[name]).tolist()
        # Without the one sample that differs there is no difference of means.
        if name != "bleu":
            assert found.ranking(name)[0] == 0
            assert values[0] == 0
    assert influence(compare_systems({"A": TEXTS, "B": other}, TARGETS)).scores == rows


def test_the_ranking_begins_with_what_adds_most() -> None:
    values = np.array([0.5, 0.25, 0.75, 0.25])
    found = Influence({"a": 0.5, "b": -0.5}, {"a": values, "b": -values}, [7, 8, 9, 10])
    assert found.ranking("a") == [1, 3, 0, 2]
    assert found.changes("a").tolist() == [0.0, -0.25, 0.25, -0.25]
    # Without the samples 1 and 3 the difference is closer to 0.
    assert found.ranking("b") == [1, 3, 0, 2]
    assert str(found).splitlines()[:6] == [
        "a            without it   change",
        "sample 8         0.2500  -0.2500",
        "sample 10        0.2500  -0.2500",
        "all samples      0.5000",
        "sample 7         0.5000  +0.0000",
        "sample 9         0.7500  +0.2500",
    ]


def test_a_text_shows_five_samples_of_each_end() -> None:
    found = Influence({"a": 5.5}, {"a": np.arange(12.0)})
    names = [line.split("  ")[0] for line in str(found).splitlines()[1:]]
    assert names == [
        *(f"sample {at}" for at in range(5)),
        "all samples",
        *(f"sample {at}" for at in range(7, 12)),
    ]


def test_keys_name_the_samples_and_it_is_json() -> None:
    scorer = Scorer("rouge", rouge_types=["rouge1"])
    scorer.update(["a b", "c d"], ["a b", "c"], keys=[20, 10])
    found = influence(scorer)
    assert found.keys == [10, 20]
    assert found.without["rouge1"].tolist() == [1.0, 2 / 3]
    assert json.loads(json.dumps(found.to_dict())) == {
        "scores": {"rouge1": found.scores["rouge1"]},
        "without": {"rouge1": [1.0, 2 / 3]},
        "keys": [10, 20],
    }


def _compared() -> SystemComparison:
    texts = ["a b c", "d e f"]
    return compare_systems({"A": texts, "B": texts, "C": texts}, texts, n_resamples=10)


def _held(samples: int, **options: Any) -> Scorer:
    scorer = Scorer(**options)
    if samples:
        scorer.update(["a b c"] * samples, ["a b c"] * samples)
    return scorer


ERRORS: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "type": (
        lambda: influence([1]),  # type: ignore[arg-type]
        TypeError,
        "scored is of type list; expected a Scorer, or the result of compare_systems. For texts "
        "use scorer = Scorer(); scorer.update(predictions, references); influence(scorer).",
    ),
    "texts": (
        lambda: influence(["a"], ["a"]),  # type: ignore[arg-type]
        TypeError,
        "scored is of type list; expected a Scorer, or the result of compare_systems. For texts "
        "use scorer = Scorer(); scorer.update(predictions, references); influence(scorer).",
    ),
    "system of a scorer": (
        lambda: influence(_held(2), "A"),
        ValueError,
        "system is 'A', but a Scorer has only one; leave it out.",
    ),
    "no system": (
        lambda: influence(_compared()),
        ValueError,
        "system is None; expected one of 'B', 'C'.",
    ),
    "the baseline": (
        lambda: influence(_compared(), "A"),
        ValueError,
        "system is 'A'; expected one of 'B', 'C'.",
    ),
    "options of a comparison": (
        lambda: influence(_compared(), "B", smooth=True),
        TypeError,
        "'smooth' is given, but a comparison has its options; give it to compare_systems.",
    ),
    "no sample": (
        lambda: influence(_held(0)),
        ValueError,
        "There are no samples; give some to update first.",
    ),
    "one sample": (
        lambda: influence(_held(1)),
        ValueError,
        "There is 1 sample; expected at least 2 to leave one out.",
    ),
    "resamples": (
        lambda: influence(_held(2, aggregator="bootstrap")),
        ValueError,
        "ROUGE comes from resamples here (aggregator='bootstrap'), of which no sample can be left "
        "out; use aggregator='mean'.",
    ),
    "the last sample": (
        lambda: influence(_held(2, family="bleu", profile="nltk", smooth="method5")),
        ValueError,
        "smooth 'method5' uses counts of the last sample, so resampling would change what is "
        "measured; use 'method5-corrected'.",
    ),
    "score": (
        lambda: influence(_held(2, family="bleu")).changes("rouge1"),
        ValueError,
        "score is 'rouge1'; expected one of 'bleu'.",
    ),
}


@pytest.mark.parametrize("case", ERRORS)
def test_errors(case: str) -> None:
    call, kind, message = ERRORS[case]
    with pytest.raises(kind, match=f"^{re.escape(message)}$"):
        call()


@pytest.mark.parametrize(
    "copied", [lambda result: pickle.loads(pickle.dumps(result)), copy.copy, copy.deepcopy]
)
def test_a_pickle_or_a_copy_of_a_comparison_has_no_counts(
    copied: Callable[[SystemComparison], SystemComparison],
) -> None:
    result = compare_systems(
        {"A": TEXTS, "B": TEXTS}, TARGETS, n_resamples=10, tokenizer=lambda text: text.split()
    )
    found = copied(result)
    assert found == result
    with pytest.raises(ValueError, match=r"^The comparison has no counts") as error:
        influence(found)
    assert str(error.value) == (
        "The comparison has no counts, because it is a copy or comes from a pickle; give the one "
        "that compare_systems has returned."
    )


def test_options_of_the_result_can_be_given() -> None:
    held = _held(3, aggregator="bootstrap", rouge_types=["rouge1"])
    assert influence(held, aggregator="mean").without["rouge1"].tolist() == [1.0, 1.0, 1.0]

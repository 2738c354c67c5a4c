"""Checks of the options of BLEU's arithmetic."""

from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric.families.bleu.rules import BleuRules, make_bleu_rules


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, BleuRules()),
        ({"arithmetic": "hf"}, BleuRules("hf", reference_length="shortest")),
        (
            {"arithmetic": "sacrebleu"},
            BleuRules("sacrebleu", smooth="exp", reference_length="closest"),
        ),
        ({"arithmetic": "nltk"}, BleuRules("nltk", smooth="none", reference_length="closest")),
        ({"smooth": True}, BleuRules(smooth="add-one")),
        ({"smooth": np.False_, "arithmetic": "sacrebleu"},
         BleuRules("sacrebleu", smooth="none", reference_length="closest")),
        ({"max_order": np.int32(100)}, BleuRules(max_order=100)),
        ({"weights": [0.5, 0.5]}, BleuRules(max_order=2, weights=((0.5, 0.5),))),
        ({"weights": np.array([1, 0])}, BleuRules(max_order=2, weights=((1.0, 0.0),))),
        (
            {"weights": [(1,), (0.25, 0.75)], "max_order": 2},
            BleuRules(max_order=2, weights=((1.0,), (0.25, 0.75))),
        ),
        ({"weights": [0.3333333] * 3}, BleuRules(max_order=3, weights=((0.3333333,) * 3,))),
        ({"smooth": "floor", "smooth_value": 0}, BleuRules(smooth="floor", smooth_value=0)),
        ({"smooth": "add-k", "smooth_value": 1e6}, BleuRules(smooth="add-k", smooth_value=1e6)),
        ({"effective_order": np.True_}, BleuRules(effective_order=True)),
        ({"auto_reweigh": True}, BleuRules(auto_reweigh=True)),
        ({"reference_length": "average"}, BleuRules(reference_length="average")),
    ],
)  # fmt: skip
def test_rules_are_made_of_what_is_given(given: dict[str, Any], expected: BleuRules) -> None:
    assert make_bleu_rules(**given) == expected


@pytest.mark.parametrize(
    ("smooth", "value"), [("floor", 0.1), ("add-k", 1), ("method4", 5), ("exp", 0), ("none", 0)]
)
def test_the_default_of_a_smoothing_is_0_if_it_takes_no_value(smooth: str, value: float) -> None:
    assert BleuRules(smooth=smooth).parameter == value


@pytest.mark.parametrize("value", [np.float32(0.5), np.int8(2)])
def test_numbers_become_those_of_python(value: float) -> None:
    rules = make_bleu_rules(smooth="floor", smooth_value=value)
    assert type(rules.smooth_value) is (int if value == 2 else float)
    assert rules.smooth_value == value


@pytest.mark.parametrize(
    ("given", "order"),
    [
        ({}, 4),
        ({"smooth": "method5"}, 5),
        ({"smooth": "method7", "max_order": 2}, 5),
        ({"smooth": "method5", "max_order": 6}, 6),
        ({"smooth": "method5-corrected"}, 5),
        ({"smooth": "method7-corrected", "max_order": 2}, 3),
        ({"smooth": "method6-corrected"}, 4),
    ],
)
def test_as_many_orders_are_counted_as_the_smoothing_needs(
    given: dict[str, Any], order: int
) -> None:
    assert make_bleu_rules(**given).counted_order == order

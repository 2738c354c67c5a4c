"""Checks of the options of BLEU's arithmetic."""

import re
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric.families.bleu.rules import SMOOTHINGS, BleuRules, make_bleu_rules

NAMES = ", ".join(SMOOTHINGS)
QUOTED = ", ".join(map(repr, SMOOTHINGS))
TAKE_VALUES = (
    "floor, add-k, method1, method4, method6, method6-corrected, method7, method7-corrected"
)


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


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        (
            {"arithmetic": "nlkt"},
            ValueError,
            "Unknown arithmetic 'nlkt'; expected one of 'hf', 'sacrebleu', 'nltk'. "
            "Did you mean 'nltk'?",
        ),
        (
            {"arithmetic": None},
            TypeError,
            "arithmetic is None; expected one of 'hf', 'sacrebleu', 'nltk'.",
        ),
        ({"max_order": 0}, ValueError, "max_order is 0; expected an int from 1 to 100."),
        ({"max_order": 101}, ValueError, "max_order is 101; expected an int from 1 to 100."),
        ({"max_order": True}, TypeError, "max_order is True; expected an int from 1 to 100."),
        ({"max_order": 2.0}, TypeError, "max_order is 2.0; expected an int from 1 to 100."),
        (
            {"smooth": "flor"},
            ValueError,
            f"Unknown smooth 'flor'; expected one of {QUOTED}. Did you mean 'floor'?",
        ),
        ({"smooth": "xyz"}, ValueError, f"Unknown smooth 'xyz'; expected one of {QUOTED}."),
        (
            {"smooth": 1},
            TypeError,
            f"smooth is 1; expected True, False or the name of a smoothing: {NAMES}.",
        ),
        (
            {"smooth_value": 0.1},
            ValueError,
            "smooth_value is 0.1, but smooth 'none' takes no value; leave it out, or choose one "
            f"of {TAKE_VALUES}.",
        ),
        (
            {"smooth_value": 1, "smooth": "method5"},
            ValueError,
            "smooth_value is 1, but smooth 'method5' takes no value; leave it out, or choose one "
            f"of {TAKE_VALUES}.",
        ),
        (
            {"smooth_value": -0.1, "smooth": "floor"},
            ValueError,
            "smooth_value is -0.1; expected a number from 0 to 1,000,000 for smooth 'floor'.",
        ),
        (
            {"smooth_value": float("nan"), "smooth": "add-k"},
            ValueError,
            "smooth_value is nan; expected a number from 0 to 1,000,000 for smooth 'add-k'.",
        ),
        (
            {"smooth_value": float("inf"), "smooth": "method1"},
            ValueError,
            "smooth_value is inf; expected a number from 0 to 1,000,000 for smooth 'method1'.",
        ),
        (
            {"smooth_value": 0, "smooth": "method4"},
            ValueError,
            "smooth_value is 0; expected a number from 1e-06 to 1,000,000 for smooth 'method4'.",
        ),
        (
            {"smooth_value": "1", "smooth": "add-k"},
            TypeError,
            "smooth_value is '1'; expected a number from 0 to 1,000,000 for smooth 'add-k'.",
        ),
        (
            {"smooth_value": True, "smooth": "add-k"},
            TypeError,
            "smooth_value is True; expected a number from 0 to 1,000,000 for smooth 'add-k'.",
        ),
        (
            {"reference_length": "closet"},
            ValueError,
            "Unknown reference_length 'closet'; expected one of 'shortest', 'closest', 'average', "
            "'longest'. Did you mean 'closest'?",
        ),
        (
            {"reference_length": "x"},
            ValueError,
            "Unknown reference_length 'x'; expected one of 'shortest', 'closest', 'average', "
            "'longest'.",
        ),
        (
            {"effective_order": 1},
            TypeError,
            "effective_order is 1; expected True or False.",
        ),
        ({"auto_reweigh": None}, TypeError, "auto_reweigh is None; expected True or False."),
        ({"weights": []}, ValueError, "weights is empty; expected one weight per order."),
        ({"weights": 1}, TypeError, "weights is 1; expected a sequence of numbers."),
        ({"weights": "11"}, TypeError, "weights is '11'; expected a sequence of numbers."),
        (
            {"weights": [(0.5, 0.5), "a"]},
            TypeError,
            "weights[1] is 'a'; expected a sequence of numbers.",
        ),
        (
            {"weights": [1.0, "a"]},
            TypeError,
            "weights[1] is 'a'; expected a number from 0 to 1.",
        ),
        (
            {"weights": [(1.0,), (0.5, None)]},
            TypeError,
            "weights[1][1] is None; expected a number from 0 to 1.",
        ),
        (
            {"weights": [1.5, -0.5]},
            ValueError,
            "weights[0] is 1.5; expected a number from 0 to 1.",
        ),
        (
            {"weights": [1.0, -0.5]},
            ValueError,
            "weights[1] is -0.5; expected a number from 0 to 1.",
        ),
        (
            {"weights": [1.0, float("nan")]},
            ValueError,
            "weights[1] is nan; expected a number from 0 to 1.",
        ),
        (
            {"weights": [0.5, 0.4]},
            ValueError,
            "weights sums to 0.9; expected 1: divide each by 0.9.",
        ),
        (
            {"weights": [0.33333] * 3},
            ValueError,
            "weights sums to 0.99999; expected 1: divide each by 0.99999.",
        ),
        (
            {"weights": [0.5, 0.499997]},
            ValueError,
            "weights sums to 0.999997; expected 1: divide each by 0.999997.",
        ),
        (
            {"weights": [0.999998]},
            ValueError,
            "weights sums to 0.999998; expected 1: divide each by 0.999998.",
        ),
        (
            {"weights": [(1.0,), (0, 0)]},
            ValueError,
            "weights[1] sums to 0.0; expected 1: make one of them greater than 0.",
        ),
        (
            {"weights": [0.5, 0.5], "max_order": 4},
            ValueError,
            "weights has 2 values, but max_order is 4; give one weight per order, or leave "
            "max_order out.",
        ),
        (
            {"weights": [1.0], "max_order": 2},
            ValueError,
            "weights has 1 value, but max_order is 2; give one weight per order, or leave "
            "max_order out.",
        ),
        (
            {"weights": [(1.0,), (0.5, 0.5)], "max_order": 1},
            ValueError,
            "weights[1] has 2 values, but max_order is 1; give one weight per order, or leave "
            "max_order out.",
        ),
        (
            {"weights": [(1.0,), ()]},
            ValueError,
            "weights[1] is empty; expected one weight per order.",
        ),
        (
            {"weights": [(1.0,), (0.5, 0.5)], "max_order": 4},
            ValueError,
            "The longest set of weights has 2 values, but max_order is 4; give one set a weight "
            "for every order, or leave max_order out.",
        ),
        (
            {"weights": [1 / 128] * 128},
            ValueError,
            "weights has 128 values; expected at most 100.",
        ),
    ],
)
def test_what_cannot_be_computed_is_an_error(
    given: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        make_bleu_rules(**given)

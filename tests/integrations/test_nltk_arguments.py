"""Unusual arguments of ``integrations.nltk.bleu_score`` do what they do in NLTK."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import nltk.translate.bleu_score as theirs
import numpy as np
import pytest

from bleu_rouge_metric.integrations.nltk import bleu_score as ours

from .test_nltk_bleu import run, to_plain

MODULES: Any = (theirs, ours)
REFERENCES, HYPOTHESIS = [list("abcd")], list("abcx")


def yield_precisions(p_n: Any, **_: Any) -> Iterator[Any]:
    yield from p_n


@pytest.mark.parametrize("smooth", [yield_precisions, lambda *_, **__: None, lambda *_, **__: 3])
def test_what_a_function_of_the_caller_returns_is_read_as_in_nltk(
    smooth: Callable[..., Any],
) -> None:
    weights = [(1,), (0.5, 0.5), (0.3, 0.3)]
    expected, found = (
        run(module.corpus_bleu, [REFERENCES], [HYPOTHESIS], weights, smooth)[0]
        for module in MODULES
    )
    assert found == expected


def test_errors_of_none_say_what_is_expected() -> None:
    with pytest.raises(TypeError, match=r"^smoothing_function returned None; expected a precision"):
        ours.sentence_bleu(REFERENCES, HYPOTHESIS, smoothing_function=lambda *_, **__: None)
    none: Any = None
    with pytest.raises(TypeError, match=r"^k is None; method7 needs a number\.$"):
        ours.sentence_bleu(
            REFERENCES, HYPOTHESIS, smoothing_function=ours.SmoothingFunction(k=none).method7
        )


@pytest.mark.parametrize("value", [None, Decimal("0.1"), True, np.float32(0.1), Fraction(1, 3)])
@pytest.mark.parametrize(
    ("method", "name"),
    [
        *(("method1", "epsilon"), ("method4", "k"), ("method6", "alpha"), ("method7", "k")),
        ("method2", "k"),
    ],
)
def test_values_of_any_type_are_used_as_in_nltk(method: str, name: str, value: Any) -> None:
    found = []
    for module in MODULES:
        smooth = getattr(module.SmoothingFunction(**{name: value}), method)
        score = run(module.sentence_bleu, REFERENCES, HYPOTHESIS, smoothing_function=smooth)[0]
        p_n = [module.Fraction(count, 4) for count in (3, 2, 1, 0)]
        found.append((score, to_plain(run(smooth, p_n, REFERENCES, HYPOTHESIS, 4)[0])))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "weights", [[(1,), ()], [(1,), [], (0.5, 0.5)], [(0.5, 0.5), ()], (), [(0, 1), ()]]
)
def test_an_empty_set_of_weights_scores_as_in_nltk(weights: Any) -> None:
    for hypothesis in (list("abcd"), list("abc"), list("xyz")):
        expected, found = (
            module.corpus_bleu([REFERENCES], [hypothesis], weights) for module in MODULES
        )
        assert to_plain(found) == to_plain(expected)


@pytest.mark.parametrize("n", [True, 2, 1500])
def test_any_order_has_a_precision(n: int) -> None:
    for hypothesis in (HYPOTHESIS, HYPOTHESIS * 400):
        expected, found = (
            module.modified_precision([HYPOTHESIS * 500], hypothesis, n) for module in MODULES
        )
        assert to_plain(found) == to_plain(expected)


def test_an_order_that_is_no_order_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"^n is 0; expected at least 1\.$"):
        ours.modified_precision(REFERENCES, HYPOTHESIS, 0)
    one: Any = 1.0
    with pytest.raises(TypeError, match=r"^'float' object cannot be interpreted as an integer$"):
        ours.modified_precision(REFERENCES, HYPOTHESIS, one)


@pytest.mark.parametrize(
    ("references", "hypothesis"),
    [
        *(([[[]]], ["a"]), ([["a"]], [[]]), ([["a", "b"]], [[]]), ([[[]]], ["a", "b"])),
        *(([["a", []]], ["a", "b"]), ([None], ["a"]), ([], [[]]), ([], []), ([], ["a", "b"])),
    ],
)
def test_texts_shorter_than_the_order_are_not_read(references: Any, hypothesis: Any) -> None:
    expected, found = (
        to_plain(run(module.modified_precision, references, hypothesis, 2)[0]) for module in MODULES
    )
    assert found == expected


def test_iterators_are_read_as_in_nltk() -> None:
    found = []
    for module in MODULES:
        smoothing = module.SmoothingFunction()
        p_n = [module.Fraction(count, 4) for count in (3, 1, 0)]
        precision = module.modified_precision(map(str.split, ["a b", "a c"]), ["a", "a", "c"], 1)
        smoothed = [run(smooth, iter(p_n)) for smooth in (smoothing.method0, smoothing.method1)]
        by_length = smoothing.method4(p_n, REFERENCES, None, 6)
        found.append((to_plain(precision), to_plain(smoothed), to_plain(by_length)))
    assert found[0] == found[1]


def test_a_fraction_has_the_attributes_of_nltk() -> None:
    for module in MODULES:
        fraction = module.Fraction(2, 4)
        assert (fraction._original_numerator, fraction._original_denominator) == (2, 4)

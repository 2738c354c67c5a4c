"""The functions under ``integrations.nltk.translate`` do what those of NLTK do."""

import pickle
import warnings
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import nltk.translate.bleu_score as theirs
import nltk.translate.gleu_score
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bleu_rouge_metric.integrations.nltk import translate
from bleu_rouge_metric.integrations.nltk.translate import bleu_score as ours

SMOOTHING = ours.SmoothingFunction()
METHODS = [f"method{number}" for number in range(8)]
WEIGHTS: list[Any] = [
    *((0.25, 0.25, 0.25, 0.25), [0.25, 0.25, 0.25, 0.25], (0.5, 0.5), (1,), (0.2,) * 5, (0, 1)),
    *([(1,), (0.5, 0.5), (0.25,) * 4], [(0.1, 0.2, 0.7), (1.5, 2)], (), [], (Fraction(1, 3),) * 3),
    *(np.full(4, 0.25), np.full((2, 3), 1 / 3), [[0.3, 0.7]], [(1,), ()], [(1,), [], (0.5, 0.5)]),
    *([(0.5, 0.5), ()], [(0, 1), ()]),
]
# Of epsilon, alpha and k.
VALUES: list[tuple[Any, Any, Any]] = [
    *((0.1, 5, 5), (0, 0, 1), (1, 2.5, 0.5), (Fraction(1, 7), Fraction(3, 2), 2)),
    *((Decimal("0.1"),) * 3, (True,) * 3, (np.float32(0.1),) * 3, (Fraction(1, 3),) * 3),
]

plain = st.sampled_from(["a", "b", "c", "the"])
odd = st.sampled_from([0, 1, "1", "a b", " ", "", "\x85", "\ud800", (1, "a"), None, 2.5, "é", b"a"])
texts = (
    st.lists(plain, max_size=9)
    | st.lists(plain | odd, max_size=7)
    | st.lists(plain, max_size=5).map(tuple)
    | st.text("ab ", max_size=7)
    | st.lists(plain, max_size=5).map(lambda tokens: np.array(tokens, dtype=object))
)
pairs = st.tuples(st.lists(texts, min_size=1, max_size=3), texts)
corpora = st.lists(pairs, min_size=1, max_size=4)


def run(function: Callable[..., Any], *args: Any, **options: Any) -> tuple[Any, list[str]]:
    """What a call returns, or the type of its error; and the first lines of its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = function(*args, **options)
        except Exception as error:  # noqa: BLE001 - which, is what is compared
            # A KeyError of NLTK names an n-gram.
            result = type(error)
    lines = [str(one.message).split("\n")[1] for one in caught if one.category is UserWarning]
    return result, lines


def to_plain(value: Any) -> Any:
    """Numbers with their types; fractions of both libraries as pairs."""
    if isinstance(value, list):
        return [to_plain(item) for item in value]
    if type(value) is Fraction:
        # What is computed of them is not always reduced in Python 3.10.
        return Fraction(value.numerator, value.denominator)
    if isinstance(value, Fraction):
        return value.numerator, value.denominator
    return type(value), value


@pytest.mark.usefixtures("kernel")
@given(
    corpora,
    st.sampled_from(WEIGHTS),
    st.sampled_from([None, *METHODS]),
    st.sampled_from(VALUES),
    st.booleans(),
)
def test_all_scores_are_equal(
    corpus: Any, weights: Any, method: str | None, values: Any, reweigh: bool
) -> None:
    references, hypotheses = map(list, zip(*corpus, strict=True))
    # Comparing an array with a tuple raises there.
    assume(not (reweigh and isinstance(weights, np.ndarray)))
    found = []
    # A smoothing may be that of the other library.
    for module, smoothings in ((theirs, theirs), (ours, ours), (ours, theirs), (theirs, ours)):
        function = method and getattr(smoothings.SmoothingFunction(*values), method)
        result, lines = run(module.corpus_bleu, references, hypotheses, weights, function, reweigh)
        first = run(module.sentence_bleu, *corpus[0], weights, function, reweigh)
        found.append((to_plain(result), lines, to_plain(first[0]), first[1]))
    assert found[0] == found[1]
    assert method == "method6" or found[0] == found[2] == found[3]


@given(corpora, st.sampled_from([(0.25,) * 4, (0.5, 0.5), [(1,), (0.4, 0.6)]]))
def test_a_function_of_the_caller_gets_the_same(corpus: Any, weights: Any) -> None:
    references, hypotheses = map(list, zip(*corpus, strict=True))
    found: list[Any] = []
    for module in (theirs, ours):
        calls: list[Any] = []

        def smooth(p_n: Any, calls: Any = calls, **options: Any) -> Any:
            calls.append((to_plain(p_n), options["hyp_len"]))
            assert options["references"] is references[-1]
            assert options["hypothesis"] is hypotheses[-1]
            return [(one.numerator + 0.3) / (one.denominator + 0.7) for one in p_n]

        score = to_plain(module.corpus_bleu(references, hypotheses, weights, smooth))
        found.append((score, calls))
    assert found[0] == found[1]


@given(pairs, st.sampled_from(METHODS), st.integers(1, 5), st.sampled_from([None, 0, 1, 9]))
def test_the_methods_are_called_alike(
    pair: Any, method: str, orders: int, hyp_len: int | None
) -> None:
    references, hypothesis = pair
    found = []
    for module in (theirs, ours):
        p_n = [module.modified_precision(references, hypothesis, n) for n in range(1, orders + 1)]
        function = getattr(module.SmoothingFunction(0.2, 3, 4), method)
        result, lines = run(function, p_n, references, hypothesis, hyp_len)
        found.append((to_plain(result), lines))
    assert found[0] == found[1]


long_texts = st.just(([list("abc") * 600], list("abca") * 400))


@given(pairs | long_texts, st.integers(1, 6) | st.sampled_from([True, 1024]), st.integers(0, 9))
def test_precisions_and_lengths_are_equal(pair: Any, order: int, length: int) -> None:
    references, hypothesis = pair
    found = [
        (
            to_plain(module.modified_precision(references, hypothesis, order)),
            module.closest_ref_length(references, length),
            to_plain(module.brevity_penalty(length, len(hypothesis))),
        )
        for module in (theirs, ours)
    ]
    assert found[0] == found[1]


@given(corpora, st.integers(-1, 3), st.integers(0, 6))
def test_gleu_is_equal(corpus: Any, min_len: int, max_len: int) -> None:
    references, hypotheses = map(list, zip(*corpus, strict=True))
    found = []
    for module in (nltk.translate.gleu_score, translate.gleu_score):
        scores = (
            module.corpus_gleu(references, hypotheses),
            module.corpus_gleu([[], *references], ["a", *hypotheses], max(min_len, 1), max_len),
            module.sentence_gleu(*corpus[0], max_len=2),
            module.corpus_gleu([], []),
        )
        found.append(to_plain(list(scores)))
    assert found[0] == found[1]


def test_the_warning_is_given_at_the_line_of_the_caller() -> None:
    with pytest.warns(
        UserWarning, match=r"^\nThe hypothesis contains 0 counts of 2-gram"
    ) as caught:
        ours.sentence_bleu([["a", "b"]], ["a", "c"], (0.5, 0.5))
    assert [one.filename for one in caught] == [__file__]


def test_fractions_are_kept_and_pickled() -> None:
    for make in (theirs.Fraction, ours.Fraction):
        assert (make(2, 4).numerator, make(2, 4, _normalize=True).numerator) == (2, 1)
        with pytest.raises(ZeroDivisionError):
            make(1, 0)
    with pytest.raises(TypeError, match="unhashable"):
        ours.sentence_bleu([[{}]], ["a"])  # type: ignore[list-item]
    kept = pickle.loads(pickle.dumps(ours.SmoothingFunction(k=3)))
    assert vars(kept) == {"epsilon": 0.1, "alpha": 5, "k": 3}

"""BLEU with the arithmetic of sacrebleu: worked examples, and comparison with the library."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric.families.bleu.rules import make_bleu_rules

from ..support.bleu_references import Corpus, corpus_score, sacrebleu_scores, score_texts
from ..support.strategies import spaced_corpora

PREDICTION = "Paris is the capital of France"
REFERENCES = ["Paris is the biggest French city", "Paris is the largest city in France"]


@st.composite
def smoothings(draw: st.DrawFn) -> dict[str, Any]:
    """Make a smoothing of sacrebleu, with a value if it takes one."""
    smooth = draw(st.sampled_from(["none", "floor", "add-k", "exp"]))
    value = st.none() | st.integers(0, 3) | st.floats(0, 1e3)
    takes_value = smooth in ("floor", "add-k")
    return {"smooth": smooth, "smooth_value": draw(value) if takes_value else None}


def _renamed(options: dict[str, Any]) -> dict[str, Any]:
    return {
        "smooth_method": options["smooth"],
        "smooth_value": options["smooth_value"],
        "max_ngram_order": options["max_order"],
    }


options = st.builds(
    lambda smoothing, max_order: smoothing | {"max_order": max_order},
    smoothings(),
    st.integers(1, 10),
)


@given(spaced_corpora, options, st.sampled_from([None, False, True]))
def test_corpus_bleu_equals_sacrebleu(
    corpus: Corpus, options: dict[str, Any], effective_order: bool | None
) -> None:
    score = corpus_score(corpus, arithmetic="sacrebleu", effective_order=effective_order, **options)
    assert [score] == sacrebleu_scores(
        corpus, effective_order=bool(effective_order), **_renamed(options)
    )


@given(spaced_corpora, options, st.sampled_from([None, False, True]))
def test_sentence_bleu_equals_sacrebleu(
    corpus: Corpus, options: dict[str, Any], effective_order: bool | None
) -> None:
    rules = make_bleu_rules(arithmetic="sacrebleu", effective_order=effective_order, **options)
    expected = sacrebleu_scores(
        corpus,
        is_sentence=True,
        effective_order=effective_order is not False,
        **_renamed(options),
    )
    assert score_texts(corpus, rules)[1] == [score["score"] for score in expected]


@pytest.mark.parametrize(
    ("value", "references", "score"),
    [
        (0, 1, 0.0),
        (1, 1, 35.930411196308434),
        (1, 2, 38.60973950960897),
    ],
)
def test_the_worked_examples_of_floor(value: int, references: int, score: float) -> None:
    found = corpus_score(
        [(PREDICTION, REFERENCES[:references])],
        arithmetic="sacrebleu",
        smooth="floor",
        smooth_value=value,
    )
    assert found["score"] == score
    assert (found["counts"], found["totals"]) == (
        [3 if references == 1 else 4, 2, 1, 0],
        [6, 5, 4, 3],
    )


def test_add_k_leaves_the_counts_as_they_are() -> None:
    # For orders 2, 3 and 4: (2 + 1) / (5 + 1), (1 + 1) / (4 + 1), (0 + 1) / (3 + 1).
    found = corpus_score([(PREDICTION, REFERENCES[:1])], arithmetic="sacrebleu", smooth="add-k")
    assert found["counts"] == [3, 2, 1, 0]
    assert found["totals"] == [6, 5, 4, 3]
    assert found["precisions"] == [50.0, 50.0, 40.0, 25.0]
    assert {type(count) for count in (*found["counts"], *found["totals"])} == {int}


def test_exp_halves_once_more_for_every_order_without_a_match() -> None:
    found = corpus_score([("a b c d e", ["a x c y e"])], arithmetic="sacrebleu")
    assert found["precisions"] == [60.0, 100 / (2 * 4), 100 / (4 * 3), 100 / (8 * 2)]


@pytest.mark.parametrize(("effective_order", "score"), [(False, 0.0), (True, 100.00000000000004)])
def test_effective_order_leaves_out_what_is_too_long(effective_order: bool, score: float) -> None:
    found = corpus_score(
        [("a b c", ["a b c"])], arithmetic="sacrebleu", effective_order=effective_order
    )
    assert found["score"] == score
    assert found["precisions"] == [100.0, 100.0, 100.0, 0.0]


def test_effective_order_is_the_default_of_sentences_alone() -> None:
    rules = make_bleu_rules(arithmetic="sacrebleu")
    corpus, sentences = score_texts([("a b c", ["a b c"])], rules)
    assert corpus["score"] == 0.0
    assert sentences == [100.00000000000004]


def test_without_any_match_nothing_is_smoothed() -> None:
    found = corpus_score([("a b c d", ["x y"])], arithmetic="sacrebleu", smooth="add-k")
    assert found == {
        "score": 0.0,
        "counts": [0, 0, 0, 0],
        "totals": [4, 3, 2, 1],
        "precisions": [0.0, 0.0, 0.0, 0.0],
        "bp": 1.0,
        "sys_len": 4,
        "ref_len": 2,
    }


@pytest.mark.parametrize(
    ("prediction", "references", "ref_len"),
    [
        ("a b c d e f", ["a b c", "a b c d e f g h"], 8),  # 8 is closer to 6 than 3
        ("a b c d e f", ["a b c d e f g h", "a b c d"], 4),  # the shorter one on a tie
        ("a", ["a b", ""], 0),
    ],
)
def test_the_closest_reference_counts(prediction: str, references: list[str], ref_len: int) -> None:
    assert corpus_score([(prediction, references)], arithmetic="sacrebleu")["ref_len"] == ref_len

"""``select_best`` and ``select_consensus`` find what a loop over the reference libraries finds."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from rouge_score import rouge_scorer

from bleu_rouge_metric import (
    PairScorer,
    select_best,
    select_consensus,
)
from bleu_rouge_metric.analysis.pairs import pool

from ...conftest import unfit_texts
from ...support.bleu_references import _add_up, plain_sums

pytestmark = [*unfit_texts, pytest.mark.filterwarnings("ignore:.*effective_order")]


@pytest.fixture(autouse=True, scope="module")
def _sums_from_left_to_right() -> Iterator[None]:
    """Let sacrebleu add floats as up to Python 3.11."""
    with plain_sums():
        yield


GROUPS = [
    ["the cat sat on the mat", "a cat sat on a mat.", "the cat", ""],
    ["dogs bark"],
    ["no", "no", "yes, it's 1,000.5 -"],
    ["Ünïcode &amp; “quotes”", "unicode & quotes"],
]
REFERENCES: list[list[str]] = [
    ["the cat sat on a mat", "a cat is on the mat."],
    ["a dog barks", "", "dogs"],
    ["maybe", "yes, it's 1,000.5 -", "no"],
    ["unicode & quotes"],
]
WEIGHTS: list[list[float]] = [[1, 3], [0.5, 0, 1e-300], [2, 1, 1], [7]]
words = st.lists(st.sampled_from(["the", "a", "cat", "dog", ",", "."]), max_size=8).map(" ".join)
samples = st.lists(
    st.tuples(
        st.lists(words, min_size=1, max_size=4), words | st.lists(words, min_size=1, max_size=3)
    ),
    min_size=1,
    max_size=4,
)


def check_choice(found: Any, groups: list[list[Any]], expected: list[list[float]]) -> None:
    assert found.index.dtype == np.int64
    assert found.index.tolist() == [scores.index(max(scores)) for scores in expected]
    assert found.texts == [group[i] for group, i in zip(groups, found.index.tolist(), strict=True)]


def check_best(groups: list[list[str]], references: list[Any]) -> None:
    best = select_best(groups, references, profile="sacrebleu")
    lists = [[item] if isinstance(item, str) else item for item in references]
    expected = [
        [sacrebleu.sentence_bleu(text, item).score for text in group]
        for group, item in zip(groups, lists, strict=True)
    ]
    assert [scores.tolist() for scores in best.scores] == expected
    check_choice(best, groups, expected)


def average(scores: list[float], weights: list[float]) -> float:
    """Return the weighted mean, summed from left to right."""
    products = [score * weight for score, weight in zip(scores, weights, strict=True)]
    return _add_up(products) / _add_up(weights)


def check_consensus(
    groups: list[list[str]],
    references: list[list[str]] | None = None,
    weights: list[list[float]] | None = None,
) -> None:
    given: dict[str, Any] = {"references": references, "weights": weights, "profile": "sacrebleu"}
    found = select_consensus(groups, with_matrix=True, **given)
    matrices = [
        [[sacrebleu.sentence_bleu(text, [other]).score for other in others] for text in group]
        for group, others in zip(groups, references or groups, strict=True)
    ]
    assert found.matrices is not None
    assert [matrix.tolist() for matrix in found.matrices] == matrices
    # Weights are scaled by a power of two, which changes no digit.
    shares = weights or [[1.0] * len(matrix[0]) for matrix in matrices]
    expected = [
        [average(row, own) for row in matrix] for matrix, own in zip(matrices, shares, strict=True)
    ]
    assert [row.tolist() for row in found.expected] == expected
    check_choice(found, groups, expected)
    plain = select_consensus(groups, **given)
    assert plain.matrices is None
    assert [row.tolist() for row in plain.expected] == expected


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("block", [1, 3, 5, pool._BLOCK])
def test_bleu_is_that_of_sacrebleu(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_BLOCK", block)
    check_best(GROUPS, REFERENCES)
    check_best(GROUPS, [references[0] for references in REFERENCES])
    check_consensus(GROUPS)
    check_consensus(GROUPS, REFERENCES)
    check_consensus(GROUPS, REFERENCES, WEIGHTS)


@given(samples)
def test_any_bleu_is_that_of_sacrebleu(samples: list[tuple[list[str], Any]]) -> None:
    check_best([group for group, _ in samples], [references for _, references in samples])
    check_consensus([group for group, _ in samples])


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("name", ["rouge1", "rougeL", "rougeLsum"])
def test_rouge_is_that_of_rouge_score(name: str) -> None:
    scorer = rouge_scorer.RougeScorer([name], use_stemmer=True)
    best = select_best(GROUPS, REFERENCES, name, use_stemmer=True)
    expected = [
        [scorer.score_multi(references, text)[name].fmeasure for text in group]
        for group, references in zip(GROUPS, REFERENCES, strict=True)
    ]
    assert [scores.tolist() for scores in best.scores] == expected
    check_choice(best, GROUPS, expected)
    for part in ("precision", "recall", "fmeasure"):
        found = select_consensus(GROUPS, f"{name}_{part}", use_stemmer=True, with_matrix=True)
        assert found.matrices is not None
        for group, matrix in zip(GROUPS, found.matrices, strict=True):
            assert matrix.tolist() == [
                [getattr(scorer.score(reference, text)[name], part) for reference in group]
                for text in group
            ]


OPTIONS: list[tuple[str, dict[str, Any]]] = [
    ("bleu", {}),
    ("bleu", {"profile": "sacrebleu", "smooth": "floor"}),
    ("bleu", {"profile": "hf", "smooth": True}),
    ("bleu", {"smooth": "method4", "max_order": 3}),
    ("bleu", {"effective_order": False, "lowercase": True}),
    ("google_bleu", {}),
    ("rouge-l", {"profile": "rouge"}),
    ("rouge-l", {"profile": "rouge-chinese"}),
]


@pytest.mark.parametrize(("name", "options"), OPTIONS)
def test_other_scores_are_those_of_a_pair_scorer(name: str, options: dict[str, Any]) -> None:
    group = ["the cat sat", "a cat sat on a mat", "cat"]
    defaults: dict[str, Any] = {"smooth": "exp", "effective_order": True}
    if name != "bleu" or "profile" in options:
        defaults = {}
    scorer = PairScorer(name, **(defaults | options))
    found = select_consensus([group], name, with_matrix=True, **options)
    assert found.matrices is not None
    assert found.matrices[0].tolist() == [[scorer(a, b) for b in group] for a in group]
    best = select_best([group, ["yes it is"]], ["a cat sat down", "yes it was"], name, **options)
    assert best.scores[0].tolist() == [scorer(text, "a cat sat down") for text in group]
    assert best.scores[1].tolist() == [scorer("yes it is", "yes it was")]


def test_weights_of_bleu_are_those_of_its_orders_for_references() -> None:
    options: dict[str, Any] = {"weights": [0.5, 0.5], "max_order": 2, "profile": "sacrebleu"}
    scorer = PairScorer("bleu", **options)
    best = select_best([["a cat sat"]], [["a cat", "the cat sat"]], **options)
    assert best.scores[0].tolist() == [scorer("a cat sat", ["a cat", "the cat sat"])]


@pytest.mark.usefixtures("kernel")
def test_token_ids_are_scored_as_texts() -> None:
    ids = [[[1, 2, 3, 4], [1, 2, -100], []], [[7]]]
    as_texts = [["1 2 3 4", "1 2", ""], ["7"]]
    found = select_consensus(ids, tokenizer="ids")
    expected = select_consensus(as_texts, tokenizer="whitespace")
    assert [row.tolist() for row in found.expected] == [row.tolist() for row in expected.expected]
    groups = [[[1, 2], [1, 3, 4, -100]], [[7]]]
    best = select_best(groups, [[[1, 3, 4], [9]], [[7]]], "rouge1", tokenizer="ids")
    assert [scores.tolist() for scores in best.scores] == [[0.4, 1.0], [1.0]]
    assert best.texts == [(1, 3, 4, -100), (7,)]


def test_probabilities_of_long_texts_are_weights() -> None:
    tiny = math.exp(-740)
    found = select_consensus([["a", "b"]], "rouge1", weights=[[tiny, 3 * tiny]])
    assert found.index.tolist() == [1]

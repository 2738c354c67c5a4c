"""``select_consensus`` finds what a loop over the reference libraries finds."""

import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from rouge_score import rouge_scorer
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.helpers import extract_all_word_ngrams

from bleu_rouge_metric import PairScorer
from bleu_rouge_metric.analysis.pairs import consensus
from bleu_rouge_metric.analysis.pairs.consensus import select_consensus

from ...conftest import unfit_texts
from ...support.bleu_references import plain_sums

pytestmark = [*unfit_texts, pytest.mark.filterwarnings("ignore:.*effective_order")]


@pytest.fixture(autouse=True, scope="module")
def _sums_from_left_to_right() -> Iterator[None]:
    """Let sacrebleu add floats as up to Python 3.11."""
    with plain_sums():
        yield


# The numbers are those of mbrs 0.1.8 (metrics/bleu_test.py), to their last digit there.
CANDIDATES = [
    "this is a test",
    "another test",
    "this is a fest",
    "Producția de zahăr primă va fi exprimată în ceea ce privește zahărul alb;",
]
REFERENCES = ["ref", "this is a test", "producţia de zahăr brut se exprimă în zahăr alb;"]
MATRIX = [[0, 100, 0], [0, 18.394, 0], [0, 59.460, 0], [0, 0, 8.493]]
AGGREGATE = [25.96003, 6.44121, 20.31482, 5.13217]

GROUPS = [
    ["the cat sat on the mat", "a cat sat on a mat.", "the cat", ""],
    ["dogs bark"],
    ["no", "yes, it's 1,000.5 -", "no"],
]
OTHERS = [["the cat sat on a mat", "it sat"], ["a dog barks", "", "dogs"], ["no no"]]
WEIGHTS: list[list[float]] = [[1, 3], [0.5, 0, 1e-300], [2]]
texts = st.lists(st.sampled_from(["the", "a", "cat", "dog", ",", "."]), max_size=8).map(" ".join)
groups_of_texts = st.lists(st.lists(texts, min_size=1, max_size=4), min_size=1, max_size=3)


def _average(scores: list[float], weights: list[float]) -> float:
    total = weighted = 0.0
    for score, weight in zip(scores, weights, strict=True):
        total += weight
        weighted += score * weight
    return weighted / total


def _check(groups: list[list[str]], others: list[list[str]] | None, weights: Any = None) -> None:
    found = select_consensus(groups, references=others, weights=weights, with_matrix=True)
    assert found.matrices is not None
    for number, group in enumerate(groups):
        references = group if others is None else others[number]
        matrix = [
            [sacrebleu.sentence_bleu(text, [reference]).score for reference in references]
            for text in group
        ]
        assert found.matrices[number].tolist() == matrix
        own = [1.0] * len(references) if weights is None else weights[number]
        # Weights are scaled by a power of two, which changes no digit.
        expected = [_average(row, own) for row in matrix]
        assert found.expected[number].tolist() == expected
        assert found.index[number] == expected.index(max(expected))
        assert found.texts[number] == group[found.index[number]]


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("others", [None, OTHERS])
def test_bleu_is_that_of_sacrebleu(others: list[list[str]] | None) -> None:
    _check(GROUPS, others)


@pytest.mark.usefixtures("kernel")
def test_weights_weigh_references() -> None:
    _check(GROUPS, OTHERS, WEIGHTS)
    even = select_consensus(GROUPS, references=OTHERS, weights=[[7, 7], [5, 5, 5], [3]])
    plain = select_consensus(GROUPS, references=OTHERS)
    assert [row.round(9).tolist() for row in even.expected] == [
        row.round(9).tolist() for row in plain.expected
    ]


@given(groups_of_texts)
def test_any_bleu_is_that_of_sacrebleu(groups: list[list[str]]) -> None:
    _check(groups, None)


@pytest.mark.parametrize("most", [1, 3, 5])
def test_blocks_change_nothing(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consensus, "_MOST_PAIRS", most)
    _check(GROUPS, None)
    _check(GROUPS, OTHERS, WEIGHTS)


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("part", ["precision", "recall", "fmeasure"])
def test_rouge_is_that_of_rouge_score(part: str) -> None:
    scorer = rouge_scorer.RougeScorer(["rougeL"], use_stemmer=True)
    name = f"rougeL_{part}"
    found = select_consensus(GROUPS, name, use_stemmer=True, with_matrix=True)
    assert found.matrices is not None
    for group, matrix in zip(GROUPS, found.matrices, strict=True):
        assert matrix.tolist() == [
            [getattr(scorer.score(reference, text)["rougeL"], part) for reference in group]
            for text in group
        ]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("bleu", {"profile": "hf", "smooth": True}),
        ("bleu", {"smooth": "method4", "max_order": 3}),
        ("google_bleu", {}),
        ("rouge-l", {"profile": "rouge-chinese"}),
    ],
)
def test_other_scores_are_those_of_a_pair_scorer(name: str, options: dict[str, Any]) -> None:
    group = ["the cat sat", "a cat sat on a mat", "cat"]
    defaults = {"profile": "sacrebleu"} if name == "bleu" else {}
    scorer = PairScorer(name, **(defaults | options))
    found = select_consensus([group], name, with_matrix=True, **options)
    assert found.matrices is not None
    assert found.matrices[0].tolist() == [[scorer(a, b) for b in group] for a in group]


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("is_effective", [True, False])
def test_the_worked_example(*, is_effective: bool) -> None:
    found = select_consensus(
        [CANDIDATES], references=[REFERENCES], with_matrix=True, effective_order=is_effective
    )
    assert found.matrices is not None
    matrix = [
        row if is_effective or number != 1 else [0, 0, 0] for number, row in enumerate(MATRIX)
    ]
    assert found.matrices[0].round(3).tolist() == matrix
    averages = select_consensus(
        [CANDIDATES], references=[REFERENCES], aggregate=True, effective_order=is_effective
    )
    expected = [AGGREGATE[0], AGGREGATE[1] if is_effective else 0, *AGGREGATE[2:]]
    assert averages.expected[0].round(5).tolist() == expected
    assert averages.matrices is None
    assert found.index.tolist() == averages.index.tolist() == [0]


def test_the_worked_example_with_empty_texts() -> None:
    references = [["thank you so much", "", "thank you.", "thank you", ""]]
    found = select_consensus([["thank you", ""]], references=references, aggregate=True)
    assert found.expected[0].round(4).tolist() == [60, 0]


class _Length(float):
    """A mean length, which sacrebleu can only write as an int."""

    def __format__(self, spec: str) -> str:
        return format(int(self), spec)


def _score_averages(
    group: list[str], references: list[str], weights: list[float], **options: Any
) -> list[float]:
    """Return BLEU against averages by sacrebleu's own functions."""
    scorer = BLEU(**{"effective_order": True} | options)
    means: Counter[Any] = Counter()
    length = total = 0.0
    for weight in weights:
        total += weight
    for text, weight in zip(references, weights, strict=True):
        ngrams, count = extract_all_word_ngrams(scorer._preprocess_segment(text), 1, 4)
        length += count * weight
        for ngram in ngrams:
            means[ngram] += ngrams[ngram] * weight  # type: ignore[assignment]
    scores: list[float] = []
    for text in group:
        ngrams, count = extract_all_word_ngrams(scorer._preprocess_segment(text), 1, 4)
        matches, totals = [0.0] * 4, [0] * 4
        for ngram, number in ngrams.items():
            totals[len(ngram) - 1] += number
            matches[len(ngram) - 1] += min(number, means[ngram] / total)
        # sacrebleu's formula computes with floats as with the ints that it declares.
        compute: Any = BLEU.compute_bleu
        found = compute(
            correct=matches,
            total=totals,
            sys_len=count,
            ref_len=_Length(length / total),
            smooth_method=scorer.smooth_method,
            smooth_value=scorer.smooth_value,
            effective_order=scorer.effective_order,
        )
        scores.append(found.score)
    return scores


OPTIONS: dict[str, dict[str, Any]] = {
    "defaults": {},
    "all orders": {"effective_order": False},
    "floor": {"smooth_method": "floor", "smooth_value": 0.2},
    "add-k": {"smooth_method": "add-k"},
    "none": {"smooth_method": "none"},
    "lower case": {"lowercase": True, "tokenize": "char"},
}
NAMES = {"smooth_method": "smooth", "tokenize": "tokenizer"}


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("case", OPTIONS)
@pytest.mark.parametrize("others", [None, OTHERS])
def test_averages_are_scored_as_by_sacrebleu(others: list[list[str]] | None, case: str) -> None:
    options = OPTIONS[case]
    ours = {NAMES.get(name, name): value for name, value in options.items()}
    weights = None if others is None else WEIGHTS
    found = select_consensus(GROUPS, references=others, weights=weights, aggregate=True, **ours)
    for number, group in enumerate(GROUPS):
        references = group if others is None else others[number]
        own = [1.0] * len(references) if others is None else WEIGHTS[number]
        expected = _score_averages(group, references, own, **options)
        assert found.expected[number].tolist() == expected


@given(groups_of_texts)
def test_any_averages_are_scored_as_by_sacrebleu(groups: list[list[str]]) -> None:
    found = select_consensus(groups, aggregate=True)
    for group, expected in zip(groups, found.expected, strict=True):
        assert expected.tolist() == _score_averages(group, group, [1.0] * len(group))


@given(texts, texts, st.integers(1, 7))
def test_averages_of_one_text_are_its_counts(text: str, reference: str, times: int) -> None:
    found = select_consensus([[text]], references=[[reference] * times], aggregate=True)
    assert found.expected[0].tolist() == [sacrebleu.sentence_bleu(text, [reference]).score]


def test_of_equal_candidates_the_first_is_chosen() -> None:
    groups = [["x", "a b", "a b"], ["y", "z"]]
    assert select_consensus(groups, "rouge1").index.tolist() == [1, 0]
    assert select_consensus(groups, aggregate=True).index.tolist() == [1, 0]


def test_one_candidate_is_chosen() -> None:
    found = select_consensus([["a b"], ["c"]], references=[["x"], ["y"]])
    assert found.index.tolist() == [0, 0]
    assert found.texts == ["a b", "c"]


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("aggregate", [False, True])
def test_token_ids_are_scored_as_texts(*, aggregate: bool) -> None:
    ids = [[[1, 2, 3, 4], [1, 2, -100], []], [[7]]]
    as_texts = [["1 2 3 4", "1 2", ""], ["7"]]
    found = select_consensus(ids, tokenizer="ids", aggregate=aggregate)
    expected = select_consensus(as_texts, tokenizer="whitespace", aggregate=aggregate)
    assert [row.tolist() for row in found.expected] == [row.tolist() for row in expected.expected]
    assert found.texts[1] == (7,)


@pytest.mark.parametrize("wrap", [pd.Series, pa.array, iter, tuple])
def test_columns_are_accepted(wrap: Any) -> None:
    found = select_consensus(wrap(GROUPS), references=wrap(OTHERS), weights=map(np.array, WEIGHTS))
    expected = select_consensus(GROUPS, references=OTHERS, weights=WEIGHTS)
    assert [row.tolist() for row in found.expected] == [row.tolist() for row in expected.expected]


def test_probabilities_of_long_texts_are_weights() -> None:
    tiny = math.exp(-740)
    found = select_consensus([["a", "b"]], "rouge1", weights=[[tiny, 3 * tiny]])
    assert found.index.tolist() == [1]


PLAIN = "expected score='bleu' of profile='sacrebleu'."
# groups, arguments, error, whole text of the error
BAD: dict[str, tuple[Any, dict[str, Any], type[Exception], str]] = {
    "references of another number of groups": (
        [["a"], ["b"]],
        {"references": [["a"]]},
        ValueError,
        "groups has 2 groups, but references has 1; "
        "expected one item in references for every group.",
    ),
    "texts in place of references": (
        [["a"], ["b"]],
        {"references": ["a", "b"]},
        TypeError,
        "references[0] is one str; expected a sequence of texts. "
        "If these are the texts of one group, wrap them: references=[texts].",
    ),
    "weights of another length": (
        [["a"], ["b"]],
        {"weights": [[1], [1, 2]]},
        ValueError,
        "weights[1] has 2 weights, but the group has 1 pseudo-references; "
        "expected one weight for every pseudo-reference.",
    ),
    "several scores": (
        [["a"]],
        {"score": ["bleu"]},
        TypeError,
        "score is ['bleu']; expected one score, such as 'bleu' or 'rougeL', which decides.",
    ),
    "an option of corpora": (
        [["a"]],
        {"sentence_bleu": True},
        TypeError,
        "sentence_bleu does not apply to single pairs, which have one number per score. "
        "Use metric.compute.",
    ),
    "no flag": (
        [["a"]],
        {"aggregate": 1},
        TypeError,
        "aggregate is 1; expected True or False.",
    ),
    "averages with a matrix": (
        [["a"]],
        {"aggregate": True, "with_matrix": True},
        ValueError,
        "with_matrix is True, but aggregate is True scores no pairs; leave one of them out.",
    ),
    "averages of ROUGE": (
        [["a"]],
        {"aggregate": True, "score": "rouge1"},
        ValueError,
        f"aggregate is True, but score is 'rouge1' of profile 'hf'; {PLAIN}",
    ),
    "averages of another BLEU": (
        [["a"]],
        {"aggregate": True, "profile": "codexglue"},
        ValueError,
        f"aggregate is True, but score is 'bleu' of profile 'codexglue'; {PLAIN}",
    ),
    "averages with a smoothing of NLTK": (
        [["a"]],
        {"aggregate": True, "smooth": "method4"},
        ValueError,
        "aggregate is True, but smooth='method4' needs whole numbers of matches; leave it out.",
    ),
    "averages with weights of NLTK": (
        [["a"]],
        {"aggregate": True, "auto_reweigh": True},
        ValueError,
        "aggregate is True, but auto_reweigh=True needs whole numbers of matches; leave it out.",
    ),
    "a negative id": (
        [[[1]], [[2], [-5]]],
        {"tokenizer": "ids"},
        ValueError,
        "groups[1][1] has the id -5; expected ids of at least 0, or one that ignore_index or pad "
        "names.",
    ),
    "a negative id of a reference": (
        [[[1]], [[2], [5]]],
        {"tokenizer": "ids", "references": [[[1]], [[-1]]]},
        ValueError,
        "references[1][0] has the id -1; expected ids of at least 0, or one that ignore_index or "
        "pad names.",
    ),
    "ids without their tokenizer": (
        [[[1]]],
        {},
        TypeError,
        "groups has sequences of token ids, but bleu_tokenizer is '13a', which is for texts; "
        "use tokenizer='ids', or decode the ids.",
    ),
    "references of another kind": (
        [[[1]]],
        {"tokenizer": "ids", "references": [["a"]]},
        TypeError,
        "tokenizer is 'ids', but references has texts; leave it out, or give sequences of ints.",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_clear_error(case: str) -> None:
    groups, arguments, kind, message = BAD[case]
    with pytest.raises(kind, match=f"^{re.escape(message)}$"):
        select_consensus(groups, **arguments)

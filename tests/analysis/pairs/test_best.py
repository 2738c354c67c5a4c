"""``select_best`` finds what a loop over the reference libraries finds."""

import re
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

from bleu_rouge_metric import PairScorer
from bleu_rouge_metric.analysis.pairs.best import select_best

from ...conftest import unfit_texts
from ...support.bleu_references import plain_sums

pytestmark = list(unfit_texts)


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
REFERENCES: list[Any] = [
    ["the cat sat on a mat", "a cat is on the mat."],
    "a dog barks",
    ["maybe", "yes, it's 1,000.5 -", "no"],
    "unicode & quotes",
]
words = st.lists(st.sampled_from(["the", "a", "cat", "dog", ",", "."]), max_size=8).map(" ".join)


def _list(references: str | list[str]) -> list[str]:
    return [references] if isinstance(references, str) else references


def _check(groups: list[list[str]], references: list[Any]) -> None:
    best = select_best(groups, references)
    expected = [
        [sacrebleu.sentence_bleu(text, _list(item)).score for text in group]
        for group, item in zip(groups, references, strict=True)
    ]
    assert [scores.tolist() for scores in best.scores] == expected
    assert best.index.dtype == np.int64
    assert best.index.tolist() == [scores.index(max(scores)) for scores in expected]
    assert best.texts == [group[i] for group, i in zip(groups, best.index.tolist(), strict=True)]


@pytest.mark.usefixtures("kernel")
def test_bleu_is_that_of_sacrebleu() -> None:
    _check(GROUPS, REFERENCES)


@given(
    st.lists(
        st.tuples(
            st.lists(words, min_size=1, max_size=4), words | st.lists(words, min_size=1, max_size=3)
        ),
        min_size=1,
        max_size=4,
    )
)
def test_any_bleu_is_that_of_sacrebleu(samples: list[tuple[list[str], Any]]) -> None:
    _check([group for group, _ in samples], [references for _, references in samples])


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize("name", ["rouge1", "rougeL", "rougeLsum"])
def test_rouge_is_that_of_rouge_score(name: str) -> None:
    scorer = rouge_scorer.RougeScorer([name], use_stemmer=True)
    best = select_best(GROUPS, REFERENCES, name, use_stemmer=True)
    for group, item, scores, index in zip(
        GROUPS, REFERENCES, best.scores, best.index.tolist(), strict=True
    ):
        expected = [scorer.score_multi(_list(item), text)[name].fmeasure for text in group]
        assert scores.tolist() == expected
        assert index == expected.index(max(expected))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("bleu", {"profile": "hf", "smooth": True}),
        ("bleu", {"effective_order": False, "lowercase": True}),
        ("bleu", {"weights": [0.5, 0.5], "max_order": 2}),
        ("google_bleu", {}),
    ],
)
def test_other_scores_are_those_of_a_pair_scorer(name: str, options: dict[str, Any]) -> None:
    groups = [["the cat sat", "a cat sat on a mat", "cat"], ["yes it is"]]
    references: list[Any] = [["a cat", "the cat sat down"], "yes it was"]
    defaults = {"profile": "sacrebleu"} if name == "bleu" else {}
    scorer = PairScorer(name, **(defaults | options))
    best = select_best(groups, references, name, **options)
    expected = [[scorer(t, r) for t in g] for g, r in zip(groups, references, strict=True)]
    assert [scores.tolist() for scores in best.scores] == expected


def test_a_profile_with_one_reference_is_scored() -> None:
    best = select_best([["a b", "a"]], ["a c"], "rouge-l", profile="rouge")
    scorer = PairScorer("rouge-l", profile="rouge")
    assert best.scores[0].tolist() == [scorer("a b", "a c"), scorer("a", "a c")]


def test_of_equal_candidates_the_first_is_chosen() -> None:
    groups = [["x", "a b", "a b"], ["y", "z"]]
    assert select_best(groups, ["a b", "a"], "rouge1").index.tolist() == [1, 0]


@pytest.mark.usefixtures("kernel")
def test_token_ids_are_scored() -> None:
    groups = [[[1, 2], [1, 3, 4, -100]], [[7]]]
    references = [[[1, 3, 4], [9]], [[7]]]
    best = select_best(groups, references, "rouge1", tokenizer="ids")
    assert [scores.tolist() for scores in best.scores] == [[0.4, 1.0], [1.0]]
    assert best.texts == [(1, 3, 4, -100), (7,)]


@pytest.mark.parametrize("wrap", [pd.Series, pa.array, iter, tuple])
def test_columns_are_accepted(wrap: Any) -> None:
    references = list(map(_list, REFERENCES))
    best = select_best(wrap(GROUPS), wrap(references))
    assert best.index.tolist() == select_best(GROUPS, references).index.tolist()


LENGTHS = (
    "groups has 2 groups, but references has 1; expected one item in references for every group."
)
# groups, references, options, error, whole text of the error
BAD: dict[str, tuple[Any, Any, dict[str, Any], type[Exception], str]] = {
    "too few references": ([["a"], ["b"]], ["a"], {}, ValueError, LENGTHS),
    "too few references of a generator": ([["a"], ["b"]], iter(["a"]), {}, ValueError, LENGTHS),
    "one text": (
        [["a"]],
        "a",
        {},
        TypeError,
        "references is one str; expected a sequence with one item per sample. "
        "To score a single text, wrap it in a list: references=[text].",
    ),
    "no reference": (
        [["a"], ["b"]],
        ["a", []],
        {},
        ValueError,
        "references[1] is empty; every prediction needs at least one reference.",
    ),
    "a missing reference": (
        [["a", "b"], ["c"]],
        ["a", ["b", None]],
        {},
        TypeError,
        "references[1][1] is None; expected a str. "
        'Drop the sample, or give the empty text "" to score it 0.',
    ),
    "an empty group": (
        [["a"], []],
        ["a", "b"],
        {},
        ValueError,
        "groups[1] is empty; expected at least one text in each group.",
    ),
    "a negative id of a candidate": (
        [[[1]], [[2], [-5]]],
        [[1], [2]],
        {"tokenizer": "ids"},
        ValueError,
        "groups[1][1] has the id -5; expected ids of at least 0, or one that ignore_index or pad "
        "names.",
    ),
    "a negative id of a reference": (
        [[[1], [1], [1]], [[2], [2]]],
        [[1], [-5]],
        {"tokenizer": "ids"},
        ValueError,
        "references[1] has the id -5; expected ids of at least 0, or one that ignore_index or pad "
        "names.",
    ),
    "texts in place of ids": (
        [["a"]],
        ["a"],
        {"tokenizer": "ids"},
        TypeError,
        "tokenizer is 'ids', but groups has texts; leave it out, or give sequences of ints.",
    ),
    "several scores": (
        [["a"]],
        ["a"],
        {"score": ["bleu", "rougeL"]},
        TypeError,
        "score is ['bleu', 'rougeL']; expected one score, such as 'bleu' or 'rougeL', which "
        "decides.",
    ),
    "an option of corpora": (
        [["a"]],
        ["a"],
        {"use_aggregator": False},
        TypeError,
        "use_aggregator does not apply to single pairs, which have one number per score. "
        "Use metric.compute.",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_clear_error(case: str) -> None:
    groups, references, options, kind, message = BAD[case]
    with pytest.raises(kind, match=f"^{re.escape(message)}$"):
        select_best(groups, references, **options)

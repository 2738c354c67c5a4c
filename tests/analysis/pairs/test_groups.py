"""Groups of candidates: every accepted shape, and the whole text of every error."""

import re

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from bleu_rouge_metric.analysis.pairs.consensus import check_weights
from bleu_rouge_metric.analysis.pairs.groups import check_groups, check_same_count

GROUPS = [["a b", "c"], ["d"], ["", "e", "f"]]
DATA = datasets.Dataset.from_dict({"candidates": GROUPS, "id": [0, 1, 2]})

WRAP = "If these are the texts of one group, wrap them: groups=[texts]."
OUTER = "expected a sequence of groups, each a sequence of texts"

# groups, error, whole text of the error
BAD: dict[str, tuple[object, type[Exception], str]] = {
    "no group": ([], ValueError, "groups is empty; expected at least one group of texts."),
    "one text": ("abc", TypeError, f"groups is one str; {OUTER}."),
    "nothing": (None, TypeError, f"groups is missing; {OUTER}."),
    "a number": (3, TypeError, f"groups is of type int; {OUTER}."),
    "an array of no dimension": (
        np.array("a"),
        TypeError,
        f"groups is a single value ('a'); {OUTER}.",
    ),
    "a table": (
        pd.DataFrame({"id": [1], "candidates": [["a"]]}),
        TypeError,
        f"groups is of type DataFrame; {OUTER}, such as one column: groups=data['id'].",
    ),
    "a data set": (
        DATA.select_columns("candidates"),
        TypeError,
        f"groups is of type Dataset; {OUTER}, such as one column: groups=data['candidates'].",
    ),
    "texts in place of groups": (
        ["a", "b"],
        TypeError,
        f"groups[0] is one str; expected a sequence of texts. {WRAP}",
    ),
    "an Arrow array of texts": (
        pa.array(["a"]),
        TypeError,
        f"groups[0] is one str; expected a sequence of texts. {WRAP}",
    ),
    "token ids in place of groups": (
        [[1, 2], [3]],
        TypeError,
        f"groups[0] is one sequence of token ids; expected a sequence of texts. {WRAP}",
    ),
    "an empty group": (
        [["a"], [], []],
        ValueError,
        "groups[1] is empty; expected at least one text in each group.",
    ),
    "a missing group": (
        [["a"], None],
        TypeError,
        "groups[1] is missing; expected a sequence of texts.",
    ),
    "a set": ([{"a"}], TypeError, "groups[0] is of type set; expected a sequence of texts."),
    "a missing text": (
        [["a"], ["b", None]],
        TypeError,
        "groups[1][1] is None; expected a str. "
        'Drop the sample, or give the empty text "" to score it 0.',
    ),
    "a number in place of a text": (
        [["a", "b"], ["c"], ["d", 3]],
        TypeError,
        "groups[2][1] is 3 (int); expected a str. Nothing is converted to text.",
    ),
    "bytes": (
        [[b"a"]],
        TypeError,
        "groups[0][0] is bytes; expected a str. Decode it, as in text.decode('utf-8').",
    ),
    "tokens": (
        [["a"], [["b", "c"]]],
        TypeError,
        "groups[1][0] is a sequence of 2 str; expected a str. If these are tokens, join them with "
        "spaces and use tokenizer='whitespace', or give token ids with tokenizer='ids'.",
    ),
    "a float among token ids": (
        [[[1], [2, 2.5]]],
        TypeError,
        "groups[0][1][1] is 2.5; expected an int, the id of a token.",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_groups_are_one_clear_error(case: str) -> None:
    groups, kind, message = BAD[case]
    with pytest.raises(kind, match=f"^{re.escape(message)}$"):
        check_groups("groups", groups)


SHAPES: dict[str, object] = {
    "lists": GROUPS,
    "tuples": tuple(map(tuple, GROUPS)),
    "a generator": map(tuple, GROUPS),
    "generators": list(map(iter, GROUPS)),
    "arrays": list(map(np.array, GROUPS)),
    "a Series": pd.Series(GROUPS, index=[7, 7, 0]),
    "several Series": [pd.Series(group, index=range(5, 5 + len(group))) for group in GROUPS],
    "an Arrow array": pa.array(GROUPS),
    "a chunked array": pa.chunked_array([pa.array(GROUPS[:1]), pa.array(GROUPS[1:])]),
    "a column": DATA["candidates"],
    "a column of arrays": DATA.with_format("numpy")["candidates"],
    "a stream": DATA.to_iterable_dataset()["candidates"],
    "a stream of Arrow": DATA.with_format("arrow").to_iterable_dataset()["candidates"],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_sequence_of_sequences_is_accepted(shape: str) -> None:
    found = check_groups("groups", SHAPES[shape])
    assert found.texts == ["a b", "c", "d", "", "e", "f"]
    assert found.offsets.tolist() == [0, 2, 3, 6]
    assert not found.are_ids
    assert found.n_groups == 3
    assert found.owners.tolist() == [0, 0, 1, 2, 2, 2]
    assert [found.find_place(index) for index in range(6)] == [
        *((0, 0), (0, 1), (1, 0)),
        *((2, 0), (2, 1), (2, 2)),
    ]


def test_groups_are_not_changed() -> None:
    groups = [["a", "b"], ["c"]]
    check_groups("groups", groups).texts.append("d")
    assert groups == [["a", "b"], ["c"]]


def test_token_ids_become_tuples() -> None:
    texts, offsets, are_ids = check_groups("groups", [[[], [1, 2]], [np.array([3])]])
    assert (texts, offsets.tolist(), are_ids) == ([(), (1, 2), (3,)], [0, 2, 3], True)


def test_texts_and_values_are_taken_by_group() -> None:
    found = check_groups("groups", GROUPS)
    assert found.take(np.array([1, 0, 2])) == ["c", "d", "f"]
    assert [part.tolist() for part in found.split(np.arange(6.0))] == [[0, 1], [2], [3, 4, 5]]


def test_another_number_of_groups_is_an_error() -> None:
    check_same_count("references", 2, 2)
    message = "groups has 2 groups, but references has 3; "
    message += "expected one item in references for every group."
    with pytest.raises(ValueError, match=f"^{message}$"):
        check_same_count("references", 3, 2)


NUMBER = "expected a finite number, 0 or more."
# weights, error, whole text of the error
BAD_WEIGHTS: dict[str, tuple[object, type[Exception], str]] = {
    "a number": (
        5,
        TypeError,
        "weights is of type int; expected one sequence of weights for every group.",
    ),
    "numbers in place of sequences": (
        [1, 2],
        TypeError,
        "weights[0] is of type int; expected one weight for every pseudo-reference.",
    ),
    "too few groups": (
        [[1, 2]],
        ValueError,
        "groups has 2 groups, but weights has 1; expected one item in weights for every group.",
    ),
    "too many weights": (
        [[1, 2], [1, 2]],
        ValueError,
        "weights[1] has 2 weights, but the group has 1 pseudo-references; "
        "expected one weight for every pseudo-reference.",
    ),
    "negative": ([[1, -1], [1]], ValueError, f"weights[0][1] is -1; {NUMBER}"),
    "NaN": ([[1, 2], [float("nan")]], ValueError, f"weights[1][0] is nan; {NUMBER}"),
    "infinite": ([[1, float("inf")], [1]], ValueError, f"weights[0][1] is inf; {NUMBER}"),
    "a text": ([["1", 2], [1]], TypeError, f"weights[0][0] is '1'; {NUMBER}"),
    "a truth value": ([[True, 2], [1]], TypeError, f"weights[0][0] is True; {NUMBER}"),
    "all zero": (
        [[1, 2], [0]],
        ValueError,
        "weights[1] has no weight above 0; expected at least one. "
        "Make weights of log-probabilities by exp(lprobs - max(lprobs)).",
    ),
}


@pytest.mark.parametrize("case", BAD_WEIGHTS)
def test_bad_weights_are_one_clear_error(case: str) -> None:
    weights, kind, message = BAD_WEIGHTS[case]
    with pytest.raises(kind, match=f"^{re.escape(message)}$"):
        check_weights(weights, check_groups("references", [["a", "b"], ["c"]]))


@pytest.mark.parametrize("largest", [5e-324, 1e-300, 1.0, 3.0, 1.7e308])
def test_weights_keep_their_proportions(largest: float) -> None:
    references = check_groups("references", [["a", "b"], ["c"]])
    scaled = check_weights([np.array([largest, 0]), (largest,)], references)
    assert scaled[0] == scaled[2]
    assert 0.5 <= scaled[0] <= 1
    assert scaled[0] == np.ldexp(largest, -int(np.frexp(largest)[1]))
    assert scaled[1] == 0

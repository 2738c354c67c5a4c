"""What the functions on pairs of texts accept, and the whole text of every error."""

import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from bleu_rouge_metric import (
    DuplicateIndex,
    agreement,
    near_duplicates,
    score_matrix,
    select_best,
    select_consensus,
    self_bleu,
)

from ...conftest import unfit_texts
from ...support.errors import call_wrongly, read_errors

pytestmark = [*unfit_texts]

GROUPS = [["a b", "c"], ["d", "d e", "d"], ["", "e", "f"]]
DATA = datasets.Dataset.from_dict({"candidates": GROUPS, "id": [0, 1, 2]})
SHAPES: dict[str, Callable[[], object]] = {
    "tuples": lambda: tuple(map(tuple, GROUPS)),
    "a generator": lambda: map(tuple, GROUPS),
    "arrays": lambda: list(map(np.array, GROUPS)),
    "a Series": lambda: pd.Series(GROUPS, index=[7, 7, 0]),
    "several Series": lambda: [
        pd.Series(group, index=range(5, 5 + len(group))) for group in GROUPS
    ],
    "an Arrow array": lambda: pa.array(GROUPS),
    "a chunked array": lambda: pa.chunked_array([pa.array(GROUPS[:1]), pa.array(GROUPS[1:])]),
    "a column": lambda: DATA["candidates"],
    "a column of arrays": lambda: DATA.with_format("numpy")["candidates"],
    "a stream": lambda: DATA.to_iterable_dataset()["candidates"],
    "a stream of Arrow": lambda: DATA.with_format("arrow").to_iterable_dataset()["candidates"],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_sequence_of_sequences_is_accepted(shape: str) -> None:
    def give() -> Any:
        return SHAPES[shape]()

    best, same = select_best(give(), give(), "rouge1"), select_best(GROUPS, GROUPS, "rouge1")
    assert best.texts == same.texts
    chosen = select_consensus(
        give(), "rouge1", references=give(), weights=[[1, 2], [1, 1, 2], (4,) * 3]
    )
    same_chosen = select_consensus(
        GROUPS, "rouge1", weights=map(np.array, [[1, 2], [1, 1, 2], [4] * 3])
    )
    for ours, theirs in ((best.scores, same.scores), (chosen.expected, same_chosen.expected)):
        assert [row.tolist() for row in ours] == [row.tolist() for row in theirs]
    assert agreement(give()).tolist() == agreement(GROUPS).tolist()
    found = self_bleu(give(), definition="helm")["self_bleu"]
    assert found.tolist() == self_bleu(GROUPS, definition="helm")["self_bleu"].tolist()


def test_arguments_are_not_changed() -> None:
    groups = [[[1, 2], [3, -100]], [[4]]]
    select_consensus(groups, "rouge1", tokenizer="ids")
    assert groups == [[[1, 2], [3, -100]], [[4]]]


# Each function with arguments that are right.
NAMES: dict[str, Any] = {
    "score_matrix": partial(score_matrix, texts=["a", "b"]),
    "near_duplicates": partial(near_duplicates, texts=["a", "b"]),
    "DuplicateIndex": DuplicateIndex,
    "add": DuplicateIndex().add,
    "find": DuplicateIndex().find,
    "find_ids": DuplicateIndex(tokenizer="ids").find,
    "select_best": partial(select_best, groups=[["a"], ["b"]], references=["a", "b"]),
    "select_consensus": partial(select_consensus, groups=[["a", "b"], ["c"]]),
    "self_bleu": partial(self_bleu, texts_or_groups=["a", "b"], definition="texygen"),
    "agreement": partial(agreement, groups=[["a", "b"]]),
    "DATA": DATA,
    "math": math,
    "np": np,
    "pa": pa,
    "pd": pd,
}


@pytest.mark.parametrize(("call", "error"), read_errors(Path(__file__).with_name("errors.txt")))
def test_errors(call: str, error: str) -> None:
    assert call_wrongly(call, dict(NAMES)) == error

"""Wrong calls of scorers and functions are one error each, and change nothing."""

import math
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from bleu_rouge_metric import (
    Options,
    PairScorer,
    Scorer,
    bleu_score,
    compute_metrics,
    load,
    rouge_scores,
)

from ..support.errors import call_wrongly, read_errors
from .test_scorer import cut, fill
from .test_scorer_states import LARGE, PAPER, make_scorer, put, read_array, write_array

ERRORS = read_errors(Path(__file__).with_name("errors.txt"))


def load_state(change: Callable[[dict[str, Any]], Any]) -> None:
    scorer = make_scorer("rouge")
    before = scorer.state_dict()
    try:
        scorer.load_state_dict(change(scorer.state_dict()))
    finally:
        assert scorer.state_dict() == before


def load_array(
    family: Any, options: dict[str, Any], name: str, change: Callable[[np.ndarray], np.ndarray]
) -> None:
    scorer = make_scorer(family, keyed=name == "keys", **options)
    before, state = scorer.state_dict(), scorer.state_dict()
    write_array(state, name, change(read_array(state, name)))
    try:
        scorer.load_state_dict(state)
    finally:
        assert scorer.state_dict() == before


def load_packed(packed: object) -> None:
    load_state(lambda state: {**state, "arrays": {**state["arrays"], "rouge": packed}})


def remove_rows(state: dict[str, Any]) -> dict[str, Any]:
    for packed in state["arrays"].values():
        packed.update(shape=[0, *packed["shape"][1:]], data=None)
    return state


def update(keys: object) -> None:
    scorer = Scorer()
    try:
        scorer.update(["a", "b"], ["a", "b"], keys=keys)
    finally:
        assert len(scorer) == 0


def add(first: Any, then: Any) -> None:
    """Update a scorer with samples that have keys, or none; merging them is the same error."""
    scorer, other = Scorer(), Scorer()
    scorer.update(["a"], ["a"], keys=first)
    other.update(["a"], ["a"], keys=then)
    with pytest.raises(ValueError, match="keys for all samples") as raised:
        scorer.merge(other)
    assert len(scorer) == 1
    with pytest.raises(ValueError, match=f"^{re.escape(str(raised.value))}$"):
        scorer.update(["a"], ["a"], keys=then)
    raise raised.value


def score_groups(groups: Any) -> None:
    metric, scorer = load(), Scorer()
    metric.add(prediction="a", reference="a")
    with pytest.MonkeyPatch.context() as context:
        context.delattr("bleu_rouge_metric.scoring.scorer.count_samples")
        with pytest.raises((TypeError, ValueError)) as raised:
            metric.compute(predictions=["b"], references=["b"], groups=groups)
    assert len(metric) == 1
    scorer.update(["a", "b"], ["a", "b"])
    with pytest.raises(type(raised.value), match=f"^{re.escape(str(raised.value))}$"):
        scorer.result(groups=groups)
    raise raised.value


NAMES: dict[str, Any] = {
    "LARGE": LARGE,
    "PAPER": PAPER,
    "math": math,
    "np": np,
    "partial": partial,
    "pd": pd,
    **{each.__name__: each for each in (Options, PairScorer, Scorer, bleu_score, compute_metrics)},
    **{each.__name__: each for each in (add, cut, fill, load, put, remove_rows, rouge_scores)},
    **{each.__name__: each for each in (load_array, load_packed, load_state, score_groups, update)},
}


@pytest.mark.parametrize(("call", "error"), ERRORS)
def test_a_wrong_call_is_one_clear_error(call: str, error: str) -> None:
    assert call_wrongly(call, dict(NAMES)) == error

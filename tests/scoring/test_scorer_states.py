"""Saved states of a ``Scorer``: damaged states are refused, and states are copies."""

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given

from bleu_rouge_metric import Scorer
from bleu_rouge_metric.engines import count_batch, reduce_counts
from bleu_rouge_metric.options.keywords import ProfileName

from ..support.strategies import samples as any_samples

PREDICTIONS = ["a b c d e", "a b", "c"]
REFERENCES = [["a b c d f"], ["a b", "a c"], ["c"]]

PAPER: dict[str, Any] = {"profile": "lin2004", "rouge_types": ["rougeLsum", "rougeW"]}
TYPES = [
    "rouge2",
    "rougeL",
    "rougeLsum",
    "rougeW-1.2",
    "rougeW-2",
    "rougeS*",
    "rougeS1",
    "rougeSU4",
]

# Options for every way of counting.
COUNTED: list[tuple[Any, dict[str, Any]]] = [
    (None, {"tokenizer": "char", "rouge_types": TYPES}),
    ("bleu", {"profile": "nltk", "smooth": "method5"}),
    ("bleu", {"profile": "google_bleu", "tokenizer": "char"}),
    ("rouge", {"profile": "rouge-1.5.5", "rouge_types": TYPES, "byte_limit": 5}),
    ("rouge", {"profile": "rouge-1.5.5", "rouge_types": TYPES, "tokenizer": "char"}),
    ("rouge", {"profile": "lin2004", "rouge_types": TYPES, "tokenizer": "char"}),
]


def make_scorer(family: Any = None, *, keyed: bool = False, **options: Any) -> Scorer:
    scorer = Scorer(family, **options)
    scorer.update(PREDICTIONS, REFERENCES, keys=range(3) if keyed else None)
    return scorer


def read_array(state: dict[str, Any], name: str) -> np.ndarray:
    """Return a copy of one array of a state."""
    packed = state["arrays"][name]
    return np.frombuffer(packed["data"], packed["dtype"]).reshape(packed["shape"]).copy()


def write_array(state: dict[str, Any], name: str, array: np.ndarray) -> None:
    """Put an array into a state."""
    data = array.tobytes()
    packed = {"dtype": array.dtype.str, "shape": list(array.shape), "data": data}
    state["arrays"][name] = packed


def put(place: tuple[int, ...], value: float) -> Callable[[np.ndarray], np.ndarray]:
    """Return a function that changes one number of an array."""

    def change(array: np.ndarray) -> np.ndarray:
        array[place] = value
        return array

    return change


@pytest.mark.parametrize(
    ("family", "options", "name", "change", "message"),
    [
        (
            None,
            {},
            "reference_counts",
            put((1,), 0),
            "reference_counts[1] is 0; expected ints of at least 1.",
        ),
        (
            None,
            {},
            "reference_counts",
            put((1,), 3),
            "bleu_reference_lengths has 4 rows, but reference_counts says 3 samples with 5 "
            "references; expected one row for every reference.",
        ),
        (
            "bleu",
            {},
            "bleu_matches",
            lambda array: array[:2],
            "bleu_matches has 2 rows, but reference_counts says 3 samples with 4 references; "
            "expected one row for every sample.",
        ),
        (
            "bleu",
            {},
            "bleu_matches",
            put((1, 0), -1),
            "bleu_matches[1] is [-1, 1, 0, 0]; expected ints of at least 0.",
        ),
        (
            "bleu",
            {},
            "bleu_matches",
            put((1, 2), 1),
            "bleu_matches[1] is [2, 1, 1, 0], but a prediction of 2 tokens has [2, 1, 0, 0] "
            "n-grams; expected no more matches.",
        ),
        (
            "bleu",
            {},
            "bleu_prediction_lengths",
            put((2,), 0),
            "bleu_matches[2] is [1, 0, 0, 0], but a prediction of 0 tokens has [0, 0, 0, 0] "
            "n-grams; expected no more matches.",
        ),
        (
            "bleu",
            {},
            "bleu_reference_lengths",
            put((3,), -7),
            "bleu_reference_lengths[3] is -7; expected ints of at least 0.",
        ),
        (
            "bleu",
            {},
            "bleu_matches",
            lambda array: array.astype(np.int64),
            "bleu_matches has the dtype '<i8'; expected '<i4'.",
        ),
        (
            "bleu",
            {},
            "bleu_matches",
            lambda array: array[:, :3],
            "bleu_matches has the shape [3, 3]; expected ['rows', 4].",
        ),
        (
            "bleu",
            {"profile": "google_bleu"},
            "overlap",
            put((2, 1, 0), 5),
            "overlap[2] has 5 hits of n-grams of 2, but totals of 1 in the prediction and 1 in the "
            "reference; expected no more hits.",
        ),
        (
            "rouge",
            {},
            "rouge",
            put((0, 2, 0), 6),
            "rouge[0] has 6 hits of rougeL, but totals of 5 in the prediction and 5 in the "
            "reference; expected no more hits.",
        ),
        (
            "rouge",
            {},
            "rouge",
            lambda array: array.astype(np.float64),
            "rouge has the dtype '<f8'; expected '<i4' or '<i8'.",
        ),
        (
            "rouge",
            PAPER,
            "rouge",
            put((3, 0, 0), 2),
            "rouge[3] has 2 hits of rougeLsum, but totals of 1 in the prediction and 1 in the "
            "reference; expected no more hits.",
        ),
        (
            "rouge",
            PAPER,
            "rouge_weighted",
            put((1, 0, 0), math.nan),
            "rouge_weighted[1] is [[nan, 2.0, 2.0]]; expected finite numbers of at least 0.",
        ),
        (
            "rouge",
            PAPER,
            "rouge_weighted",
            put((3, 0, 2), math.inf),
            "rouge_weighted[3] is [[1.0, 1.0, inf]]; expected finite numbers of at least 0.",
        ),
        (
            "rouge",
            {},
            "keys",
            lambda array: array[:2],
            "keys has 2 rows, but reference_counts has 3; expected one key for every sample.",
        ),
    ],
)
def test_damaged_counts_are_refused_and_nothing_is_lost(
    family: Any,
    options: dict[str, Any],
    name: str,
    change: Callable[[np.ndarray], np.ndarray],
    message: str,
) -> None:
    scorer = make_scorer(family, keyed=name == "keys", **options)
    before = scorer.result()
    state = scorer.state_dict()
    write_array(state, name, change(read_array(state, name)))
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        scorer.load_state_dict(state)
    assert scorer.result() == before


KEYS = "'options', 'families', 'arrays', 'lines', 'seed', 'rank', 'world_size'"


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (
            lambda _: [1],
            TypeError,
            "state is of type list; expected what Scorer.state_dict gives.",
        ),
        (
            lambda _: {},
            ValueError,
            f"state has nothing; expected {KEYS}, as Scorer.state_dict gives them.",
        ),
        (
            lambda state: {**state, "epoch": 3},
            ValueError,
            f"state has {KEYS}, 'epoch'; expected {KEYS}, as Scorer.state_dict gives them.",
        ),
        (
            lambda state: {**state, "options": None},
            TypeError,
            "options is of type NoneType; expected str.",
        ),
        (
            lambda state: {**state, "seed": True},
            TypeError,
            "seed is of type bool; expected int.",
        ),
        (
            lambda state: {**state, "arrays": [1]},
            TypeError,
            "arrays is of type list; expected a dict by name.",
        ),
        (
            lambda state: {**state, "arrays": {"rouge": state["arrays"]["rouge"]}},
            ValueError,
            "arrays has 'rouge'; expected 'reference_counts', 'rouge', 'rouge_weighted', and "
            "'keys' if the samples have keys.",
        ),
        *(
            (
                lambda state, lines=lines: {**state, "lines": lines},
                ValueError,
                f"lines is {lines!r}; expected how many samples were looked at, how many of them "
                "have several sentences, and True or False.",
            )
            for lines in ([0, 0], [2, 3, False], [-1, -1, False], [1.0, 0, False], "abc", None)
        ),
    ],
)
def test_what_is_no_state_is_refused(
    change: Callable[[dict[str, Any]], Any], error: type[Exception], message: str
) -> None:
    scorer = make_scorer("rouge")
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        scorer.load_state_dict(change(scorer.state_dict()))
    assert len(scorer) == 3


@pytest.mark.parametrize(
    ("packed", "message"),
    [
        (b"abc", "arrays['rouge'] is not a dict of dtype, shape and data."),
        ({"dtype": "<i4"}, "arrays['rouge'] is not a dict of dtype, shape and data."),
        (
            {"dtype": "O", "shape": [1, 4, 3], "data": b""},
            "rouge has the dtype 'O'; expected '<i4' or '<i8'.",
        ),
        (
            {"dtype": "<i4", "shape": [-1, 4, 3], "data": b""},
            "rouge has the shape [-1, 4, 3]; expected ['rows', 4, 3].",
        ),
        (
            {"dtype": "<i4", "shape": [1, 4, 3], "data": b"abc"},
            "rouge has 3 bytes of data; expected 48 for its shape.",
        ),
        (
            {"dtype": "<i4", "shape": [1, 4, 3], "data": None},
            "rouge has 0 bytes of data; expected 48 for its shape.",
        ),
        (
            {"dtype": "<i4", "shape": [1, 4, 3], "data": "abc"},
            "rouge has no bytes of data; expected 48 for its shape.",
        ),
    ],
)
def test_what_is_no_array_is_refused(packed: object, message: str) -> None:
    scorer = make_scorer("rouge")
    state = scorer.state_dict()
    state["arrays"]["rouge"] = packed
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        scorer.load_state_dict(state)


def test_the_paper_has_no_bound_by_the_prediction() -> None:
    scorer = Scorer("rouge", profile="lin2004", rouge_types=["rougeLsum"])
    scorer.update(["ab"], ["ab\nab\nab"])
    other = Scorer("rouge", profile="lin2004", rouge_types=["rougeLsum"])
    other.load_state_dict(scorer.state_dict())
    assert other.result() == scorer.result()


@pytest.mark.parametrize(("family", "options"), COUNTED, ids=str)
@given(rows=any_samples)
@pytest.mark.filterwarnings("ignore")
def test_counts_of_any_texts_come_back(
    family: Any, options: dict[str, Any], rows: list[tuple[str, list[str]]]
) -> None:
    scorer, other = Scorer(family, **options), Scorer(family, **options)
    scorer.update(*map(list, zip(*rows, strict=True)))
    other.load_state_dict(scorer.state_dict())
    assert other.state_dict() == scorer.state_dict() | {"seed": other.seed}
    assert other.result() == scorer.result()


def test_later_changes_of_the_state_do_not_reach_in() -> None:
    state = make_scorer(keyed=True).state_dict()
    for packed in state["arrays"].values():
        packed["data"] = bytearray(packed["data"] or b"")
    scorer = Scorer()
    scorer.load_state_dict(state)
    before = scorer.result()
    for packed in state["arrays"].values():
        packed["data"][:] = bytes(len(packed["data"]))
    assert scorer.result() == before == make_scorer(keyed=True).result()


def test_a_state_of_a_machine_of_the_other_byte_order_is_read() -> None:
    state = make_scorer(rouge_types=["rougeW"]).state_dict()
    for name, packed in state["arrays"].items():
        if packed["data"]:
            array = read_array(state, name)
            write_array(state, name, array.astype(array.dtype.newbyteorder(">")))
    scorer = Scorer(rouge_types=["rougeW"])
    scorer.load_state_dict(state)
    assert scorer.result() == make_scorer(rouge_types=["rougeW"]).result()


def test_damaged_tables_of_counts_are_refused_too() -> None:
    batch = pa.table({"prediction": ["a b", "c"], "reference": ["a b", "c"]})
    table = count_batch(batch, family="rouge", rouge_types=["rouge1"])
    place = table.schema.get_field_index("rouge1")
    damaged = table.set_column(place, "rouge1", pa.array([[2, 2, 2], [9, 1, 1]]))
    message = (
        "rouge[1] has 9 hits of rouge1, but totals of 1 in the prediction and 1 in the reference; "
        "expected no more hits."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        reduce_counts(damaged, family="rouge", rouge_types=["rouge1"])


@pytest.mark.parametrize(("profile", "most"), [("rouge_score", 2.0**38.4), ("lin2004", 2.0**32)])
def test_weighted_totals_of_no_text_are_an_error(profile: ProfileName, most: float) -> None:
    def make() -> Scorer:
        return Scorer("rouge", profile=profile, rouge_types=["rougeW"])

    scorer = make()
    scorer.update(["a b", "a b c"], ["a b", "a b c"])
    state = scorer.state_dict()
    held = state["arrays"]["rouge_weighted"]
    numbers = np.frombuffer(held["data"], held["dtype"]).copy()
    numbers[5] = 1e300  # the total of the second reference
    held["data"] = numbers.tobytes()
    message = (
        "rouge_weighted[1] has totals of 3.0 and 1e+300 of rougeW; expected at most 4294967296.0 "
        f"and {most}, because no text is longer."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        make().load_state_dict(state)


@pytest.mark.parametrize(
    ("profile", "most"), [("rouge_score", "3.7371928188465517"), ("lin2004", "3.7371928188465517")]
)
def test_weighted_hits_above_those_of_equal_texts_are_an_error(
    profile: ProfileName, most: str
) -> None:
    def make() -> Scorer:
        return Scorer("rouge", profile=profile, rouge_types=["rougeW"])

    scorer = make()
    scorer.update(["a b", "a b c"], ["a b", "a b c"])
    state = scorer.state_dict()
    make().load_state_dict(state)
    held = state["arrays"]["rouge_weighted"]
    numbers = np.frombuffer(held["data"], held["dtype"]).copy()
    numbers[3] = 50.0  # the hits of the second pair
    held["data"] = numbers.tobytes()
    message = (
        "rouge_weighted[1] has weighted hits of 50.0 of rougeW; expected at most "
        f"{most}, with which the texts would be equal."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        make().load_state_dict(state)

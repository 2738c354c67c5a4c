"""Saved states and counts of other options: what is loaded, merged, and cut to what is needed."""

import io
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import Scorer
from bleu_rouge_metric.engines import count_batch, reduce_counts

from ..conftest import require
from .test_scorer import fill

PREDICTIONS = ["a b c d e", "a b", "c"]
REFERENCES = [["a b c d f"], ["a b", "a c"], ["c"]]

LARGE = 1 << 62
PAPER: dict[str, Any] = {"profile": "lin2004", "rouge_types": ["rougeLsum", "rougeW"]}


def make_scorer(family: Any = None, *, keyed: bool = False, **options: Any) -> Scorer:
    scorer = Scorer(family, **options)
    scorer.update(PREDICTIONS, REFERENCES, keys=range(3) if keyed else None)
    return scorer


def read_array(state: dict[str, Any], name: str) -> np.ndarray:
    packed = state["arrays"][name]
    return np.frombuffer(packed["data"], packed["dtype"]).reshape(packed["shape"]).copy()


def write_array(state: dict[str, Any], name: str, array: np.ndarray) -> None:
    data = array.tobytes()
    packed = {"dtype": array.dtype.str, "shape": list(array.shape), "data": data}
    state["arrays"][name] = packed


def put(place: tuple[int, ...], value: float) -> Callable[[np.ndarray], np.ndarray]:
    def change(array: np.ndarray) -> np.ndarray:
        array[place] = value
        return array

    return change


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


@pytest.mark.parametrize("seed", [0, (1 << 32) - 1])
def test_the_first_and_the_last_seed_are_loaded(seed: int) -> None:
    scorer = Scorer("rouge")
    scorer.load_state_dict({**make_scorer("rouge").state_dict(), "seed": seed})
    assert scorer.seed == seed
    assert {"rouge1_low", "rouge1_high"} <= {*scorer.result(confidence=0.9, n_resamples=10)}


def test_counts_of_64_bits_are_loaded() -> None:
    state = make_scorer("rouge").state_dict()
    write_array(state, "rouge", read_array(state, "rouge").astype(np.int64))
    scorer = Scorer("rouge")
    scorer.load_state_dict(state)
    assert scorer.result() == make_scorer("rouge").result()


# Every kind of count: both families, the floats of ROUGE-W, one more order, overlaps.
CHOICES: list[tuple[Any, dict[str, Any]]] = [
    (None, {}),
    ("bleu", {"profile": "nltk", "smooth": "method4", "weights": [[0.5, 0.5], [1.0]]}),
    ("bleu", {"profile": "codexglue", "sentence_bleu": True, "confidence": 0.9}),
    ("rouge", {"profile": "rouge-1.5.5", "rouge_types": ["rougeL", "rougeW-1.2", "rougeSU4"]}),
    ("rouge", {"rouge_types": ["rougeW"]}),
]


@pytest.mark.extra
@pytest.mark.filterwarnings("ignore:seed is")
@pytest.mark.parametrize(("family", "options"), CHOICES, ids=str)
@pytest.mark.parametrize("kind", ["plain", "keyed", "empty"])
def test_torch_loads_the_weights_alone(family: Any, options: dict[str, Any], kind: str) -> None:
    torch: Any = require("torch")
    scorer = Scorer(family, seed=5, **options)
    if kind != "empty":
        fill(scorer, [7, 30], keyed=kind == "keyed")
    file = io.BytesIO()
    torch.save({"scorer": scorer.state_dict()}, file)
    file.seek(0)
    other = Scorer(family, seed=5, **options)
    other.load_state_dict(torch.load(file, weights_only=True)["scorer"])
    assert other.state_dict() == scorer.state_dict()
    if kind != "empty":
        assert other.result() == scorer.result()


# NLTK's method 5 looks at one order more than BLEU has; other smoothings count the orders alone.
NARROW: dict[str, Any] = {"profile": "nltk", "smooth": "none"}
WIDE: dict[str, Any] = {"profile": "nltk", "smooth": "method5-corrected"}

TEXTS = ["the cat sat on the mat", "a dog ran in the long grass", "no", "it is a warm day"]
OTHERS = [["the cat sat on a mat"], ["a dog ran home", "the grass is long"], ["no"], ["a day"]]

Move = Callable[[dict[str, Any], dict[str, Any]], Any]


def count(options: dict[str, Any]) -> Scorer:
    scorer = Scorer("bleu", **options)
    scorer.update(TEXTS, OTHERS)
    return scorer


def merge(given: dict[str, Any], taken: dict[str, Any]) -> Any:
    scorer = Scorer("bleu", **taken)
    scorer.merge(count(given))
    return scorer.result()


def load_state(given: dict[str, Any], taken: dict[str, Any]) -> Any:
    scorer = Scorer("bleu", **taken)
    scorer.load_state_dict(count(given).state_dict())
    return scorer.result()


def reduce_table(given: dict[str, Any], taken: dict[str, Any]) -> Any:
    batch = {"prediction": TEXTS, "reference": OTHERS}
    table = count_batch(batch, family="bleu", **given)
    return reduce_counts(table, family="bleu", **taken).result()


def merge_metric(given: dict[str, Any], taken: dict[str, Any]) -> Any:
    require("torchmetrics")
    from bleu_rouge_metric.integrations.torchmetrics import BleuRouge

    one, two = BleuRouge("bleu", **given), BleuRouge("bleu", **taken)
    one.update(TEXTS, OTHERS)
    two.merge_state(one)
    return two.scorer().result()


MOVES = [merge, load_state, reduce_table, pytest.param(merge_metric, marks=pytest.mark.extra)]


@pytest.mark.parametrize("move", MOVES)
@pytest.mark.parametrize(
    ("given", "taken"),
    [({}, {"smooth": "exp"}), ({"confidence": 0.9}, {}), (WIDE, NARROW)],
)
def test_the_receiver_decides_how_counts_become_scores(
    move: Move, given: dict[str, Any], taken: dict[str, Any]
) -> None:
    if move is merge_metric and "confidence" in given:
        given = {"smooth": "exp"}  # with a seed alone
    assert move(given, taken) == count(taken).result()


FEW = "has [4] counts per sample, but these options need [5]; count all samples with these options."


@pytest.mark.parametrize(
    ("move", "message"),
    [
        (merge, f"bleu_matches {FEW}"),
        (load_state, "bleu_matches has the shape [4, 4]; expected ['rows', 5]."),
        (reduce_table, f"Column 'bleu_matches' of the counts {FEW}"),
        pytest.param(merge_metric, f"bleu_matches {FEW}", marks=pytest.mark.extra),
    ],
)
def test_counts_that_do_not_suffice_are_refused(move: Move, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        move(NARROW, WIDE)

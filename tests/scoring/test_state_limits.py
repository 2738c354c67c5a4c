"""Saved states of a ``Scorer`` whose numbers no texts have: sums that wrap, seeds, empty arrays."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import Scorer

from .test_scorer_states import make_scorer, read_array, write_array

LARGE = 1 << 62


def fill(name: str, value: int) -> Callable[[dict[str, Any]], None]:
    """Return a function that writes a number everywhere into an array of a state."""

    def change(state: dict[str, Any]) -> None:
        array = read_array(state, name)
        write_array(state, name, np.full(array.shape, value, dtype=np.int64))

    return change


def fill_first(name: str, value: int) -> Callable[[dict[str, Any]], None]:
    """Return a function that writes a number as the only one that is not 0."""

    def change(state: dict[str, Any]) -> None:
        array = np.zeros_like(read_array(state, name), dtype=np.int64)
        array.flat[0] = value
        write_array(state, name, array)

    return change


def wrap_reference_counts(state: dict[str, Any]) -> None:
    """Write three numbers of references whose sum in int64 is the number of rows."""
    rows = len(read_array(state, "rouge"))
    counts = np.array([2**63 - 1, 2**63 - 1, rows + 2], dtype=np.int64)
    assert counts.sum() == rows
    write_array(state, "reference_counts", counts)


def remove_rows(state: dict[str, Any]) -> None:
    """Leave no row of any array."""
    for packed in state["arrays"].values():
        packed.update(shape=[0, *packed["shape"][1:]], data=None)


def write_seed(seed: int) -> Callable[[dict[str, Any]], None]:
    """Return a function that writes the seed of a state."""
    return lambda state: state.update(seed=seed)


@pytest.mark.parametrize(
    ("family", "options", "change", "message"),
    [
        (
            "bleu",
            {"profile": "google_bleu"},
            fill("overlap", LARGE),
            "The sum of overlap is 2.21e+20; expected less than 2 ** 62, as for counts of texts.",
        ),
        (
            "rouge",
            {},
            fill_first("rouge", LARGE),
            "The sum of rouge is 4.61e+18; expected less than 2 ** 62, as for counts of texts.",
        ),
        (
            "rouge",
            {},
            fill("rouge", LARGE),
            "The sum of rouge is 2.21e+20; expected less than 2 ** 62, as for counts of texts.",
        ),
        (
            "rouge",
            {},
            wrap_reference_counts,
            "The sum of reference_counts is 1.84e+19; expected less than 2 ** 62, as for counts of "
            "texts.",
        ),
        *(
            (
                family,
                {},
                remove_rows,
                "reference_counts has 0 rows; expected one row for every sample, or no arrays at "
                "all if there are no samples.",
            )
            for family in ("bleu", "rouge", None)
        ),
        *(
            (
                "rouge",
                {},
                write_seed(seed),
                f"seed is {seed}; expected an int from 0 to 4294967295.",
            )
            for seed in (-1, 1 << 32, 1 << 70)
        ),
    ],
)
@pytest.mark.parametrize("keyed", [False, True])
def test_numbers_of_no_texts_are_refused_and_nothing_is_lost(
    family: Any,
    options: dict[str, Any],
    change: Callable[[dict[str, Any]], None],
    message: str,
    *,
    keyed: bool,
) -> None:
    scorer = make_scorer(family, keyed=keyed, **options)
    before, state = scorer.state_dict(), scorer.state_dict()
    change(state)
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        scorer.load_state_dict(state)
    assert scorer.state_dict() == before


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

"""Counts of other options are merged if they count the same, and cut to what the receiver needs."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from bleu_rouge_metric import Scorer
from bleu_rouge_metric.engines import count_batch, reduce_counts

from ..conftest import require

PREDICTIONS = ["the cat sat on the mat", "a dog ran in the long grass", "no", "it is a warm day"]
REFERENCES = [["the cat sat on a mat"], ["a dog ran home", "the grass is long"], ["no"], ["a day"]]

# NLTK's method 5 looks at one order more than BLEU has; other smoothings count the orders alone.
NARROW: dict[str, Any] = {"profile": "nltk", "smooth": "none"}
WIDE: dict[str, Any] = {"profile": "nltk", "smooth": "method5-corrected"}

Move = Callable[[dict[str, Any], dict[str, Any]], Any]


def fill(options: dict[str, Any]) -> Scorer:
    scorer = Scorer("bleu", **options)
    scorer.update(PREDICTIONS, REFERENCES)
    return scorer


def merge(given: dict[str, Any], taken: dict[str, Any]) -> Any:
    scorer = Scorer("bleu", **taken)
    scorer.merge(fill(given))
    return scorer.result()


def load_state(given: dict[str, Any], taken: dict[str, Any]) -> Any:
    scorer = Scorer("bleu", **taken)
    scorer.load_state_dict(fill(given).state_dict())
    return scorer.result()


def reduce_table(given: dict[str, Any], taken: dict[str, Any]) -> Any:
    require("pyarrow")
    batch = {"prediction": PREDICTIONS, "reference": REFERENCES}
    return reduce_counts(
        count_batch(batch, family="bleu", **given), family="bleu", **taken
    ).result()


def merge_metric(given: dict[str, Any], taken: dict[str, Any]) -> Any:
    require("torchmetrics")
    from bleu_rouge_metric.integrations.torchmetrics import BleuRouge

    one, two = BleuRouge("bleu", **given), BleuRouge("bleu", **taken)
    one.update(PREDICTIONS, REFERENCES)
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
    assert move(given, taken) == fill(taken).result()


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

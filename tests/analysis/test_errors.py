"""Bad arguments of the functions that compare and explain are one clear error, before any work."""

import copy
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import (
    Scorer,
    SystemComparison,
    compare_profiles,
    compare_systems,
    explain,
    influence,
)
from bleu_rouge_metric.analysis import profiles as compared_profiles
from bleu_rouge_metric.analysis import systems as counted_systems

from ..support.errors import PROFILE_NAMES, ROUGE_PROFILE_NAMES, call_wrongly, read_errors
from ..support.system_rows import OPTIONS

TWO: dict[str, Any] = {"A": ["a b", "c d"], "B": ["a b", "c"]}
REFERENCES = ["a b", "c d"]
TWELVE = ["a b"] * 12
TEXTS = ["a b c", "d e f"]


def compare(**arguments: Any) -> Any:
    """Compare two systems, with some arguments in place of right ones."""
    return compare_systems(**{"systems": TWO, "references": REFERENCES, **arguments})


def count(predictions: list[str], references: list[str], **options: Any) -> Scorer:
    scorer = Scorer(**options)
    if predictions:
        scorer.update(predictions, references)
    return scorer


def count_two(references: list[str] = REFERENCES, **options: Any) -> dict[str, Any]:
    """Return arguments with two scorers; the references and options are those of the second."""
    scorers = {"A": count(TWO["A"], REFERENCES), "B": count(TWO["B"], references, **options)}
    return {"systems": scorers, "references": None}


def count_keys() -> dict[str, Any]:
    """Return arguments with two scorers whose samples have other keys."""
    scorers = {name: Scorer() for name in "AB"}
    for start, (name, scorer) in enumerate(scorers.items()):
        scorer.update(TWO[name], ["a b", "a b"], keys=[start, start + 1])
    return {"systems": scorers, "references": None}


def give(name: str, *numbers: Any) -> dict[str, Any]:
    """Return outside scores of both systems."""
    return {"scores": {name: dict(zip("AB", numbers, strict=False))}}


RUNS: dict[str, Any] = {"A": [REFERENCES, TWO["A"]], "B": [REFERENCES, TWO["B"]]}
NAMES: dict[str, Any] = {
    "Scorer": Scorer,
    "SystemComparison": SystemComparison,
    "explain": explain,
    "influence": influence,
    "COMPARED": compare_systems(
        dict.fromkeys("ABC", TEXTS), TEXTS, n_resamples=10, tokenizer=lambda text: text.split()
    ),
    "COMPARED_RUNS": compare_systems(RUNS, REFERENCES, n_resamples=10),
    "LONG": {"systems": {"A": TWELVE, "B": TWELVE}, "references": TWELVE},
    "OPTIONS": OPTIONS,
    "REFERENCES": REFERENCES,
    "RUNS": RUNS,
    "TEXTS": TEXTS,
    "TWELVE": TWELVE,
    "TWO": TWO,
    "compare": compare,
    "copy": copy,
    "count": count,
    "count_keys": count_keys,
    "count_two": count_two,
    "give": give,
    "math": math,
    "np": np,
    "pickle": pickle,
    # No sample is read before the options are checked.
    "profiles": lambda **arguments: compare_profiles([None], [None], **arguments),
}


@pytest.mark.parametrize(("call", "error"), read_errors(Path(__file__).with_name("errors.txt")))
def test_errors(call: str, error: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def count_samples(*_: object) -> None:
        pytest.fail("Samples are counted before all arguments are checked.")

    for module in (counted_systems, compared_profiles):
        monkeypatch.setattr(module, "count_samples", count_samples)
    error = error.replace("<profiles>", PROFILE_NAMES)
    error = error.replace("<rouge profiles>", ROUGE_PROFILE_NAMES)
    assert call_wrongly(call, dict(NAMES)) == error


def test_a_copy_of_a_comparison_is_equal() -> None:
    compared = NAMES["COMPARED"]
    copies = [pickle.loads(pickle.dumps(compared)), copy.copy(compared), copy.deepcopy(compared)]
    assert copies == [compared] * 3


def test_scorers_of_other_options_are_refused() -> None:
    with pytest.raises(ValueError, match="lowercase:yes") as caught:
        compare_systems(**count_two(lowercase=True))
    assert str(caught.value).startswith("systems['B'] has other options than systems['A']: ")

"""States of a ``Scorer`` through ``torch.save`` and ``torch.load``, as checkpoints keep them."""

import io
from typing import Any

import pytest

from bleu_rouge_metric import Scorer

from ..conftest import require
from .test_scorer import CHOICES, fill

pytestmark = [pytest.mark.extra, pytest.mark.filterwarnings("ignore:seed is")]

torch: Any = require("torch")

# Only floats, only integers, and both with a gap and a weight.
MORE: list[tuple[Any, dict[str, Any]]] = [
    ("rouge", {"rouge_types": ["rougeW"]}),
    ("rouge", {"rouge_types": ["rouge1"]}),
    (None, {"profile": "hf", "rouge_types": ["rougeS4", "rougeW-2", "rougeL"]}),
]


@pytest.mark.parametrize(("family", "options"), [*CHOICES, *MORE], ids=str)
@pytest.mark.parametrize("kind", ["plain", "keyed", "empty"])
def test_torch_loads_the_weights_alone(family: Any, options: dict[str, Any], kind: str) -> None:
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

"""States of a ``Scorer`` through ``torch.save`` and ``torch.load``, as checkpoints keep them."""

import io
from typing import Any

import pytest

from bleu_rouge_metric import Scorer

from ..conftest import require
from .test_scorer import fill

pytestmark = [pytest.mark.extra, pytest.mark.filterwarnings("ignore:seed is")]

torch: Any = require("torch")

# Every kind of count: both families, the floats of ROUGE-W, one more order, overlaps.
CHOICES: list[tuple[Any, dict[str, Any]]] = [
    (None, {}),
    ("bleu", {"profile": "sacrebleu", "sentence_bleu": True, "signature": True}),
    ("bleu", {"profile": "nltk", "smooth": "method5"}),
    ("bleu", {"profile": "nltk", "smooth": "method4", "weights": [[0.5, 0.5], [1.0]]}),
    ("bleu", {"profile": "google_bleu", "sentence_bleu": True}),
    ("bleu", {"profile": "codexglue", "sentence_bleu": True, "confidence": 0.9}),
    (None, {"profile": "coco", "sentence_bleu": True, "confidence": 0.9, "n_resamples": 20}),
    ("rouge", {"profile": "rouge-1.5.5", "rouge_types": ["rougeL", "rougeW-1.2", "rougeSU4"]}),
    ("rouge", {"profile": "lin2004", "rouge_types": ["rougeW", "rougeS", "rougeLsum"]}),
    ("rouge", {"aggregator": "bootstrap", "n_resamples": 30, "confidence": 0.9}),
    ("rouge", {"use_aggregator": False, "use_stemmer": True, "multi_reference": "mean"}),
    # Only floats, only integers, and both with a gap and a weight.
    ("rouge", {"rouge_types": ["rougeW"]}),
    ("rouge", {"rouge_types": ["rouge1"]}),
    (None, {"profile": "hf", "rouge_types": ["rougeS4", "rougeW-2", "rougeL"]}),
]


@pytest.mark.parametrize(("family", "options"), CHOICES, ids=str)
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

"""The hook with torch tensors gives the same scores as with NumPy arrays."""

from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import compute_metrics

from ..conftest import require
from ..support.toy_tokenizer import (
    LABELS,
    PAD,
    PREDICTIONS,
    Prediction,
    ToyTokenizer,
    make_logits,
    pad_rows,
)

torch: Any = require("torch")
pytestmark = pytest.mark.extra

TOKENIZER = ToyTokenizer()
IDS = pad_rows(PREDICTIONS, PAD, -100)
LABEL_IDS = pad_rows(LABELS, -100)
LOGITS = make_logits(LABEL_IDS)


@pytest.mark.parametrize("dtype", ["int64", "int32", "int16"])
def test_tensors_of_ids_are_scored_like_arrays(dtype: str) -> None:
    ids = torch.tensor(IDS, dtype=getattr(torch, dtype))
    labels = torch.tensor(LABEL_IDS, dtype=getattr(torch, dtype))
    hook = compute_metrics(TOKENIZER)
    expected = hook((IDS, LABEL_IDS))
    assert hook(Prediction((ids, None), labels)) == expected
    assert hook((ids[:2], labels[:2]), compute_result=False) == {}
    assert hook((ids[2:], labels[2:]), compute_result=True) == expected


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float32"])
def test_tensors_of_logits_are_scored_like_arrays(dtype: str, *, causal: bool) -> None:
    hook = compute_metrics(TOKENIZER, causal=causal)
    expected = hook((LOGITS, LABEL_IDS))
    # As from a model: of a type that NumPy does not have, and part of a graph.
    logits = torch.tensor(LOGITS, dtype=getattr(torch, dtype), requires_grad=True)
    labels = torch.tensor(LABEL_IDS)
    assert hook((logits, labels)) == expected
    ids = hook.preprocess_logits_for_metrics((logits, logits), labels)
    assert torch.is_tensor(ids)
    assert ids.dtype is torch.int64
    numpy_ids = hook.preprocess_logits_for_metrics(LOGITS, LABEL_IDS)
    assert np.array_equal(ids.numpy(), numpy_ids)
    assert hook((ids, labels)) == expected
    assert labels.tolist() == LABEL_IDS.tolist()

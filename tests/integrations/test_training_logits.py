"""The hook of a training loop: logits, also of causal models, and torch tensors."""

import re
import warnings
from typing import Any

import evaluate
import numpy as np
import pytest
from numpy.typing import NDArray

from bleu_rouge_metric import compute_metrics

from ..conftest import require
from ..support.toy_tokenizer import LABELS, REFERENCES, START, Prediction, make_logits
from .test_training import IDS, LABEL_IDS, SAMPLES, TOKENIZER, score_texts


def shift(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return what each position of a causal model should predict: the next label, or START."""
    behind = np.full_like(labels, START)
    behind[:, :-1] = labels[:, 1:]
    return behind


# A prompt of three positions, and positions after the end, have no label and do not count.
PROMPTED = np.hstack([np.full((SAMPLES, 3), -100), LABEL_IDS])
SAID = np.where(PROMPTED == 4, 9, PROMPTED)  # "and" for every "cat"
SAID_TEXTS = [text.replace("cat", "and") for text in REFERENCES]
LOGITS = make_logits(SAID)
CAUSAL_LOGITS = make_logits(shift(SAID))
LABELLED = sum(map(len, LABELS))
LABEL_LOGITS = make_logits(LABEL_IDS)


@pytest.mark.parametrize(
    ("logits", "causal"), [(LOGITS, False), (CAUSAL_LOGITS, True)], ids=["seq2seq", "causal"]
)
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("pack", [lambda array: array, lambda array: (array, None)])
def test_logits_are_scored_where_labels_are(
    logits: NDArray[Any], dtype: Any, pack: Any, metric: evaluate.Metric, *, causal: bool
) -> None:
    hook = compute_metrics(TOKENIZER, causal=causal)
    given = pack(logits.astype(dtype))
    expected = {**score_texts(metric, SAID_TEXTS), "gen_len": LABELLED / SAMPLES}
    labels = PROMPTED.copy()
    assert hook(Prediction(given, labels)) == expected
    ids = hook.preprocess_logits_for_metrics(given, labels)
    assert ids.tolist() == SAID.tolist()
    assert hook(Prediction(ids, labels)) == expected
    assert labels.tolist() == PROMPTED.tolist()


@pytest.mark.parametrize("causal", [False, True])
def test_preprocessing_works_without_labels(*, causal: bool) -> None:
    hook = compute_metrics(TOKENIZER, causal=causal)
    likeliest = LOGITS.argmax(-1).tolist()
    expected = [[-100, *row[:-1]] for row in likeliest] if causal else likeliest
    assert hook.preprocess_logits_for_metrics(LOGITS, None).tolist() == expected


def test_nothing_has_to_predict_the_first_token_of_a_causal_model() -> None:
    labels = np.array([[3, 4, 5, 6], [7, 8, -100, -100]])
    # Each position predicts the next label, and the last one predicts anything.
    logits = make_logits(np.array([[4, 5, 6, 9], [8, 9, 9, 9]]))
    hook = compute_metrics(causal=True, max_order=1, rouge_types=["rouge1"])
    ids = hook.preprocess_logits_for_metrics(logits, labels)
    for scores in (hook((logits, labels)), hook((ids, labels))):
        assert (scores["bleu"], scores["rouge1"]) == (1, 1)
        assert (scores["translation_length"], scores["reference_length"]) == (4, 4)


RULES: dict[str, Any] = {"pad": 0, "family": "rouge"}
# A prompt of two positions; the model predicts 5 6 9 for 5 6 7, and anything elsewhere.
CAUSAL_LABELS = np.array([[-100, -100, 5, 6, 7, -100], [-100, -100, 8, 9, -100, -100]])
SHIFTED_LOGITS = make_logits(np.array([[3, 5, 6, 9, 4, 4], [10, 8, 9, 4, 4, 4]]))
RAW = SHIFTED_LOGITS.argmax(-1)
TRUE_SCORE = (2 / 3 + 1) / 2

REFUSED = (
    "predictions is an array of shape {} and type int64, but causal=True is for logits: it is "
    "unknown whether ids are shifted. Give preprocess_logits_for_metrics="
    "hook.preprocess_logits_for_metrics, with this hook, instead of a function with "
    "logits.argmax(-1). If the ids were generated, or have the positions of their labels, "
    "give causal=False."
)
WARNED = (
    "The labels of all samples begin with -100, like those of a causal language model over its "
    "prompt, but causal is not set: every prediction is compared with the label of its own "
    "position. Give causal=True if the predictions are logits of such a model, causal=False if "
    "they are generated or already shifted."
)


def shift_raw(*, masked: bool) -> Any:
    """Move the likeliest ids to the labels that they predict."""
    shifted = np.full_like(RAW, -100)
    shifted[:, 1:] = RAW[:, :-1]
    return np.where(CAUSAL_LABELS == -100, -100, shifted) if masked else shifted


@pytest.mark.parametrize(
    ("ids", "labels"),
    [
        (np.array([[7, 8, 9]]), np.array([[7, 8, 9]])),
        (RAW, CAUSAL_LABELS),
        (RAW, np.maximum(CAUSAL_LABELS, 3)),
        # Ids that look like ours, but are not.
        (np.where(CAUSAL_LABELS == -100, -100, RAW), CAUSAL_LABELS),
        (shift_raw(masked=True), CAUSAL_LABELS),
        (np.array([[5, 6, 9], [8, 9, 0]]), CAUSAL_LABELS),
    ],
    ids=["aligned", "argmax", "no prompt", "masked, not shifted", "shifted", "generated"],
)
def test_ids_of_unknown_position_are_refused(ids: Any, labels: Any) -> None:
    hook = compute_metrics(causal=True, **RULES)
    message = f"^{re.escape(REFUSED.format(ids.shape))}$"
    with pytest.raises(ValueError, match=message):
        hook((ids, labels))
    # The error comes with the first batch of an evaluation, not after the last one.
    with pytest.raises(ValueError, match=message):
        hook.preprocess_logits_for_metrics(ids, labels)


def test_whatever_is_accepted_gives_the_true_score() -> None:
    hook = compute_metrics(causal=True, **RULES)
    preprocessed = hook.preprocess_logits_for_metrics(SHIFTED_LOGITS, CAUSAL_LABELS)
    # The trainer pads batches of different widths with -100, and joins them.
    wider = np.pad(preprocessed, ((0, 0), (0, 2)), constant_values=-100)
    for predictions in (
        SHIFTED_LOGITS,
        (SHIFTED_LOGITS, None),
        preprocessed,
        wider,
        [SHIFTED_LOGITS],
        [preprocessed],
    ):
        labels = [CAUSAL_LABELS] if isinstance(predictions, list) else CAUSAL_LABELS
        assert hook((predictions, labels))["rouge1"] == TRUE_SCORE
    assert hook((preprocessed[:1], CAUSAL_LABELS[:1]), compute_result=False) == {}
    assert hook((preprocessed[1:], CAUSAL_LABELS[1:]), compute_result=True)["rouge1"] == TRUE_SCORE

    aligned = compute_metrics(causal=False, **RULES)
    for ids in (shift_raw(masked=True), np.array([[5, 6, 9], [8, 9, 0]])):
        assert aligned((ids, CAUSAL_LABELS))["rouge1"] == TRUE_SCORE
    whole = np.array([[7, 8, 9]])
    assert aligned((whole, whole))["rouge1"] == 1
    assert compute_metrics(**RULES)((whole, whole))["rouge1"] == 1


@pytest.mark.parametrize("predictions", [RAW, SHIFTED_LOGITS, shift_raw(masked=True)], ids=np.shape)
def test_labels_that_begin_with_a_prompt_warn_once_unless_causal_is_set(predictions: Any) -> None:
    hook = compute_metrics(**RULES)
    with pytest.warns(UserWarning, match=f"^{re.escape(WARNED)}$") as caught:
        hook((predictions[:1], CAUSAL_LABELS[:1]), compute_result=False)
    assert [warning.filename for warning in caught] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scores = hook((predictions[1:], CAUSAL_LABELS[1:]), compute_result=True)
        assert compute_metrics(causal=False, **RULES)((predictions, CAUSAL_LABELS)) == scores
        compute_metrics(causal=True, **RULES)((SHIFTED_LOGITS, CAUSAL_LABELS))


@pytest.mark.extra
@pytest.mark.parametrize("dtype", ["int64", "int32", "int16"])
def test_tensors_of_ids_are_scored_like_arrays(dtype: str) -> None:
    torch: Any = require("torch")
    ids = torch.tensor(IDS, dtype=getattr(torch, dtype))
    labels = torch.tensor(LABEL_IDS, dtype=getattr(torch, dtype))
    hook = compute_metrics(TOKENIZER)
    expected = hook((IDS, LABEL_IDS))
    assert hook(Prediction((ids, None), labels)) == expected
    assert hook((ids[:2], labels[:2]), compute_result=False) == {}
    assert hook((ids[2:], labels[2:]), compute_result=True) == expected


@pytest.mark.extra
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float32"])
def test_tensors_of_logits_are_scored_like_arrays(dtype: str, *, causal: bool) -> None:
    torch: Any = require("torch")
    hook = compute_metrics(TOKENIZER, causal=causal)
    expected = hook((LABEL_LOGITS, LABEL_IDS))
    # As from a model: of a type that NumPy does not have, and part of a graph.
    logits = torch.tensor(LABEL_LOGITS, dtype=getattr(torch, dtype), requires_grad=True)
    labels = torch.tensor(LABEL_IDS)
    assert hook((logits, labels)) == expected
    ids = hook.preprocess_logits_for_metrics((logits, logits), labels)
    assert torch.is_tensor(ids)
    assert ids.dtype is torch.int64
    numpy_ids = hook.preprocess_logits_for_metrics(LABEL_LOGITS, LABEL_IDS)
    assert np.array_equal(ids.numpy(), numpy_ids)
    assert hook((ids, labels)) == expected
    assert labels.tolist() == LABEL_IDS.tolist()

"""The hook of a causal language model: shifted ids, refused ids, and the warning."""

import re
import warnings
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import compute_metrics

from ..support.toy_tokenizer import make_logits

RULES: dict[str, Any] = {"pad": 0, "family": "rouge"}
# A prompt of two positions; the model predicts 5 6 9 for 5 6 7, and anything elsewhere.
LABELS = np.array([[-100, -100, 5, 6, 7, -100], [-100, -100, 8, 9, -100, -100]])
LOGITS = make_logits(np.array([[3, 5, 6, 9, 4, 4], [10, 8, 9, 4, 4, 4]]))
RAW = LOGITS.argmax(-1)
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
    return np.where(LABELS == -100, -100, shifted) if masked else shifted


@pytest.mark.parametrize(
    ("ids", "labels"),
    [
        (np.array([[7, 8, 9]]), np.array([[7, 8, 9]])),
        (RAW, LABELS),
        (RAW, np.maximum(LABELS, 3)),
        # Ids that look like ours, but are not.
        (np.where(LABELS == -100, -100, RAW), LABELS),
        (shift_raw(masked=True), LABELS),
        (np.array([[5, 6, 9], [8, 9, 0]]), LABELS),
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
    preprocessed = hook.preprocess_logits_for_metrics(LOGITS, LABELS)
    # The trainer pads batches of different widths with -100, and joins them.
    wider = np.pad(preprocessed, ((0, 0), (0, 2)), constant_values=-100)
    for predictions in (LOGITS, (LOGITS, None), preprocessed, wider, [LOGITS], [preprocessed]):
        labels = [LABELS] if isinstance(predictions, list) else LABELS
        assert hook((predictions, labels))["rouge1"] == TRUE_SCORE
    assert hook((preprocessed[:1], LABELS[:1]), compute_result=False) == {}
    assert hook((preprocessed[1:], LABELS[1:]), compute_result=True)["rouge1"] == TRUE_SCORE

    aligned = compute_metrics(causal=False, **RULES)
    for ids in (shift_raw(masked=True), np.array([[5, 6, 9], [8, 9, 0]])):
        assert aligned((ids, LABELS))["rouge1"] == TRUE_SCORE
    whole = np.array([[7, 8, 9]])
    assert aligned((whole, whole))["rouge1"] == 1
    assert compute_metrics(**RULES)((whole, whole))["rouge1"] == 1


@pytest.mark.parametrize("predictions", [RAW, LOGITS, shift_raw(masked=True)], ids=np.shape)
def test_labels_that_begin_with_a_prompt_warn_once_unless_causal_is_set(predictions: Any) -> None:
    hook = compute_metrics(**RULES)
    with pytest.warns(UserWarning, match=f"^{re.escape(WARNED)}$") as caught:
        hook((predictions[:1], LABELS[:1]), compute_result=False)
    assert [warning.filename for warning in caught] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scores = hook((predictions[1:], LABELS[1:]), compute_result=True)
        assert compute_metrics(causal=False, **RULES)((predictions, LABELS)) == scores
        compute_metrics(causal=True, **RULES)((LOGITS, LABELS))

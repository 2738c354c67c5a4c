"""The hook of a training loop: logits instead of generated ids."""

from typing import Any

import evaluate
import numpy as np
import pytest
from numpy.typing import NDArray

from bleu_rouge_metric import compute_metrics

from ..support.toy_tokenizer import LABELS, REFERENCES, START, Prediction, make_logits
from .test_training import LABEL_IDS, SAMPLES, TOKENIZER, score_texts


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

"""Errors of the hook of a training loop, with their whole texts."""

import re
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import compute_metrics

from ..support.toy_tokenizer import LABELS, PAD, PREDICTIONS, ToyTokenizer, make_logits, pad_rows

TOKENIZER = ToyTokenizer()
IDS = pad_rows(PREDICTIONS, PAD, -100)
LABEL_IDS = pad_rows(LABELS, -100)
# Logits with more positions than there are labels.
LOGITS = make_logits(pad_rows(LABELS, -100, width=13))

EXPECTED_SIZE = (
    "expected None, the number of samples of the evaluation set, a list of the numbers of several "
    "sets, or a function that returns the number."
)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"sentence_bleu": True}, ValueError, "sentence_bleu is True, but a training loop logs "
         "one number per score; leave it out, and use metric.compute or Scorer for it."),
        ({"tokenizer": "unicode"}, TypeError, "tokenizer is the str 'unicode'; expected the "
         "model's tokenizer, or none to score ids. What BLEU and ROUGE count of texts is chosen "
         "by bleu_tokenizer and rouge_tokenizer."),
        ({"tokenizer": None, "use_stemmer": True}, ValueError, "use_stemmer is an option of "
         "texts, but there is no tokenizer to make texts; give the model's, or leave the option "
         "out."),
        ({"pad": 0}, ValueError, "pad is an option of ids, but there is a tokenizer to make "
         "texts; leave the tokenizer out, or leave the option out."),
        ({"tokenizer": lambda rows: rows, "pad": "<pad>"}, TypeError, "pad is '<pad>'; expected "
         "an int or a sequence of ints."),
        ({"prefix": None}, TypeError, "prefix is None; expected a str, such as 'test_'."),
        ({"percent": 1}, TypeError, "percent is 1; expected True or False."),
        ({"tokenizer": None, "strip": "a"}, ValueError, "strip removes parts of texts, but there "
         "is no tokenizer to make texts; give the model's, or leave strip out."),
        ({"num_samples": 2.0}, TypeError, f"num_samples is 2.0; {EXPECTED_SIZE}"),
        ({"num_samples": []}, ValueError, f"num_samples is []; {EXPECTED_SIZE}"),
        ({"num_samples": [3, 0]}, ValueError, f"num_samples[1] is 0; {EXPECTED_SIZE}"),
        ({"num_samples": {"a": 3}}, TypeError, f"num_samples is a dict; {EXPECTED_SIZE}"),
    ],
)  # fmt: skip
def test_a_bad_argument_is_an_error_before_training(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        compute_metrics(**{"tokenizer": TOKENIZER, **arguments})


EXPECTED_LABELS = (
    "expected integers of shape (samples, length). Let the data collator give labels of token ids, "
    "padded with -100."
)
CALLED = (
    "The hook was called with {}; expected an EvalPrediction, or a pair of predictions and labels."
)
EXPECTED_PREDICTIONS = (
    "expected integers of shape (samples, length) or logits of shape (samples, length, "
    "vocabulary). Use predict_with_generate=True for ids, or hand over the logits."
)


@pytest.mark.parametrize(
    ("prediction", "error", "message"),
    [
        (IDS[0, 0], TypeError, CALLED.format("an array of shape () and type int64")),
        ((IDS, None), TypeError, f"label_ids is None; {EXPECTED_LABELS}"),
        ((IDS, LABEL_IDS.astype(float)), ValueError, f"label_ids is an array of shape (5, 10) "
         f"and type float64; {EXPECTED_LABELS}"),
        ((IDS, LABELS), TypeError, f"label_ids is a list of 5; {EXPECTED_LABELS}"),
        ((LOGITS[0], LABEL_IDS), ValueError,
         "predictions is an array of shape (13, 15) and type float32; " + EXPECTED_PREDICTIONS),
        ((None, LABEL_IDS), TypeError, f"predictions is None; {EXPECTED_PREDICTIONS}"),
        ((np.repeat(IDS, 3, axis=0), LABEL_IDS), ValueError, "predictions has 15 samples, but "
         "label_ids has 5; expected as many. There are 3 predictions for each label: generate "
         "one, with num_return_sequences=1, or keep one of them, as in predictions[::3]. If 3 is "
         "the number of processes, gather both from all of them, or neither."),
        ((IDS[:4], LABEL_IDS), ValueError, "predictions has 4 samples, but label_ids has 5; "
         "expected as many. Gather both from all processes, or neither."),
        ((LOGITS, LABEL_IDS), ValueError, "predictions has logits for positions of shape (5, "
         "13), but label_ids is of shape (5, 10); expected one position for every label. Leave "
         "the others out of the logits in your own preprocess_logits_for_metrics."),
        (([IDS, IDS], [LABEL_IDS]), ValueError, "predictions is a list of 2, with an item per "
         "batch, but label_ids is a list of 1; expected as many batches of labels."),
        ((IDS, np.maximum(LABEL_IDS, -1)), ValueError, "label_ids[0, 8] is -1; expected token "
         "ids from 0, and -100 where no token is. Pad with -100."),
    ],
)  # fmt: skip
def test_what_cannot_be_scored_is_an_error(
    prediction: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        compute_metrics(TOKENIZER)(prediction)


@pytest.mark.parametrize(
    ("texts", "error", "message"),
    [
        (["a"], ValueError, "tokenizer returned 1 text; expected a list of 2 str, one for every "
         "list of ids."),
        ("ab", TypeError, "tokenizer returned str; expected a list of 2 str, one for every list "
         "of ids."),
    ],
)  # fmt: skip
def test_a_callable_gives_a_text_for_every_sample(
    texts: Any, error: type[Exception], message: str
) -> None:
    hook = compute_metrics(lambda rows: texts)  # noqa: ARG005
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        hook((np.array([[5], [6]]), np.array([[5], [6]])))

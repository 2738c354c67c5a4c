"""The hook of a training loop: scores of texts decoded by hand, of logits and of torch tensors."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import evaluate
import numpy as np
import pytest
from numpy.typing import NDArray

from bleu_rouge_metric import compute_metrics
from bleu_rouge_metric.scoring.results import flatten

from ..conftest import METRIC, ROOT, require, unfit_texts
from ..support.toy_tokenizer import (
    EOS,
    GENERATED,
    LABELS,
    PAD,
    PREDICTIONS,
    REFERENCES,
    START,
    TEXTS,
    WORDS,
    Prediction,
    ToyTokenizer,
    make_logits,
    pad_rows,
)

TOKENIZER = ToyTokenizer()
SAMPLES = len(TEXTS)
IDS = pad_rows(PREDICTIONS, PAD, -100)
LABEL_IDS = pad_rows(LABELS, -100)


def score_texts(
    metric: evaluate.Metric, texts: Sequence[str] = TEXTS, **options: Any
) -> dict[str, float]:
    references = REFERENCES[: len(texts)]
    return flatten(metric.compute(predictions=texts, references=references, **options))


@pytest.mark.parametrize(
    "prediction",
    [
        Prediction(IDS, LABEL_IDS),
        Prediction(IDS, LABEL_IDS, inputs=IDS, losses=np.zeros(SAMPLES)),
        Prediction((IDS, np.zeros((SAMPLES, 2, 3))), (LABEL_IDS, np.zeros(SAMPLES))),
        (IDS, LABEL_IDS),
        [IDS, LABEL_IDS],
        (IDS.astype(np.int32), LABEL_IDS.astype(np.int16)),
        (pad_rows(PREDICTIONS, -100, PAD, width=40), pad_rows(LABELS, PAD)),
        Prediction([IDS[:2], IDS[2:, :30]], [LABEL_IDS[:2], LABEL_IDS[2:]]),
        Prediction([(IDS[:4], None), (IDS[4:], None)], [LABEL_IDS[:4], LABEL_IDS[4:]]),
    ],
    ids=["arrays", "inputs", "tuples", "pair", "list", "types", "pads", "batches", "tuple batches"],
)
def test_scores_are_those_of_the_texts_decoded_by_hand(
    prediction: Any, metric: evaluate.Metric
) -> None:
    scores = compute_metrics(TOKENIZER)(prediction)
    assert scores == {**score_texts(metric), "gen_len": GENERATED / SAMPLES}
    assert list(scores)[:2] == ["bleu", "precision_1"]
    assert list(scores)[-2:] == ["rougeLsum", "gen_len"]
    assert {type(value) for value in scores.values()} == {float}


def test_without_a_tokenizer_the_ids_are_scored(metric: evaluate.Metric) -> None:
    rules: dict[str, Any] = {"pad": [PAD, START], "eos": EOS, "separator": WORDS.index(".")}
    hook = compute_metrics(**rules)
    expected = flatten(
        metric.compute(predictions=PREDICTIONS, references=LABELS, tokenizer="ids", **rules)
    )
    expected["gen_len"] = (GENERATED - SAMPLES) / SAMPLES  # without START
    assert hook((IDS, LABEL_IDS)) == expected
    assert hook((IDS[:3], LABEL_IDS[:3]), compute_result=False) == {}
    assert hook((IDS[3:], LABEL_IDS[3:]), compute_result=True) == expected


def test_a_pad_that_ends_sequences_ends_those_of_ids(metric: evaluate.Metric) -> None:
    rows = [[3, 4, EOS, 5, 6], [7, 8, 9, EOS, 3], [EOS, 3, 4, EOS, EOS]]
    expected = metric.compute(
        predictions=[[3, 4], [7, 8, 9], [3, 4]], references=LABELS[:3], tokenizer="ids", eos=EOS
    )
    scores = compute_metrics(pad=EOS, eos=EOS)((np.array(rows), LABEL_IDS[:3]))
    assert scores == {**flatten(expected), "gen_len": (4 + 4 + 2) / 3}


@pytest.mark.parametrize("stops", [[5], [1, 5], [3, 5], [1, 2, 3, 4, 5]], ids=str)
@pytest.mark.parametrize("num_samples", [None, SAMPLES])
@pytest.mark.parametrize("portion", [1, 2, 100])
def test_batches_give_the_scores_of_all(
    stops: list[int], num_samples: int | None, portion: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bleu_rouge_metric.integrations.trainer._PORTION", portion)
    options: dict[str, Any] = {"aggregator": "bootstrap", "seed": 5, "confidence": 0.9}
    hook = compute_metrics(TOKENIZER, num_samples=num_samples, **options)
    expected = compute_metrics(TOKENIZER, **options)((IDS, LABEL_IDS))
    for start, stop in list(pairwise([0, *stops])) * 2:  # a second evaluation starts anew
        batch = IDS[start:stop], LABEL_IDS[start:stop]
        scores = hook(batch, compute_result=stop == SAMPLES)
        assert scores == (expected if stop == SAMPLES else {})
        assert hook((IDS, LABEL_IDS)) == expected  # a whole one in between changes nothing


def test_what_a_broken_off_evaluation_left_is_forgotten() -> None:
    hook = compute_metrics(TOKENIZER)
    last = IDS[3:], LABEL_IDS[3:]
    expected = hook(last)
    hook((IDS[:3], LABEL_IDS[:3]), False)  # noqa: FBT003 - as a loop may call it
    hook.reset()
    assert hook(last, True) == expected  # noqa: FBT003
    hook((IDS[:3], LABEL_IDS[:3]), compute_result=False)
    with pytest.raises(ValueError, match="label_ids has 1"):
        hook((IDS[:3], LABEL_IDS[:1]), compute_result=False)
    assert hook(last, compute_result=True) == expected


LENGTHS = ["brevity_penalty", "length_ratio", "translation_length", "reference_length", "gen_len"]


@pytest.mark.parametrize(
    "options",
    [
        {"family": "rouge", "confidence": 0.5, "seed": 1},
        {"profile": "nltk", "weights": [[1.0], [0.5, 0.5]]},
        *({"profile": name} for name in ("hf", "rouge_score", "rouge-1.5.5", "google_bleu")),
    ],
    ids=str,
)
def test_percent_scales_scores_and_leaves_lengths(options: dict[str, Any]) -> None:
    plain = compute_metrics(TOKENIZER, **options)((IDS, LABEL_IDS))
    scaled = compute_metrics(TOKENIZER, percent=True, **options)((IDS, LABEL_IDS))
    factors = {name: 1 if name in LENGTHS else 100 for name in plain}
    assert scaled == {name: value * factors[name] for name, value in plain.items()}
    assert len(plain) > 1


def test_the_method_of_the_metric_has_its_family_and_seed() -> None:
    options: dict[str, Any] = {"aggregator": "bootstrap", "rouge_types": ["rouge1", "rougeL"]}
    for seed in (1, 2):
        metric = evaluate.load(METRIC, "rouge", seed=seed)
        scores = metric.compute_metrics(TOKENIZER, prefix="r_", **options)((IDS, LABEL_IDS))
        expected = score_texts(metric, **options)
        assert scores == {f"r_{name}": value for name, value in expected.items()} | {
            "r_gen_len": GENERATED / SAMPLES
        }


@pytest.mark.parametrize("percent", [False, True])
def test_the_profile_of_sacrebleu_gives_its_number_as_bleu(*, percent: bool) -> None:
    sacrebleu = require("sacrebleu")
    hook = compute_metrics(TOKENIZER, profile="sacrebleu", percent=percent, prefix="test_")
    scores = hook((IDS, LABEL_IDS))
    expected = sacrebleu.corpus_bleu(TEXTS, [REFERENCES]).score
    assert 1 < expected < 100
    assert scores["test_bleu"] == scores["test_score"] == expected
    assert scores["test_gen_len"] == GENERATED / SAMPLES


class Processor:
    """A processor, as for speech and images; its tokenizer has the pad."""

    tokenizer = TOKENIZER
    batch_decode = staticmethod(TOKENIZER.batch_decode)


def decode(rows: list[list[int]]) -> list[str]:
    return TOKENIZER.batch_decode(rows, skip_special_tokens=True)


def decode_unpadded(rows: list[list[int]]) -> list[str]:
    assert all(PAD not in row for row in rows)
    return decode(rows)


@pytest.mark.parametrize(
    ("decoder", "options", "generated"),
    [
        (Processor(), {}, GENERATED),
        # A callable has no pad, so it also gets the tokenizer's pads, and gen_len counts them.
        (decode, {}, GENERATED + SAMPLES * 8),
        *((decode_unpadded, {"pad": pad}, GENERATED) for pad in (PAD, [PAD], np.array([PAD]))),
        (decode_unpadded, {"pad": [PAD, START]}, GENERATED - SAMPLES),
    ],
)
def test_a_processor_and_a_callable_decode_too(
    decoder: Any, options: Any, generated: int, metric: evaluate.Metric
) -> None:
    padded = np.pad(IDS, ((0, 0), (0, 7)), constant_values=PAD)
    scores = compute_metrics(decoder, **options)((padded, LABEL_IDS))
    assert scores == {**score_texts(metric), "gen_len": generated / SAMPLES}


@unfit_texts[0]
def test_texts_of_nothing_score_0() -> None:
    nothing = np.full((2, 3), -100)
    scores = compute_metrics(TOKENIZER)((nothing, nothing))
    assert scores == {**dict.fromkeys(scores, 0.0), "brevity_penalty": 1.0}


def test_the_extra_keeps_the_torch_that_is_installed() -> None:
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    (extra,) = re.findall(r"^training = \[(.*)\]", project, re.MULTILINE)
    assert re.findall(r"(\w+)([<=>~!]+)", extra) == [
        *(("accelerate", ">="), ("torch", ">="), ("transformers", ">="))
    ]


# A prompt of three positions, and positions after the end, have no label and do not count.
PROMPTED = np.hstack([np.full((SAMPLES, 3), -100), LABEL_IDS])
SAID = np.where(PROMPTED == 4, 9, PROMPTED)  # "and" for every "cat"
SAID_TEXTS = [text.replace("cat", "and") for text in REFERENCES]
LOGITS = make_logits(SAID)
# Each position of a causal model predicts the next label, and the last one anything.
CAUSAL_LOGITS = make_logits(np.hstack([SAID[:, 1:], np.full((SAMPLES, 1), START)]))
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


def test_preprocessing_works_without_labels() -> None:
    likeliest = LOGITS.argmax(-1).tolist()
    shifted = [[-100, *row[:-1]] for row in likeliest]
    for causal, expected in ((False, likeliest), (True, shifted)):
        hook = compute_metrics(TOKENIZER, causal=causal)
        assert hook.preprocess_logits_for_metrics(LOGITS, None).tolist() == expected


def test_nothing_has_to_predict_the_first_token_of_a_causal_model() -> None:
    labels = np.array([[3, 4, 5, 6], [7, 8, -100, -100]])
    # Each position predicts the next label, and the last one predicts anything.
    logits = make_logits(np.array([[4, 5, 6, 9], [8, 9, 9, 9]]))
    hook = compute_metrics(causal=True, max_order=1, rouge_types=["rouge1"])
    for given in (logits, hook.preprocess_logits_for_metrics(logits, labels)):
        scores = hook((given, labels))
        assert (scores["bleu"], scores["rouge1"]) == (1, 1)
        assert (scores["translation_length"], scores["reference_length"]) == (4, 4)


RAW = CAUSAL_LOGITS.argmax(-1)
REFUSED = r"^predictions is an array of shape \(5, \d+\) and type int64, but causal=True is for "
WARNED = (
    "The labels of all samples begin with -100, like those of a causal language model over its "
    "prompt, but causal is not set: every prediction is compared with the label of its own "
    "position. Give causal=True if the predictions are logits of such a model, causal=False if "
    "they are generated or already shifted."
)


@pytest.mark.parametrize(
    ("ids", "labels"),
    [
        (LABEL_IDS, LABEL_IDS),
        (RAW, PROMPTED),
        (RAW, np.maximum(PROMPTED, 3)),
        # Ids that look like ours, but are not.
        (np.where(PROMPTED == -100, -100, RAW), PROMPTED),
        (SAID, PROMPTED),
        (IDS, PROMPTED),
    ],
    ids=["aligned", "argmax", "no prompt", "masked, not shifted", "shifted", "generated"],
)
def test_ids_of_unknown_position_are_refused(ids: Any, labels: Any) -> None:
    hook = compute_metrics(TOKENIZER, causal=True)
    with pytest.raises(ValueError, match=REFUSED):
        hook((ids, labels))
    # The error comes with the first batch of an evaluation, not after the last one.
    with pytest.raises(ValueError, match=REFUSED):
        hook.preprocess_logits_for_metrics(ids, labels)


def test_whatever_is_accepted_gives_the_true_score(metric: evaluate.Metric) -> None:
    expected = {**score_texts(metric, SAID_TEXTS), "gen_len": LABELLED / SAMPLES}
    hook = compute_metrics(TOKENIZER, causal=True)
    ids = hook.preprocess_logits_for_metrics(CAUSAL_LOGITS, PROMPTED)
    # The trainer pads batches of different widths with -100, and joins them.
    wider = np.pad(ids, ((0, 0), (0, 2)), constant_values=-100)
    assert hook((wider, PROMPTED)) == expected
    assert hook(([CAUSAL_LOGITS], [PROMPTED])) == hook(([ids], [PROMPTED])) == expected
    assert hook((ids[:1], PROMPTED[:1]), compute_result=False) == {}
    assert hook((ids[1:], PROMPTED[1:]), compute_result=True) == expected
    # Generated ids have positions of their own.
    aligned = compute_metrics(TOKENIZER, causal=False)
    assert aligned((SAID, PROMPTED)) == aligned((SAID[:, 3:], PROMPTED)) == expected


@pytest.mark.parametrize("predictions", [RAW, CAUSAL_LOGITS, SAID], ids=np.shape)
def test_labels_that_begin_with_a_prompt_warn_once_unless_causal_is_set(predictions: Any) -> None:
    hook = compute_metrics(TOKENIZER)
    with pytest.warns(UserWarning, match=f"^{re.escape(WARNED)}$") as caught:
        hook((predictions[:1], PROMPTED[:1]), compute_result=False)
    assert [warning.filename for warning in caught] == [__file__]
    # Warnings are errors.
    scores = hook((predictions[1:], PROMPTED[1:]), compute_result=True)
    assert compute_metrics(TOKENIZER, causal=False)((predictions, PROMPTED)) == scores
    compute_metrics(TOKENIZER, causal=True)((CAUSAL_LOGITS, PROMPTED))


@pytest.mark.extra
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize(("floats", "ints"), [("bfloat16", "int64"), ("float16", "int16")])
def test_tensors_are_scored_like_arrays(floats: str, ints: str, *, causal: bool) -> None:
    torch: Any = require("torch")
    hook, arrays = compute_metrics(TOKENIZER, causal=causal), make_logits(LABEL_IDS)
    expected = hook((arrays, LABEL_IDS))
    # As from a model: of a type that NumPy does not have, and part of a graph.
    logits = torch.tensor(arrays, dtype=getattr(torch, floats), requires_grad=True)
    labels = torch.tensor(LABEL_IDS, dtype=getattr(torch, ints))
    assert hook((logits, labels)) == expected
    ids = hook.preprocess_logits_for_metrics((logits, logits), labels)
    assert (torch.is_tensor(ids), ids.dtype) == (True, torch.int64)
    assert ids.tolist() == hook.preprocess_logits_for_metrics(arrays, LABEL_IDS).tolist()
    assert hook(Prediction((ids, None), labels)) == expected
    assert hook((ids[:2], labels[:2]), compute_result=False) == {}
    assert hook((ids[2:], labels[2:]), compute_result=True) == expected
    assert labels.tolist() == LABEL_IDS.tolist()

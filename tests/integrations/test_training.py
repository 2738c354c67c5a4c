"""The hook of a training loop: plain scoring of texts decoded by hand, and errors."""

import re
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

import evaluate
import numpy as np
import pytest
from packaging.requirements import Requirement

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
    """Score texts that were decoded by hand; give each number a name."""
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


@pytest.mark.parametrize("sizes", [[5], [1, 4], [3, 2], [1, 1, 1, 1, 1]], ids=str)
@pytest.mark.parametrize("num_samples", [None, SAMPLES])
@pytest.mark.parametrize("portion", [1, 2, 100])
def test_batches_give_the_scores_of_all(
    sizes: list[int], num_samples: int | None, portion: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bleu_rouge_metric.integrations.trainer._PORTION", portion)
    options: dict[str, Any] = {"aggregator": "bootstrap", "seed": 5, "confidence": 0.9}
    hook = compute_metrics(TOKENIZER, num_samples=num_samples, **options)
    expected = compute_metrics(TOKENIZER, **options)((IDS, LABEL_IDS))
    stops = np.cumsum(sizes).tolist()
    for _ in range(2):  # a second evaluation starts anew
        for size, stop in zip(sizes, stops, strict=True):
            batch = IDS[stop - size : stop], LABEL_IDS[stop - size : stop]
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


LENGTHS = {
    "brevity_penalty",
    "length_ratio",
    "translation_length",
    "reference_length",
    "gen_len",
}


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"family": "rouge", "confidence": 0.5, "seed": 1},
        {"profile": "rouge_score"},
        {"profile": "rouge-1.5.5"},
        {"profile": "nltk", "weights": [[1.0], [0.5, 0.5]]},
        {"profile": "google_bleu"},
    ],
    ids=str,
)
def test_percent_scales_scores_and_leaves_lengths(options: dict[str, Any]) -> None:
    plain = compute_metrics(TOKENIZER, **options)((IDS, LABEL_IDS))
    scaled = compute_metrics(TOKENIZER, percent=True, **options)((IDS, LABEL_IDS))
    assert scaled == {
        name: value if name in LENGTHS else value * 100 for name, value in plain.items()
    }
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


DECODE = partial(TOKENIZER.batch_decode, skip_special_tokens=True)


@pytest.mark.parametrize("decoder", [Processor(), DECODE])
def test_a_processor_and_a_callable_decode_too(decoder: Any, metric: evaluate.Metric) -> None:
    # A callable has no pad, so it also gets the tokenizer's pads, and gen_len counts them.
    pads = 0 if isinstance(decoder, Processor) else SAMPLES
    scores = compute_metrics(decoder)((IDS, LABEL_IDS))
    assert scores == {**score_texts(metric), "gen_len": (GENERATED + pads) / SAMPLES}


@pytest.mark.parametrize("pad", [PAD, [PAD], np.array([PAD])], ids=str)
def test_a_callable_with_a_pad_gets_no_padding_and_gen_len_counts_none(
    pad: Any, metric: evaluate.Metric
) -> None:
    def decode(rows: list[list[int]]) -> list[str]:
        assert all(PAD not in row for row in rows)
        return DECODE(rows)

    padded = np.pad(IDS, ((0, 0), (0, 7)), constant_values=PAD)
    scores = compute_metrics(decode, pad=pad)((padded, LABEL_IDS))
    assert scores == {**score_texts(metric), "gen_len": GENERATED / SAMPLES}
    without_start = compute_metrics(decode, pad=[PAD, START])((padded, LABEL_IDS))
    assert without_start == {**scores, "gen_len": (GENERATED - SAMPLES) / SAMPLES}


@unfit_texts[0]
def test_texts_of_nothing_score_0() -> None:
    nothing = np.full((2, 3), -100)
    scores = compute_metrics(TOKENIZER)((nothing, nothing))
    assert scores == {**dict.fromkeys(scores, 0.0), "brevity_penalty": 1.0}


def test_neither_torch_nor_transformers_is_imported() -> None:
    code = (
        "import sys, numpy; sys.modules.update(torch=None, transformers=None)\n"
        "from bleu_rouge_metric import compute_metrics\n"
        "hook = compute_metrics(lambda rows: ['a'] * len(rows))\n"
        "print(hook((numpy.ones((1, 1), int),) * 2)['rouge1'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "1.0\n"


def test_the_extra_keeps_the_torch_that_is_installed() -> None:
    extra = re.search(
        r"^training = \[(.*)\]$", (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE
    )
    assert extra is not None
    needed = [Requirement(text) for text in re.findall(r'"(.*?)"', extra[1])]
    # The lowest version that the tests of trainers were run with, and builds for CUDA.
    for name, versions in {
        "accelerate": ["1.1.0", "1.15.0"],
        "torch": ["2.5.0+cu124", "2.13.0+cpu"],
        "transformers": ["4.46.0", "4.57.6", "5.23.0"],
    }.items():
        specifier = next(found.specifier for found in needed if found.name == name)
        assert all(version in specifier for version in versions)
        assert {part.operator for part in specifier} == {">="}


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

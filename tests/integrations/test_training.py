"""The hook of a training loop compared with plain scoring of texts decoded by hand."""

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

"""Wrong calls of the integrations: ``errors.txt`` has each call, and below it its error."""

from pathlib import Path
from typing import Any

import datasets
import evaluate
import numpy as np
import pandas as pd
import pytest

import bleu_rouge_metric
from bleu_rouge_metric import compute_metrics, score_table
from bleu_rouge_metric.integrations import (
    nltk,
    pycocoevalcap,
    rouge,
    rouge_score,
    sacrebleu,
)
from bleu_rouge_metric.integrations.rewards import make_reward, make_verl_score

from ..conftest import METRIC
from ..support.errors import call_wrongly, read_errors
from ..support.reward_tokenizers import EOS, PAD, WordTokenizer, find_id
from ..support.toy_tokenizer import LABELS, make_logits, pad_rows
from .test_training import IDS, LABEL_IDS, TOKENIZER

DATA = datasets.Dataset.from_dict({"prediction": ["a"], "output": ["b"]})
GOOD = {"prediction": ["a", "b", "c"], "reference": ["a", ["b", "d"], "c"]}
BOTH = ("bleu", "rougeL")


def hook(*prediction: Any, **options: Any) -> None:
    """Make a hook; score a prediction if one is given."""
    made = compute_metrics(**{"tokenizer": TOKENIZER, **options})
    for one in prediction:
        made(one)


def score(**columns: Any) -> None:
    score_table({**GOOD, **columns})


def stand_in(module: str, name: str, **members: Any) -> object:
    """Make a table of a class that is derived from one of an engine."""
    base = type(name, (), {"__module__": module, **members})
    return type("Own", (base,), {"__module__": "own"})()


NAMES: dict[str, Any] = {
    "BARE": make_reward("rouge1", tokens="ids", eos=EOS),
    "ID_REWARD": make_reward("rouge1", tokens="ids", tokenizer=WordTokenizer()),
    "NEGATIVE": make_reward("rouge1", tokens="ids", tokenizer=WordTokenizer(sign=-1)),
    "REWARD": make_reward("rouge1"),
    "VERL": make_verl_score("rouge1"),
    "Decoder": type("Decoder", (), {"batch_decode": print}),
    # Logits with more positions than there are labels.
    "LOGITS": make_logits(pad_rows(LABELS, -100, width=13)),
    "BOTH": BOTH,
    "DATA": DATA,
    "GOOD": GOOD,
    "METRIC": METRIC,
    "EOS": EOS,
    "PAD": PAD,
    "IDS": IDS,
    "LABELS": LABELS,
    "LABEL_IDS": LABEL_IDS,
    "nltk": nltk.translate.bleu_score,
    "datasets": datasets,
    "evaluate": evaluate,
    "np": np,
    "pd": pd,
    "pycocoevalcap": pycocoevalcap,
    "rouge": rouge,
    "rouge_score": rouge_score,
    "sacrebleu": sacrebleu,
    **{each.__name__: each for each in (find_id, hook, make_reward, make_verl_score, score)},
    **{each.__name__: each for each in (bleu_rouge_metric.load, score_table, stand_in)},
}
ERRORS = read_errors(Path(__file__).with_name("errors.txt"))


@pytest.mark.parametrize(("call", "error"), ERRORS)
def test_a_wrong_call_is_one_clear_error(call: str, error: str) -> None:
    assert call_wrongly(call, dict(NAMES)) == error

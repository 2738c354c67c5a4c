"""Options that are refused: the whole text of every error, before any work."""

import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import Options, Scorer, compute_metrics, load
from bleu_rouge_metric.families.bleu.rules import SMOOTHINGS
from bleu_rouge_metric.options.sacrebleu_signature import write_sacrebleu_signature
from bleu_rouge_metric.options.table import OPTIONS

from ..support.errors import PROFILE_NAMES, TOKENIZER_NAMES, call_wrongly, read_errors

ERRORS = read_errors(Path(__file__).with_name("errors.txt"))
load_once = cache(load)


class Words:
    def tokenize(self, text: str) -> list[str]:
        return text.split()


def check(family: Any = None, **options: Any) -> None:
    """Give options to both: the metric checks them before the samples, which are bad as well."""
    with pytest.raises((TypeError, ValueError)) as raised:
        load_once(family).compute(predictions=[None], references=[None], **options)
    families: Any = ["bleu", "rouge"] if family is None else [family]
    error = call_wrongly("call()", {"call": lambda: Options.from_keywords(options, families)})
    assert error == f"{type(raised.value).__name__}: {raised.value}"
    raise raised.value


def construct(**options: Any) -> None:
    """Give options to every constructor."""
    plain = Options(**{**options, **dict.fromkeys(options.keys() - {"profile"})})
    calls = {"first": Options, "second": Scorer, "third": plain.replace}
    found = {call_wrongly(f"{name}(**options)", {**calls, "options": options}) for name in calls}
    assert len(found) == 1, found
    Options(**options)


def sign(**options: Any) -> None:
    """Ask for the signature of sacrebleu."""
    scorer = Scorer("bleu", profile="sacrebleu", **options)
    scorer.update(["a"], ["a"])
    scorer.sacrebleu_signature()


NAMES = {
    "Options": Options,
    "Words": Words,
    "check": check,
    "compute_metrics": compute_metrics,
    "construct": construct,
    "load": load,
    "math": math,
    "np": np,
    "read": Options.from_signature,
    "sign": sign,
    "write_sacrebleu_signature": write_sacrebleu_signature,
}


# What stands for long lists of names.
LISTS = {
    "<options>": ", ".join(OPTIONS),
    "<profiles>": PROFILE_NAMES,
    "<smoothing names>": ", ".join(SMOOTHINGS),
    "<smoothings>": ", ".join(map(repr, SMOOTHINGS)),
    "<tokenizers>": TOKENIZER_NAMES,
}


@pytest.mark.parametrize(("call", "error"), ERRORS)
def test_options_that_are_refused_are_one_clear_error(call: str, error: str) -> None:
    for name, text in LISTS.items():
        error = error.replace(name, text)
    assert call_wrongly(call, dict(NAMES)) == error

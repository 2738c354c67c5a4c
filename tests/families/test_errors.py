"""Values that options of a family refuse: each call of ``errors.txt``, with the error below it."""

import math
from pathlib import Path
from typing import Any, Final

import pytest

from bleu_rouge_metric.families.bleu.formula import brevity_penalty
from bleu_rouge_metric.families.bleu.rules import make_bleu_rules
from bleu_rouge_metric.families.rouge.rules import make_rouge_rules
from bleu_rouge_metric.options.options import Options
from bleu_rouge_metric.text.steps import resolve_stop_words

LINES: Final = (Path(__file__).parent / "errors.txt").read_text("utf-8").splitlines()

NAMES: Final[dict[str, Any]] = {
    "nan": math.nan,
    "inf": math.inf,
    "Options": Options,
    "brevity_penalty": brevity_penalty,
    "make_bleu_rules": make_bleu_rules,
    "make_rouge_rules": make_rouge_rules,
    "resolve_stop_words": resolve_stop_words,
}


@pytest.mark.parametrize(("call", "expected"), [*zip(LINES[::2], LINES[1::2], strict=True)])
def test_the_error_of_a_call(call: str, expected: str) -> None:
    with pytest.raises((TypeError, ValueError)) as error:
        eval(call, NAMES)
    assert f"{type(error.value).__name__}: {error.value}" == expected.strip()

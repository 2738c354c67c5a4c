"""Options that are refused: the whole text of every error, before any work.

Names of other libraries are errors that say what to write here.
"""

import inspect
import math
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from nltk.translate.bleu_score import SmoothingFunction

from bleu_rouge_metric import (
    Options,
    Scorer,
    bleu_score,
    compare_profiles,
    compute_metrics,
    load,
    rouge_scores,
)
from bleu_rouge_metric.families.bleu.formula import brevity_penalty
from bleu_rouge_metric.families.bleu.rules import SMOOTHINGS, make_bleu_rules
from bleu_rouge_metric.families.rouge.rules import make_rouge_rules
from bleu_rouge_metric.integrations.evaluate_metric import BleuRougeMetric
from bleu_rouge_metric.options.errors import list_foreign
from bleu_rouge_metric.options.sacrebleu_signature import write_sacrebleu_signature
from bleu_rouge_metric.options.table import OPTIONS
from bleu_rouge_metric.text.steps import resolve_stop_words

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
    plain = Options(**{**options, **dict.fromkeys(options.keys() - {"profile"})})
    calls = {"first": Options, "second": Scorer, "third": plain.replace}
    found = {call_wrongly(f"{name}(**options)", {**calls, "options": options}) for name in calls}
    assert len(found) == 1, found
    Options(**options)


def sign(**options: Any) -> None:
    scorer = Scorer("bleu", profile="sacrebleu", **options)
    scorer.update(["a"], ["a"])
    scorer.sacrebleu_signature()


NAMES: dict[str, Any] = {
    "inf": math.inf,
    "math": math,
    "nan": math.nan,
    "np": np,
    "read": Options.from_signature,
    **{each.__name__: each for each in (Options, Words, check, compute_metrics, construct)},
    **{each.__name__: each for each in (BleuRougeMetric, Scorer)},
    **{each.__name__: each for each in (bleu_score, compare_profiles, rouge_scores)},
    **{each.__name__: each for each in (load, sign, write_sacrebleu_signature)},
    **{each.__name__: each for each in (brevity_penalty, make_bleu_rules, make_rouge_rules)},
    "resolve_stop_words": resolve_stop_words,
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


FOREIGN = list(list_foreign())


def message_of(call: Callable[..., object], /, **given: Any) -> str:
    with pytest.raises(TypeError) as raised:
        call(**given)
    return str(raised.value)


def test_every_foreign_name_is_an_error_and_stands_once() -> None:
    assert not {name for name, _ in FOREIGN} & OPTIONS.keys()
    assert set(Counter(name for name, _ in FOREIGN).values()) == {1}
    for name, remedy in FOREIGN:
        message = message_of(Options.from_keywords, keywords={name: 1})
        assert message == f"Unknown option {name!r}; {remedy}."


def test_what_a_remedy_names_is_accepted() -> None:
    for _, remedy in FOREIGN:
        for name, text in re.findall(r"(\w+)=('[\w-]+'|\[[^]]+\]|True|\d+)", remedy):
            # What is left out needs data of NLTK, or is kept as another option.
            left_out = ("stop_words", "sentence_splitter", "use_stemmer", "language")
            if name in OPTIONS and name not in left_out:
                value = eval(text)
                found = getattr(Options.from_keywords({name: value}), name)
                assert found == (tuple(value) if isinstance(value, list) else value)


@pytest.mark.parametrize("call", [bleu_score, rouge_scores, compare_profiles, Scorer.update])
def test_python_sees_the_arguments_of_a_function_of_samples(call: Callable[..., object]) -> None:
    assert {"predictions", "references"} <= inspect.signature(call).parameters.keys()
    assert call.__doc__
    assert "required positional" in message_of(call, predictions=["a"])


def test_a_smoothing_of_nltk_is_named() -> None:
    message = message_of(Options, smooth=SmoothingFunction().method4)
    assert message.endswith(", method7-corrected. Use smooth='method4'.")

"""Inputs that cannot be scored: the whole text of every error."""

from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import datasets
import evaluate
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from bleu_rouge_metric.messages import describe_value, format_message, rename_arguments
from bleu_rouge_metric.options.options import Options
from bleu_rouge_metric.samples.inputs import check_pair, check_samples

from ..support.errors import call_wrongly, read_errors

PREDICTIONS = ["a b", "c", ""]
SINGLE = ["x", "y", "z"]
DATA = datasets.Dataset.from_dict(
    {"document": SINGLE, "prediction": PREDICTIONS, "references": SINGLE}
)

NAMES = {
    "DATA": DATA,
    "Options": Options,
    "OrderedDict": OrderedDict,
    "PREDICTIONS": PREDICTIONS,
    "SINGLE": SINGLE,
    "check_samples": check_samples,
    "datasets": datasets,
    "np": np,
    "pa": pa,
    "pd": pd,
}
ERRORS = read_errors(Path(__file__).with_name("errors.txt"))


@pytest.mark.parametrize(("call", "error"), ERRORS)
def test_what_cannot_be_scored_is_an_error_that_names_its_place(
    call: str, error: str, metric: evaluate.Metric
) -> None:
    def compute(predictions: object, references: object, **options: Any) -> None:
        metric.compute(predictions=predictions, references=references, **options)

    assert call_wrongly(call, {**NAMES, "compute": compute}) == error


@pytest.mark.parametrize("index", [0, 4095, 4096, 9_999])
def test_the_place_is_right_at_any_index(index: int) -> None:
    texts: list[object] = ["a"] * 10_000
    bad = texts.copy()
    bad[index] = None
    with pytest.raises(TypeError, match=rf"^predictions\[{index}\] is None;"):
        check_samples(bad, texts)
    with pytest.raises(TypeError, match=rf"^references\[{index}\] is None;"):
        check_samples(texts, bad)
    with pytest.raises(TypeError, match=rf"^references\[{index}\]\[0\] is None;"):
        check_samples(texts, [[text] for text in bad])


@pytest.mark.parametrize(
    ("message", "renamed"),
    [
        (
            describe_value("references", "None", "expected a str."),
            "target is None; expected a str.",
        ),
        (describe_value("predictions[0]", "None", ""), "preds[0] is None"),
        (
            describe_value("predictions", '"it\'s references"', "expected a str."),
            'preds is "it\'s references"; expected a str.',
        ),
        (
            format_message("use text.decode('references') of {references}."),
            "use text.decode('references') of target.",
        ),
        (
            format_message("a", remedy=format_message("use {references=}[text].")),
            "a; use target=[text].",
        ),
        (format_message("{predictions_of}."), "predictions_of."),
        ("references is a text.", "references is a text."),
    ],
)
def test_arguments_are_renamed_in_errors_but_not_in_their_values(
    message: str, renamed: str
) -> None:
    error = ValueError(message)
    rename_arguments(error, {"references": "target", "predictions": "preds"})
    assert str(error) == renamed


def test_an_error_of_a_stream_that_has_no_plain_message_stays_as_it_is() -> None:
    def read() -> Iterator[str]:
        yield b"references[0] \xff".decode("ascii")

    with pytest.raises(UnicodeDecodeError, match=r"^'ascii' codec can't decode byte 0xff"):
        check_pair("a", read())

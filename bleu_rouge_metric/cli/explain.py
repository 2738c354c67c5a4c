"""``bleu-rouge explain``."""

import json
import os
from dataclasses import replace
from typing import Final

import click

from ..analysis.explain import bracket, explain, write_explanation
from ..files.samples import read_samples
from ..messages import count_noun
from ..samples.inputs import Samples, check_pair
from .flags import FILES
from .messages import UsageError, usage_errors, write_flags
from .output import has_colours, print_report
from .values import Values

# From the label of a mark to its colours in a terminal; n-grams that are not here are longer.
_COLOURS: Final = {"1-gram": "yellow", "2-gram": "cyan", "3-gram": "blue", "clipped": "red"}

_PAGE: Final = (
    '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
    "<title>bleu-rouge explain</title></head><body>\n{}\n</body></html>\n"
)


def run_explain(values: Values) -> None:
    """Explain one pair."""
    samples = _read_row(values) if values.row is not None else _take_texts(values)
    ((prediction, references),) = values.strip_samples(samples).by_sample()
    with usage_errors():
        explanation = explain(prediction, list(references), family=values.family, **values.keywords)
    explanation = replace(explanation, notes=tuple(map(write_flags, explanation.notes)))
    if values.report_format == "json":
        print_report(json.dumps(explanation.to_dict()) + "\n")
    elif values.report_format == "html":
        print_report(_PAGE.format(explanation.to_html()))
    else:
        mark = _paint if has_colours() else bracket
        print_report(write_explanation(explanation, mark) + "\n", is_styled=True)


def _take_texts(values: Values) -> Samples:
    """Return the sample of the arguments, unless these are files or flags of files are given."""
    for text in (values.prediction, *values.references):
        # Unlike Path.is_file, it is False for a text that is too long for a path.
        if os.path.isfile(text):  # noqa: PTH113
            raise UsageError(f"{text} is a file; give --row to explain a sample of files.")
    if not values.references:
        raise UsageError("there is no reference; give one or more after the prediction.")
    for flag in values.list_given(FILES):
        raise UsageError(f"{flag} is for files; give --row to explain a sample of files.")
    with usage_errors():
        return check_pair(values.prediction, values.references)


def _read_row(values: Values) -> Samples:
    """Return the sample of files that ``--row`` names."""
    samples = read_samples(values.prediction, values.references, **values.files)
    count, row = len(samples.predictions), values.row
    if row >= count:
        has = f"{values.prediction} has {count_noun(count, 'sample')}"
        raise UsageError(f"--row is {row}, but {has}; expected an int from 0 to {count - 1}.")
    return samples.select(row, row + 1)


def _paint(piece: str, label: str) -> str:
    """Return a marked piece in colours; the sign after it stays, for readers who see no colours."""
    return click.style(bracket(piece, label), fg=_COLOURS.get(label, "green"))

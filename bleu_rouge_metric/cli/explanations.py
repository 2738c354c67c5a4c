"""The work of ``bleu-rouge explain``, and what it prints."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click

from ..analysis.explain import explain
from ..analysis.explanation import Explanation
from ..analysis.explanation_views import bracket, write_explanation
from ..files.samples import read_samples
from .messages import UsageError, print_report
from .score_tables import has_colours
from .values import Values

# From the label of a mark to its colours in a terminal; n-grams that are not here are longer.
_COLOURS: Final = {
    "1-gram": "yellow",
    "2-gram": "cyan",
    "3-gram": "blue",
    "clipped": "red",
}

_PAGE: Final = (
    '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
    "<title>bleu-rouge explain</title></head><body>\n{}\n</body></html>\n"
)


def run_explain(flags: Values) -> None:
    """Explain one pair.

    Raises:
        FileError: a file cannot be read.
        UsageError: a flag has a wrong value, or flags do not go together.
    """
    texts = flags.prediction, flags.references
    check_row(flags.row, *texts, flags.given)
    if flags.row is not None:
        texts = read_row(flags.row, *texts, **flags.files)
    with flags.errors():
        explanation = explain(*texts, family=flags.family, **flags.keywords)
    print_report(
        lambda: report_explanation(explanation, flags.report_format),
        has_colours=flags.report_format == "text",
    )


def check_row(
    row: int | None, prediction: str, references: list[str], file_flags: Sequence[str]
) -> None:
    """Check the arguments for what they are: texts, or with a row files.

    Args:
        row: the index of the sample; None if it is not given.
        prediction: a text, or a file.
        references: texts, or files.
        file_flags: the given flags that only files need.

    Raises:
        UsageError: the index is negative; or the arguments are texts, but there is no reference, a
            text is a file, or a flag is for files.
    """
    if row is not None:
        if row < 0:
            raise UsageError(f"--row is {row}; expected an int of at least 0.")
        return
    for text in (prediction, *references):
        if _is_file(text):
            raise UsageError(f"{text} is a file; give --row to explain a sample of files.")
    if not references:
        raise UsageError("there is no reference; give one or more after the prediction.")
    if file_flags:
        raise UsageError(f"{file_flags[0]} is for files; give --row to explain a sample of files.")


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        # Too long for a path, or not a path at all.
        return False


def read_row(
    index: int, prediction: str, references: list[str], **options: Any
) -> tuple[str, list[str]]:
    """Return the prediction and the references of a sample of files.

    Args:
        index: of the sample.
        prediction: the file.
        references: files.
        **options: of ``read_samples``.

    Raises:
        FileError: a file cannot be read.
        UsageError: the files have fewer samples.
    """
    samples = read_samples(prediction, references, **options)
    count = len(samples.predictions)
    if index >= count:
        raise UsageError(f"--row is {index}, but {prediction} has {count} samples, from 0.")
    ((text, others),) = samples.select(index, index + 1).by_sample()
    return text, list(others)


def report_explanation(explanation: Explanation, report_format: str) -> str:
    """Write an explanation; in a terminal its marks have colours."""
    if report_format == "json":
        return json.dumps(explanation.to_dict()) + "\n"
    if report_format == "html":
        return _PAGE.format(explanation.to_html())
    return write_explanation(explanation, _paint if has_colours() else bracket) + "\n"


def _paint(piece: str, label: str) -> str:
    """Return a marked piece in colours; the sign after it stays, for readers who see no colours."""
    return click.style(bracket(piece, label), fg=_COLOURS.get(label, "green"))

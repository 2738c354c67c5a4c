"""``bleu-rouge explain``: its arguments and flags, and what it prints."""

import json
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.console import Console

from ..analysis.explain import Explanation, bracket, explain, write_explanation
from ..files.samples import read_samples
from ..options.options import Options
from ..options.table import OPTIONS
from ..text.warnings import collect_warnings
from .checks import check_environment, read_choice, read_families
from .file_flags import read_file_flags
from .flags import FILES, OUTPUT, complete
from .messages import UsageError, one_line_warnings, print_report, usage_errors
from .option_flags import to_int, to_keywords

HELP: Final = """\
Explain the scores of PREDICTION with its REFERENCES: matching n-grams and LCS, BLEU and ROUGE.

PREDICTION and REFERENCES are texts. With --row they are files, read as by bleu-rouge score.

The number after a bracket is the order of the longest matching n-gram at this token; × marks a \
match that is clipped. [bold]w log p[/bold] is the term that each n-gram order adds to log BLEU. \
A star marks the reference whose ROUGE is used.
"""

EXAMPLES: Final = """\
[bold]Examples[/bold]

bleu-rouge explain "the cat sat" "a cat sat down" "the dog sat"

bleu-rouge explain --row 3 predictions.txt references.txt --family rouge

bleu-rouge explain "the cat sat" "a cat sat down" --format html > explanation.html
"""

# The options that change scores of one sample.
EXPLAINED_OPTIONS: Final = tuple(
    name for name, option in OPTIONS.items() if option.effect not in ("output", "aggregation")
)

# From the label of a mark to its colours in a terminal; n-grams that are not here are longer.
_COLOURS: Final = {
    "1-gram": typer.colors.YELLOW,
    "2-gram": typer.colors.CYAN,
    "3-gram": typer.colors.BLUE,
    "clipped": typer.colors.RED,
}

_PAGE: Final = (
    '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
    "<title>bleu-rouge explain</title></head><body>\n{}\n</body></html>\n"
)


class ExplanationFormat(str, Enum):
    """How an explanation is printed."""

    TEXT = "text"
    JSON = "json"
    HTML = "html"


Prediction = Annotated[
    str, typer.Argument(metavar="PREDICTION", help="Generated text; with --row its file, or -.")
]
References = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="REFERENCES",
        help="Reference texts; with --row their files. Omit them if the file of the prediction has "
        "a column of references.",
        show_default=False,
    ),
]
Row = Annotated[
    str | None,
    typer.Option(
        metavar="INT",
        help="Index of the sample in the files; the first is 0, as in --per-sample.",
        show_default=False,
        rich_help_panel=FILES,
    ),
]
Format = Annotated[
    str,
    typer.Option(
        "--format",
        autocompletion=complete(ExplanationFormat),
        metavar="FORMAT",
        help="text, json or html; json is not rounded.",
        rich_help_panel=OUTPUT,
    ),
]


def run_explain(
    prediction: str,
    *,
    references: list[str] | None,
    row: str | None,
    report_format: str,
    family: str | None,
    file_flags: list[str],
    **parameters: Any,
) -> None:
    """Explain one pair; the parameters are the flags as they were typed.

    Raises:
        FileError: a file cannot be read.
        UsageError: a flag has a wrong value, or flags do not go together.
    """
    with one_line_warnings():
        with usage_errors():
            check_environment()
            families = read_families(family)
            written = read_choice("--format", report_format, ExplanationFormat)
            keywords = to_keywords(parameters)
            # What it warns of is among the notes.
            with collect_warnings():
                Options.from_keywords(keywords, families)
            files = read_file_flags(parameters)
            index = check_row(row, prediction, references or [], file_flags)
        texts = prediction, references or []
        if index is not None:
            texts = read_row(index, *texts, **files)
        chosen = families[0] if len(families) == 1 else None
        with usage_errors():
            explanation = explain(*texts, family=chosen, **keywords)
        print_report(
            lambda: report_explanation(explanation, written),
            has_colours=written is ExplanationFormat.TEXT,
        )


def check_row(
    row: str | None, prediction: str, references: list[str], file_flags: Sequence[str]
) -> int | None:
    """Return the index of the sample; None if the arguments are texts.

    Args:
        row: the flag; None if it is not given.
        prediction: a text, or a file.
        references: texts, or files.
        file_flags: the given flags that only files need.

    Raises:
        ValueError: the index is not an int of at least 0.
        UsageError: the arguments are texts, but there is no reference, a text is a file, or a flag
            is for files.
    """
    if row is not None:
        index = to_int("--row", row)
        if index < 0:
            raise ValueError(f"--row is {index}; expected an int of at least 0.")
        return index
    for text in (prediction, *references):
        if _is_file(text):
            raise UsageError(f"{text} is a file; give --row to explain a sample of files.")
    if not references:
        raise UsageError("there is no reference; give one or more after the prediction.")
    if file_flags:
        raise UsageError(f"{file_flags[0]} is for files; give --row to explain a sample of files.")
    return None


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


def report_explanation(explanation: Explanation, report_format: ExplanationFormat) -> str:
    """Write an explanation; in a terminal its marks have colours."""
    if report_format is ExplanationFormat.JSON:
        return json.dumps(explanation.to_dict()) + "\n"
    if report_format is ExplanationFormat.HTML:
        return _PAGE.format(explanation.to_html())
    console = Console()
    has_colours = console.color_system is not None and not console.no_color
    return write_explanation(explanation, _paint if has_colours else bracket) + "\n"


def _paint(piece: str, label: str) -> str:
    """Return a marked piece in colours; the sign after it stays, for readers who see no colours."""
    return typer.style(bracket(piece, label), fg=_COLOURS.get(label, typer.colors.GREEN))

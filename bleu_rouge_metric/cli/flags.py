"""Arguments and flags of ``bleu-rouge score``, with their help; the command is in ``command.py``.

``Options`` checks the values of the metric's options, so that a bad value is the same error as in
Python. A flag that is not given is None; then ``Options`` sets the default.
"""

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Annotated, Final

import typer

from ..families.registry import list_groups
from ..options.table import INTERVALS
from .reports import ReportFormat

# rich wraps paragraphs, so a paragraph is one line here.
HELP: Final = """\
Score PREDICTIONS against one or more files of REFERENCES.

Sample i is row i of every file. Several files of references give each sample several references. \
If a file has columns for both, give only this file. A folder of such files (Parquet or JSON \
Lines) may be larger than memory. \
The suffix of a file determines its format:

* [bold].jsonl .ndjson .json[/bold]: one JSON value per line, an object or the text itself
* [bold].json[/bold]: also one JSON array of such values
* [bold].csv .tsv[/bold]: a header, then rows; quoted fields may hold line breaks
* [bold].parquet[/bold]: columns of strings
* any other suffix, and [bold]-[/bold] for standard input: plain text, one sample per line

Text is UTF-8 unless --encoding is given; compressed text files have the additional suffix .gz. \
In a file with columns, a value may be a list of several references; a CSV or TSV cell holds the \
list as JSON: ["one", "another"].

Scores range from 0 to 1, or from 0 to 100 with the profile sacrebleu or --percent. An error is \
one line on standard error, with the line number (in Parquet, the row number).
"""

# What the command tells a shell, beside faults of the program.
EXIT_CODES: Final = {
    0: "the scores were printed",
    2: "a file or an option is wrong",
    130: "interrupted by Ctrl-C",
    141: "the reader of the output closed the pipe",
}

EXAMPLES: Final = """\
[bold]Examples[/bold]

bleu-rouge score predictions.txt references.txt

bleu-rouge score predictions.txt first.txt second.txt --family bleu

bleu-rouge score samples.jsonl --use-stemmer --format json

bleu-rouge score samples.jsonl --profile sacrebleu --signature

bleu-rouge score folder --percent

generate | bleu-rouge score - references.csv --per-sample scores.csv
"""

EPILOG: Final = "\n".join(
    (
        EXAMPLES,
        "[bold]Exit codes[/bold]\n",
        "; ".join(f"{code}: {meaning}" for code, meaning in EXIT_CODES.items()),
    )
)

FILES: Final = "Files"
OUTPUT: Final = "Output"


class EngineChoice(str, Enum):
    """The engine that counts files that are too many or too large for one process."""

    RAY = "ray"


def complete(choices: Iterable[str]) -> Callable[[str], list[str]]:
    """Return what a shell calls for the choices that begin with a text."""
    # An item of an enumeration is not formatted as its value.
    names = [str.__str__(choice) for choice in choices]
    return lambda incomplete: [name for name in names if name.startswith(incomplete)]


Predictions = Annotated[
    str, typer.Argument(metavar="PREDICTIONS", help="File or folder of generated texts, or -.")
]
References = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="REFERENCES",
        help="Files of reference texts, or -. Omit them if PREDICTIONS has a column of references.",
        show_default=False,
    ),
]
GroupBy = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Add the scores of each group of samples. NAME is a column of the references or "
        "predictions; for plain text, a file with one label per line.",
        show_default=False,
        rich_help_panel=OUTPUT,
    ),
]
Percent = Annotated[
    bool,
    typer.Option(
        "--percent",
        help="Scores from 0 to 100, also in --per-sample; lengths, counts and the brevity penalty "
        "are unchanged.",
        show_default=False,
        rich_help_panel=OUTPUT,
    ),
]
Engine = Annotated[
    str | None,
    typer.Option(
        autocompletion=complete(EngineChoice),
        metavar="ENGINE",
        help="ray: count a folder of Parquet or JSON Lines files with Ray, on this machine or a "
        "cluster.",
        show_default=False,
        rich_help_panel=FILES,
    ),
]
Format = Annotated[
    str,
    typer.Option(
        "--format",
        autocompletion=complete(ReportFormat),
        metavar="FORMAT",
        help="table, json, csv, markdown or latex; json and csv are not rounded.",
        rich_help_panel=OUTPUT,
    ),
]
PerSample = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Write one row of scores per sample to a .csv, .tsv, .jsonl (these also with .gz) or "
        ".parquet file.",
        show_default=False,
        rich_help_panel=OUTPUT,
    ),
]
FamilyOption = Annotated[
    str | None,
    typer.Option(
        autocompletion=complete(list_groups()),
        metavar="FAMILY",
        help=f"{' or '.join(list_groups())}, to compute only one family. Default: all.",
        show_default=False,
        rich_help_panel=OUTPUT,
    ),
]
Profiles = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="Compare this profile; repeat for several profiles. Default: all.",
        show_default=False,
    ),
]
Seed = Annotated[
    str | None,
    typer.Option(
        metavar="INT",
        help="Seed of resampling, which --signature prints. Default: a new random seed each run.",
        show_default=False,
        rich_help_panel=INTERVALS,
    ),
]

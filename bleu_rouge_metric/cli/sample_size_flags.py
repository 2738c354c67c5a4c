"""Arguments and flags of ``bleu-rouge required-samples``, with their help."""

from enum import Enum
from typing import Annotated, Final

import typer

from .flags import OUTPUT, complete

HELP: Final = """\
Estimate how many samples a test set needs, so that a difference between two SYSTEMS is found.

SYSTEMS are a pilot: two systems on 20 samples or more of the same kind, read as by bleu-rouge \
compare. Studies are simulated from the pilot (Card et al. 2020). The difference of the pilot \
itself is not used.
"""

EXAMPLES: Final = """\
[bold]Examples[/bold]

bleu-rouge required-samples a.txt b.txt --references r.txt --profile sacrebleu --difference 0.5

bleu-rouge required-samples a.txt b.txt --references r.txt --score rougeL --difference 1 --percent
"""

_STUDY: Final = "Study"


class SizeFormat(str, Enum):
    """How the number of samples is printed."""

    TABLE = "table"
    JSON = "json"
    MARKDOWN = "markdown"


Difference = Annotated[
    str,
    typer.Option(
        metavar="FLOAT",
        help="Smallest difference that is to be found, in the units of the score; with --percent, "
        "in points of 100.",
        rich_help_panel=_STUDY,
    ),
]
Power = Annotated[
    str,
    typer.Option(metavar="FLOAT", help="Probability to find it.", rich_help_panel=_STUDY),
]
Score = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="bleu, or a ROUGE type. Default: the first.",
        show_default=False,
        rich_help_panel=_STUDY,
    ),
]
System = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="The system that is compared with the baseline. Default: the only other one.",
        show_default=False,
        rich_help_panel=_STUDY,
    ),
]
Tests = Annotated[
    str,
    typer.Option(
        "--tests",
        metavar="INT",
        help="How many p-values will be corrected together.",
        rich_help_panel=_STUDY,
    ),
]
Studies = Annotated[
    str,
    typer.Option(metavar="INT", help="Simulated studies of each size.", rich_help_panel=_STUDY),
]
Format = Annotated[
    str,
    typer.Option(
        "--format",
        autocompletion=complete(SizeFormat),
        metavar="FORMAT",
        help="table, json or markdown.",
        rich_help_panel=OUTPUT,
    ),
]

"""Arguments and flags of ``bleu-rouge meta-evaluate``, with their help."""

from typing import Annotated, Final

import typer

from ..analysis.meta.coefficients import CALIBRATED, COEFFICIENTS, GROUPINGS, LEVELS
from ..analysis.meta.resampling import RESAMPLED, SWAPPED
from .flags import FILES, OUTPUT

HELP: Final = """\
Measure how far metrics agree with ratings by people, with intervals and tests between metrics.

SYSTEMS are the texts of the rated systems, as for bleu-rouge compare; their BLEU and ROUGE are \
compared with the ratings of [bold]--human[/bold], and so are the scores of other metrics in \
[bold]--scores[/bold]. Without SYSTEMS, only those scores are compared. The name of a system is \
the name of its file without the suffix.
"""

EXAMPLES: Final = """\
[bold]Examples[/bold]

bleu-rouge meta-evaluate a.txt b.txt c.txt --references references.txt --human ratings.json

bleu-rouge meta-evaluate --human ratings.json --scores scores.json --level segment --grouping none
"""

_AGREEMENT: Final = "Agreement"
_TEST: Final = "Test"

Systems = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SYSTEMS",
        help="One file per system, or -; or one file with columns. Omit them if --scores has all "
        "scores.",
        show_default=False,
    ),
]
Human = Annotated[
    str,
    typer.Option(
        "--human",
        metavar="FILE",
        help="JSON file of the ratings of each system, one per sample: "
        '{"a": [4, 2.5], "b": [3, 5]}.',
        rich_help_panel=FILES,
    ),
]
LevelName = Annotated[
    str,
    typer.Option(
        "--level",
        metavar="NAME",
        help=f"{', '.join(LEVELS[:-1])} or {LEVELS[-1]}.",
        rich_help_panel=_AGREEMENT,
    ),
]
GroupingName = Annotated[
    str,
    typer.Option(
        "--grouping",
        metavar="NAME",
        help="Correlate texts within each item, within each system, or all together: "
        f"{', '.join(GROUPINGS)}.",
        rich_help_panel=_AGREEMENT,
    ),
]
Coefficients = Annotated[
    list[str] | None,
    typer.Option(
        "--coefficient",
        metavar="NAME",
        help=f"{', '.join(COEFFICIENTS)} or {CALIBRATED}; may be given several times. Default: "
        "the first three and an accuracy.",
        show_default=False,
        rich_help_panel=_AGREEMENT,
    ),
]
Baseline = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Metric that the others are compared with. Default: all pairs are compared.",
        show_default=False,
        rich_help_panel=_TEST,
    ),
]
ResampledUnits = Annotated[
    str,
    typer.Option(
        "--resampled",
        metavar="NAME",
        help=f"What the bootstrap draws: {', '.join(RESAMPLED)}.",
        rich_help_panel=_TEST,
    ),
]
SwappedUnits = Annotated[
    str | None,
    typer.Option(
        "--swapped",
        metavar="NAME",
        help=f"What the test of texts swaps: {' or '.join(SWAPPED)}. Default: items.",
        show_default=False,
        rich_help_panel=_TEST,
    ),
]
Resamples = Annotated[
    str,
    typer.Option(metavar="INT", help="Resamples of intervals and tests.", rich_help_panel=_TEST),
]
Format = Annotated[
    str,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help="table, json, csv, markdown or latex; json and csv are not rounded. csv has the "
        "agreement, but not the differences between metrics.",
        rich_help_panel=OUTPUT,
    ),
]

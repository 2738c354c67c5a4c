"""Arguments and flags of ``bleu-rouge pick``, with their help."""

from enum import Enum
from typing import Annotated, Final

import typer

from .duplicate_flags import PAIR_OPTIONS
from .flags import FILES, OUTPUT, complete

HELP: Final = """\
Pick one of several candidate texts for each row of FILE.

FILE has a column of lists of candidates, and perhaps a column of references. Without references, \
the candidate with the highest mean score against all candidates of its row is picked (minimum \
Bayes risk, [bold]consensus[/bold]). With references, the candidate with the highest score against \
them is picked (best of n, [bold]best[/bold]). The first of equal candidates is picked. Files are \
read as by bleu-rouge score.

The output has one line of JSON per row: index is the place of the candidate in its list, from 0. \
One line on standard error says how the candidates were picked.
"""

EXAMPLES: Final = """\
[bold]Examples[/bold]

bleu-rouge pick samples.jsonl --output picked.jsonl

bleu-rouge pick samples.jsonl --method consensus --score rougeL --format text > picked.txt

bleu-rouge pick samples.jsonl --method best --reference-column answers
"""

# The weights of ``select_consensus`` are those of texts, not of n-gram orders.
PICK_OPTIONS: Final = tuple(name for name in PAIR_OPTIONS if name != "weights")

_CHOICE: Final = "Choice"


class Method(str, Enum):
    """How a candidate is picked."""

    CONSENSUS = "consensus"
    BEST = "best"


class PickFormat(str, Enum):
    """How the candidates that were picked are written."""

    JSONL = "jsonl"
    TEXT = "text"


File = Annotated[
    str, typer.Argument(metavar="FILE", help="File with a column of lists of candidates, or -.")
]
Column = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Column of the candidates. Default: candidates, or the only one.",
        show_default=False,
        rich_help_panel=FILES,
    ),
]
ReferenceColumn = Annotated[
    str | None,
    typer.Option(
        "--reference-column",
        metavar="NAME",
        help="Column of the references. Default: reference or references, if FILE has one.",
        show_default=False,
        rich_help_panel=FILES,
    ),
]
MethodName = Annotated[
    str | None,
    typer.Option(
        "--method",
        autocompletion=complete(Method),
        metavar="NAME",
        help="consensus or best. Default: best if FILE has references, else consensus.",
        show_default=False,
        rich_help_panel=_CHOICE,
    ),
]
Score = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="Score that decides: bleu, google_bleu or a ROUGE type. bleu is that of sacrebleu "
        "unless --profile is given.",
        rich_help_panel=_CHOICE,
    ),
]
Format = Annotated[
    str,
    typer.Option(
        "--format",
        autocompletion=complete(PickFormat),
        metavar="FORMAT",
        help="jsonl: index, text and score; text: the texts alone, one per line.",
        rich_help_panel=OUTPUT,
    ),
]
Output = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Write to this file. Default: standard output.",
        show_default=False,
        rich_help_panel=OUTPUT,
    ),
]

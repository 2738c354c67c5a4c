"""Arguments and flags of ``bleu-rouge dedup``, with their help."""

from typing import Annotated, Final

import typer

from .explanations import EXPLAINED_OPTIONS
from .flags import FILES, OUTPUT

HELP: Final = """\
Remove near duplicates from FILE: texts whose score with a text before them is above a threshold.

The first text is kept. A later text is rejected if its highest score with a text that was kept \
before it is above --threshold; the text before is the reference. Records that are kept are \
written unchanged and in order: lines of plain text or JSON Lines, rows of CSV, TSV or Parquet. \
Files are read as by bleu-rouge score.

Two texts without tokens, such as empty lines, have the score 0. One line on standard error says \
how many texts were kept.
"""

EXAMPLES: Final = """\
[bold]Examples[/bold]

bleu-rouge dedup instructions.jsonl --output kept.jsonl --rejected rejected.jsonl

bleu-rouge dedup training.jsonl --column prompt --against test.jsonl --output clean.jsonl

generate | bleu-rouge dedup - --threshold 0.5 --use-stemmer > kept.txt
"""

# The options of a score of two texts, which --score names.
PAIR_OPTIONS: Final = tuple(name for name in EXPLAINED_OPTIONS if name != "rouge_types")

_DECISION: Final = "Decision"

File = Annotated[str, typer.Argument(metavar="FILE", help="File of texts, or -.")]
Column = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Column of the texts. Default: text, instruction, prediction, or the only one.",
        show_default=False,
        rich_help_panel=FILES,
    ),
]
Against = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Compare with the texts of this file only, such as a test set, and not with each "
        "other.",
        show_default=False,
        rich_help_panel=FILES,
    ),
]
Score = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="Score of two texts: a ROUGE type, bleu or google_bleu; rougeL_recall and the like "
        "are one part of it.",
        rich_help_panel=_DECISION,
    ),
]
Threshold = Annotated[
    str,
    typer.Option(
        metavar="FLOAT",
        help="Reject a text with a higher score: from 0 to 1, or to 100 for the BLEU of sacrebleu.",
        rich_help_panel=_DECISION,
    ),
]
Inclusive = Annotated[
    bool,
    typer.Option(
        "--inclusive",
        help="Reject a text with exactly this score too.",
        show_default=False,
        rich_help_panel=_DECISION,
    ),
]
GroupBy = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Compare only texts of the same group. NAME is a column; for plain text, a file with "
        "one label per line.",
        show_default=False,
        rich_help_panel=_DECISION,
    ),
]
Output = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Write the kept records to this file, in the format of FILE. Default: standard "
        "output.",
        show_default=False,
        rich_help_panel=OUTPUT,
    ),
]
Rejected = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Write the rejected records to this file as JSON Lines; line, score, nearest_line and "
        "nearest say what each was near to. Lines count from 1.",
        show_default=False,
        rich_help_panel=OUTPUT,
    ),
]

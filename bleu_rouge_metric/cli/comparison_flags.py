"""Arguments and flags of ``bleu-rouge compare``, with their help."""

from collections.abc import Sequence
from enum import Enum
from typing import Annotated, Any, Final

import typer

from ..options.table import OPTIONS
from .flags import complete
from .foreign_flags import KnowingCommand

HELP: Final = """\
Compare SYSTEMS on the same samples: scores with intervals, and whether the differences are real.

Every file of SYSTEMS holds the texts of one system, or one file has a column for each of \
[bold]--systems[/bold]. The first system is the baseline. Files are read as bleu-rouge score reads \
them; the name of a system is that of its file, without the suffix.

The table names the test, the number of resamples, the seed and the correction; a sentence on each \
system and score follows.
"""

EXAMPLES: Final = """\
[bold]Examples[/bold]

bleu-rouge compare baseline.txt new.txt --references references.txt --family rouge

bleu-rouge compare a.txt b.txt --references first.txt second.txt --profile sacrebleu

bleu-rouge compare systems.jsonl --systems old,new --reference-column references --clusters topic
"""

# The options of scores. The comparison has resamples of its own.
COMPARED_OPTIONS: Final = tuple(
    name for name, option in OPTIONS.items() if option.effect != "output" and name != "n_resamples"
)

_REFERENCES: Final = "--references"
_FILES: Final = "Files"
_OUTPUT: Final = "Output"
_TEST: Final = "Test"


class ComparisonFormat(str, Enum):
    """How a comparison is printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"
    LATEX = "latex"


class CompareCommand(KnowingCommand):
    """A command whose ``--references`` takes all files up to the next flag."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments."""
        return super().parse_args(ctx, spread_references(args))


def spread_references(arguments: Sequence[str]) -> list[str]:
    """Write the flag before each of its files.

    >>> spread_references(["a", "--references", "b", "c", "--seed", "1"])
    ['a', '--references', 'b', '--references', 'c', '--seed', '1']
    """
    spread: list[str] = []
    takes_files, has_flag = False, False
    for index, argument in enumerate(arguments):
        if argument == "--":
            return [*spread, *arguments[index:]]
        if argument.startswith("-") and argument != "-":
            takes_files = argument.partition("=")[0] == _REFERENCES
            has_flag = "=" not in argument
        elif takes_files:
            spread += [] if has_flag else [_REFERENCES]
            has_flag = False
        spread.append(argument)
    return spread


Systems = Annotated[
    list[str],
    typer.Argument(
        metavar="SYSTEMS", help="Files of the texts of each system, or -; or one file with columns."
    ),
]
References = Annotated[
    list[str] | None,
    typer.Option(
        _REFERENCES,
        metavar="FILE...",
        help="Files of the texts to compare with, or -; all that follow up to the next flag. None "
        "if the one file of --systems has a column of them.",
        show_default=False,
        rich_help_panel=_FILES,
    ),
]
SystemColumns = Annotated[
    list[str] | None,
    typer.Option(
        "--systems",
        metavar="A,B",
        help="Columns of the one file of SYSTEMS: a system each.",
        show_default=False,
        rich_help_panel=_FILES,
    ),
]
Clusters = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="What samples belong together, such as their document; whole clusters are resampled. "
        "A column of the references' file, or else of the systems'; a file of one label a line if "
        "all files are plain text.",
        show_default=False,
        rich_help_panel=_TEST,
    ),
]
GroupBy = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Compare each group of samples alone as well. A column or a file, as for --clusters.",
        show_default=False,
        rich_help_panel=_OUTPUT,
    ),
]
OutsideScores = Annotated[
    str | None,
    typer.Option(
        "--scores",
        metavar="FILE",
        help="Test numbers of other metrics too, one a sample: a JSON file such as "
        '{"comet": {"a": [0.5, 0.7], "b": [0.6, 0.7]}}, by the names of the systems.',
        show_default=False,
        rich_help_panel=_FILES,
    ),
]
Baseline = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Compare the others with this system. Default: the first.",
        show_default=False,
        rich_help_panel=_TEST,
    ),
]
Test = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="approximate_randomization or bootstrap; both are paired.",
        rich_help_panel=_TEST,
    ),
]
Resamples = Annotated[
    str | None,
    typer.Option(
        metavar="INT",
        help="How many. Default: 10000 for approximate randomization, 1000 for the bootstrap.",
        show_default=False,
        rich_help_panel=_TEST,
    ),
]
Confidence = Annotated[
    str,
    typer.Option(
        metavar="FLOAT",
        help="Of the intervals; p counts as small up to 1 minus this.",
        rich_help_panel=_TEST,
    ),
]
Seed = Annotated[
    str,
    typer.Option(metavar="INT", help="Of the resamples.", rich_help_panel=_TEST),
]
Side = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="two-sided, or greater: only a higher score than the baseline's counts.",
        rich_help_panel=_TEST,
    ),
]
CorrectionName = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Correct p for the number of tests: holm, bonferroni or fdr_bh. Default: none.",
        show_default=False,
        rich_help_panel=_TEST,
    ),
]
Convention = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="sacrebleu: its p-values and intervals, of BLEU alone.",
        show_default=False,
        rich_help_panel=_TEST,
    ),
]
Signature = Annotated[
    bool,
    typer.Option(
        "--signature",
        help="Add one line that says how scores and tests were made; JSON always has it.",
        show_default=False,
        rich_help_panel=_OUTPUT,
    ),
]
Format = Annotated[
    str,
    typer.Option(
        "--format",
        autocompletion=complete(ComparisonFormat),
        metavar="FORMAT",
        help="table, json, csv, markdown or latex; json and csv are not rounded.",
        rich_help_panel=_OUTPUT,
    ),
]

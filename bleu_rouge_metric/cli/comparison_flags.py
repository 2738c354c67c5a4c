"""Arguments and flags of ``bleu-rouge compare``, with their help."""

from collections.abc import Sequence
from typing import Annotated, Any, Final

import typer

from ..options.table import OPTIONS
from .flags import FILES, OUTPUT
from .foreign_flags import KnowingCommand

HELP: Final = """\
Compare SYSTEMS on the same samples: scores with intervals, and tests of the differences.

Each file of SYSTEMS contains the texts of one system; alternatively, one file has a column for \
each of [bold]--systems[/bold]. The first system is the baseline. Files are read as by bleu-rouge \
score; the name of a system is the name of its file without the suffix.

The samples that lm-evaluation-harness logs and the JSON of COMET are recognised by their content, \
and bring texts, references and scores.

The output names the test, the number of resamples, the seed and the correction, and describes \
each difference in a sentence.
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
_TEST: Final = "Test"


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
    typer.Argument(metavar="SYSTEMS", help="One file per system, or -; or one file with columns."),
]
References = Annotated[
    list[str] | None,
    typer.Option(
        _REFERENCES,
        metavar="FILE...",
        help="Files of reference texts, or -; all arguments up to the next flag. Omit it if the "
        "file of --systems has a column of references.",
        show_default=False,
        rich_help_panel=FILES,
    ),
]
SystemColumns = Annotated[
    list[str] | None,
    typer.Option(
        "--systems",
        metavar="A,B",
        help="Columns of the only file of SYSTEMS, one per system. A name with a comma is quoted "
        "as in CSV.",
        show_default=False,
        rich_help_panel=FILES,
    ),
]
Clusters = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Resample clusters of related samples, such as the sentences of a document. NAME is a "
        "column of the references or systems; for plain text, a file with one label per line.",
        show_default=False,
        rich_help_panel=_TEST,
    ),
]
GroupBy = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Also compare each group of samples alone. A column or a file, as for --clusters.",
        show_default=False,
        rich_help_panel=OUTPUT,
    ),
]
Filter = Annotated[
    str | None,
    typer.Option(
        "--harness-filter",
        metavar="NAME",
        help="Filter of lm-evaluation-harness whose responses are compared, if its files have "
        "those of several.",
        show_default=False,
        rich_help_panel=FILES,
    ),
]
OutsideScores = Annotated[
    str | None,
    typer.Option(
        "--scores",
        metavar="FILE",
        help="Also test scores of other metrics, one per sample, from a JSON file such as "
        '{"comet": {"a": [0.5, 0.7], "b": [0.6, 0.7]}} with the names of the systems; or a file '
        "of COMET.",
        show_default=False,
        rich_help_panel=FILES,
    ),
]
LowerIsBetter = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="A score of --scores of which a lower one is better; repeat for several.",
        show_default=False,
        rich_help_panel=_TEST,
    ),
]
Baseline = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="The system that the others are compared with. Default: the first.",
        show_default=False,
        rich_help_panel=_TEST,
    ),
]
Runs = Annotated[
    str | None,
    typer.Option(
        metavar="INT",
        help="SYSTEMS are runs, such as trainings with several seeds: so many of each system, one "
        "after the other. A system is named by what the names of its files begin with.",
        show_default=False,
        rich_help_panel=FILES,
    ),
]
Pairs = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="all: test each system against each other one, and rank them; p is always corrected. "
        "Differences are in --format json.",
        show_default=False,
        rich_help_panel=_TEST,
    ),
]
Test = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="approximate_randomization, bootstrap or bootstrap_t; all are paired. Default: the "
        "first; with --runs only the last.",
        show_default=False,
        rich_help_panel=_TEST,
    ),
]
Resamples = Annotated[
    str | None,
    typer.Option(
        metavar="INT",
        help="Number of resamples. Default: 10000; 1000 for the bootstraps.",
        show_default=False,
        rich_help_panel=_TEST,
    ),
]
Confidence = Annotated[
    str,
    typer.Option(
        metavar="FLOAT",
        help="Confidence level of the intervals; 1 minus this is the significance level.",
        rich_help_panel=_TEST,
    ),
]
Seed = Annotated[
    str,
    typer.Option(metavar="INT", help="Seed of the resamples.", rich_help_panel=_TEST),
]
Side = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="two-sided; greater to test only whether a score is better than the baseline's.",
        rich_help_panel=_TEST,
    ),
]
CorrectionName = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Correct p for the number of tests: holm, bonferroni, fdr_bh or none. Default: holm "
        "if there are several tests; none for --convention sacrebleu.",
        show_default=False,
        rich_help_panel=_TEST,
    ),
]
Convention = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="sacrebleu: compute p-values and intervals as sacrebleu does, for BLEU only.",
        show_default=False,
        rich_help_panel=_TEST,
    ),
]
Signature = Annotated[
    bool,
    typer.Option(
        "--signature",
        help="Add one line that records how scores and tests were computed; JSON always has it.",
        show_default=False,
        rich_help_panel=OUTPUT,
    ),
]

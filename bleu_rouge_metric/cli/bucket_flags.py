"""Arguments and flags of ``bleu-rouge buckets``, with their help."""

from enum import Enum
from typing import Annotated, Final

import typer

from .flags import FILES, complete

HELP: Final = """\
Compare SYSTEMS on parts of the same samples: by length, label, frequency of words or n-grams.

Buckets of samples have BLEU and ROUGE; buckets of words or n-grams have F-measure, precision and \
recall of their matches. Each bucket has intervals and tests as bleu-rouge compare has them, from \
which files and flags are taken. [bold]--by ngram[/bold] lists the n-grams that one system gets \
right and the other does not.
"""

EXAMPLES: Final = """\
[bold]Examples[/bold]

bleu-rouge buckets baseline.txt new.txt --references references.txt --by length --edges 10,20,40

bleu-rouge buckets a.txt b.txt --references r.txt --by frequency --text training.txt

bleu-rouge buckets a.txt b.txt --references r.txt --by ngram --limit 20
"""

_BUCKETS: Final = "Buckets"


class Buckets(str, Enum):
    """What buckets are of."""

    LENGTH = "length"
    LABEL = "label"
    FREQUENCY = "frequency"
    ORDER = "order"
    NGRAM = "ngram"


By = Annotated[
    str,
    typer.Option(
        autocompletion=complete(Buckets),
        metavar="NAME",
        help="length (tokens of the references), label, frequency (of words), order (of n-grams), "
        "or ngram to list single n-grams.",
        rich_help_panel=_BUCKETS,
    ),
]
Edges = Annotated[
    str | None,
    typer.Option(
        metavar="N,N",
        help="Where the second and the following buckets begin. Default: 10,20,30,40,50,60 tokens, "
        "or frequencies of 1,2,3,4,5,10,100,1000; none for labels.",
        show_default=False,
        rich_help_panel=_BUCKETS,
    ),
]
Label = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Labels for --by label: a column of the references or systems; for plain text, a file "
        "with one label per line. With --edges, labels are numbers.",
        show_default=False,
        rich_help_panel=_BUCKETS,
    ),
]
Text = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="File of texts in which words are counted for --by frequency. Default: the "
        "references.",
        show_default=False,
        rich_help_panel=FILES,
    ),
]
System = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="For --by ngram, the system that is compared with the baseline. Default: the only "
        "other one.",
        show_default=False,
        rich_help_panel=_BUCKETS,
    ),
]
Kind = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="For --by ngram: matched, novel (not in the references) or missed (only in the "
        "references). Default: matched.",
        show_default=False,
        rich_help_panel=_BUCKETS,
    ),
]
LowestOrder = Annotated[
    str | None,
    typer.Option(
        metavar="INT",
        help="For --by ngram, the lowest order; --max-order is the highest. Default: 1.",
        show_default=False,
        rich_help_panel=_BUCKETS,
    ),
]
Test = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="approximate_randomization, bootstrap or bootstrap_t; all are paired. Default: the "
        "first.",
        show_default=False,
        rich_help_panel="Test",
    ),
]
Limit = Annotated[
    str | None,
    typer.Option(
        metavar="INT",
        help="For --by ngram, how many n-grams each list has. Default: 10.",
        show_default=False,
        rich_help_panel=_BUCKETS,
    ),
]

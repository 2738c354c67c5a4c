"""Time the drop-ins beside the libraries whose import lines they replace.

Both are called with the same arguments, on sentences of XSum or generated ones of their length.
Their results are compared (``==``) before they are timed. The number is the processor time of all
threads, which other programs of a shared machine disturb less: the least of several repeats, which
take turns, in microseconds per sample.
"""

import logging
import platform
import sys
import time
import warnings
from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

import nltk.translate.bleu_score as nltk_bleu
import rouge_score.rouge_scorer
import sacrebleu
import typer
from peers import describe_run
from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table
from workloads import Workload, read_workload

from bleu_rouge_metric.integrations import rouge_score as our_rouge
from bleu_rouge_metric.integrations import sacrebleu as our_sacrebleu
from bleu_rouge_metric.integrations.nltk import bleu_score as our_nltk_bleu

TYPES = ["rouge1", "rouge2", "rougeL"]

Call = Callable[[], Any]


class Row(NamedTuple):
    """A program of one library.

    Attributes:
        name: of the call.
        theirs: the program with the library.
        ours: the program with the import line changed.
    """

    name: str
    theirs: Call
    ours: Call


def read_score(score: Any) -> tuple[Any, ...]:
    """Return the numbers of a score of sacrebleu."""
    return score.score, score.precisions, score.counts, score.totals, score._mean, score._ci  # noqa: SLF001


def list_sacrebleu(library: Any, workload: Workload, n_bootstrap: int) -> list[Call]:
    """List the calls of sacrebleu."""
    texts, targets = workload.predictions, workload.references
    metric = library.BLEU(effective_order=True)
    return [
        lambda: read_score(library.corpus_bleu(texts, [targets])),
        lambda: read_score(library.BLEU().corpus_score(texts, [targets], n_bootstrap)),
        lambda: [
            read_score(library.sentence_bleu(text, [target]))
            for text, target in zip(texts, targets, strict=True)
        ],
        lambda: [
            read_score(metric.sentence_score(text, [target]))
            for text, target in zip(texts, targets, strict=True)
        ],
    ]


def list_nltk(module: Any, workload: Workload) -> list[Call]:
    """List the calls of NLTK."""
    tokens = [text.split() for text in workload.predictions]
    targets = [[text.split()] for text in workload.references]
    smooth = module.SmoothingFunction().method3
    numbers: dict[str, int] = {}
    ids, target_ids = (
        [[numbers.setdefault(word, len(numbers)) for word in text.split()] for text in side]
        for side in (workload.predictions, workload.references)
    )
    return [
        lambda: module.corpus_bleu(targets, tokens),
        lambda: [
            module.sentence_bleu(references, hypothesis, smoothing_function=smooth)
            for references, hypothesis in zip(targets, tokens, strict=True)
        ],
        lambda: [
            module.sentence_bleu([reference], hypothesis, smoothing_function=smooth)
            for reference, hypothesis in zip(target_ids, ids, strict=True)
        ],
    ]


def list_rouge(package: Any, workload: Workload) -> list[Call]:
    """List the calls of rouge_score."""
    scorers = [package.rouge_scorer.RougeScorer(TYPES, use_stemmer=stem) for stem in (False, True)]

    def score(scorer: Any) -> list[Any]:
        pairs = zip(workload.references, workload.predictions, strict=True)
        return [scorer.score(target, text) for target, text in pairs]

    return [lambda: score(scorers[0]), lambda: score(scorers[1])]


def list_rows(workload: Workload, n_bootstrap: int) -> list[Row]:
    """List the programs, each with both libraries."""
    names = [
        *("sacrebleu.corpus_bleu", f"sacrebleu BLEU().corpus_score, n_bootstrap={n_bootstrap}"),
        *("sacrebleu.sentence_bleu", "sacrebleu BLEU(…).sentence_score", "nltk corpus_bleu"),
        *("nltk sentence_bleu, method3", "nltk sentence_bleu of ids, method3"),
        *("rouge_score RougeScorer.score", "rouge_score RougeScorer.score, with the stemmer"),
    ]
    theirs, ours = (
        [
            *list_sacrebleu(bleu, workload, n_bootstrap),
            *list_nltk(module, workload),
            *list_rouge(package, workload),
        ]
        for bleu, module, package in (
            (sacrebleu, nltk_bleu, rouge_score),
            (our_sacrebleu, our_nltk_bleu, our_rouge),
        )
    )
    return [Row(*row) for row in zip(names, theirs, ours, strict=True)]


def time_call(call: Call) -> float:
    """Return the processor time of one call, in seconds."""
    start = time.process_time()
    call()
    return time.process_time() - start


def main(
    samples: Annotated[int, typer.Option(help="Pairs of sentences.")] = 1000,
    n_bootstrap: Annotated[int, typer.Option(help="Resamples of sacrebleu's interval.")] = 1000,
    repeats: Annotated[int, typer.Option(help="The fastest of so many repeats counts.")] = 5,
) -> None:
    """Print the table."""
    warnings.simplefilter("ignore")
    logging.disable()
    console = Console(width=120)
    console.print(f"python {' '.join(sys.argv)}, Python {platform.python_version()}")
    console.print(describe_run(), highlight=False)
    workload = read_workload("XSum", samples)
    table = Table("call", "original, µs", "drop-in, µs", "times", box=MARKDOWN)
    for name, theirs, ours in list_rows(workload, n_bootstrap):
        if theirs() != ours():
            sys.exit(f"{name}: the results differ.")
        runs = [(time_call(theirs), time_call(ours)) for _ in range(repeats)]
        slow, fast = (min(times) / samples * 1e6 for times in zip(*runs, strict=True))
        table.add_row(name, f"{slow:.1f}", f"{fast:.2f}", f"{slow / fast:.0f}")
    console.print(table)


if __name__ == "__main__":
    typer.run(main)

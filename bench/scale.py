"""Time ``metric.compute`` as a whole, and how its cost grows with the number and length of pairs.

Each row of the growth tables is a new process, to measure its own memory. evaluate's ``rouge`` and
``bleu`` are on the Hub, so their equivalents are timed: ``rouge_score`` with its bootstrap, and the
textbook version of ``compute_bleu`` from the tests with sacrebleu's 13a.
"""

import json
import os
import platform
import resource
import runpy
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from peers import describe_run
from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table
from speed import best_time
from workloads import Workload, make_length, read_workload, run_apart

TEXTBOOK = Path(__file__).parent.parent / "tests" / "support" / "textbook.py"
PAIRS = (100, 1_000, 10_000, 100_000, 1_000_000)
THREADS = (1, 2, 64)
LENGTHS = {10: 10_000, 100: 10_000, 1_000: 1_000, 10_000: 100}


def score_as_evaluate(workload: Workload) -> None:
    """Score samples as evaluate's ``rouge`` and ``bleu`` do."""
    from rouge_score.rouge_scorer import RougeScorer
    from rouge_score.scoring import BootstrapAggregator
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    # It is loaded by its path, because some peers install a package named "tests" too.
    evaluate_bleu = runpy.run_path(str(TEXTBOOK))["evaluate_bleu"]
    scorer = RougeScorer(["rouge1", "rouge2", "rougeL", "rougeLsum"])
    aggregator = BootstrapAggregator()
    for prediction, reference in zip(workload.predictions, workload.references, strict=True):
        aggregator.add_scores(scorer.score(reference, prediction))
    aggregator.aggregate()
    tokenize: Callable[[str], str] = Tokenizer13a()  # type: ignore[no-untyped-call]
    evaluate_bleu(
        [tokenize(text).split() for text in workload.predictions],
        [[tokenize(text).split()] for text in workload.references],
    )


def compute_overhead(compute: Callable[[], object], counts: object) -> float:
    """Return the seconds of ``metric.compute`` without counting."""
    from unittest.mock import patch

    with patch("bleu_rouge_metric.scoring.scorer.count_samples", return_value=counts):
        return best_time(compute, 50)


def time_compute(pairs: int, repeats: int) -> Table:
    """Time ``metric.compute`` of some pairs in several shapes, and of 100 pairs."""
    import pyarrow as pa

    from bleu_rouge_metric import Options, load
    from bleu_rouge_metric.samples.inputs import check_samples
    from bleu_rouge_metric.scoring.counting import count_samples

    workload = read_workload("XSum", pairs)
    metric = load()
    theirs = best_time(partial(score_as_evaluate, workload), 1)
    table = Table(
        *("what", "milliseconds", "× evaluate's"), title=f"XSum, {pairs:,} pairs", box=MARKDOWN
    )
    table.add_row("evaluate's rouge and bleu", f"{theirs * 1e3:,.0f}", "1")
    shapes: dict[str, tuple[Any, Any]] = {
        "lists of str": (workload.predictions, workload.references),
        "a list of references each": (workload.predictions, [[r] for r in workload.references]),
        "Arrow columns": (pa.array(workload.predictions), pa.array(workload.references)),
    }
    for name, (predictions, references) in shapes.items():
        compute = partial(metric.compute, predictions=predictions, references=references)
        ours = best_time(compute, 5 * repeats)
        table.add_row(f"metric.compute, {name}", f"{ours * 1e3:,.2f}", f"{theirs / ours:,.0f}")
        counts = count_samples(check_samples(predictions, references), Options().plan())
        overhead = compute_overhead(compute, counts)
        table.add_row(f"of that all but counting, {name}", f"{overhead * 1e3:,.2f}", "")
    few = workload.head(100)
    compute = partial(metric.compute, predictions=few.predictions, references=few.references)
    table.add_row("metric.compute, 100 pairs", f"{best_time(compute, 50 * repeats) * 1e3:,.3f}", "")
    return table


def time_threads(repeats: int) -> Table:
    """Time few pairs with one thread, two, and more than there are processors; they take turns."""
    from bleu_rouge_metric import load

    metric = load()
    table = Table(
        *(
            "pairs",
            "one thread, microseconds",
            "two, times as fast",
            f"{THREADS[-1]}, times as fast",
        ),
        title="metric.compute with more threads, XSum",
        box=MARKDOWN,
    )
    for pairs in PAIRS[:2]:
        workload = read_workload("XSum", pairs)
        compute = partial(
            metric.compute, predictions=workload.predictions, references=workload.references
        )
        seconds = dict.fromkeys(THREADS, float("inf"))
        for _ in range(40 * repeats):
            for threads in THREADS:
                os.environ["BLEU_ROUGE_THREADS"] = str(threads)
                start = time.perf_counter()
                compute()
                seconds[threads] = min(seconds[threads], time.perf_counter() - start)
        del os.environ["BLEU_ROUGE_THREADS"]
        one, *more = seconds.values()
        table.add_row(f"{pairs:,}", f"{one * 1e6:,.0f}", *(f"{one / other:.2f}" for other in more))
    return table


def measure(kind: str, size: int, repeats: int) -> None:
    """Measure ``metric.compute`` of one workload, in a new process, and print the result."""
    from bleu_rouge_metric import load

    if kind == "pairs":
        workload = read_workload("XSum", size)
        # New str objects, as from a model: the corpus has only 150 texts.
        copies = [[text + " " for text in side] for side in workload[1:3]]
        workload = workload._replace(predictions=copies[0], references=copies[1])
    else:
        workload = make_length(size, LENGTHS[size])
    metric = load()
    few = workload.head(2)
    metric.compute(predictions=few.predictions, references=few.references)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    compute = partial(
        metric.compute, predictions=workload.predictions, references=workload.references
    )
    compute()
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    seconds = best_time(compute, repeats)
    print(json.dumps([len(workload.predictions), seconds, grown]))


def run_measure(kind: str, size: int, repeats: int) -> list[float]:
    """Run ``measure`` in a new process."""
    found: list[float] = run_apart(f"import scale; scale.measure({kind!r}, {size}, {repeats})")
    return found


def grow(kind: str, sizes: tuple[int, ...], heading: str, repeats: int) -> Table:
    """Make a table with a row per size."""
    table = Table(
        *(
            heading,
            "of pairs",
            "milliseconds",
            "µs per pair",
            "memory beyond the texts, bytes per pair",
        ),
        title="metric.compute, BLEU and four ROUGE types",
        box=MARKDOWN,
    )
    for size in sizes:
        pairs, seconds, grown = run_measure(kind, size, repeats)
        table.add_row(
            *(
                f"{size:,}",
                f"{pairs:,.0f}",
                f"{seconds * 1e3:,.2f}",
                f"{seconds / pairs * 1e6:.2f}",
            ),
            f"{grown / pairs:,.0f}",
        )
    return table


def time_import(repeats: int) -> Table:
    """Time importing evaluate with and without the package, each in a new process."""
    table = Table("import", "milliseconds", title="Imports", box=MARKDOWN)

    def run(code: str) -> float:
        code = (
            f"import time; start = time.perf_counter()\n{code}\nprint(time.perf_counter() - start)"
        )
        output = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
        return float(output.stdout)

    for name, code in (
        ("evaluate", "import evaluate"),
        (
            "bleu_rouge_metric, after it",
            "import evaluate; start = time.perf_counter(); import bleu_rouge_metric",
        ),
    ):
        table.add_row(name, f"{min(run(code) for _ in range(repeats)) * 1e3:.0f}")
    return table


def main(
    pairs: Annotated[int, typer.Option(help="Pairs of the first table.")] = 10_000,
    repeats: Annotated[int, typer.Option(help="Runs of each row; the fastest counts.")] = 5,
    most_pairs: Annotated[int, typer.Option(help="Largest row of the growth table.")] = PAIRS[-1],
) -> None:
    """Print the cost of metric.compute, and how it grows."""
    console = Console(width=160)
    console.print(f"python {' '.join(sys.argv)}, Python {platform.python_version()}")
    console.print(describe_run(), highlight=False)
    sizes = tuple(size for size in PAIRS if size <= most_pairs)
    for table in (
        time_compute(pairs, repeats),
        time_threads(repeats),
        grow("pairs", sizes, "pairs", repeats),
        grow("length", tuple(LENGTHS), "tokens per text", repeats),
        time_import(repeats),
    ):
        console.print()
        console.print(table)


if __name__ == "__main__":
    typer.run(main)

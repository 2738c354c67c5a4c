"""Times the package beside its peers, on the same texts in one run, and prints tables.

Before anything is timed the scores of all peers are compared, ``==``. Each time is the minimum of
repeats; on a busy machine only the ratios mean something.
"""

import platform
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from typing import Annotated
from unittest.mock import patch

import typer
from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table
from rouge_score.rouge_scorer import RougeScorer
from workloads import WORKLOADS, Workload, read_workload

from bleu_rouge_metric import load, rouge_scores

TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]


def best_time(work: Callable[[], object], repeats: int) -> float:
    """Seconds of the fastest of some runs."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def score_theirs(scorer: RougeScorer, workload: Workload) -> None:
    """Every pair by ``rouge_score``."""
    for prediction, reference in zip(workload.predictions, workload.references, strict=True):
        scorer.score(reference, prediction)


def check_parity(workload: Workload, *, use_stemmer: bool) -> None:
    """Ends the program where ``rouge_score`` and we differ on any pair."""
    scorer = RougeScorer(TYPES, use_stemmer=use_stemmer)
    scores = rouge_scores(workload.predictions, workload.references, use_stemmer=use_stemmer)
    for index in range(workload.distinct):
        expected = scorer.score(workload.references[index], workload.predictions[index])
        for name in TYPES:
            found = tuple(part[index] for part in scores[name])
            if found != tuple(expected[name]):
                sys.exit(f"{workload.name}, pair {index}, {name}: {found} is not {expected[name]}.")


def time_rouge(repeats: int) -> Table:
    """The functional API beside ``rouge_score``."""
    table = Table(
        "texts", "stemmer", "rouge_score, µs a pair", "ours, µs a pair", "times as fast",
        title="ROUGE-1, 2, L and Lsum, one thread", box=MARKDOWN,
    )  # fmt: skip
    for name in WORKLOADS:
        workload = read_workload(name)
        for use_stemmer in (False, True):
            check_parity(workload, use_stemmer=use_stemmer)
            scorer = RougeScorer(TYPES, use_stemmer=use_stemmer)
            theirs = best_time(partial(score_theirs, scorer, workload), repeats)
            score_ours = partial(
                rouge_scores, workload.predictions, workload.references, use_stemmer=use_stemmer
            )
            ours = best_time(score_ours, 3 * repeats)
            microseconds = 1e6 / len(workload.predictions)
            table.add_row(
                name,
                "Porter" if use_stemmer else "none",
                f"{theirs * microseconds:.0f}",
                f"{ours * microseconds:.1f}",
                f"{theirs / ours:.1f}",
            )
    return table


def time_overhead(pairs: int, repeats: int) -> Table:
    """What ``metric.compute`` takes beyond counting, and what the base class would add."""
    table = Table(
        "references", "milliseconds",
        title=f"metric.compute of {pairs:,} pairs, everything but counting", box=MARKDOWN,
    )  # fmt: skip
    workload = read_workload(next(iter(WORKLOADS)), pairs)
    metric = load()
    # The very module that evaluate has loaded, whose counting is then replaced by its result.
    module = sys.modules[type(metric).__module__]
    shapes: dict[str, list[str] | list[list[str]]] = {
        "a str each": workload.references,
        "a list each": [[reference] for reference in workload.references],
    }
    for name, references in shapes.items():
        compute = partial(metric.compute, predictions=workload.predictions, references=references)
        samples = module.check_samples(workload.predictions, references)
        counts = module.count_samples(samples, module.Options())
        with patch.object(module, "count_samples", return_value=counts):
            table.add_row(name, f"{best_time(compute, 20 * repeats) * 1e3:.2f}")
    return table


def time_import(repeats: int) -> Table:
    """What importing the package adds to importing evaluate, each in a process of its own."""
    table = Table("import", "milliseconds", title="Imports", box=MARKDOWN)

    def run(code: str) -> float:
        prelude = "import time; start = time.perf_counter()\n"
        report = "\nprint(time.perf_counter() - start)"
        command = [sys.executable, "-c", prelude + code + report]
        return float(subprocess.run(command, capture_output=True, check=True).stdout)

    evaluate_alone = min(run("import evaluate") for _ in range(repeats))
    added = min(
        run("import evaluate; start = time.perf_counter(); import bleu_rouge_metric")
        for _ in range(repeats)
    )
    table.add_row("evaluate", f"{evaluate_alone * 1e3:.0f}")
    table.add_row("bleu_rouge_metric, after it", f"{added * 1e3:.0f}")
    return table


def main(
    pairs: Annotated[int, typer.Option(help="Pairs of the overhead table.")] = 10_000,
    repeats: Annotated[int, typer.Option(help="Runs of each peer; the fastest counts.")] = 5,
) -> None:
    """Prints how fast the package is beside its peers."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    packages = ("bleu-rouge-metric", "rouge-score", "evaluate", "nltk", "numpy")
    console = Console(width=120)
    console.print(f"python {' '.join(sys.argv)}, commit {commit or 'unknown'}", highlight=False)
    console.print(f"{platform.machine()}, {platform.system()}, Python {platform.python_version()}")
    console.print(", ".join(f"{name} {version(name)}" for name in packages), highlight=False)
    for table in (time_rouge(repeats), time_overhead(pairs, repeats), time_import(repeats)):
        console.print()
        console.print(table)


if __name__ == "__main__":
    typer.run(main)

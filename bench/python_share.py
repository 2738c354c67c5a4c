"""Measure which part of the time of a batch is Python, outside the functions of the kernel.

    python bench/python_share.py

Each row is ``metric.compute`` of sentences, on one thread and on two. The kernel's functions, and
the columns of texts that they read, are timed one call after the other; the rest of the time is
Python: checks of the samples, warnings, formulas and the result. Each of the two parts is the
minimum of the repeats, because the machine may be busy.
"""

import os
import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import Annotated, Any

import typer
from peers import describe_run
from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table
from workloads import Workload, read_workload

import bleu_rouge_metric
from bleu_rouge_metric.counting import native_kernel
from bleu_rouge_metric.counting.threads import VARIABLE

BATCHES: dict[str, tuple[str, ...]] = {"rouge": ("rouge",), "bleu": ("bleu",), "both": ()}


class Stopwatch:
    """The time that passes in wrapped functions, in ns."""

    def __init__(self) -> None:
        self.elapsed = 0

    def wrap(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function with its time added to ``elapsed``."""

        def timed(*arguments: Any) -> Any:
            start = time.perf_counter_ns()
            result = function(*arguments)
            self.elapsed += time.perf_counter_ns() - start
            return result

        return timed

    def wrap_kernel(self) -> None:
        """Time the functions of the kernel that batches of texts call."""
        kernel: Any = import_module("bleu_rouge_kernel")
        for name in ("count_bleu", "count_rouge", "TextColumn"):
            setattr(kernel, name, self.wrap(getattr(kernel, name)))


def measure(
    workload: Workload, configuration: tuple[str, ...], repeats: int, watch: Stopwatch
) -> tuple[int, int]:
    """Return the ns in Python, and of the whole call."""
    metric = bleu_rouge_metric.load(*configuration)
    runs: list[tuple[int, int]] = []
    for _ in range(repeats):
        watch.elapsed = 0
        start = time.perf_counter_ns()
        metric.compute(predictions=workload.predictions, references=workload.references)
        total = time.perf_counter_ns() - start
        runs.append((total - watch.elapsed, watch.elapsed))
    python, kernel = (min(column) for column in zip(*runs, strict=True))
    return python, python + kernel


def main(
    pairs: Annotated[int, typer.Option(help="Pairs of the batch.")] = 10_000,
    repeats: Annotated[int, typer.Option(help="Runs of each batch; the fastest counts.")] = 40,
) -> None:
    """Print the share of Python."""
    if native_kernel.import_error is not None:
        sys.exit("The compiled kernel is not installed; all of the time is Python.")
    watch = Stopwatch()
    watch.wrap_kernel()
    workload = read_workload("XSum", pairs)
    table = Table(
        *("batch", "threads", "Python, µs per pair", "all, µs per pair", "Python, % of all"),
        title="Python outside the kernel",
        box=MARKDOWN,
    )
    for name, configuration in BATCHES.items():
        for threads in (1, 2):
            os.environ[VARIABLE] = str(threads)
            python, total = measure(workload, configuration, repeats, watch)
            table.add_row(
                *(name, str(threads)),
                *(f"{part / pairs / 1e3:.3f}" for part in (python, total)),
                f"{100 * python / total:.0f}",
            )
    console = Console(width=120)
    console.print(f"python {' '.join(sys.argv)}", highlight=False)
    console.print(describe_run(), highlight=False)
    console.print(table)


if __name__ == "__main__":
    typer.run(main)

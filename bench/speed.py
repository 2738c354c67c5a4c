"""Time the package and its peers on the same texts in one run, and print tables.

First the scores of ``rouge_score`` and ours are compared (``==``) with both kernels, and the
differences of other peers are counted. Each time is the minimum of repeats; on a busy machine only
the ratios mean something.
"""

import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

import typer
from peers import (
    TYPES,
    Peer,
    bleuscore,
    describe_run,
    nltk,
    our_bleu,
    our_rouge,
    rouge_rust,
    rouge_score,
    rouge_score_rs,
    sacrebleu,
)
from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table
from workloads import WORKLOADS, Workload, read_workload

from bleu_rouge_metric.counting import native_kernel
from bleu_rouge_metric.counting.kernels import KernelName
from bleu_rouge_metric.counting.threads import count_threads

KERNELS: list[KernelName] = ["python", "native"]

# A fast peer runs often, so that other work has not disturbed at least one run.
_LEAST_SECONDS = 1.0
_MOST_RUNS = 200


def best_time(work: Callable[[], object], repeats: int) -> float:
    """Return the seconds of the fastest of ``repeats`` runs, or more until a second has passed."""
    times: list[float] = []
    while len(times) < repeats or (sum(times) < _LEAST_SECONDS and len(times) < _MOST_RUNS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def time_per_pair(peer: Peer, workload: Workload, repeats: int, scale: float) -> float:
    """Return the microseconds per pair."""
    pairs = max(1, min(round(peer.most_pairs * scale), len(workload.predictions)))
    part = workload.head(pairs)
    return best_time(partial(peer.score, part), repeats) / pairs * 1e6


def check_parity(workload: Workload, *, stem: bool) -> str:
    """Stop if we differ from ``rouge_score``; return how often rouge-score-rs does."""
    part = workload.head(min(workload.distinct, 60))
    rows = rouge_score(stem=stem).score(part)
    expected = [[tuple(row[name]) for row in rows] for name in TYPES]
    for kernel in KERNELS:
        scores = our_rouge(kernel, stem=stem).score(part)
        for name, column in zip(TYPES, expected, strict=True):
            if list(zip(*(values.tolist() for values in scores[name]), strict=True)) != column:
                sys.exit(f"{workload.name}, {name}: the {kernel} kernel is not rouge_score.")
    others = rouge_score_rs(stem=stem).score(part)
    differ = sum(
        tuple(row[name]) != tuple(other[name])
        for row, other in zip(rows, others, strict=True)
        for name in TYPES
    )
    return f"{differ} of {len(rows) * len(TYPES)}"


def time_rouge(pairs: int, repeats: int) -> Table:
    """Time the four usual types, and the two libraries that have them."""
    table = Table(
        *("texts", "stemmer", "rouge_score", "rouge-score-rs", "ours, Python", "ours, compiled"),
        *("× rouge_score", "× rouge-score-rs", "rouge-score-rs differs"),
        title="ROUGE-1, 2, L and Lsum, µs per pair",
        box=MARKDOWN,
    )
    for name, corpus in WORKLOADS.items():
        workload = read_workload(name, pairs)
        for stem in (False, True):
            differs = check_parity(workload, stem=stem)
            peers = [rouge_score(stem=stem), rouge_score_rs(stem=stem)]
            peers += [our_rouge(kernel, stem=stem) for kernel in KERNELS]
            times = [time_per_pair(peer, workload, repeats, 1 / corpus.joined) for peer in peers]
            table.add_row(
                *(name, "Porter" if stem else "none"),
                *(f"{microseconds:,.2f}" for microseconds in times),
                *(f"{peer / times[-1]:,.1f}" for peer in times[:2]),
                differs,
            )
    return table


def time_three_types(pairs: int, repeats: int) -> Table:
    """Time ROUGE-1, 2 and L, and the library that has only these."""
    table = Table(
        *("texts", "rouge-rust", "ours, compiled", "× rouge-rust"),
        title="ROUGE-1, 2 and L, µs per pair",
        box=MARKDOWN,
    )
    ours = our_rouge("native", stem=False, types=["rouge1", "rouge2", "rougeL"])
    for name, corpus in WORKLOADS.items():
        workload = read_workload(name, pairs)
        theirs_time = time_per_pair(rouge_rust(), workload, repeats, 1 / corpus.joined)
        ours_time = time_per_pair(ours, workload, repeats, 1 / corpus.joined)
        table.add_row(
            name, f"{theirs_time:.2f}", f"{ours_time:.2f}", f"{theirs_time / ours_time:.1f}"
        )
    return table


def time_bleu(pairs: int, repeats: int) -> Table:
    """Time corpus BLEU."""
    peers = [sacrebleu(), nltk(), bleuscore(), our_bleu("python"), our_bleu("native")]
    table = Table(
        *("texts", *(peer.name for peer in peers), "× sacrebleu", "× bleuscore"),
        title="BLEU, µs per pair",
        box=MARKDOWN,
    )
    for name, corpus in WORKLOADS.items():
        workload = read_workload(name, pairs)
        found: Any = our_bleu("native").score(workload)
        if found != our_bleu("python").score(workload):
            sys.exit(f"{name}: the kernels give different BLEU.")
        if abs(bleuscore().score(workload)["bleu"] - found.bleu) > 1e-12:  # sums in another order
            sys.exit(f"{name}: bleuscore gives a different BLEU.")
        times = [time_per_pair(peer, workload, repeats, 1 / corpus.joined) for peer in peers]
        table.add_row(
            name,
            *(f"{microseconds:,.2f}" for microseconds in times),
            f"{times[0] / times[-1]:,.1f}",
            f"{times[2] / times[-1]:,.1f}",
        )
    return table


def main(
    pairs: Annotated[int, typer.Option(help="Pairs of each workload.")] = 10_000,
    repeats: Annotated[int, typer.Option(help="Runs of each peer; the fastest counts.")] = 5,
) -> None:
    """Print the times of the package and of its peers."""
    if native_kernel.import_error is not None:
        sys.exit("The compiled kernel is not installed; there is little to compare.")
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    console = Console(width=200)
    threads = count_threads()
    os.environ["RAYON_NUM_THREADS"] = str(threads)
    console.print(f"python {' '.join(sys.argv)}, commit {commit or 'unknown'}", highlight=False)
    system = f"{platform.machine()}, {platform.system()}, Python {platform.python_version()}"
    console.print(f"{system}, {threads} threads", highlight=False)
    console.print(describe_run(), highlight=False)
    for make_table in (time_rouge, time_three_types, time_bleu):
        console.print()
        console.print(make_table(pairs, repeats))


if __name__ == "__main__":
    typer.run(main)

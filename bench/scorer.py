"""Time ``Scorer``: time and memory to score a stream, and to score in two processes.

Each row of the first table is a new process, to measure its own memory. Texts are made batch by
batch and forgotten, as if they came from a model; only ``update`` is timed. In the second table
both processes have their texts before the clock starts. It stops when the scores of all samples are
there, so the time includes sending and merging the counts of one process.
"""

import json
import multiprocessing
import os
import platform
import resource
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from multiprocessing.connection import Connection
from statistics import median
from typing import Annotated

import typer
from peers import describe_run
from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table
from workloads import Workload, read_workload, run_apart

from bleu_rouge_metric import Scorer

BATCHES = (1_000, 4_096)
CORPORA = ("XSum", "CNN/DailyMail, by lines")

_BATCH = 4_096

# Predictions and references.
Batch = tuple[list[str], list[str]]


def make_batches(corpus: Workload, pairs: int, batch: int) -> Iterator[Batch]:
    """Make batches of new texts, one after the other, with ``pairs`` pairs in all."""
    for start in range(0, pairs, batch):
        size = min(batch, pairs - start)
        at = start % corpus.distinct
        yield (
            [text + " " for text in islice(corpus.predictions, at, at + size)],
            [text + " " for text in islice(corpus.references, at, at + size)],
        )


def read_corpus(name: str, batch: int) -> Workload:
    """Read texts; a batch can start from any of them."""
    distinct = read_workload(name, _BATCH).distinct
    return read_workload(name, batch + distinct)


def peak() -> int:
    """Return the peak memory of this process, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def measure(pairs: int, batch: int) -> None:
    """Measure a scorer, in a new process, and print the result.

    The result has the seconds of ``update`` and of ``result``, and the bytes that each adds to the
    peak before them, which includes one batch of texts and what scoring a small batch leaves.
    """
    corpus = read_corpus("XSum", batch)
    batches = make_batches(corpus, pairs, batch)
    first = next(batches)
    warm = Scorer()
    warm.update(first[0][:_BATCH], first[1][:_BATCH])
    warm.result()
    del warm
    before = peak()
    scorer = Scorer()
    seconds = 0.0
    texts: Batch | None = first
    del first
    while texts is not None:
        start = time.perf_counter()
        scorer.update(*texts)
        seconds += time.perf_counter() - start
        texts = None  # freed before the next texts are made
        texts = next(batches, None)
    updated = peak()
    start = time.perf_counter()
    scorer.result()
    scored = time.perf_counter() - start
    assert len(scorer) == pairs
    print(json.dumps([seconds, updated - before, scored, peak() - before]))


def time_updates(pairs: int, repeats: int) -> Table:
    """Make a table with a row per batch size: the fastest run, and the largest memory."""
    table = Table(
        *("batch", "update, µs per pair", "result, µs per pair"),
        *("update, bytes per pair", "update and result, bytes per pair"),
        title=f"Scorer, XSum, {pairs:,} pairs, BLEU and four ROUGE types",
        box=MARKDOWN,
    )
    for batch in (*BATCHES, pairs):
        code = f"import scorer; scorer.measure({pairs}, {batch})"
        runs = [run_apart(code) for _ in range(repeats)]
        updating, added, scoring, added_at_last = zip(*runs, strict=True)
        table.add_row(
            f"{batch:,}" if batch < pairs else "all at once",
            *(f"{min(seconds) / pairs * 1e6:.3f}" for seconds in (updating, scoring)),
            *(f"{max(grown) / pairs:,.0f}" for grown in (added, added_at_last)),
        )
    return table


def score(batches: Iterable[Batch]) -> Scorer:
    """Return a scorer of all the batches."""
    scorer = Scorer()
    for predictions, references in batches:
        scorer.update(predictions, references)
    return scorer


def work(connection: Connection, name: str, pairs: int) -> None:
    """Run the second process: score its half on request, and send the scorer."""
    batches = list(make_batches(read_corpus(name, _BATCH), pairs // 2, _BATCH))
    score(batches[:1])
    connection.send("ready")
    while connection.recv() is not None:
        connection.send(score(batches))


def time_processes(name: str, pairs: int, repeats: int) -> tuple[list[float], list[float]]:
    """Time one process and two processes in turn, until the scores of all samples are there."""
    batches = list(make_batches(read_corpus(name, _BATCH), pairs // 2, _BATCH))
    score(batches[:1])
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=work, args=(theirs, name, pairs))
    process.start()
    assert ours.recv() == "ready"
    ones, twos = [], []
    for _ in range(repeats):
        start = time.perf_counter()
        one = score([*batches, *batches]).result()
        ones.append(time.perf_counter() - start)
        start = time.perf_counter()
        ours.send("go")
        scorer = score(batches)
        scorer.merge(ours.recv())
        two = scorer.result()
        twos.append(time.perf_counter() - start)
        assert one == two
    ours.send(None)
    process.join()
    return ones, twos


def compare_processes(pairs: int, repeats: int) -> Table:
    """Compare one process with two, with one thread each."""
    # The variable also holds for the started processes.
    os.environ["BLEU_ROUGE_THREADS"] = "1"
    table = Table(
        *("texts", "one, pairs per second", "two, pairs per second", "ratio", "median of ratios"),
        title=f"Scorer over two processes of one thread, {pairs:,} pairs, merged and scored",
        box=MARKDOWN,
    )
    for name in CORPORA:
        ones, twos = time_processes(name, pairs, repeats)
        ratio = median(one / two for one, two in zip(ones, twos, strict=True))
        table.add_row(
            *(name, f"{pairs / min(ones):,.0f}", f"{pairs / min(twos):,.0f}"),
            *(f"{min(ones) / min(twos):.2f}", f"{ratio:.2f}"),
        )
    return table


def main(
    pairs: Annotated[int, typer.Option(help="Pairs that are scored.")] = 1_000_000,
    repeats: Annotated[int, typer.Option(help="Runs of each row; the fastest counts.")] = 5,
) -> None:
    """Print the cost of a Scorer, and the gain of two processes."""
    console = Console(width=160)
    console.print(f"python {' '.join(sys.argv)}, Python {platform.python_version()}")
    console.print(describe_run(), highlight=False)
    for table in (time_updates(pairs, repeats), compare_processes(pairs, repeats)):
        console.print()
        console.print(table)


if __name__ == "__main__":
    typer.run(main)

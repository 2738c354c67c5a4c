"""Time ``metric.compute`` and ``Scorer``, and how the cost grows with number and length of pairs.

Each row of the growth tables is a new process, to measure its own memory. evaluate's ``rouge`` and
``bleu`` are on the Hub, so their equivalents are timed: ``rouge_score`` with its bootstrap, and the
textbook version of ``compute_bleu`` from the tests with sacrebleu's 13a.

The tables of ``Scorer`` are of a stream, whose texts are made batch by batch and forgotten, as if
they came from a model (only ``update`` is timed), and of two processes: both have their texts
before the clock starts, which stops when the scores of all samples are there.
"""

import json
import multiprocessing
import os
import resource
import runpy
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import typer
from rich.table import Table
from workloads import (
    Workload,
    best_time,
    make_length,
    make_table,
    print_tables,
    read_workload,
    run_apart,
)

from bleu_rouge_metric import Scorer

TEXTBOOK = Path(__file__).parent.parent / "tests" / "support" / "textbook.py"
PAIRS = (100, 1_000, 10_000, 100_000, 1_000_000)
THREADS = (1, 2, 64)
LENGTHS = {10: 10_000, 100: 10_000, 1_000: 1_000, 10_000: 100}
BATCHES = (1_000, 4_096)
CORPORA = ("XSum", "CNN/DailyMail, by lines")

_BATCH = 4_096

# Predictions and references.
Batch = tuple[list[str], list[str]]


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
    table = make_table(f"XSum, {pairs:,} pairs", *("what", "milliseconds", "× evaluate's"))
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
    table = make_table(
        "metric.compute with more threads, XSum",
        *(
            "pairs",
            "one thread, microseconds",
            "two, times as fast",
            f"{THREADS[-1]}, times as fast",
        ),
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
    table = make_table(
        "metric.compute, BLEU and four ROUGE types",
        *(
            heading,
            "of pairs",
            "milliseconds",
            "µs per pair",
            "memory beyond the texts, bytes per pair",
        ),
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


def measure_scorer(pairs: int, batch: int) -> None:
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
    table = make_table(
        f"Scorer, XSum, {pairs:,} pairs, BLEU and four ROUGE types",
        *("batch", "update, µs per pair", "result, µs per pair"),
        *("update, bytes per pair", "update and result, bytes per pair"),
    )
    for batch in (*BATCHES, pairs):
        code = f"import scale; scale.measure_scorer({pairs}, {batch})"
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
    table = make_table(
        f"Scorer over two processes of one thread, {pairs:,} pairs, merged and scored",
        *("texts", "one, pairs per second", "two, pairs per second", "ratio", "median of ratios"),
    )
    for name in CORPORA:
        ones, twos = time_processes(name, pairs, repeats)
        ratio = median(one / two for one, two in zip(ones, twos, strict=True))
        table.add_row(
            *(name, f"{pairs / min(ones):,.0f}", f"{pairs / min(twos):,.0f}"),
            *(f"{min(ones) / min(twos):.2f}", f"{ratio:.2f}"),
        )
    return table


def time_import(repeats: int) -> Table:
    """Time importing evaluate with and without the package, each in a new process."""
    table = make_table("Imports", "import", "milliseconds")

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
    stream: Annotated[int, typer.Option(help="Pairs of the tables of Scorer.")] = 1_000_000,
    most_pairs: Annotated[int, typer.Option(help="Largest row of the growth table.")] = PAIRS[-1],
) -> None:
    """Print the cost of metric.compute, and how it grows."""
    sizes = tuple(size for size in PAIRS if size <= most_pairs)
    print_tables(
        (
            time_compute(pairs, repeats),
            time_threads(repeats),
            grow("pairs", sizes, "pairs", repeats),
            grow("length", tuple(LENGTHS), "tokens per text", repeats),
            time_updates(stream, repeats),
            compare_processes(stream, repeats),
            time_import(repeats),
        )
    )


if __name__ == "__main__":
    typer.run(main)

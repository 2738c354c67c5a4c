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
import runpy
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import patch

import pyarrow as pa
from workloads import (
    Call,
    Table,
    Workload,
    best_time,
    best_times,
    make_length,
    peak_memory,
    read_workload,
    run,
    run_apart,
)

from bleu_rouge_metric import Options, Scorer, load
from bleu_rouge_metric.samples.inputs import check_samples
from bleu_rouge_metric.scoring.counting import count_samples

TEXTBOOK = Path(__file__).parent.parent / "tests" / "support" / "textbook.py"
PAIRS = (100, 1_000, 10_000, 100_000, 1_000_000)
THREADS = (1, 2, 64)
LENGTHS = {10: 10_000, 100: 10_000, 1_000: 1_000, 10_000: 100}
BATCHES = (1_000, 4_096)
CORPORA = ("XSum", "CNN/DailyMail, by lines")

# Predictions and references.
Batch = tuple[list[str], list[str]]
Cells = Iterator[Sequence[str]]


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


def compute_call(predictions: Any, references: Any) -> Call:
    """Return a call of ``metric.compute``."""
    return partial(load().compute, predictions=predictions, references=references)


def time_compute(pairs: int, repeats: int) -> Cells:
    """Time ``metric.compute`` of some pairs in several shapes, and of 100 pairs."""
    workload = read_workload("XSum", pairs)
    texts, targets = workload.predictions, workload.references
    theirs = best_time(partial(score_as_evaluate, workload), 1)
    yield "evaluate's rouge and bleu", f"{theirs * 1e3:,.0f}", "1"
    shapes: dict[str, tuple[Any, Any]] = {
        "lists of str": (texts, targets),
        "a list of references each": (texts, [[target] for target in targets]),
        "Arrow columns": (pa.array(texts), pa.array(targets)),
    }
    for name, samples in shapes.items():
        compute = compute_call(*samples)
        ours = best_time(compute, 5 * repeats)
        yield f"metric.compute, {name}", f"{ours * 1e3:,.2f}", f"{theirs / ours:,.0f}"
        counts = count_samples(check_samples(*samples), Options().plan())
        with patch("bleu_rouge_metric.scoring.scorer.count_samples", return_value=counts):
            rest = best_time(compute, 50)
        yield f"of that all but counting, {name}", f"{rest * 1e3:,.2f}", ""
    few = best_time(compute_call(texts[:100], targets[:100]), 50 * repeats)
    yield "metric.compute, 100 pairs", f"{few * 1e3:,.3f}", ""


def time_threads(repeats: int) -> Cells:
    """Time few pairs with one thread, two, and more than there are processors; they take turns."""

    def compute(call: Call, threads: int) -> None:
        os.environ["BLEU_ROUGE_THREADS"] = str(threads)
        call()

    for pairs in PAIRS[:2]:
        call = compute_call(*read_workload("XSum", pairs)[1:3])
        works = [partial(compute, call, threads) for threads in THREADS]
        one, *more = best_times(works, 40 * repeats)
        del os.environ["BLEU_ROUGE_THREADS"]
        yield f"{pairs:,}", f"{one * 1e6:,.0f}", *(f"{one / other:.2f}" for other in more)


def measure(kind: str, size: int, repeats: int) -> None:
    """Measure ``metric.compute`` of one workload, in a new process, and print the result."""
    if kind == "pairs":
        # New str objects, as from a model: the corpus has only 150 texts.
        copies = [[text + " " for text in side] for side in read_workload("XSum", size)[1:3]]
    else:
        copies = [*make_length(size, LENGTHS[size])[1:3]]
    compute_call(copies[0][:2], copies[1][:2])()
    before = peak_memory()
    compute = compute_call(*copies)
    compute()
    grown = peak_memory() - before
    print(json.dumps([len(copies[0]), best_time(compute, repeats), grown]))


def grow(kind: str, sizes: Iterable[int], repeats: int) -> Cells:
    """Measure each size in a new process."""
    for size in sizes:
        pairs, seconds, grown = run_apart(
            f"import scale; scale.measure({kind!r}, {size}, {repeats})"
        )
        milliseconds = f"{seconds * 1e3:,.2f}"
        yield (
            *(f"{size:,}", f"{pairs:,}", milliseconds, f"{seconds / pairs * 1e6:.2f}"),
            f"{grown / pairs:,.0f}",
        )


def make_batches(name: str, pairs: int, batch: int) -> Iterator[Batch]:
    """Make batches of new texts, one after the other, with ``pairs`` pairs in all."""
    distinct = read_workload(name, 4_096).distinct
    corpus = read_workload(name, batch + distinct)  # a batch can start from any of its texts
    for start in range(0, pairs, batch):
        end = start % distinct + min(batch, pairs - start)
        predictions, references = (
            [text + " " for text in islice(side, start % distinct, end)] for side in corpus[1:3]
        )
        yield predictions, references


def measure_scorer(pairs: int, batch: int) -> None:
    """Measure a scorer, in a new process, and print the result.

    The result has the seconds of ``update`` and of ``result``, and the bytes that each adds to the
    peak before them, which includes one batch of texts and what scoring a small batch leaves.
    """
    batches = make_batches("XSum", pairs, batch)
    first = next(batches)
    score([(first[0][:4_096], first[1][:4_096])]).result()
    before = peak_memory()
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
    updated = peak_memory()
    start = time.perf_counter()
    scorer.result()
    scored = time.perf_counter() - start
    assert len(scorer) == pairs
    print(json.dumps([seconds, updated - before, scored, peak_memory() - before]))


def time_updates(pairs: int, repeats: int) -> Cells:
    """Measure each batch size: the fastest run, and the largest memory."""
    for batch in (*BATCHES, pairs):
        code = f"import scale; scale.measure_scorer({pairs}, {batch})"
        runs = [run_apart(code) for _ in range(repeats)]
        updating, added, scoring, added_at_last = zip(*runs, strict=True)
        yield (
            f"{batch:,}" if batch < pairs else "all at once",
            *(f"{min(seconds) / pairs * 1e6:.3f}" for seconds in (updating, scoring)),
            *(f"{max(grown) / pairs:,.0f}" for grown in (added, added_at_last)),
        )


def score(batches: Iterable[Batch]) -> Scorer:
    """Return a scorer of all the batches."""
    scorer = Scorer()
    for predictions, references in batches:
        scorer.update(predictions, references)
    return scorer


def work(connection: Connection, name: str, pairs: int) -> None:
    """Run the second process: score its half on request, and send the scorer."""
    batches = [*make_batches(name, pairs // 2, 4_096)]
    score(batches[:1])
    connection.send("ready")
    while connection.recv() is not None:
        connection.send(score(batches))


def compare_processes(pairs: int, repeats: int) -> Cells:
    """Time one process and two in turn, with one thread each, until all samples have scores."""
    # The variable also holds for the started processes.
    os.environ["BLEU_ROUGE_THREADS"] = "1"
    for name in CORPORA:
        batches = [*make_batches(name, pairs // 2, 4_096)]
        score(batches[:1])
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=work, args=(theirs, name, pairs))
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
        ratio = median(one / two for one, two in zip(ones, twos, strict=True))
        yield (
            *(name, f"{pairs / min(ones):,.0f}", f"{pairs / min(twos):,.0f}"),
            *(f"{min(ones) / min(twos):.2f}", f"{ratio:.2f}"),
        )


def time_import(repeats: int) -> Cells:
    """Time importing evaluate, and the package after it, each in a new process."""
    for name, code in (
        ("evaluate", "import evaluate"),
        (
            "bleu_rouge_metric, after it",
            "import evaluate; start = clock(); import bleu_rouge_metric",
        ),
    ):
        before = "from time import perf_counter as clock; start = clock()"
        command = [sys.executable, "-c", f"{before}; {code}; print(clock() - start)"]
        times = [float(subprocess.check_output(command)) for _ in range(repeats)]
        yield name, f"{min(times) * 1e3:.0f}"


def main(
    pairs: int = 10_000, repeats: int = 5, stream: int = 1_000_000, most_pairs: int = PAIRS[-1]
) -> Iterator[Table]:
    """Time ``pairs`` pairs, ``stream`` pairs in a Scorer, and up to ``most_pairs`` pairs."""
    head = "what | milliseconds | × evaluate's"
    yield Table(f"XSum, {pairs:,} pairs", head, time_compute(pairs, repeats))
    head = "pairs | one thread, µs | two, times as fast | 64, times as fast"
    yield Table("metric.compute with more threads, XSum", head, time_threads(repeats))
    sizes = [size for size in PAIRS if size <= most_pairs]
    for kind, rows in {"pairs": sizes, "length": LENGTHS}.items():
        head = f"{kind} | pairs | milliseconds | µs per pair | bytes beyond the texts per pair"
        yield Table("metric.compute, BLEU and four ROUGE types", head, grow(kind, rows, repeats))
    head = "batch | update, µs per pair | result, µs per pair"
    head += " | update, bytes per pair | update and result, bytes per pair"
    yield Table(f"Scorer, XSum, {stream:,} pairs", head, time_updates(stream, repeats))
    head = "texts | one, pairs per second | two, pairs per second | ratio | median of ratios"
    title = f"Scorer over two processes of one thread, {stream:,} pairs, merged and scored"
    yield Table(title, head, compare_processes(stream, repeats))
    yield Table("Imports", "import | milliseconds", time_import(repeats))


if __name__ == "__main__":
    run(main)

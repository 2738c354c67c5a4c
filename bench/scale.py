"""Time ``metric.compute`` and ``Scorer``, and how the cost grows with the number of pairs.

Each row of a table of growth is a new process, to measure its own memory. evaluate's ``rouge`` and
``bleu`` are on the Hub, so their equivalents are timed: ``rouge_score`` with its bootstrap, and the
textbook version of ``compute_bleu`` from the tests with sacrebleu's 13a.

``Scorer`` scores a stream, whose texts are made batch by batch and forgotten, as if they came from
a model; only ``update`` and ``result`` are timed.
"""

import json
import os
import runpy
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
from workloads import (
    Call,
    Table,
    Workload,
    best_time,
    best_times,
    peak_memory,
    read_workload,
    run,
    run_apart,
)

from bleu_rouge_metric import Scorer, load

TEXTBOOK = Path(__file__).parent.parent / "tests" / "support" / "textbook.py"
PAIRS = (100, 1_000, 10_000, 100_000, 1_000_000)
THREADS = (1, 2, 64)
BATCHES = (1_000, 4_096)
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
        ours = best_time(compute_call(*samples), repeats)
        yield f"metric.compute, {name}", f"{ours * 1e3:,.2f}", f"{theirs / ours:,.0f}"
    few = best_time(compute_call(texts[:100], targets[:100]), repeats)
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


def measure(pairs: int, repeats: int) -> None:
    """Measure ``metric.compute`` in a new process, and print the seconds and the added memory."""
    # New str objects, as from a model: the corpus has only 150 texts.
    copies = [[text + " " for text in side] for side in read_workload("XSum", pairs)[1:3]]
    compute_call(copies[0][:2], copies[1][:2])()
    before = peak_memory()
    compute = compute_call(*copies)
    compute()
    grown = peak_memory() - before
    print(json.dumps([best_time(compute, repeats), grown]))


def grow(most_pairs: int, repeats: int) -> Cells:
    """Measure each number of pairs in a new process."""
    for pairs in (size for size in PAIRS if size <= most_pairs):
        seconds, grown = run_apart(f"import scale; scale.measure({pairs}, {repeats})")
        times = f"{seconds * 1e3:,.2f}", f"{seconds / pairs * 1e6:.2f}"
        yield f"{pairs:,}", *times, f"{grown / pairs:,.0f}"


def make_batches(pairs: int, batch: int) -> Iterator[Batch]:
    """Make batches of new texts, one after the other, with ``pairs`` pairs in all."""
    corpus = read_workload("XSum", batch)
    for start in range(0, pairs, batch):
        size = min(batch, pairs - start)
        predictions, references = ([text + " " for text in side[:size]] for side in corpus[1:3])
        yield predictions, references


def measure_scorer(pairs: int, batch: int) -> None:
    """Measure a scorer, in a new process, and print the result.

    The result has the seconds of ``update`` and of ``result``, and the bytes that each adds to the
    peak before them, which includes one batch of texts and what scoring a small batch leaves.
    """
    batches = make_batches(pairs, batch)
    texts: Batch | None = next(batches)
    assert texts is not None
    small = Scorer()
    small.update(texts[0][:4_096], texts[1][:4_096])
    small.result()
    scorer = Scorer()
    before = peak_memory()
    seconds = 0.0
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


def main(
    pairs: int = 10_000, repeats: int = 5, stream: int = 1_000_000, most_pairs: int = PAIRS[-1]
) -> Iterator[Table]:
    """Time ``pairs`` pairs, ``stream`` pairs in a Scorer, and up to ``most_pairs`` pairs."""
    head = "what | milliseconds | × evaluate's"
    yield Table(f"XSum, {pairs:,} pairs", head, time_compute(pairs, repeats))
    head = "pairs | one thread, µs | two, times as fast | 64, times as fast"
    yield Table("metric.compute with more threads, XSum", head, time_threads(repeats))
    head = "pairs | milliseconds | µs per pair | bytes beyond the texts per pair"
    title = "metric.compute, BLEU and four ROUGE types"
    yield Table(title, head, grow(most_pairs, repeats))
    head = "batch | update, µs per pair | result, µs per pair"
    head += " | update, bytes per pair | update and result, bytes per pair"
    yield Table(f"Scorer, XSum, {stream:,} pairs", head, time_updates(stream, repeats))


if __name__ == "__main__":
    run(main)

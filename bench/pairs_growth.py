"""Time ``near_duplicates`` and ``score_matrix`` as their numbers of texts grow.

The texts are the instructions of Self-Instruct, if they are at ``../shared/data_pairs`` beside the
clone, and variants of them that a program generates. ``pairs.py`` prints the tables.

Each search for near duplicates is a new process, to measure its own memory. It is compared with the
full search, which counts all pairs: their results must be equal, to the last bit of each score.
"""

import hashlib
import json
import os
import sys
import time
from contextlib import AbstractContextManager, nullcontext
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from instructions import generate_instructions
from rich.box import MARKDOWN
from rich.table import Table
from rouge_score import rouge_scorer
from rouge_score.tokenizers import DefaultTokenizer
from speed import KERNELS, best_time
from workloads import DATA, Corpus, generate_texts, run_apart

from bleu_rouge_metric import near_duplicates, score_matrix, use_kernel
from bleu_rouge_metric.analysis.pairs.search import FullSearch
from bleu_rouge_metric.counting.threads import VARIABLE

POOL = DATA.with_name("data_pairs") / "instructions_seed.jsonl"
THRESHOLD = 0.7  # of Self-Instruct

MATRIX_TEXTS = (250, 500, 1_000, 2_000)
SEARCHED_TEXTS = (1_000, 10_000, 50_000, 100_000)

# More than one batch of the filter, so that the index is used.
_JUDGED = 400


class Run(NamedTuple):
    """A search for near duplicates in a new process.

    Attributes:
        seconds: of the search.
        peak: memory of the process, in bytes, with the imports and the texts.
        before: the same before the search.
        kept: how many texts stay.
        share: of the pairs, those that were counted.
        digest: of the whole result.
    """

    seconds: float
    peak: int
    before: int
    kept: int
    share: float
    digest: str


def read_instructions(count: int) -> list[str]:
    """Return instructions: those of the pool first, then generated ones."""
    if POOL.exists():
        lines = POOL.read_text("utf-8").split("\n")
        pool = [json.loads(line)["instruction"] for line in lines if line]
    else:
        pool = generate_texts(Corpus("instructions", 1, 13))[0]
    return [*pool, *generate_instructions(count, pool)][:count]


def tokenize(texts: list[str]) -> list[list[str]]:
    """Return the tokens of ``rouge_score``."""
    return [*map(DefaultTokenizer(use_stemmer=False).tokenize, texts)]


def score_lcs(prediction: list[str], reference: list[str]) -> float:
    """Return ``rouge_score``'s F-measure of ROUGE-L of tokens."""
    score: float = rouge_scorer._score_lcs(reference, prediction).fmeasure  # noqa: SLF001
    return score


def search_fully() -> AbstractContextManager[object]:
    """Count all pairs inside of the context, instead of searching an index."""
    name = "bleu_rouge_metric.analysis.pairs.search.prepare_search"
    return patch(name, lambda pool: lambda: FullSearch(pool))


def check_duplicates() -> None:
    """Stop unless both kernels and both searches decide as a loop over ``rouge_score`` does."""
    texts = read_instructions(_JUDGED)
    tokens = tokenize(texts)
    kept: list[int] = []
    highest: list[float] = []
    for index, own in enumerate(tokens):
        highest.append(max((score_lcs(own, tokens[other]) for other in kept), default=0.0))
        if highest[-1] <= THRESHOLD:
            kept.append(index)
    for kernel, is_full in product(KERNELS, (False, True)):
        with use_kernel(kernel), search_fully() if is_full else nullcontext():
            found = near_duplicates(texts, threshold=THRESHOLD)
        if (found.kept.tolist(), found.score.tolist()) != (kept, highest):
            sys.exit(f"near_duplicates with the {kernel} kernel is not rouge_score.")


def peak() -> int:
    """Return the peak memory of this process, in bytes; on Linux only."""
    # That of getrusage would include the process that started this one.
    status = Path("/proc/self/status").read_text("ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


def measure(count: int, *, is_full: bool) -> None:
    """Search for near duplicates in a new process, and print a ``Run``."""
    texts = read_instructions(count)
    near_duplicates(texts[:_JUDGED], threshold=THRESHOLD)
    before = peak()
    start = time.perf_counter()
    with search_fully() if is_full else nullcontext():
        found = near_duplicates(texts, threshold=THRESHOLD)
    seconds = time.perf_counter() - start
    memory = peak()
    arrays = found.kept, found.score, found.nearest, found.top_nearest, found.top_scores
    digest = hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()
    share = found.compared / found.pairs
    print(json.dumps(Run(seconds, memory, before, len(found.kept), share, digest)))


def run_measure(count: int, threads: int, *, is_full: bool = False) -> Run:
    """Run ``measure`` in a new process."""
    os.environ[VARIABLE] = str(threads)
    code = f"import pairs_growth; pairs_growth.measure({count}, is_full={is_full})"
    found: Any = run_apart(code)
    return Run(*found)


def grow_duplicates(most: int, most_full: int) -> Table:
    """Make a table with a row per number of texts, for searches of up to ``most`` texts."""
    check_duplicates()
    table = Table(
        *("texts", "kept", "pairs counted", "seconds", "two threads, s", "full search, s", "×"),
        *("peak memory, MB", "before the search, MB"),
        title=f"near_duplicates of instructions, rougeL above {THRESHOLD}",
        box=MARKDOWN,
    )
    for count in (size for size in SEARCHED_TEXTS if size <= most):
        one, two = (min(run_measure(count, threads) for _ in range(2)) for threads in (1, 2))
        shown, digests = ("", ""), {one.digest, two.digest}
        if count <= most_full:
            full = run_measure(count, 1, is_full=True)
            digests.add(full.digest)
            shown = f"{full.seconds:,.2f}", f"{full.seconds / one.seconds:.1f}"
        if len(digests) > 1:
            sys.exit(f"near_duplicates of {count} texts: the results differ.")
        memory = max(one.peak, two.peak), max(one.before, two.before)
        table.add_row(
            *(f"{count:,}", f"{one.kept:,}", f"{one.share:.1%}"),
            *(f"{run.seconds:,.2f}" for run in (one, two)),
            *(*shown, *(f"{size / 1e6:,.0f}" for size in memory)),
        )
    return table


def grow_matrix(repeats: int) -> Table:
    """Make a table with a row per number of texts."""
    table = Table(
        *("texts", "pairs", "milliseconds", "ns per pair"),
        title="score_matrix of instructions, rougeL, one thread",
        box=MARKDOWN,
    )
    os.environ[VARIABLE] = "1"
    for count in MATRIX_TEXTS:
        texts = read_instructions(count)
        seconds = best_time(lambda texts=texts: score_matrix(texts), repeats)  # type: ignore[misc]
        table.add_row(
            *(f"{count:,}", f"{count**2:,}", f"{seconds * 1e3:,.2f}"),
            f"{seconds / count**2 * 1e9:.1f}",
        )
    return table

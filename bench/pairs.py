"""Time scores between texts: matrices, near duplicates, Self-BLEU, and the best of n candidates.

The results of both kernels are first compared (``==``) with those of the other libraries, on a part
of the texts. Times are per pair, text or source: the minimum of repeats that take turns. The other
libraries are timed on a part too, because the whole would take hours. If they accept tokens, they
are not timed while they tokenize; our times include it.

Each search for near duplicates is a new process, to measure its own memory. It is compared with the
full search, which counts all pairs: their results must be equal, to the last bit of each score. The
instructions are those of Self-Instruct if they are at ``../shared/data_pairs``, and variants.
"""

import hashlib
import json
import os
import random
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from itertools import product, starmap
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import sacrebleu
from nltk.tokenize import word_tokenize
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
from rouge_score import rouge_scorer
from rouge_score.tokenizers import DefaultTokenizer
from sacrebleu.metrics.bleu import BLEU
from significance import read_systems
from workloads import (
    DATA,
    KERNELS,
    Call,
    Corpus,
    Row,
    Table,
    best_time,
    check_equal,
    compare,
    generate_texts,
    in_kernel,
    peak_memory,
    read_workload,
    run,
    run_apart,
)

from bleu_rouge_metric import near_duplicates, score_matrix, select_best, self_bleu, use_kernel
from bleu_rouge_metric.analysis.pairs.search import FullSearch
from bleu_rouge_metric.counting.threads import VARIABLE

POOL = DATA.with_name("data_pairs") / "instructions_seed.jsonl"
THRESHOLD = 0.7  # of Self-Instruct

MATRIX_TEXTS = (250, 500, 1_000, 2_000)
SEARCHED_TEXTS = (1_000, 10_000, 50_000, 100_000)

INSTRUCTIONS = 1_000
TRANSLATIONS = 200
GENERATED = 500  # the most texts of Texygen's Self-BLEU
CANDIDATES = 8

# What other libraries are timed on, so that their calls take as long as ours: pairs of a matrix;
# texts of Self-BLEU, each with all others; and sources.
_PAIRS = 1_000
_TEXTS = 4
_SOURCES = 400

# Texts of Self-BLEU that are judged.
_JUDGED = 50

# More than one batch of the filter, so that the index is used.
_JUDGED_DUPLICATES = 400

Places = tuple[list[int], list[int]]  # rows and columns of a matrix


def judge(name: str, score: Call, expected: Any) -> None:
    """Stop unless both kernels return what another library does."""
    for kernel in KERNELS:
        check_equal(f"{name}, {kernel} kernel", in_kernel(kernel, score)(), expected)


def draw_pairs(texts: list[str], others: list[str]) -> Places:
    """Draw the indices of pairs, the same on every run."""
    draws = random.Random(1)  # noqa: S311 - any pairs will do
    rows, columns = (draws.choices(range(len(side)), k=_PAIRS) for side in (texts, others))
    return rows, columns


def pick(score: Call, places: Places) -> Any:
    """Return some scores of a matrix."""
    return score()[places].tolist()


def compare_rouge() -> Row:
    """Compare a matrix of ROUGE-L with ``rouge_score``."""
    texts = read_instructions(INSTRUCTIONS)
    places = draw_pairs(texts, texts)
    tokens = tokenize(texts)
    pairs = [(tokens[row], tokens[column]) for row, column in zip(*places, strict=True)]

    def run_rouge_score() -> list[float]:
        return list(starmap(score_lcs, pairs))

    name = f"score_matrix, rougeL of {len(texts):,} instructions, per pair"
    ours = partial(score_matrix, texts)
    judge(name, partial(pick, ours, places), run_rouge_score())
    theirs = {"rouge_score._score_lcs": run_rouge_score}
    return Row(name, ours, theirs, len(texts) ** 2, _PAIRS)


def compare_bleu() -> Row:
    """Compare a matrix of sentence BLEU with sacrebleu, and with its own cache of references."""
    texts, references = read_workload("WMT17 translation", TRANSLATIONS)[1:3]
    places = draw_pairs(texts, references)
    plain = BLEU(effective_order=True)
    cached: Any = BLEU(effective_order=True, references=[references])
    pairs = [(texts[row], references[column]) for row, column in zip(*places, strict=True)]
    lines = [cached._preprocess_segment(text) for text in texts]  # noqa: SLF001
    caches = [(lines[row], cached._ref_cache[column]) for row, column in zip(*places, strict=True)]  # noqa: SLF001

    def run_plain() -> list[float]:
        return [plain.sentence_score(text, [reference]).score for text, reference in pairs]

    def run_cached() -> list[float]:
        counts = starmap(cached._compute_segment_statistics, caches)  # noqa: SLF001
        return [cached._compute_score_from_stats(own).score for own in counts]  # noqa: SLF001

    name = f"score_matrix, BLEU of {TRANSLATIONS:,} translations, per pair"
    ours = partial(score_matrix, texts, references, "bleu", profile="sacrebleu")
    theirs = {"sacrebleu sentence_score": run_plain, "the same, cached references": run_cached}
    for score in theirs.values():
        judge(name, partial(pick, ours, places), score())
    return Row(name, ours, theirs, len(texts) * len(references), _PAIRS)


def compare_self_bleu() -> Row:
    """Compare the Self-BLEU of Texygen with NLTK."""
    texts = read_instructions(GENERATED)
    smooth = SmoothingFunction().method1

    def run_nltk(tokens: list[list[str]], indices: list[int]) -> dict[str, float]:
        sums = {f"self_bleu_{order}": 0.0 for order in (2, 3, 4, 5)}
        for index, (name, order) in product(indices, zip(sums, (2, 3, 4, 5), strict=True)):
            others, weights = tokens[:index] + tokens[index + 1 :], (1 / order,) * order
            sums[name] += sentence_bleu(others, tokens[index], weights, smooth)
        return {name: total / len(indices) for name, total in sums.items()}

    name = f"self_bleu, Texygen's of {len(texts):,} instructions, per text"
    tokens = [word_tokenize(text, preserve_line=True) for text in texts]
    last = texts[-_JUDGED:]
    expected = run_nltk(tokens[-_JUDGED:], [*range(_JUDGED)])
    judge(name, lambda: self_bleu(last, definition="texygen"), expected)
    indices = [*range(0, len(texts), len(texts) // _TEXTS)]
    theirs = {"NLTK sentence_bleu": partial(run_nltk, tokens, indices)}
    ours = partial(self_bleu, texts, definition="texygen")
    return Row(name, ours, theirs, len(texts), len(indices))


def make_candidates(sources: int) -> tuple[list[list[str]], list[str]]:
    """Return the outputs of systems for each source, with joins of their halves; and references."""
    systems, references = read_systems(sources)
    draws = random.Random(1)  # noqa: S311 - any texts will do
    groups = []
    for outputs in zip(*systems.values(), strict=True):
        group = [*outputs]
        while len(group) < CANDIDATES:
            first, second = (draws.choice(outputs).split() for _ in range(2))
            at = draws.randrange(len(first) + 1)
            group.append(" ".join(first[:at] + second[at:]))
        groups.append(group)
    return groups, references


def compare_best(sources: int) -> Row:
    """Compare the best of several candidates with sacrebleu."""
    groups, references = make_candidates(sources)
    part = groups[:_SOURCES], references[:_SOURCES]

    def run_sacrebleu() -> tuple[list[list[float]], list[int]]:
        scores = [
            [sacrebleu.sentence_bleu(text, [reference]).score for text in group]
            for group, reference in zip(*part, strict=True)
        ]
        return scores, [int(np.argmax(own)) for own in scores]

    def run_ours() -> tuple[list[list[float]], list[int]]:
        best = select_best(*part, profile="sacrebleu")
        return [own.tolist() for own in best.scores], best.index.tolist()

    name = f"select_best, {CANDIDATES} candidates for {sources:,} sources, per source"
    judge(name, run_ours, run_sacrebleu())
    theirs = {"sacrebleu.sentence_bleu": run_sacrebleu}
    ours = partial(select_best, groups, references, profile="sacrebleu")
    return Row(name, ours, theirs, sources, len(part[0]))


def add_threads(row: Row) -> Iterator[Row]:
    """Make the row one of a single thread, and compare it with two threads too."""

    def call(threads: int) -> Any:
        os.environ[VARIABLE] = str(threads)
        return row.ours()

    one, two = partial(call, 1), partial(call, 2)
    yield row._replace(ours=one)
    yield Row(row.name, one, {"ours, two threads": two}, row.units)


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


def vary(pool: list[str], count: int) -> list[str]:
    """Return variants of instructions, in which some words are others; the same on every run."""
    draws = random.Random(0)  # noqa: S311 - any texts will do
    words = sorted({word for text in pool for word in text.split()})
    rates = (draws.uniform(0.2, 1) for _ in range(count))
    return [
        " ".join(
            draws.choice(words) if draws.random() < rate else word
            for word in draws.choice(pool).split()
        )
        for rate in rates
    ]


def read_instructions(count: int) -> list[str]:
    """Return instructions: those of the pool first, then generated ones."""
    if POOL.exists():
        lines = POOL.read_text("utf-8").split("\n")
        pool = [json.loads(line)["instruction"] for line in lines if line]
    else:
        pool = generate_texts(Corpus("instructions", 1, 13))[0]
    return [*pool, *vary(pool, count)][:count]


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
    texts = read_instructions(_JUDGED_DUPLICATES)
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


def measure(count: int, *, is_full: bool) -> None:
    """Search for near duplicates in a new process, and print a ``Run``."""
    texts = read_instructions(count)
    near_duplicates(texts[:_JUDGED_DUPLICATES], threshold=THRESHOLD)
    before = peak_memory()
    start = time.perf_counter()
    with search_fully() if is_full else nullcontext():
        found = near_duplicates(texts, threshold=THRESHOLD)
    seconds = time.perf_counter() - start
    memory = peak_memory()
    arrays = found.kept, found.score, found.nearest, found.top_nearest, found.top_scores
    digest = hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()
    share = found.compared / found.pairs
    print(json.dumps(Run(seconds, memory, before, len(found.kept), share, digest)))


def run_measure(count: int, threads: int, *, is_full: bool = False) -> Run:
    """Run ``measure`` in a new process."""
    os.environ[VARIABLE] = str(threads)
    code = f"import pairs; pairs.measure({count}, is_full={is_full})"
    found: Any = run_apart(code)
    return Run(*found)


def grow_duplicates(most: int, most_full: int) -> Iterator[Sequence[str]]:
    """Search each number of texts up to ``most``; fully up to ``most_full``."""
    check_duplicates()
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
        yield (
            *(f"{count:,}", f"{one.kept:,}", f"{one.share:.1%}"),
            *(f"{run.seconds:,.2f}" for run in (one, two)),
            *(*shown, *(f"{size / 1e6:,.0f}" for size in memory)),
        )


def grow_matrix(repeats: int) -> Iterator[Sequence[str]]:
    """Time a matrix of each number of texts."""
    os.environ[VARIABLE] = "1"
    for count in MATRIX_TEXTS:
        seconds = best_time(partial(score_matrix, read_instructions(count)), repeats)
        per_pair = f"{seconds / count**2 * 1e9:.1f}"
        yield f"{count:,}", f"{count**2:,}", f"{seconds * 1e3:,.2f}", per_pair


def main(
    sources: int = 20_000,
    most: int = SEARCHED_TEXTS[-1],
    full: int = SEARCHED_TEXTS[-2],
    repeats: int = 10,
) -> Iterator[Table]:
    """Score ``sources`` sources; search ``most`` texts, and ``full`` texts without an index."""
    rows = [compare_rouge(), compare_bleu(), compare_self_bleu(), compare_best(sources)]
    both = [own for row in rows for own in add_threads(row)]
    yield compare("Scores between texts, µs per unit, one thread", both, repeats)
    head = "texts | pairs | milliseconds | ns per pair"
    title = "score_matrix of instructions, rougeL, one thread"
    yield Table(title, head, grow_matrix(repeats))
    head = "texts | kept | pairs counted | seconds | two threads, s | full search, s | ×"
    head += " | peak memory, MB | before the search, MB"
    title = f"near_duplicates of instructions, rougeL above {THRESHOLD}"
    yield Table(title, head, grow_duplicates(most, full))


if __name__ == "__main__":
    run(main)

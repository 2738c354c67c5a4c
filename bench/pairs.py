"""Time scores between texts: matrices of ROUGE-L and BLEU, and near duplicates.

The results of both kernels are first compared (``==``) with those of the other libraries, on a part
of the texts. Times are per pair: the minimum of repeats that take turns. The other libraries are
timed on a part too, because the whole would take hours. rouge_score gets tokens that are ready; our
times include tokenizing. ``BLEU_ROUGE_THREADS=1`` times one thread.

Each search for near duplicates is a new process, to measure its own memory. The instructions are
those of Self-Instruct if they are at ``../shared/data_pairs``, and variants.
"""

import json
import random
import time
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import starmap
from typing import Any

from rouge_score import rouge_scorer
from rouge_score.tokenizers import DefaultTokenizer
from sacrebleu.metrics.bleu import BLEU
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

from bleu_rouge_metric import near_duplicates, score_matrix
from bleu_rouge_metric.counting.threads import count_threads

POOL = DATA.with_name("data_pairs") / "instructions_seed.jsonl"
THRESHOLD = 0.7  # of Self-Instruct

MATRIX_TEXTS = (250, 500, 1_000, 2_000)
SEARCHED_TEXTS = (1_000, 10_000, 50_000, 100_000)

INSTRUCTIONS = 1_000
TRANSLATIONS = 200

# Pairs of a matrix on which other libraries are timed, so that their calls take as long as ours.
_PAIRS = 1_000

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
    """Compare a matrix of sentence BLEU with sacrebleu."""
    texts, references = read_workload("WMT17 translation", TRANSLATIONS)[1:3]
    places = draw_pairs(texts, references)
    bleu = BLEU(effective_order=True)
    pairs = [(texts[row], [references[column]]) for row, column in zip(*places, strict=True)]

    def run_sacrebleu() -> list[float]:
        return [score.score for score in starmap(bleu.sentence_score, pairs)]

    name = f"score_matrix, BLEU of {TRANSLATIONS:,} translations, per pair"
    ours = partial(score_matrix, texts, references, "bleu", profile="sacrebleu")
    judge(name, partial(pick, ours, places), run_sacrebleu())
    theirs = {"sacrebleu sentence_score": run_sacrebleu}
    return Row(name, ours, theirs, len(texts) * len(references), _PAIRS)


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


def check_duplicates() -> None:
    """Stop unless both kernels decide as a loop over ``rouge_score`` does."""
    texts = read_instructions(_JUDGED_DUPLICATES)
    tokens = tokenize(texts)
    kept: list[int] = []
    highest: list[float] = []
    for index, own in enumerate(tokens):
        highest.append(max((score_lcs(own, tokens[other]) for other in kept), default=0.0))
        if highest[-1] <= THRESHOLD:
            kept.append(index)

    def search() -> tuple[list[int], list[float]]:
        found = near_duplicates(texts, threshold=THRESHOLD)
        return found.kept.tolist(), found.score.tolist()

    judge("near_duplicates", search, (kept, highest))


def measure(count: int) -> None:
    """Search for near duplicates in a new process, and print what it took."""
    texts = read_instructions(count)
    near_duplicates(texts[:_JUDGED_DUPLICATES], threshold=THRESHOLD)
    before = peak_memory()
    start = time.perf_counter()
    found = near_duplicates(texts, threshold=THRESHOLD)
    seconds = time.perf_counter() - start
    share = found.compared / found.pairs
    print(json.dumps([seconds, len(found.kept), share, peak_memory(), before]))


def grow_duplicates(most: int) -> Iterator[Sequence[str]]:
    """Search each number of texts up to ``most``."""
    check_duplicates()
    for count in (size for size in SEARCHED_TEXTS if size <= most):
        runs = [run_apart(f"import pairs; pairs.measure({count})") for _ in range(2)]
        seconds, kept, share, *memory = min(runs)
        sizes = (f"{size / 1e6:,.0f}" for size in memory)
        yield f"{count:,}", f"{kept:,}", f"{share:.1%}", f"{seconds:,.2f}", *sizes


def grow_matrix(repeats: int) -> Iterator[Sequence[str]]:
    """Time a matrix of each number of texts."""
    for count in MATRIX_TEXTS:
        seconds = best_time(partial(score_matrix, read_instructions(count)), repeats)
        per_pair = f"{seconds / count**2 * 1e9:.1f}"
        yield f"{count:,}", f"{count**2:,}", f"{seconds * 1e3:,.2f}", per_pair


def main(most: int = SEARCHED_TEXTS[-1], repeats: int = 10) -> Iterator[Table]:
    """Score matrices, and search up to ``most`` texts."""
    title = f"Scores between texts, µs per pair, {count_threads()} threads"
    yield compare(title, [compare_rouge(), compare_bleu()], repeats)
    head = "texts | pairs | milliseconds | ns per pair"
    yield Table("score_matrix of instructions, rougeL", head, grow_matrix(repeats))
    head = "texts | kept | pairs counted | seconds | peak memory, MB | before the search, MB"
    title = f"near_duplicates of instructions, rougeL above {THRESHOLD}"
    yield Table(title, head, grow_duplicates(most))


if __name__ == "__main__":
    run(main)

"""Time rouge and rouge-chinese, and our classes under the same names, on generated texts.

    python bench/rouge_package.py

Each number is the fastest of several repeats, in microseconds per pair: of one call for all pairs,
and of one call per pair. The results are compared with ``==`` before they are timed.
"""

import random
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import rouge
import rouge_chinese

from bleu_rouge_metric.integrations import rouge as our_rouge
from bleu_rouge_metric.integrations import rouge_chinese as our_rouge_chinese

MODULES: list[tuple[ModuleType, ModuleType]] = [
    (rouge, our_rouge),
    (rouge_chinese, our_rouge_chinese),
]

# Words per text, and pairs of texts.
SIZES = ((20, 200), (60, 60), (300, 4))
REPEATS = 3


class Row(NamedTuple):
    """Microseconds per pair."""

    name: str
    words: int
    theirs: float
    ours: float
    theirs_alone: float
    ours_alone: float


def make_texts(words: int, count: int, seed: int) -> list[str]:
    """Make texts of frequent and rare words, with a full stop behind every 18th word."""
    draws = random.Random(seed)  # noqa: S311 - any texts will do
    texts = []
    for _ in range(count):
        drawn = [f"w{int(draws.expovariate(0.02))}" for _ in range(words)]
        drawn[17::18] = [f"{word}." for word in drawn[17::18]]
        texts.append(" ".join(drawn))
    return texts


def measure(call: Callable[[], Any], pairs: int) -> float:
    """Return the time of the fastest call, in microseconds per pair."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times) / pairs * 1e6


def time_classes(module: ModuleType, own: ModuleType, words: int, pairs: int) -> Row:
    """Compare the results of both classes, and time them."""
    theirs, ours = module.Rouge(), own.Rouge()
    hyps, refs = make_texts(words, pairs, seed=1), make_texts(words, pairs, seed=2)
    if ours.get_scores(hyps, refs) != theirs.get_scores(hyps, refs):
        raise AssertionError("The results differ.")

    def score_alone(scorer: Any) -> None:
        for hyp, ref in zip(hyps, refs, strict=True):
            scorer.get_scores(hyp, ref)

    return Row(
        module.__name__,
        words,
        measure(lambda: theirs.get_scores(hyps, refs), pairs),
        measure(lambda: ours.get_scores(hyps, refs), pairs),
        measure(lambda: score_alone(theirs), pairs),
        measure(lambda: score_alone(ours), pairs),
    )


def main() -> None:
    """Print the table."""
    print("| package | words | theirs | ours | faster | theirs, one pair | ours | faster |")
    print("|---|---|---|---|---|---|---|---|")
    for module, own in MODULES:
        for words, pairs in SIZES:
            row = time_classes(module, own, words, pairs)
            together, alone = row.theirs / row.ours, row.theirs_alone / row.ours_alone
            print(
                f"| {row.name} | {row.words} | {row.theirs:.0f} | {row.ours:.1f} | {together:.0f}x "
                f"| {row.theirs_alone:.0f} | {row.ours_alone:.1f} | {alone:.0f}x |"
            )


if __name__ == "__main__":
    main()

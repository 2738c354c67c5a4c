"""Count ``rouge1`` of two texts of many distinct words, to measure by hand or under valgrind.

``python bench/distinct_words.py 30000 10`` counts a pair of 30,000 words 10 times.
"""

import sys
import time

import bleu_rouge_kernel
import numpy as np


def main(words: int, repeats: int) -> None:
    """Print the least time per word; it imports little, because valgrind is slow."""
    text = [f"w{index * 7919 % 1_000_003}" for index in range(words)]
    prediction = bleu_rouge_kernel.TextColumn([" ".join(text)])
    reference = bleu_rouge_kernel.TextColumn([" ".join(reversed(text))])
    plan = bleu_rouge_kernel.CountPlan(
        (1,), lcs=False, summary=False, skip_distances=(), unigrams_but_last=False,
        values=np.empty((0, 0)), lin2004=False,
    )  # fmt: skip
    tokenization = bleu_rouge_kernel.Tokenization("rouge")
    counts, weighted = np.empty((1, 1, 3), np.int64), np.empty((1, 0, 3))
    seconds = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        bleu_rouge_kernel.count(
            prediction, reference, np.arange(2), tokenization, plan, 1, counts, weighted
        )
        seconds = min(seconds, time.process_time() - start)
    print(f"{words:,} words: {seconds / words * 1e9:.0f} ns per word")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

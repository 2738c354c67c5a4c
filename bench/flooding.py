"""Time words that were chosen to collide in the kernel's table when its hash had fixed keys.

They are compared with random words of the same length, and must not take twice as long.
"""

import runpy
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer
from workloads import make_table, print_tables

from bleu_rouge_metric import rouge_scores, use_kernel
from bleu_rouge_metric.counting import native_kernel

WORDS = Path(__file__).parent.parent / "tests" / "support" / "chosen_words.py"


def time_once(words: list[str]) -> float:
    """Time ROUGE-1 of the words with the same words in reverse order, in seconds."""
    texts = " ".join(words), " ".join(reversed(words))
    start = time.perf_counter()
    rouge_scores([texts[0]], [texts[1]], rouge_types=["rouge1"])
    return time.perf_counter() - start


def main(
    words: Annotated[int, typer.Option(help="Distinct words of a text.")] = 10_000,
    repeats: Annotated[int, typer.Option(help="Runs of each row; the fastest counts.")] = 20,
) -> None:
    """Print the times of chosen words and of random words."""
    if native_kernel.import_error is not None:
        sys.exit("The compiled kernel is not installed; Python's own tables have secret keys.")
    # It is loaded by its path, because some peers install a package named "tests" too.
    made: dict[str, Any] = runpy.run_path(str(WORDS))
    table = make_table(
        f"ROUGE-1 of {words:,} distinct words", *("words", "milliseconds", "random ones", "ratio")
    )
    with use_kernel("native"):
        for kind, make in made["CHOSEN"].items():
            chosen = make(words)
            others = made["list_random_words"](words, len(chosen[0]) // 8)
            # Both are timed in turn, so that a busy machine slows both.
            times = [(time_once(chosen), time_once(others)) for _ in range(repeats)]
            best, best_other = map(min, zip(*times, strict=True))
            table.add_row(
                *(kind, f"{best * 1e3:.2f}", f"{best_other * 1e3:.2f}"),
                f"{best / best_other:.2f}",
            )
    print_tables([table])


if __name__ == "__main__":
    typer.run(main)

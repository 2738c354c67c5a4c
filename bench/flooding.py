"""Time texts that were chosen to take long.

Words that collide in the kernel's table when its hash had fixed keys are compared with random words
of the same length, and must not take twice as long. Texts of one repeated shape are tokenized and
split, and must not take four times as long if they are twice as long: the time is linear.
"""

import runpy
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from workloads import make_table, print_tables

from bleu_rouge_metric import rouge_scores, use_kernel
from bleu_rouge_metric.counting import native_kernel
from bleu_rouge_metric.text.sentences import (
    resolve_sentence_splitter,
    split_chinese,
    split_full_stops,
)
from bleu_rouge_metric.text.tokenizer import TEXT_TOKENIZERS, resolve_tokenizer

WORDS = Path(__file__).parent.parent / "tests" / "support" / "chosen_words.py"


def time_once(words: list[str]) -> float:
    """Time ROUGE-1 of the words with the same words in reverse order, in seconds."""
    texts = " ".join(words), " ".join(reversed(words))
    start = time.perf_counter()
    rouge_scores([texts[0]], [texts[1]], rouge_types=["rouge1"])
    return time.perf_counter() - start


# What is repeated; the first text has all marks of one kind before those of the other.
UNITS = (
    *("marks", "a", ".", "a ", "a\n", "a-\n", "1. ", "i. ", "&amp;", "e\u0301", "\u0316\u0301"),
    *("\u1100\u1161\u11a8", "\ufdfa", "\u0130", "\u0e01\u0e34", "\U0001f469\u200d"),
)


def repeat(unit: str, size: int) -> str:
    """Return a text of so many characters."""
    marks = "\u0345" * (size // 2) + "\u0334" * (size // 2)
    return marks if unit == "marks" else (unit * size)[:size]


def list_functions() -> dict[str, Any]:
    """Return the tokenizers and sentence splitters that are installed, as Python runs them."""
    functions: dict[str, Any] = {}
    for name in TEXT_TOKENIZERS:
        with suppress(ImportError, ValueError):
            functions[name] = resolve_tokenizer("tokenizer", name).function
    for name in ("newline", "punkt"):
        with suppress(ImportError, ValueError):
            functions[name] = resolve_sentence_splitter(name).function
    return {**functions, "rouge": split_full_stops, "rouge-chinese": split_chinese}


def add_shapes(table: Table, size: int) -> None:
    """Add the slowest shape of each function, and the shape whose time grows most."""
    for name, function in list_functions().items():
        rows = []
        for unit in UNITS:
            best = []
            for text in (repeat(unit, size), repeat(unit, 2 * size)):
                times = []
                for _ in range(3):
                    start = time.process_time()
                    function(text)
                    times.append(time.process_time() - start)
                best.append(min(times))
            # Of less than a millisecond no ratio can be told.
            rows.append((best[1] / best[0] if best[1] > 1e-3 else 0.0, best[1], repr(unit)))
        slowest, steepest = max(rows, key=lambda row: row[1]), max(rows)
        table.add_row(
            *(name, slowest[2], f"{slowest[1] * 1e3:.1f}", steepest[2], f"{steepest[0]:.1f}")
        )


def main(
    words: Annotated[int, typer.Option(help="Distinct words of a text.")] = 10_000,
    size: Annotated[int, typer.Option(help="Characters of a text; others have twice as many.")] = (
        20_000
    ),
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
    shapes = make_table(
        f"Texts of {2 * size:,} characters; the ratio is to half as many",
        *("function", "slowest shape", "milliseconds", "steepest shape", "ratio"),
    )
    add_shapes(shapes, size)
    print_tables([table, shapes])


if __name__ == "__main__":
    typer.run(main)

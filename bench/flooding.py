"""Time texts that were chosen to take long.

Words that collide in the kernel's table when its hash had fixed keys are compared with random words
of the same length, and must not take twice as long (× of the random words below 0.5). Texts of one
repeated shape are tokenized and split, and must not take four times as long if they are twice as
long: the time is linear.
"""

import runpy
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from workloads import Row, Table, best_times, compare, run

from bleu_rouge_metric import rouge_scores
from bleu_rouge_metric.text.sentences import (
    resolve_sentence_splitter,
    split_chinese,
    split_full_stops,
)
from bleu_rouge_metric.text.tokenizer import TEXT_TOKENIZERS, resolve_tokenizer

WORDS = Path(__file__).parent.parent / "tests" / "support" / "chosen_words.py"

# What is repeated; the first text has all marks of one kind before those of the other.
UNITS = (
    *("marks", "a", ".", "a ", "a\n", "a-\n", "1. ", "i. ", "&amp;", "e\u0301", "\u0316\u0301"),
    *("\u1100\u1161\u11a8", "\ufdfa", "\u0130", "\u0e01\u0e34", "\U0001f469\u200d"),
)


def list_rows(words: int) -> Iterator[Row]:
    """List ROUGE-1 of words with the same words in reverse order: of chosen and of random words."""
    # It is loaded by its path, because some peers install a package named "tests" too.
    made: dict[str, Any] = runpy.run_path(str(WORDS))
    for kind, make in made["CHOSEN"].items():
        chosen = make(words)
        others = made["list_random_words"](words, len(chosen[0]) // 8)
        ours, theirs = (
            partial(
                rouge_scores, [" ".join(own)], [" ".join(reversed(own))], rouge_types=["rouge1"]
            )
            for own in (chosen, others)
        )
        yield Row(kind, ours, {"random words": theirs})


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


def time_shapes(size: int) -> Iterator[Sequence[str]]:
    """Find the slowest shape of each function, and the shape whose time grows most."""
    for name, function in list_functions().items():
        rows = []
        for unit in UNITS:
            works = [partial(function, repeat(unit, length)) for length in (size, 2 * size)]
            half, whole = best_times(works, 3, time.process_time)
            # Of less than a millisecond no ratio can be told.
            rows.append((whole / half if whole > 1e-3 else 0.0, whole, repr(unit)))
        slowest, steepest = max(rows, key=lambda row: row[1]), max(rows)
        yield name, slowest[2], f"{slowest[1] * 1e3:.1f}", steepest[2], f"{steepest[0]:.1f}"


def main(words: int = 10_000, size: int = 20_000, repeats: int = 20) -> Iterator[Table]:
    """Time texts of ``words`` words, and texts of ``size`` characters and twice as many."""
    yield compare(f"ROUGE-1 of {words:,} distinct words, chosen", list_rows(words), repeats)
    title = f"Texts of {2 * size:,} characters; the ratio is to half as many"
    head = "function | slowest shape | milliseconds | steepest shape | ratio"
    yield Table(title, head, time_shapes(size))


if __name__ == "__main__":
    run(main)

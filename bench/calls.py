"""Count the modules, functions and calls between modules of this package in one user's call.

    python bench/calls.py

It prints one row for each of: metric.compute of one batch, one pair of a PairScorer, a batch of a
Trainer's evaluation, a shard of the Ray engine, compare_systems, explain and compare_profiles. The
first call of each is not counted, because it fills caches.
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

import bleu_rouge_metric
from bleu_rouge_metric.cli.folders import count_shard
from bleu_rouge_metric.files.shards import Shard
from bleu_rouge_metric.text.warnings import SentenceLines

PACKAGE = str(Path(bleu_rouge_metric.__file__).parent)
TEXTS: dict[str, Any] = {
    "predictions": ["the cat sat on the mat"] * 8,
    "references": [["a cat sat on the mat", "the cat sat"]] * 8,
}


def count_calls(call: Callable[[], object]) -> tuple[int, int, int]:
    """Count the modules and functions that run, and the calls from one module into another."""
    modules: set[str] = set()
    functions: set[tuple[str, str, int]] = set()
    crossings = 0

    def record(frame: FrameType, event: str, _: Any) -> None:
        nonlocal crossings
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(PACKAGE):
            return
        modules.add(code.co_filename)
        functions.add((code.co_filename, code.co_name, code.co_firstlineno))
        caller = frame.f_back.f_code.co_filename if frame.f_back else ""
        crossings += caller.startswith(PACKAGE) and caller != code.co_filename

    call()
    sys.setprofile(record)
    try:
        call()
    finally:
        sys.setprofile(None)
    return len(modules), len(functions), crossings


def main() -> None:
    """Print the table."""
    metric = bleu_rouge_metric.load()
    hook = bleu_rouge_metric.compute_metrics(pad=0)
    pair = bleu_rouge_metric.PairScorer("rougeL")
    predictions, references = TEXTS.values()
    systems = {"first": predictions, "second": [*predictions[4:], *["a cat sat on a mat"] * 4]}
    ids = np.arange(64).reshape(8, 8) % 7 + 1

    def compute_last_batch() -> object:
        return hook((ids, ids), compute_result=True)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "samples.jsonl"
        path.write_text('{"prediction": "the cat sat", "reference": "a cat sat"}\n' * 8)
        options = bleu_rouge_metric.Options()
        shard = Shard(0, str(path), "prediction", "reference", 0, None)

        def count_one_shard() -> object:
            return list(count_shard(shard, options, ("bleu", "rouge"), SentenceLines()))

        rows = {
            "metric.compute": lambda: metric.compute(**TEXTS),
            "PairScorer": lambda: pair("the cat sat", "a cat sat"),
            "a batch of a Trainer": compute_last_batch,
            "a shard of Ray": count_one_shard,
            "compare_systems": lambda: bleu_rouge_metric.compare_systems(systems, references),
            "explain": lambda: bleu_rouge_metric.explain("the cat sat", ["a cat sat", "a dog"]),
            "compare_profiles": lambda: bleu_rouge_metric.compare_profiles(**TEXTS),
        }
        for name, call in rows.items():
            modules, functions, crossings = count_calls(call)
            print(f"{name:<22}{modules:>4} modules{functions:>5} functions{crossings:>5} calls")


if __name__ == "__main__":
    main()

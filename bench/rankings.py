"""Time tests of all pairs of systems, with BLEU and ROUGE: ``compare_systems(pairs="all")``.

The texts are those of ``significance.py``: outputs of real systems, of which every simulated system
has most of one and some of others. Everything is counted from texts.
"""

import platform
import time
from typing import Annotated

import numpy as np
import typer
from peers import describe_run
from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table
from significance import read_systems

from bleu_rouge_metric import compare_systems


def make_systems(number: int, samples: int) -> tuple[dict[str, list[str]], list[str]]:
    """Make systems that take a tenth of their texts from others, and the references."""
    real, references = read_systems(samples)
    texts = list(real.values())
    systems = {}
    for index in range(number):
        generator = np.random.default_rng(index)
        other = generator.integers(len(texts), size=samples)
        chosen = np.where(generator.random(samples) < 0.1, other, index % len(texts))
        systems[f"system{index}"] = [texts[at][row] for row, at in enumerate(chosen.tolist())]
    return systems, references


def main(
    systems: Annotated[int, typer.Option(help="Number of systems.")] = 20,
    samples: Annotated[int, typer.Option(help="Samples of each.")] = 3_000,
) -> None:
    """Print a table with a row per test and number of resamples."""
    console = Console(width=120)
    console.print(f"Python {platform.python_version()}, {describe_run()}")
    named, references = make_systems(systems, samples)
    table = Table(
        *("test", "resamples", "pairs and scores", "seconds"),
        title=f"{systems} systems, {samples:,} samples, BLEU and four ROUGE types, all pairs",
        box=MARKDOWN,
    )
    for test, n_resamples in (
        ("bootstrap", 1_000),
        ("approximate_randomization", 1_000),
        ("approximate_randomization", 10_000),
    ):
        start = time.perf_counter()
        ranking = compare_systems(
            named, references, pairs="all", test=test, n_resamples=n_resamples
        )
        seconds = time.perf_counter() - start
        table.add_row(test, f"{n_resamples:,}", f"{len(ranking.pairs):,}", f"{seconds:.1f}")
    console.print(table)


if __name__ == "__main__":
    typer.run(main)

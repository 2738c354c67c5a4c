"""Measure how often intervals of buckets of words hold the true value, and how often tests err.

Samples are generated, of words with Zipf's distribution. A system replaces some words, more of the
rare ones. The true values are those of a large test set. No number depends on the machine.
"""

import platform
from typing import Annotated

import numpy as np
import typer
from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table

from bleu_rouge_metric import BucketComparison, compare_buckets

WORDS = 2_000
RARE = 50
EDGES = [1, 10, 100]
LARGE = 20_000

# How often a word is wrong. B is as good as A, C is better.
SYSTEMS = {"A": 0.3, "B": 0.3, "C": 0.25}
SAMPLES = (30, 100)


class Generator:
    """Generates test sets, and the text whose words are counted."""

    def __init__(self) -> None:
        self.random = np.random.default_rng(5)
        shares = 1 / np.arange(1, WORDS + 1)
        self.shares = shares / shares.sum()
        self.text = self.write(self.draw(20_000))

    def draw(self, count: int) -> np.ndarray:
        """Draw words, as numbers from the most frequent up."""
        return self.random.choice(WORDS, count, p=self.shares)

    @staticmethod
    def write(words: np.ndarray) -> str:
        """Return a text of words."""
        return " ".join(f"w{word}" for word in words)

    def compare(self, samples: int, n_resamples: int) -> BucketComparison:
        """Generate a test set, and compare the systems."""
        references: list[str] = []
        systems: dict[str, list[str]] = {name: [] for name in SYSTEMS}
        for _ in range(samples):
            words = self.draw(int(self.random.integers(8, 25)))
            references.append(self.write(words))
            hardness = self.random.normal(0, 0.08) + 0.1 * (words > RARE)
            for name, share in SYSTEMS.items():
                is_wrong = self.random.random(len(words)) < share + hardness
                systems[name].append(self.write(np.where(is_wrong, self.draw(len(words)), words)))
        return compare_buckets(
            systems,
            references,
            by="frequency",
            text=self.text,
            edges=EDGES,
            tokenizer="whitespace",
            family="bleu",
            n_resamples=n_resamples,
        )


def count_hits(
    generator: Generator, truth: BucketComparison, samples: int, sets: int
) -> dict[str, list[int]]:
    """Count for each bucket: intervals of scores and of differences that hold, and errors of tests.

    Scores are those of all systems, differences those of C, and errors those of B, of F-measures.
    """
    hits = {name: [0, 0, 0] for name in truth.buckets}
    for _ in range(sets):
        found = generator.compare(samples, 500)
        for name, part in found.buckets.items():
            expected = {row.system: row.value for row in truth.buckets[name].rows[: len(SYSTEMS)]}
            for row in part.rows[: len(SYSTEMS)]:
                value = expected[row.system]
                delta = value - expected["A"]
                holds = (row.low or 0) <= value <= (row.high or 0)
                hits[name][0] += holds and row.system == "C"
                holds = (row.delta_low or 0) <= delta <= (row.delta_high or 0)
                hits[name][1] += holds and row.system == "C"
                hits[name][2] += row.system == "B" and (row.p_value or 0) <= 0.05
    return hits


def main(sets: Annotated[int, typer.Option(help="Test sets of each size.")] = 500) -> None:
    """Print a table."""
    console = Console(width=120)
    console.print(f"Python {platform.python_version()}, NumPy {np.__version__}")
    generator = Generator()
    truth = generator.compare(LARGE, 2)
    table = Table(
        *("samples", "frequency", "interval of a score", "of a difference", "test errs"),
        title=f"Share of {sets:,} test sets; F-measure, 95%",
        box=MARKDOWN,
    )
    for samples in SAMPLES:
        for name, hits in count_hits(generator, truth, samples, sets).items():
            table.add_row(f"{samples}", name, *(f"{count / sets:.3f}" for count in hits))
    console.print(table)


if __name__ == "__main__":
    typer.run(main)

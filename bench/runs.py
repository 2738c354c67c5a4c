"""Measure how often tests of systems with several runs are wrong; no times.

Two systems that are equally good score generated samples. A score is the sum of the difficulty of
the sample, of how well the system suits it, of how good the run is, and of chance. The table has
how often the test calls the systems different at the level 0.05, and how often the interval of 95%
holds the difference of 0.
"""

import platform
from collections.abc import Sequence
from typing import Annotated

import numpy as np
import typer
from peers import describe_run
from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table

from bleu_rouge_metric.analysis.significance_design import check_design
from bleu_rouge_metric.analysis.significance_tests import PairResults, run_tests
from bleu_rouge_metric.analysis.systems import SystemScores, average_runs
from bleu_rouge_metric.resampling.draws import Floats
from bleu_rouge_metric.resampling.paired import join_statistics
from bleu_rouge_metric.scoring.statistics import make_mean_statistic

# Standard deviations of how well a system suits a sample, and of chance.
SUITS, CHANCE = 0.3, 0.5


def score_systems(rows: Sequence[Floats]) -> list[SystemScores]:
    """Return the scores of systems from those of samples, each of shape (runs, samples)."""
    runs = [
        SystemScores(
            {"x": float(row.mean())},
            {"x": row},
            join_statistics([make_mean_statistic(row, 16.0)]),
            {"x": None},
            {"x": 1},
        )
        for each in rows
        for row in each
    ]
    return average_runs(
        runs, np.repeat(np.arange(len(rows)), [len(each) for each in rows]).tolist()
    )


def draw_scores(
    generator: np.random.Generator, runs: int, samples: int, spread: float, shift: float = 0.0
) -> list[Floats]:
    """Draw the scores of two systems; the second is better by ``shift``."""
    difficulty = generator.normal(size=samples)
    systems = []
    for place in range(2):
        suits = generator.normal(0, SUITS, samples)
        quality = generator.normal(0, spread, (runs, 1))
        chance = generator.normal(0, CHANCE, (runs, samples))
        systems.append(difficulty + suits + quality + chance + place * shift)
    return systems


def run_test(systems: Sequence[Floats], n_resamples: int = 200) -> PairResults:
    """Test the difference of two systems."""
    design = check_design(
        test="bootstrap_t",
        n_resamples=n_resamples,
        confidence=0.95,
        seed=1,
        alternative="two-sided",
        correction=None,
        convention=None,
    )
    return run_tests(score_systems(systems), [(0, 1)], design, 1, None)


def main(
    sets: Annotated[int, typer.Option(help="Test sets of each row.")] = 400,
    samples: Annotated[int, typer.Option(help="Samples of a test set.")] = 60,
) -> None:
    """Print the table."""
    console = Console(width=120)
    console.print(f"Python {platform.python_version()}, {describe_run()}")
    table = Table(
        *("runs", "sd of runs", "bootstrap_t errs", "interval holds"),
        title=f"{sets} test sets of {samples} samples",
        box=MARKDOWN,
    )
    for runs in (2, 3, 5):
        for spread in (0.0, 0.05, 0.3):
            generator = np.random.default_rng([runs, int(100 * spread)])
            errors = held = 0
            for _ in range(sets):
                systems = draw_scores(generator, runs, samples, spread)
                delta = float(systems[1].mean() - systems[0].mean())
                found = run_test(systems)
                errors += int(found.p_values[0, 0] <= 0.05)
                held += int(abs(delta) <= found.margins[0, 0])
            shares = f"{errors / sets:.2f}", f"{held / sets:.2f}"
            table.add_row(str(runs), str(spread), *shares)
    console.print(table)


if __name__ == "__main__":
    typer.run(main)

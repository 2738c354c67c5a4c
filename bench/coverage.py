"""Measure how often intervals hold the true value, and how often tests of equal systems err.

A population of generated samples has a known score. Test sets are drawn from it, of single samples
or of whole documents, whose samples are alike; each is compared by ``compare_systems``. Systems A
and B are equally good, C is better. No number depends on the machine.
"""

import platform
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer
from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table

from bleu_rouge_metric import Scorer, compare_systems
from bleu_rouge_metric.families.counts import select_counts

DOCUMENTS = 4_000
WORDS = 400

# How often a word is wrong: the mean of each system.
SYSTEMS = {"A": 0.4, "B": 0.4, "C": 0.3}
SCORES = ("bleu", "rougeL")
TESTS = ("approximate_randomization", "bootstrap")

# How many samples or documents a test set has.
SAMPLES = (3, 5, 8, 12, 20, 50, 200)
CLUSTERS = (3, 5, 8, 12, 20, 50)


class Population(NamedTuple):
    """All samples.

    Attributes:
        scorers: that have counted them, by system.
        documents: the indices of the samples of each document.
        scores: of all samples, by system and score.
    """

    scorers: dict[str, Scorer]
    documents: list[np.ndarray]
    scores: dict[str, dict[str, float]]


def write_population(generator: np.random.Generator) -> Population:
    """Generate samples of 8 to 40 words, which are harder in some documents and sentences."""
    sizes = generator.integers(2, 13, DOCUMENTS)
    documents = np.split(np.arange(sizes.sum()), np.cumsum(sizes)[:-1])
    places = np.repeat(np.arange(DOCUMENTS), sizes)
    lengths = generator.integers(8, 41, len(places))
    references = [generator.zipf(1.3, length) % WORDS for length in lengths]
    hardness = generator.normal(0, 0.6, DOCUMENTS)[places] + generator.normal(0, 0.6, len(places))
    scorers: dict[str, Scorer] = {}
    for name, share in SYSTEMS.items():
        # A system is better in some documents and sentences than another.
        own = generator.normal(0, 0.4, DOCUMENTS)[places] + generator.normal(0, 0.4, len(places))
        odds = share / (1 - share) * np.exp(hardness + own)
        texts = []
        for reference, odd in zip(references, odds, strict=True):
            is_wrong = generator.random(len(reference)) < odd / (1 + odd)
            words = np.where(is_wrong, generator.zipf(1.3, len(reference)) % WORDS, reference)
            texts.append(words[generator.random(len(words)) > 0.1].tolist())
        scorers[name] = Scorer(tokenizer="ids", rouge_types=["rougeL"])
        scorers[name].update(texts, [reference.tolist() for reference in references])
    found: dict[str, Any] = {name: scorer.result() for name, scorer in scorers.items()}
    return Population(scorers, documents, found)


def count_hits(
    population: Population, units: int, sets: int, *, is_clustered: bool
) -> dict[tuple[str, ...], int]:
    """Draw test sets; count intervals that hold the true value, and wrong findings of tests."""
    generator = np.random.default_rng([units, is_clustered])
    counts = {name: scorer.counts() for name, scorer in population.scorers.items()}
    true = population.scores
    hits: dict[tuple[str, ...], int] = {}
    for seed in range(sets):
        if is_clustered:
            drawn = generator.integers(0, DOCUMENTS, units)
            indices = np.concatenate([population.documents[place] for place in drawn])
            labels = np.repeat(np.arange(units), [len(population.documents[at]) for at in drawn])
        else:
            indices = generator.integers(0, len(population.scorers["A"]), units)
        scorers = {}
        for name, scorer in population.scorers.items():
            scorers[name] = Scorer.from_options(scorer.options, scorer.families)
            scorers[name].update_counts(select_counts(counts[name], indices))
        for test in TESTS:
            rows = compare_systems(
                scorers,
                clusters=labels if is_clustered else None,
                test=test,
                n_resamples=1000,
                seed=seed,
            ).rows
            for row in rows:
                value = true[row.system][row.score]
                delta = value - true["A"][row.score]
                checks = {
                    (test, row.score): row.system == "B" and (row.p_value or 0) <= 0.05,
                    ("score", row.score): row.system == "C"
                    and (row.low or 0) <= value <= (row.high or 0),
                    ("difference", row.score): row.system == "C"
                    and (row.delta_low or 0) <= delta <= (row.delta_high or 0),
                }
                for key, is_hit in checks.items():
                    # Both tests come with the same intervals.
                    if key[0] in TESTS or test == TESTS[0]:
                        hits[key] = hits.get(key, 0) + is_hit
    return hits


def main(
    sets: Annotated[int, typer.Option(help="Test sets of each size.")] = 500,
) -> None:
    """Print both tables."""
    console = Console(width=160)
    console.print(f"Python {platform.python_version()}, NumPy {np.__version__}")
    population = write_population(np.random.default_rng(0))
    console.print(f"{len(population.scorers['A']):,} samples in {DOCUMENTS:,} documents")
    for name, scores in population.scores.items():
        console.print(name, ", ".join(f"{score} {scores[score]:.4f}" for score in SCORES))
    keys = [(kind, score) for kind in ("difference", "score", *TESTS) for score in SCORES]
    for unit, sizes in (("samples", SAMPLES), ("clusters", CLUSTERS)):
        table = Table(
            *(unit, *(f"{kind.removeprefix('approximate_')}, {score}" for kind, score in keys)),
            title=f"Share of {sets:,} test sets: intervals of 95% that hold the true value, and "
            "equal systems with p of at most 0.05",
            box=MARKDOWN,
        )
        for units in sizes:
            hits = count_hits(population, units, sets, is_clustered=unit == "clusters")
            table.add_row(f"{units}", *(f"{hits[key] / sets:.3f}" for key in keys))
        console.print(table)


if __name__ == "__main__":
    typer.run(main)

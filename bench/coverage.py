"""Measure how often intervals hold the true value, and how often tests of equal systems err.

The first two tables are of texts: a population of generated samples has a known score. Test sets
are drawn from it, of single samples or of whole documents, whose samples are alike; each is
compared by ``compare_systems``. Systems A and B are equally good, C is better. The third table is
of generated scores of two equally good systems, in cases that are hard: scores of 0 and 1, clusters
of unequal sizes, several runs, and skewed differences. No number depends on the machine.
"""

import math
import platform
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer
from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table

from bleu_rouge_metric import Scorer, compare_systems
from bleu_rouge_metric.analysis.design import check_design
from bleu_rouge_metric.analysis.system_scores import Part, SystemScores, average_runs
from bleu_rouge_metric.analysis.testing import PairResults, run_tests
from bleu_rouge_metric.families.counts import select_counts
from bleu_rouge_metric.resampling.draws import Floats, join_statistics
from bleu_rouge_metric.resampling.tests import approximate_randomization
from bleu_rouge_metric.scoring.intervals import make_mean_statistic, share_one_score, sum_clusters

DOCUMENTS = 4_000
WORDS = 400

# How often a word is wrong: the mean of each system.
SYSTEMS = {"A": 0.4, "B": 0.4, "C": 0.3}
SCORES = ("bleu", "rougeL")
TESTS = ("approximate_randomization", "bootstrap", "bootstrap_t")

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
        scorers[name] = Scorer(tokenizer="ids", rouge_types=["rougeL"], seed=0)
        scorers[name].update(texts, [reference.tolist() for reference in references])
    scores: dict[str, Any] = {name: scorer.result() for name, scorer in scorers.items()}
    return Population(scorers, documents, scores)


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
                    # All tests come with the same intervals.
                    if key[0] in TESTS or test == TESTS[0]:
                        hits[key] = hits.get(key, 0) + is_hit
        if not is_clustered:
            rouge: Any = scorers["C"].result(confidence=0.95)
            held = rouge["rougeL_low"] <= true["C"]["rougeL"] <= rouge["rougeL_high"]
            hits["compute", "rougeL"] = hits.get(("compute", "rougeL"), 0) + held
    return hits


class Scored(NamedTuple):
    """Generated scores of two equally good systems.

    Attributes:
        systems: the scores of each, shape (runs, samples); a single run for no runs.
        clusters: the number of each sample's cluster; None if there are none.
        mean: the true score of both.
    """

    systems: Sequence[Floats]
    clusters: np.ndarray | None = None
    mean: float = 0.0


def draw_rare(generator: np.random.Generator, samples: int, expected: float) -> Scored:
    """Draw scores of 0 and 1, of which so many are expected to be 1."""
    share = expected / samples
    systems = [(generator.random((1, samples)) < share).astype(float) for _ in range(2)]
    return Scored(systems, mean=share)


def draw_clusters(generator: np.random.Generator, clusters: int, spread: float) -> Scored:
    """Draw scores in clusters of lognormal sizes, which are alike."""
    sizes = np.maximum(1, np.round(np.exp(generator.normal(2, spread, clusters)))).astype(int)
    numbers = np.repeat(np.arange(clusters), sizes)
    systems = [
        (generator.normal(0, 0.7, clusters)[numbers] + generator.normal(size=len(numbers)))[None]
        for _ in range(2)
    ]
    return Scored(systems, numbers)


def draw_runs(generator: np.random.Generator, runs: int, first: float, second: float) -> Scored:
    """Draw scores of 60 samples by several runs, which vary with these standard deviations."""
    difficulty, systems = generator.normal(size=60), []
    for spread in (first, second):
        suits = generator.normal(0, 0.3, 60)
        quality = generator.normal(0, spread, (runs, 1))
        systems.append(difficulty + suits + quality + generator.normal(0, 0.5, (runs, 60)))
    return Scored(systems)


def draw_skewed(generator: np.random.Generator, samples: int) -> Scored:
    """Draw scores whose differences are lognormal, with the mean 0."""
    first = generator.normal(size=(1, samples))
    differences = np.exp(generator.normal(size=(1, samples))) - np.exp(0.5)
    return Scored([first, first + differences])


def run_both_tests(scored: Scored, n_resamples: int = 200) -> tuple[PairResults, float]:
    """Test two systems with ``bootstrap_t``, and return the p-value of randomization as well.

    Randomization is for single runs; its p-value is NaN for several.
    """
    tables, p_value = [], math.nan
    for rows in scored.systems:
        for row in rows:
            statistic = make_mean_statistic(row, 16.0, scored.clusters)
            if scored.clusters is not None:
                statistic = sum_clusters(statistic, scored.clusters)
            table = join_statistics([statistic])
            tables.append(
                SystemScores({"x": float(row.mean())}, {"x": row}, table, {"x": None}, {"x": 1})
            )
    if len(tables) == 2:
        # 1,024 swaps are all swaps of 10 samples.
        swapped = approximate_randomization([each.table for each in tables], 1024, seed=1)
        p_value = float(swapped.p_values[0, 0])
    else:
        tables = average_runs(tables, np.repeat([0, 1], len(tables) // 2).tolist())
    part = Part(None, scored.systems[0].shape[1], scored.clusters)
    design = check_design(test="bootstrap_t", n_resamples=n_resamples, seed=1)
    return run_tests(tables, [(0, 1)], design, units=part.effective_clusters), p_value


def list_cases() -> Iterator[tuple[str, Callable[[np.random.Generator], Scored]]]:
    """Iterate over the hard cases, each with its name."""
    for samples, expected in ((10, 1), (30, 1), (30, 2), (30, 5), (100, 2), (100, 5)):
        yield (
            f"{samples} samples, {expected} expected to score 1, the others 0",
            lambda generator, a=samples, b=expected: draw_rare(generator, a, b),  # type: ignore[misc]
        )
    for clusters in (10, 20, 50, 100):
        for spread in (0.0, 1.0, 1.5):
            yield (
                f"{clusters} clusters, logarithms of sizes vary by {spread}",
                lambda generator, a=clusters, b=spread: draw_clusters(generator, a, b),  # type: ignore[misc]
            )
    for runs in (2, 3, 5):
        for first, second in ((0.0, 0.0), (0.05, 0.05), (0.3, 0.3), (0.0, 0.3)):
            yield (
                f"{runs} runs, standard deviations {first} and {second}",
                lambda generator, a=runs, b=first, c=second: draw_runs(generator, a, b, c),  # type: ignore[misc]
            )
    for samples in (10, 100):
        yield (
            f"{samples} samples, lognormal differences",
            lambda generator, a=samples: draw_skewed(generator, a),  # type: ignore[misc]
        )


def make_table_of_cases(sets: int) -> Table:
    """Make a table with a row per hard case; all shares are of the test sets."""
    table = Table(
        *("case", "difference", "score", "score, if it is not warned of", "warned of"),
        *("bootstrap_t errs", "randomization errs"),
        title=f"{sets:,} test sets of generated scores",
        box=MARKDOWN,
    )
    for place, (name, draw) in enumerate(list_cases()):
        generator = np.random.default_rng(place)
        results: dict[str, list[bool]] = {
            name: [] for name in ("difference", "score", "warned", "errs", "swapped")
        }
        for _ in range(sets):
            scored = draw(generator)
            tested, swapped = run_both_tests(scored)
            delta = float(scored.systems[1].mean() - scored.systems[0].mean())
            margin, p = tested.margins[0, 0], tested.p_values[0, 0]
            low, high = tested.low[0, 0], tested.high[0, 0]
            # An interval that is refused holds nothing wrong, and finds nothing.
            results["difference"].append(bool(np.isnan(margin) or abs(delta) <= margin))
            results["score"].append(bool(np.isnan(low) or low <= scored.mean <= high))
            is_shared = len(scored.systems[0]) == 1 and share_one_score(scored.systems[0][0])
            results["warned"].append(bool(np.isnan(low) or is_shared))
            results["errs"].append(bool(p <= 0.05))
            results["swapped"].append(swapped <= 0.05)
        shares = {key: np.array(values) for key, values in results.items()}
        unwarned = shares["score"][~shares["warned"]]
        table.add_row(
            name,
            *(f"{shares[key].mean():.3f}" for key in ("difference", "score")),
            f"{unwarned.mean():.3f}" if len(unwarned) else "",
            *(f"{shares[key].mean():.3f}" for key in ("warned", "errs")),
            "" if math.isnan(swapped) else f"{shares['swapped'].mean():.3f}",
        )
    return table


def main(
    sets: Annotated[int, typer.Option(help="Test sets of each size.")] = 500,
) -> None:
    """Print all tables."""
    # Test sets are small on purpose.
    warnings.simplefilter("ignore")
    console = Console(width=180)
    console.print(f"Python {platform.python_version()}, NumPy {np.__version__}")
    population = write_population(np.random.default_rng(0))
    console.print(f"{len(population.scorers['A']):,} samples in {DOCUMENTS:,} documents")
    for name, scores in population.scores.items():
        console.print(name, ", ".join(f"{score} {scores[score]:.4f}" for score in SCORES))
    keys = [(kind, score) for kind in ("difference", "score", *TESTS) for score in SCORES]
    for unit, sizes in (("samples", SAMPLES), ("clusters", CLUSTERS)):
        own = [*keys, ("compute", "rougeL")] if unit == "samples" else keys
        table = Table(
            *(unit, *(f"{kind.removeprefix('approximate_')}, {score}" for kind, score in own)),
            title=f"Share of {sets:,} test sets: intervals of 95% that hold the true value, and "
            "equal systems with p of at most 0.05",
            box=MARKDOWN,
        )
        for units in sizes:
            hits = count_hits(population, units, sets, is_clustered=unit == "clusters")
            table.add_row(f"{units}", *(f"{hits[key] / sets:.3f}" for key in own))
        console.print(table)
    console.print(make_table_of_cases(2 * sets))


if __name__ == "__main__":
    typer.run(main)

"""How often intervals of agreement with people hold the true value: ``meta_evaluate``.

    python bench/agreement_coverage.py [DATA SETS]

Systems have qualities, items difficulties, and a metric errors of its own for each system; all are
drawn from normal distributions, and ratings are rounded to whole numbers. The true value at the
level of systems is that of 3,000 systems with as many items, and at the level of segments the
mean of 300 data sets of the same size. Both systems and items are resampled.
"""

import sys

import numpy as np

from bleu_rouge_metric import MetaEvaluation, meta_evaluate

SIZES = [(5, 50), (8, 50), (12, 50), (12, 200), (30, 50)]
COEFFICIENTS = ("pearson", "spearman", "kendall_b", "calibrated_accuracy")
LEVELS = ("system", "segment")


def draw(generator: np.random.Generator, n_systems: int, n_items: int) -> list[np.ndarray]:
    """Draw ratings and scores, each of the shape (systems, items)."""
    quality = generator.normal(size=(n_systems, 1))
    items = generator.normal(size=(1, n_items))
    noise = generator.normal(size=(2, n_systems, n_items))
    ratings = np.rint(3 + 0.7 * quality + 0.3 * items + 0.7 * noise[0])
    errors = 0.5 * generator.normal(size=(n_systems, 1))
    return [ratings, 0.7 * quality + errors + 0.5 * items + 0.5 * noise[1]]


def evaluate(matrices: list[np.ndarray], level: str, resamples: int) -> MetaEvaluation:
    """Compare the scores with the ratings."""
    human, scores = ({str(number): row for number, row in enumerate(matrix)} for matrix in matrices)
    coefficients = [name for name in COEFFICIENTS if (level, name) != ("system", COEFFICIENTS[-1])]
    return meta_evaluate(
        {"m": scores}, human, level=level, coefficients=coefficients, n_resamples=resamples
    )


def find_true(n_systems: int, n_items: int, level: str) -> dict[str, float]:
    """Return the true value of each coefficient."""
    generator = np.random.default_rng([n_systems, n_items])
    shape, sets = ((3000, n_items), 1) if level == "system" else ((n_systems, n_items), 300)
    values: dict[str, list[float]] = {}
    for _ in range(sets):
        for row in evaluate(draw(generator, *shape), level, 1).rows:
            values.setdefault(row.coefficient, []).append(row.value or 0)
    return {name: float(np.mean(numbers)) for name, numbers in values.items()}


def main() -> None:
    """Print one line per size and level."""
    sets = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    print(f"95% intervals of {sets} data sets, 300 resamples")
    for size in SIZES:
        for level in LEVELS:
            true = find_true(*size, level)
            held = dict.fromkeys(true, 0)
            for seed in range(sets):
                generator = np.random.default_rng([*size, seed])
                for row in evaluate(draw(generator, *size), level, 300).rows:
                    held[row.coefficient] += (
                        (row.low or 0) <= true[row.coefficient] <= (row.high or 0)
                    )
            shares = ", ".join(f"{name} {count / sets:.2f}" for name, count in held.items())
            print(f"{size[0]} systems, {size[1]} items, {level}: {shares}", flush=True)


if __name__ == "__main__":
    main()

"""How often a study of the size that ``required_samples`` returns finds the difference.

    python bench/planned_power.py [STUDIES]

Two systems get words of generated texts wrong, B fewer than A. Pilots are the first texts, studies
are drawn from all 2,000; the difference to find is that of all. ``compare_systems`` tests it in
each study, by approximate randomization with 1,000 resamples.
"""

import sys
from typing import Any

import numpy as np

from bleu_rouge_metric import compare_systems, required_samples

TEXTS = 2000
WORDS = np.array([f"w{number}" for number in range(60)])


def write_texts(generator: np.random.Generator) -> list[np.ndarray]:
    """Draw the references."""
    return [generator.choice(WORDS, generator.integers(6, 20)) for _ in range(TEXTS)]


def corrupt(texts: list[np.ndarray], share: float, generator: np.random.Generator) -> list[str]:
    """Replace a share of the words, more in some texts than in others."""
    return [
        " ".join(
            np.where(
                generator.random(len(words)) < share * generator.uniform(0, 2),
                generator.choice(WORDS, len(words)),
                words,
            )
        )
        for words in texts
    ]


def main() -> None:
    """Print one line per score, power and pilot."""
    studies = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    generator = np.random.default_rng(0)
    words = write_texts(generator)
    references = list(map(" ".join, words))
    systems = {"A": corrupt(words, 0.30, generator), "B": corrupt(words, 0.26, generator)}

    def compare(indices: np.ndarray, score: str, resamples: int) -> Any:
        family: Any = "bleu" if score == "bleu" else "rouge"
        options: Any = {} if score == "bleu" else {"rouge_types": [score]}
        chosen = {name: [texts[i] for i in indices] for name, texts in systems.items()}
        return compare_systems(
            chosen,
            [references[i] for i in indices],
            family=family,
            n_resamples=resamples,
            **options,
        )

    for score in ("bleu", "rouge1"):
        difference = compare(np.arange(TEXTS), score, 1).rows[-1].delta
        for power in (0.5, 0.8, 0.9):
            for pilot_size in (50, 200, TEXTS):
                pilot = compare(np.arange(pilot_size), score, 1)
                size = required_samples(pilot, difference, power=power)
                found = 0
                for _ in range(studies):
                    row = compare(generator.integers(0, TEXTS, size.n_samples), score, 1000).rows[
                        -1
                    ]
                    found += row.p_value <= 0.05 and row.delta > 0
                print(
                    f"{score}, pilot of {pilot_size:,}: power {power} asked, {size.n_samples:,} "
                    f"samples [{size.low:,}, {size.high:,}], found in {found / studies:.2f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()

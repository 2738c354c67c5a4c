"""The parts of CodeXGLUE's arithmetic, by which it differs from evaluate's BLEU."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from ..base import Floats, Output, Scoring, Value
from ..counts import SampleCounts
from .formula import average

PLAIN: Final = "max_order, smoothing, weights, reference_length and effective_order have no effect"
MEAN: Final = "the mean of the BLEU of each sample, not the BLEU of all counts together"
SMOOTHED: Final = (
    "1 is added to the matches and the n-grams of each order above 1, and to both lengths of the "
    "brevity penalty; without a match of a single token the score is close to 0 but not 0"
)
PERCENTAGES: Final = "percentages, from 0 to 100"


@dataclass(frozen=True, kw_only=True)
class MeanOfSentences(Scoring[Any]):
    """The mean of evaluate's BLEU of each sample, a step of a comparison.

    Attributes:
        bleu: evaluate's.
    """

    bleu: Scoring[Any]

    def score(self, counts: SampleCounts, output: Output, seed: int) -> dict[str, Value]:
        """Return the mean."""
        del output, seed
        samples = self.score_samples(counts)
        return {
            name: average(scores.tolist(), len(scores), self.scale)
            for name, scores in samples.items()
        }

    def score_samples(self, counts: SampleCounts) -> Mapping[str, Floats]:
        """Return BLEU of every sample."""
        return self.bleu.score_samples(counts)

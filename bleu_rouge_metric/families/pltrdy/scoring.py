"""How the counts of ``rouge`` and ``rouge-chinese`` become scores."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..base import Floats, PairScore
from ..counts import SampleCounts
from ..rouge.formulas import RougeScores
from ..rouge.parts import PartScoring
from .counting import ARRAY, PltrdyCounting
from .pairs import prepare_counts, score_triple
from .types import to_type

if TYPE_CHECKING:
    from ...matching.explained import Explained
    from ...matching.tokens import FoundTokens


@dataclass(frozen=True, kw_only=True)
class PltrdyScoring(PartScoring[PltrdyCounting]):
    """ROUGE of one reference; of all samples the mean."""

    keys: ClassVar[Mapping[str, str]] = {"r": "recall", "p": "precision", "f": "fmeasure"}

    def score_parts(self, counts: SampleCounts) -> Iterator[tuple[str, RougeScores]]:
        """Iterate over the scores by name, those of every sample: arrays of shape (samples,)."""
        for name, triples in zip(self.names, counts[ARRAY].swapaxes(0, 1), strict=True):
            yield name, score_triples(triples)

    def average(self, values: Floats) -> float:
        """Return the mean of the samples, summed from the first to the last."""
        return average(values)

    def name_compared(self, score: str) -> str:
        """Return the name of the type in the other profiles."""
        return to_type(score) or score

    def prepare_pair(self, counting: PltrdyCounting) -> PairScore | None:
        """Prepare the F-measures of single pairs."""
        count = prepare_counts(counting)
        if count is None:
            return None

        def score(prediction: str, references: list[str]) -> tuple[list[float], bool]:
            triples = count(prediction, references)
            has_totals = all(predicted and referred for _, predicted, referred in triples)
            return [score_triple(*triple)[2] for triple in triples], has_totals

        return score

    def explain(
        self, counting: PltrdyCounting, texts: Sequence["FoundTokens"], counts: SampleCounts
    ) -> "Explained":
        """Explain each score."""
        from .explanation import explain_pltrdy

        return explain_pltrdy(counting, texts, counts[ARRAY][0], dict(self.score_parts(counts)))


def score_triples(triples: Any) -> RougeScores:
    """Compute recall, precision and F-measure.

    Args:
        triples: shape (pairs, 3): hits, total of the prediction, total of the reference.

    >>> score_triples(np.array([[1, 1, 2]])).fmeasure.tolist()
    [0.6666666622222223]
    """
    hits, predicted, referred = triples.T
    # Parity: f_r_p_rouge_n of rouge 1.0.1. Without a total, precision or recall is 0.
    precision = hits / np.maximum(predicted, 1)
    recall = hits / np.maximum(referred, 1)
    return RougeScores(precision, recall, measure(precision, recall))


def measure(precision: Floats, recall: Floats) -> Floats:
    """Compute the F-measure of precisions and recalls."""
    # Parity: the 1e-8 of the library, and the order of its operations.
    scores: Floats = 2.0 * ((precision * recall) / ((precision + recall) + 1e-8))
    return scores


def average(values: Floats, count: int | None = None) -> float:
    """Return the mean of at least one score, or their sum divided by a number.

    >>> average(np.array([0.1, 0.2, 0.3]))
    0.20000000000000004
    """
    # Parity: Rouge._get_avg_scores adds from the left. np.sum adds pairwise, and Python's sum
    # carries the rounding errors along since 3.12.
    return float(np.add.accumulate(values)[-1]) / (len(values) if count is None else count)

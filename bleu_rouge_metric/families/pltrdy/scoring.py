"""How the counts of ``rouge`` and ``rouge-chinese`` become scores."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ..base import Floats, PairScore
from ..counts import SampleCounts
from ..rouge.formulas import RougeScores
from ..rouge.parts import PartScoring
from .counting import ARRAY, PltrdyCounting
from .formula import average, score_triple, score_triples
from .pairs import prepare_counts
from .types import to_type

if TYPE_CHECKING:
    from ...matching.texts import Explained, FoundTokens


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

"""How counts become the ROUGE-L of captions: of all samples, of each, and of single pairs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..base import Floats, Output, PairResult, PairScore, Value
from ..counts import SampleCounts
from ..rouge.counting import RougeCounting, read_rouge
from ..rouge.formulas import RougeScores
from ..rouge.parts import PartScoring
from .formula import average, score_numbers, score_samples

if TYPE_CHECKING:
    from ...matching.texts import Explained, FoundTokens

NAME: Final = "ROUGE_L"
TYPES: Final = ("rougeL",)


@dataclass(frozen=True, kw_only=True)
class CocoRougeScoring(PartScoring[RougeCounting]):
    """``ROUGE_L``: the largest precision and the largest recall of any reference."""

    def score_parts(self, counts: SampleCounts) -> Iterator[tuple[str, RougeScores]]:
        """Iterate over the one score with those of every sample."""
        numbers = read_rouge(counts, TYPES).of(*TYPES)
        yield NAME, score_samples(numbers, counts.offsets)

    def average(self, values: Floats) -> float:
        """Return NumPy's mean."""
        return average(values)

    def name_compared(self, score: str) -> str:
        """Return ``rougeL``."""
        return TYPES[0] if score == NAME else score

    def explain(
        self, counting: RougeCounting, texts: Sequence["FoundTokens"], counts: SampleCounts
    ) -> "Explained":
        """Explain ROUGE-L by the LCS with each reference."""
        from ...matching.texts import Explained
        from ..rouge.matches import list_lcs
        from .explanation import explain_score, list_notes

        explained = explain_score(read_rouge(counts, TYPES).of(*TYPES))
        lcs = {NAME: tuple(list_lcs(TYPES[0], texts, counting))}
        return Explained({}, lcs, {"rouge": {NAME: explained}}, list_notes(NAME, explained))

    def prepare_pair(self, counting: RougeCounting) -> PairScore | None:
        """Prepare the score of single pairs of texts."""
        if not counting.counts_pairs:
            return None
        pairs, _ = counting.count_pairs(TYPES)
        count = pairs.count

        def score(prediction: str, references: list[str]) -> tuple[tuple[float], bool]:
            numbers = count(prediction, references)
            return score_numbers(numbers)[2:], all(numbers[1::3]) and all(numbers[2::3])

        return score

    def prepare_result(self, counting: RougeCounting, output: Output) -> PairResult | None:
        """Prepare the result of single pairs without resampling."""
        is_resampled = self.find_random_stream(output) is not None
        if not counting.counts_pairs or not output.use_aggregator or is_resampled:
            return None
        pairs, _ = counting.count_pairs(TYPES)
        count, keys, detailed = pairs.count, tuple(self.keys), output.detailed

        def score(prediction: str, references: list[str]) -> dict[str, Value] | None:
            numbers = count(prediction, references)
            if not (all(numbers[1::3]) and all(numbers[2::3])):
                return None
            parts = score_numbers(numbers)
            return {NAME: dict(zip(keys, parts, strict=True)) if detailed else parts[2]}

        return score

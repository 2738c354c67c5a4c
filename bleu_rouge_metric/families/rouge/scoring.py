"""How ROUGE's counts become scores: of all samples, of each, and of single pairs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..base import Floats, Output, PairResult, PairScore, RandomStream, Scoring, Value
from ..counts import SampleCounts
from .counting import RougeCounting, read_rouge
from .formulas import RougeScores, prepare_best
from .pairs import prepare_rouge
from .references import score_samples
from .rules import RougeRules
from .summary import summarize

if TYPE_CHECKING:
    from ...matching.explained import Explained
    from ...matching.tokens import FoundTokens


@dataclass(frozen=True, kw_only=True)
class RougeScoring(Scoring[RougeCounting]):
    """ROUGE by one formula.

    Attributes:
        rules: how counts become scores.
        types: what is counted for each type that is requested.
        stream: what draws resamples: ROUGE-1.5.5 has a fixed random stream.
    """

    rules: RougeRules
    types: Mapping[str, str]
    stream: RandomStream = "seeded"

    @property
    def counted(self) -> tuple[str, ...]:
        """Return the types that are counted, each once."""
        return tuple(dict.fromkeys(self.types.values()))

    def score_parts(self, counts: SampleCounts) -> Iterator[tuple[str, RougeScores]]:
        """Iterate over the types with the scores of every sample, arrays of shape (samples,)."""
        arrays, offsets = read_rouge(counts, self.counted), counts.offsets
        for name, counted in self.types.items():
            yield name, score_samples(arrays.of(counted), offsets, self.rules, counted)

    def score(self, counts: SampleCounts, output: Output, seed: int) -> dict[str, Value]:
        """Return each type, with its interval if one is requested."""
        stream = self.find_random_stream(output)
        return summarize(self.score_parts(counts), output, stream, seed)

    def score_system(
        self, counts: SampleCounts, output: Output, seed: int
    ) -> tuple[dict[str, float], Mapping[str, Floats]]:
        """Return each type, and the F-measures of every sample."""
        scores = list(self.score_parts(counts))
        plain = output.plain
        values: Any = summarize(scores, plain, self.find_random_stream(plain), seed)
        return values, {name: parts.fmeasure for name, parts in scores}

    def score_samples(self, counts: SampleCounts) -> Mapping[str, Floats]:
        """Return the F-measures of every sample."""
        return {name: scores.fmeasure for name, scores in self.score_parts(counts)}

    def list_sample_scores(
        self, counts: SampleCounts, *, detailed: bool
    ) -> Mapping[str, Sequence[float]]:
        """Return the F-measures, or ``rouge1_precision`` and so on."""
        if not detailed:
            return super().list_sample_scores(counts, detailed=detailed)
        return {
            f"{name}_{part}": values.tolist()
            for name, scores in self.score_parts(counts)
            for part, values in scores._asdict().items()
        }

    def find_random_stream(self, output: Output) -> RandomStream | None:
        """Return which random stream draws resamples; None if none does."""
        return self.stream if output.resamples_means else None

    def explain(
        self, counting: RougeCounting, texts: Sequence["FoundTokens"], counts: SampleCounts
    ) -> "Explained":
        """Explain each type."""
        from ...matching.explained import Explained
        from .explanation import explain_rouge, list_zeros
        from .matches import list_lcs, match_rouge

        scores = explain_rouge(read_rouge(counts, counting.types), self.rules, self.types)
        matches = {
            name: found
            for name, counted in self.types.items()
            if (found := tuple(match_rouge(counted, texts, counting)))
        }
        lcs = {
            name: pairs
            for name, counted in self.types.items()
            if (pairs := tuple(list_lcs(counted, texts, counting)))
        }
        return Explained(matches, lcs, {"rouge": scores}, list_zeros(scores))

    def prepare_pair(self, counting: RougeCounting) -> PairScore | None:
        """Prepare the F-measures of single pairs."""
        if not counting.counts_pairs:
            return None
        return prepare_rouge(counting, self.rules, tuple(self.types.values()))

    def prepare_result(self, counting: RougeCounting, output: Output) -> PairResult | None:
        """Prepare the result of single pairs without resampling."""
        rules = self.rules
        is_plain = rules.formula == "exact" and rules.multi_reference == "best"
        if not is_plain or rules.beta == float("inf") or not counting.counts_pairs:
            return None
        if output.resamples_means or not output.use_aggregator:
            return None
        pairs, columns = counting.count_pairs(tuple(self.types.values()))
        score_best = prepare_best(columns, pairs.width, rules.beta * rules.beta)
        names, fields, detailed = self.names, RougeScores._fields, output.detailed

        def score(prediction: str, references: list[str]) -> dict[str, Value] | None:
            numbers = pairs.count(prediction, references)
            # A text without tokens has no total. Nor has one that is too short for an order; it
            # uses the slow path needlessly.
            if not (all(numbers[1::3]) and all(numbers[2::3])):
                return None
            parts = score_best(numbers)
            if detailed:
                return {
                    name: dict(zip(fields, part, strict=True))
                    for name, part in zip(names, parts, strict=True)
                }
            return {name: part[2] for name, part in zip(names, parts, strict=True)}

        return score

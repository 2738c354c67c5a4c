"""How ROUGE's counts become scores: of all samples, of each, and of single pairs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..base import Output, PairResult, PairScore, Value
from ..counts import SampleCounts
from .counting import RougeCounting, read_rouge
from .formulas import Parts, RougeScores, prepare_best
from .pairs import prepare_rouge
from .parts import PartScoring
from .references import score_samples
from .rules import RougeRules

if TYPE_CHECKING:
    from ...matching.texts import Explained, FoundTokens


@dataclass(frozen=True, kw_only=True)
class RougeScoring(PartScoring[RougeCounting]):
    """ROUGE by one formula.

    Attributes:
        rules: how counts become scores.
        types: what is counted for each type that is requested.
    """

    rules: RougeRules
    types: Mapping[str, str]

    @property
    def counted(self) -> tuple[str, ...]:
        """Return the types that are counted, each once."""
        return tuple(dict.fromkeys(self.types.values()))

    def score_parts(self, counts: SampleCounts) -> Iterator[tuple[str, RougeScores]]:
        """Iterate over the types with the scores of every sample, arrays of shape (samples,)."""
        numbers, offsets = read_rouge(counts, self.counted).by_type(), counts.offsets
        for name, counted in self.types.items():
            yield name, score_samples(numbers[counted], offsets, self.rules, counted)

    def explain(
        self, counting: RougeCounting, texts: Sequence["FoundTokens"], counts: SampleCounts
    ) -> "Explained":
        """Explain each type."""
        from ...matching.texts import Explained
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
        keeps_words = counting.tokenizer.of_sentences is not None
        notes = list_zeros(scores, keeps_words=keeps_words)
        return Explained(matches, lcs, {"rouge": scores}, notes)

    def prepare_pair(self, counting: RougeCounting) -> PairScore | None:
        """Prepare the F-measures of single pairs."""
        if not counting.counts_pairs:
            return None
        return prepare_rouge(counting, self.rules, tuple(self.types.values()))

    def prepare_result(self, counting: RougeCounting, output: Output) -> PairResult | None:
        """Prepare the result of single pairs without resampling."""
        score_parts = self.prepare_parts(counting)
        if score_parts is None or not output.use_aggregator or self.find_random_stream(output):
            return None
        names, fields, detailed = self.names, RougeScores._fields, output.detailed

        def score(prediction: str, references: list[str]) -> dict[str, Value] | None:
            parts = score_parts(prediction, references)
            if parts is None:
                return None
            if detailed:
                return {
                    name: dict(zip(fields, part, strict=True))
                    for name, part in zip(names, parts, strict=True)
                }
            return {name: part[2] for name, part in zip(names, parts, strict=True)}

        return score

    def prepare_parts(
        self, counting: RougeCounting
    ) -> Callable[[str, list[str]], list[Parts] | None] | None:
        """Prepare precision, recall and F-measure of single pairs, by type; None as above."""
        rules = self.rules
        is_plain = rules.formula == "exact" and rules.multi_reference == "best"
        if not is_plain or rules.beta == float("inf") or not counting.counts_pairs:
            return None
        pairs, columns = counting.count_pairs(tuple(self.types.values()))
        score_best = prepare_best(columns, pairs.width, rules.beta * rules.beta)

        def score(prediction: str, references: list[str]) -> list[Parts] | None:
            numbers = pairs.count(prediction, references)
            # A text without tokens has no total. Nor has one that is too short for an order; it
            # uses the slow path needlessly.
            has_totals = all(numbers[1::3]) and all(numbers[2::3])
            return score_best(numbers) if has_totals else None

        return score

"""How ROUGE's counts become scores: of all samples, of each, and of single pairs."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...resampling.bootstrap import bootstrap_percentiles
from ...resampling.rouge155 import rouge155_intervals
from ...rounding import exact_mean
from ..base import Floats, Output, PairResult, PairScore, RandomStream, Scoring, Value
from ..counts import SampleCounts
from .counting import RougeCounting, read_rouge
from .formulas import Parts, RougeScores, prepare_best
from .pairs import prepare_rouge
from .references import score_samples
from .rules import RougeRules

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
        numbers, offsets = read_rouge(counts, self.counted).by_type(), counts.offsets
        for name, counted in self.types.items():
            yield name, score_samples(numbers[counted], offsets, self.rules, counted)

    def score(self, counts: SampleCounts, output: Output, seed: int) -> dict[str, Value]:
        """Return each type, with its interval if one is requested."""
        stream = self.find_random_stream(output)
        return _summarize(self.score_parts(counts), output, stream, seed)

    def score_system(
        self, counts: SampleCounts, output: Output, seed: int
    ) -> tuple[dict[str, float], Mapping[str, Floats]]:
        """Return each type, and the F-measures of every sample."""
        scores = list(self.score_parts(counts))
        plain = output.plain
        values: Any = _summarize(scores, plain, self.find_random_stream(plain), seed)
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
        is_resampled = not output.is_mean or output.confidence is not None
        return self.stream if output.use_aggregator and is_resampled else None

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


def _summarize(
    scores: Iterable[tuple[str, RougeScores]],
    output: Output,
    stream: RandomStream | None,
    seed: int,
) -> dict[str, Value]:
    """Return the value of each ROUGE type, and its interval if one is requested.

    Args:
        scores: of every sample by type.
        output: what the result contains.
        stream: what draws resamples: ``seeded`` as evaluate does, ``fixed`` as ROUGE-1.5.5 does;
            None without resampling.
        seed: of the random stream.
    """
    rows = (
        (name, np.stack(score) if output.detailed else score.fmeasure[np.newaxis])
        for name, score in scores
    )
    confidence = 0.95 if output.confidence is None else output.confidence
    result: dict[str, Value] = {}
    if stream is None:
        # One type at a time: the scores of all types need not be in memory together.
        for name, values in rows:
            result.update(_report(name, values, None, output))
    elif stream == "fixed":
        # Parity: the program draws the same samples for every type.
        types = dict(rows)
        bounds = rouge155_intervals(
            np.concatenate(list(types.values())), output.n_resamples, confidence
        )
        intervals = np.split(bounds[[1, 0, 2]], len(types), axis=1)
        for (name, values), interval in zip(types.items(), intervals, strict=True):
            result.update(_report(name, values, interval, output))
    else:
        # Parity: evaluate's rouge draws for one type after the other from one stream, seeded with
        # the seed given to evaluate.load, and takes the middle percentile.
        generator = np.random.RandomState(seed)
        for name, values in rows:
            interval = bootstrap_percentiles(values, output.n_resamples, generator, confidence)
            result.update(_report(name, values, interval, output))
    return result


def _report(
    name: str, rows: NDArray[np.float64], interval: NDArray[np.float64] | None, output: Output
) -> dict[str, Value]:
    """Return what a result contains for one ROUGE type.

    The rows are the parts of the scores of all samples, the interval has the low, middle and high
    mean of resampled samples of each part, and is None if nothing was resampled.
    """

    def pack(values: Any) -> Value:
        """Return the values by part, or the one value if there is only one part."""
        if output.detailed:
            return dict(zip(RougeScores._fields, values, strict=True))
        return values[0]

    if not output.use_aggregator:
        return {name: pack(rows.tolist())}
    if interval is None:
        return {name: pack(list(map(exact_mean, rows)))}
    low, middle, high = interval.tolist()
    value = list(map(exact_mean, rows)) if output.is_mean else middle
    if output.confidence is None:
        return {name: pack(value)}
    return {name: pack(value), f"{name}_low": pack(low), f"{name}_high": pack(high)}

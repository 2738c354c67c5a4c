"""How counts become CodeXGLUE's BLEU: of all samples, of each, and of single pairs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from ...resampling.draws import Statistic, average_sums, split_scores
from ..base import Floats, Output, PairResult, PairScore, Scoring, Value
from ..bleu.counting import BleuCounting, read_bleu
from ..bleu.scoring import prepare_counted
from ..counts import SampleCounts
from ..sums import Sums, add_intervals
from .formula import RULES, SCALE, average, list_precisions, score_lengths, score_samples

if TYPE_CHECKING:
    from ...matching.texts import Explained, FoundTokens

NAME: Final = "bleu"


@dataclass(frozen=True, kw_only=True)
class CodexglueScoring(Scoring[BleuCounting]):
    """CodeXGLUE's BLEU: the mean of samples, a percentage."""

    names: tuple[str, ...] = (NAME,)
    scale: int = int(SCALE)

    def score(self, counts: SampleCounts, output: Output, seed: int) -> dict[str, Value]:
        """Return BLEU and the precisions, each the mean of the samples."""
        arrays = read_bleu(counts)
        samples = len(counts.reference_counts)
        found = score_samples(arrays, counts.offsets)
        rows = map(list_precisions, arrays.matches.tolist(), arrays.prediction_lengths.tolist())
        scores: dict[str, Value] = {
            NAME: average(found, samples, self.scale),
            "precisions": [
                average(column, samples, self.scale) for column in zip(*rows, strict=True)
            ],
        }
        if output.confidence is not None:
            scores = add_intervals(
                scores,
                {NAME: self._make_sums(found)},
                n_resamples=output.n_resamples,
                confidence=output.confidence,
                seed=seed,
            )
        if output.per_sample:
            scores["sentence_bleu"] = self._scale(found)
        return scores

    def score_plainly(self, counts: SampleCounts, output: Output, seed: int) -> dict[str, float]:
        """Return BLEU alone."""
        return {NAME: self.score(counts, output.plain, seed)[NAME]}

    def score_samples(self, counts: SampleCounts) -> Mapping[str, Floats]:
        """Return BLEU of every sample, a percentage."""
        return {NAME: np.array(self._scale(score_samples(read_bleu(counts), counts.offsets)))}

    def list_sample_scores(
        self, counts: SampleCounts, *, detailed: bool
    ) -> Mapping[str, Sequence[float]]:
        """Return BLEU of every sample under the name that results give it."""
        del detailed
        return {"sentence_bleu": self.score_samples(counts)[NAME].tolist()}

    def _scale(self, scores: Sequence[float]) -> list[float]:
        return [score * self.scale for score in scores]

    def _make_sums(self, scores: Sequence[float]) -> Sums:
        """Return what the intervals of a mean are resampled from."""
        columns = split_scores(np.array(self._scale(scores)), self.scale)
        mean = partial(average_sums, largest=self.scale, samples=len(scores))
        return Sums(Statistic(columns, mean))

    def explain(
        self, counting: BleuCounting, texts: Sequence["FoundTokens"], counts: SampleCounts
    ) -> "Explained":
        """Explain the score as a product."""
        from ...matching.texts import Explained
        from ..bleu.explanation import match_bleu
        from .explanation import explain_score, list_notes

        product = explain_score(read_bleu(counts))
        matches = match_bleu(texts, counting.max_order)
        return Explained({NAME: matches}, {}, {NAME: product}, list_notes(product))

    def prepare_pair(self, counting: BleuCounting) -> PairScore | None:
        """Prepare the score of single pairs of texts."""
        if counting.uses_ids:
            return None
        scale = self.scale

        def score(matches: Sequence[int], length: int, reference_length: float) -> float:
            return score_lengths(matches, length, reference_length) * scale

        return prepare_counted(counting, RULES, score)

    def prepare_result(self, counting: BleuCounting, output: Output) -> PairResult | None:
        """Prepare the result of single pairs of texts, without ``sentence_bleu``."""
        if counting.uses_ids or output.per_sample:
            return None
        scale = self.scale

        def describe(
            matches: Sequence[int], length: int, reference_length: float
        ) -> dict[str, Value]:
            return {
                NAME: score_lengths(matches, length, reference_length) * scale,
                "precisions": [value * scale for value in list_precisions(matches, length)],
            }

        score_pair = prepare_counted(counting, RULES, describe)

        def score(prediction: str, references: list[str]) -> dict[str, Value] | None:
            (scores,), has_tokens = score_pair(prediction, references)
            return scores if has_tokens else None

        return score

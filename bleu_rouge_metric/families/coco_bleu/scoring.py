"""How counts become the BLEU scores of captions: of all samples, of each, and of single pairs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...resampling.draws import Statistic
from ..base import Floats, Output, PairResult, PairScore, Scoring, Value
from ..bleu.counting import BleuCounting, read_bleu
from ..bleu.scoring import prepare_counted
from ..counts import SampleCounts, shrink
from ..sums import Sums
from .formula import (
    RULES,
    make_columns,
    score_counts,
    score_lengths,
    score_rows,
    score_samples,
)

if TYPE_CHECKING:
    from ...matching.texts import Explained, FoundTokens


@dataclass(frozen=True, kw_only=True)
class CocoBleuScoring(Scoring[BleuCounting]):
    """The scores of captions: ``Bleu_1`` of order 1, ``Bleu_2`` of orders 1 and 2, and so on."""

    def score(self, counts: SampleCounts, output: Output, seed: int) -> dict[str, Value]:
        """Return the scores of all samples, and of each as a list per order."""
        arrays = read_bleu(counts)
        columns = make_columns(arrays, counts.offsets)
        length, reference_length, *numbers = columns.sum(axis=0).tolist()
        found = score_counts(numbers[::2], numbers[1::2], (length, reference_length))
        scores: dict[str, Value] = dict(zip(self.names, found, strict=True))
        scores = self.add_intervals(scores, counts, output, seed)
        if output.per_sample:
            scores["sentence_bleu"] = score_samples(arrays, counts.offsets)
        return scores

    def name_compared(self, score: str) -> str:
        """Return ``bleu`` for the score of the highest order."""
        return "bleu" if score == self.names[-1] else score

    def score_samples(self, counts: SampleCounts) -> Mapping[str, Floats]:
        """Return the scores of every sample."""
        found = score_samples(read_bleu(counts), counts.offsets)
        return {name: np.array(scores) for name, scores in zip(self.names, found, strict=True)}

    def sum(self, counts: SampleCounts) -> Mapping[str, Sums]:
        """Return the scores of summed counts; each needs the columns of its orders."""
        columns = shrink(make_columns(read_bleu(counts), counts.offsets))
        return {
            name: Sums(Statistic(columns[:, : 2 + 2 * order], score_rows))
            for order, name in enumerate(self.names, 1)
        }

    def explain(
        self, counting: BleuCounting, texts: Sequence["FoundTokens"], counts: SampleCounts
    ) -> "Explained":
        """Explain the score of the highest order as a product."""
        from ...matching.texts import Explained
        from ..bleu.explanation import match_bleu
        from .explanation import explain_scores, list_notes

        product = explain_scores(read_bleu(counts), self.names)
        matches = match_bleu(texts, counting.max_order)
        return Explained({self.names[-1]: matches}, {}, {"bleu": product}, list_notes(product))

    def prepare_pair(self, counting: BleuCounting) -> PairScore | None:
        """Prepare the scores of single pairs of texts."""
        if counting.uses_ids:
            return None
        score_pair = prepare_counted(
            counting, RULES._replace(max_order=counting.max_order), score_lengths
        )

        def score(prediction: str, references: list[str]) -> tuple[list[float], bool]:
            (scores,), has_tokens = score_pair(prediction, references)
            return scores, has_tokens

        return score

    def prepare_result(self, counting: BleuCounting, output: Output) -> PairResult | None:
        """Prepare the result of single pairs of texts, without ``sentence_bleu``."""
        score_pair = self.prepare_pair(counting)
        if score_pair is None or output.per_sample:
            return None

        def score(prediction: str, references: list[str]) -> dict[str, Value] | None:
            scores, has_tokens = score_pair(prediction, references)
            return dict(zip(self.names, scores, strict=True)) if has_tokens else None

        return score

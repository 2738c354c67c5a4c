"""Explain BLEU of one sample: as a product, with the n-grams that match, and why it is 0."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from ...counting.kernels import BleuCounts
from ...matching.ngrams import Matches, match_together
from ...matching.texts import FoundTokens, describe_missing
from ...tables import show
from .decomposition import BleuFactor, decompose_score, find_missing
from .rules import BleuRules
from .score import describe_statistics, score_sentences
from .statistics import gather_corpus


@dataclass(frozen=True)
class BleuExplanation:
    """BLEU as a product.

    Attributes:
        score: as ``metric.compute`` gives it for this sample alone; in [0, 1], with the profile
            ``sacrebleu`` in [0, 100]. NLTK's ``method5`` to ``method7`` may exceed 1.
        sentence_score: as ``metric.compute(..., sentence_bleu=True)`` gives it; in the same range.
        brevity_penalty: in [0, 1].
        exponent: its logarithm, min(0, 1 - r / c); None if the penalty is 0.
        prediction_length: c, tokens of the prediction.
        reference_length: r, tokens of a reference, as the option ``reference_length`` chooses.
        reference: index of that reference, the first one of that length; None for the average.
        reference_lengths: tokens of each reference.
        orders: what each order contributes.
        logarithm: of the score, as a fraction: ``exponent`` and all contributions; None if it is 0.
    """

    score: float
    sentence_score: float
    brevity_penalty: float
    exponent: float | None
    prediction_length: int
    reference_length: float
    reference: int | None
    reference_lengths: tuple[int, ...]
    orders: tuple[BleuFactor, ...]
    logarithm: float | None

    def describe(self) -> str:
        """Return BLEU as a product, in one line."""
        exponent = "minus infinity" if self.exponent is None else show(self.exponent)
        return (
            f"BLEU {show(self.score)}, sentence BLEU {show(self.sentence_score)}; brevity penalty "
            f"{show(self.brevity_penalty)} = exp({exponent}): prediction length "
            f"{self.prediction_length}, reference length {show(self.reference_length)}"
        )

    def list_factors(self) -> Iterator[list[object]]:
        """Iterate over a table row for each order."""
        for order in self.orders:
            contribution = "-inf" if order.contribution is None else order.contribution
            yield [*order[:-1], contribution]

    def find_reason(self) -> str:
        """Return why BLEU is 0."""
        if not self.prediction_length:
            return "the prediction has no token"
        if not any(self.reference_lengths):
            return "no reference has a token"
        missing = find_missing(self.orders)
        if missing is not None:
            return describe_missing(missing.order, missing.total)
        if not self.reference_length:
            return "a reference has no token"
        if not self.brevity_penalty:
            return "the prediction is so short that the brevity penalty is 0"
        return "the smoothing is not defined for these counts"


def explain_bleu(counts: BleuCounts, rules: BleuRules) -> BleuExplanation:
    """Explain BLEU of one sample; ``rules`` have at most one set of weights."""
    offsets = np.array([0, len(counts.reference_lengths)])
    statistics = gather_corpus(counts, offsets, rules)
    values = describe_statistics(statistics, rules)
    factors = decompose_score(statistics, rules)
    lengths = tuple(counts.reference_lengths.tolist())
    is_average = rules.reference_length == "average"
    return BleuExplanation(
        score=cast("float", values["score" if "score" in values else "bleu"]),
        sentence_score=cast("float", score_sentences(counts, offsets, rules)[0]),
        brevity_penalty=cast("float", values["bp" if "bp" in values else "brevity_penalty"]),
        exponent=factors.exponent,
        prediction_length=statistics.prediction_length,
        reference_length=statistics.reference_length,
        reference=None if is_average else lengths.index(statistics.reference_length),
        reference_lengths=lengths,
        orders=tuple(factors.orders),
        logarithm=factors.logarithm,
    )


def match_bleu(texts: Sequence[FoundTokens], max_order: int) -> tuple[Matches, ...]:
    """Match the n-grams of each order with those of all references together."""
    prediction, *references = [text.forms for text in texts]
    return match_together(prediction, references, max_order)

"""Explain the BLEU scores of one caption: as a product, with the n-grams that match."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...counting.kernels import BleuCounts
from ...matching.texts import describe_missing, join_names
from ...tables import show
from ..bleu.decomposition import BleuFactor
from .formula import make_columns, penalise, score_counts, smooth


@dataclass(frozen=True)
class CocoBleuExplanation:
    """The score of the highest order as a product, and those of the lower orders.

    Attributes:
        scores: by name, as ``metric.compute`` gives them for this sample alone; in [0, 1].
        brevity_penalty: in [0, 1].
        prediction_length: tokens of the prediction.
        reference_length: tokens of the closest reference; of two, of the shorter one.
        reference: index of that reference, the first one of that length.
        reference_lengths: tokens of each reference.
        orders: what each order contributes to the score of the highest order.
    """

    scores: dict[str, float]
    brevity_penalty: float
    prediction_length: int
    reference_length: int
    reference: int
    reference_lengths: tuple[int, ...]
    orders: tuple[BleuFactor, ...]

    @property
    def score(self) -> float:
        """Return the score of the highest order."""
        return [*self.scores.values()][-1]

    def describe(self) -> str:
        """Return the scores and the penalty, in one line."""
        shown = ", ".join(f"{name} {show(score)}" for name, score in self.scores.items())
        return (
            f"{shown}; brevity penalty {show(self.brevity_penalty)}: prediction length "
            f"{self.prediction_length}, reference length {self.reference_length}"
        )

    def list_factors(self) -> Iterator[list[object]]:
        """Iterate over a table row for each order."""
        for order in self.orders:
            yield [*order]


def explain_scores(counts: BleuCounts, names: Sequence[str]) -> CocoBleuExplanation:
    """Explain the scores of one sample, by name."""
    lengths = counts.reference_lengths.tolist()
    (row,) = make_columns(counts, np.array([0, len(lengths)])).tolist()
    length, reference_length, *numbers = row
    matches, totals = numbers[::2], numbers[1::2]
    scores = score_counts(matches, totals, (length, reference_length))
    penalty = penalise(length, reference_length)
    weight = 1 / len(names)
    return CocoBleuExplanation(
        scores=dict(zip(names, scores, strict=True)),
        brevity_penalty=1.0 if penalty is None else penalty,
        prediction_length=length,
        reference_length=reference_length,
        reference=lengths.index(reference_length),
        reference_lengths=tuple(lengths),
        orders=tuple(
            BleuFactor(
                order,
                match,
                total,
                match / total if total else 0.0,
                smooth(match, total),
                weight,
                weight * math.log(smooth(match, total)),
            )
            for order, (match, total) in enumerate(zip(matches, totals, strict=True), 1)
        ),
    )


def list_notes(explained: CocoBleuExplanation) -> list[str]:
    """List why scores are 0, or as good as 0."""
    names = [*explained.scores]
    if not explained.brevity_penalty:
        return [
            f"{join_names(names)} {'are' if len(names) > 1 else 'is'} 0: the brevity penalty is 0."
        ]
    for name, order in zip(names, explained.orders, strict=True):
        if not order.matches:
            reason = describe_missing(order.order, order.total)
            return [f"{name} is close to 0, as are the scores of higher orders: {reason}."]
    return []

"""Explain GLEU of one sample: the reference that it chooses, and the n-grams that match."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...counting.kernels import Integers
from ...matching.ngrams import Matches, match_ngrams
from ...matching.texts import FoundTokens
from ...tables import show
from .formula import choose_references, score_gleu


@dataclass(frozen=True)
class GleuExplanation:
    """Google's BLEU of one sample.

    Attributes:
        score: as ``metric.compute`` gives it; in [0, 1].
        reference: index of the reference that it chooses.
        matches: n-grams of all orders that match.
        total: n-grams of all orders of the prediction or of that reference, of the longer one.
    """

    score: float
    reference: int
    matches: int
    total: int

    def describe(self) -> str:
        """Return GLEU as a quotient, in one line."""
        return (
            f"Google BLEU {show(self.score)} = {self.matches} / {self.total}, "
            f"reference {self.reference}"
        )

    def list_factors(self) -> Iterator[list[object]]:
        """Iterate over table rows; there are none."""
        return iter(())


def explain_gleu(overlaps: Integers, min_order: int) -> GleuExplanation:
    """Explain Google's BLEU of one sample."""
    offsets = np.array([0, len(overlaps)])
    matches, totals, chosen = choose_references(overlaps, offsets, min_order)
    score = score_gleu(overlaps, offsets, min_order=min_order)["google_bleu"]
    return GleuExplanation(score, int(chosen[0]), int(matches[0]), int(totals[0]))


def match_gleu(texts: Sequence[FoundTokens], max_order: int) -> tuple[Matches, ...]:
    """Match the n-grams of each order with those of one reference after the other."""
    prediction, *references = [text.forms for text in texts]
    return tuple(
        match_ngrams(prediction, forms, index, order)
        for index, forms in enumerate(references)
        for order in range(1, max_order + 1)
    )

"""Explain CodeXGLUE's BLEU of one sample: as a product, with its smoothed precisions."""

import math

from ...counting.kernels import BleuCounts
from ...matching.texts import describe_missing
from ..bleu.decomposition import BleuFactor
from ..bleu.explanation import BleuExplanation
from .formula import ORDERS, SCALE, find_exponent, list_precisions, score_lengths, take_logarithm


def explain_score(counts: BleuCounts) -> BleuExplanation:
    """Explain BLEU of one sample."""
    (matches,) = counts.matches.tolist()
    (length,) = counts.prediction_lengths.tolist()
    lengths = counts.reference_lengths.tolist()
    shortest = min(lengths)
    score = score_lengths(matches, length, shortest) * SCALE
    exponent = find_exponent(length, shortest)
    precisions = list_precisions(matches, length)
    orders = []
    for order, (match, precision) in enumerate(zip(matches, precisions, strict=True), 1):
        total = max(0, length - order + 1)
        logarithm = take_logarithm(match, total, order)
        orders.append(
            BleuFactor(
                order,
                match,
                total,
                precision * SCALE,
                math.exp(logarithm) * SCALE,
                1 / ORDERS,
                logarithm / ORDERS,
            )
        )
    penalty = math.exp(exponent)
    contributions = [order.contribution or 0.0 for order in orders]
    return BleuExplanation(
        score=score,
        sentence_score=score,
        brevity_penalty=penalty,
        exponent=exponent if penalty else None,
        prediction_length=length,
        reference_length=shortest,
        reference=lengths.index(shortest),
        reference_lengths=tuple(lengths),
        orders=tuple(orders),
        logarithm=math.fsum([exponent, *contributions]) if score else None,
    )


def list_notes(product: BleuExplanation) -> list[str]:
    """List why a score is 0, or as good as 0."""
    if not product.score:
        return ["BLEU is 0: the prediction is too short for its references."]
    first = product.orders[0]
    if first.total and not first.matches:
        return [f"BLEU is close to 0: {describe_missing(first.order, first.total)}."]
    return []

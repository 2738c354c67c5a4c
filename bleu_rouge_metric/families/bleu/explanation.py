"""Explain BLEU of one sample: as a product, with the n-grams that match, and why it is 0.

log BLEU = min(0, 1 - r / c) + the sum over the orders of weight * log precision (Papineni et al.
2002, section 2.3). The precisions, weights and lengths are those that ``formula.py`` computes the
score from; the sum rounds differently, so that its exponential may differ in the last digits.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...counting.kernels import BleuCounts
from ...matching.texts import describe_missing
from ...messages import Argument, Message, format_message
from ...tables import show
from ...text.warnings import warn_caller
from ..counts import Offsets
from .formula import SCALES, choose_factors, find_exponent, list_weights, score_sentences
from .rules import BleuRules
from .score import describe_statistics
from .smoothing import smooth_precisions
from .statistics import BleuStatistics, gather_corpus


class BleuFactor(NamedTuple):
    """The contribution of one n-gram order.

    Attributes:
        order: n of the n-grams.
        matches: clipped n-gram matches.
        total: n-grams of the prediction.
        precision: before smoothing, in the scale of the score.
        smoothed: the precision that is averaged.
        weight: of the order; 0 if the order is left out.
        contribution: weight times the logarithm of the precision as a fraction; 0 for an order that
            does not count; None if the precision is 0, which makes the score 0.
    """

    order: int
    matches: int
    total: int
    precision: float
    smoothed: float
    weight: float
    contribution: float | None


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
    length, reference_length = statistics.totals[0], statistics.reference_length
    values: dict[str, Any] = describe_statistics(statistics, rules)
    orders, has_factors = _list_factors(statistics, rules)
    exponent = find_exponent(length, reference_length, rules.arithmetic)
    terms = [None if exponent == -math.inf else exponent]
    terms += [factor.contribution for factor in orders]
    known = [term for term in terms if term is not None]
    has_score = has_factors and len(known) == len(terms) and any(each.weight for each in orders)
    lengths = tuple(counts.reference_lengths.tolist())
    is_average = rules.reference_length == "average"
    return BleuExplanation(
        score=values["score" if "score" in values else "bleu"],
        sentence_score=score_sentences(counts, offsets, rules).tolist()[0],
        brevity_penalty=values["bp" if "bp" in values else "brevity_penalty"],
        exponent=terms[0],
        prediction_length=length,
        reference_length=reference_length,
        reference=None if is_average else lengths.index(reference_length),
        reference_lengths=lengths,
        orders=tuple(orders),
        logarithm=math.fsum(known) if has_score else None,
    )


def _list_factors(statistics: BleuStatistics, rules: BleuRules) -> tuple[list[BleuFactor], bool]:
    """Return the contribution of each order, and whether the score is made of them."""
    scale = SCALES[rules.arithmetic]
    unsmoothed = rules._replace(smooth="none", smooth_value=None)
    plain = smooth_precisions(statistics, unsmoothed, scale) or []
    smoothed = smooth_precisions(statistics, rules, scale)
    chosen = choose_factors(statistics, smoothed, rules, is_sentence=False)
    precisions, count = chosen or (smoothed or plain, rules.max_order)
    weights = list_weights(count, statistics.totals[0], rules)
    orders = [
        BleuFactor(
            index + 1,
            int(statistics.matches[index]),
            int(statistics.totals[index]),
            plain[index],
            precisions[index],
            weight,
            _weigh(weight, precisions[index] / scale, rules),
        )
        for index, weight in enumerate(weights)
    ]
    return orders, chosen is not None


def _weigh(weight: float, precision: float, rules: BleuRules) -> float | None:
    """Return the contribution of an order; None if it makes the score 0."""
    if precision > 0:
        return weight * math.log(precision) if weight else 0.0
    # Parity: NLTK's corpus_bleu leaves out precisions of 0.
    return 0.0 if not weight or rules.arithmetic == "nltk" else None


def find_missing(orders: Iterable[BleuFactor]) -> BleuFactor | None:
    """Return the first order that makes the score 0; None if there is none."""
    for factor in orders:
        if factor.contribution is None or (factor.order == 1 and not factor.matches):
            return factor
    return None


def warn_of_zero_bleu(counts: BleuCounts, offsets: Offsets, rules: BleuRules) -> bool:
    """Warn that BLEU is 0 although a token matches: name the order and the remedy, if known."""
    statistics = gather_corpus(counts, offsets, rules)
    orders, _ = _list_factors(statistics, rules)
    missing = find_missing(orders)
    # Else a reference is empty, or a smoothing is not defined for the counts.
    if missing is None or not statistics.matches[0] or not statistics.reference_length:
        return False
    subject = "the prediction" if len(counts.matches) == 1 else "the predictions"
    reason = describe_missing(missing.order, missing.total, subject)
    remedy = format_message("use {}.", _name_remedy(orders, missing, rules))
    warn_caller(format_message("BLEU is 0: {}", reason, remedy=remedy))
    return True


def _name_remedy(orders: list[BleuFactor], missing: BleuFactor, rules: BleuRules) -> Message:
    """Name the options that give a score above 0."""
    if not any(factor.weight and factor.total for factor in orders):
        return format_message("{weights} of shorter n-grams")
    remedies: list[object] = []
    # NLTK's method6 does not smooth the first two orders, so that fewer orders do not help.
    is_method6 = rules.smooth.startswith("method6")
    if missing.total or is_method6:
        remedies.append(Argument("smooth", "=", "exp"))
    if any(factor.weight and not factor.total for factor in orders):
        # No smoothing of sacrebleu helps there.
        remedies += [" and "] * bool(remedies) + [Argument("effective_order", "=", value=True)]
    if rules.weights is None and not is_method6:
        remedies += [", or ", Argument("max_order", "=", missing.order - 1)]
    return Message(remedies)

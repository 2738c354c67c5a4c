"""Take a BLEU score apart: the logarithm of BLEU as a sum with a summand for each order.

log BLEU = min(0, 1 - r / c) + the sum over the orders of weight * log precision (Papineni et al.
2002, section 2.3). The precisions, weights and lengths are those that ``formula.py`` computes the
score from; the sum rounds differently, so that its exponential may differ in the last digits.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ...counting.kernels import BleuCounts
from ...messages import Argument, Message, format_message
from ...text.warnings import warn_caller
from ..counts import Offsets
from .formula import SCALES, adapt_weights, choose_factors, find_exponent
from .rules import BleuRules
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


class BleuFactors(NamedTuple):
    """A score as a product.

    Attributes:
        exponent: the logarithm of the brevity penalty; None if the penalty is 0.
        orders: one for each order, from 1 to ``max_order``.
        logarithm: of the score as a fraction: the sum of all; None if the score is 0.
    """

    exponent: float | None
    orders: list[BleuFactor]
    logarithm: float | None


def decompose_score(statistics: BleuStatistics, rules: BleuRules) -> BleuFactors:
    """Take the corpus score of some statistics apart.

    Args:
        statistics: of the corpus, which may be one sample.
        rules: with at most one set of weights.

    Returns:
        The factors; their product differs from the score in the last digits at most.

    Raises:
        ValueError: there are several sets of weights.

    >>> statistics = BleuStatistics([3, 2], [4, 3], [4, 3], 4, 4, [3, 2], 4)
    >>> factors = decompose_score(statistics, BleuRules(max_order=2))
    >>> factors.logarithm == 0.5 * math.log(3 / 4) + 0.5 * math.log(2 / 3)
    True
    """
    scale = SCALES[rules.arithmetic]
    unsmoothed = rules._replace(smooth="none", smooth_value=None)
    plain = smooth_precisions(statistics, unsmoothed, scale) or []
    smoothed = smooth_precisions(statistics, rules, scale)
    chosen = choose_factors(
        statistics,
        smoothed,
        rules,
        leaves_out_orders=rules.leaves_out_orders(is_sentence=False),
    )
    precisions, count = chosen or (smoothed or plain, rules.max_order)
    weights = _list_weights(statistics, count, rules)
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
    exponent = find_exponent(
        statistics.prediction_length, statistics.reference_length, rules.arithmetic
    )
    terms = [None if exponent == -math.inf else exponent]
    terms += [factor.contribution for factor in orders]
    known = [term for term in terms if term is not None]
    has_score = chosen is not None and len(known) == len(terms) and any(weights)
    return BleuFactors(terms[0], orders, math.fsum(known) if has_score else None)


def _list_weights(statistics: BleuStatistics, orders: int, rules: BleuRules) -> list[float]:
    """Return a weight for each order; 0 for one that is left out."""
    (weights,) = rules.weights or (None,)
    adapted = adapt_weights(weights, orders, statistics.prediction_length, rules)
    found = [1.0 / adapted] * adapted if isinstance(adapted, int) and adapted else adapted or []
    return [*found, *[0.0] * rules.max_order][: rules.max_order]


def _weigh(weight: float, precision: float, rules: BleuRules) -> float | None:
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


# Only the score of all samples together warns: a BLEU of 0 is ordinary for a single sentence, so
# lists of sentence scores and ``PairScorer`` do not warn. Scores of groups and of resamples do not
# either.


def is_unexpected_zero(scores: Mapping[str, Any]) -> bool:
    """Return whether BLEU is 0 although a token matches.

    Args:
        scores: of all samples, by name.

    >>> is_unexpected_zero({"bleu": 0.0, "precisions": [0.5, 0.0]})
    True
    >>> is_unexpected_zero({"bleu": 0.0, "precisions": [0.0, 0.0]}), is_unexpected_zero({})
    (False, False)
    """
    # Fast path: without it nothing changes. A call with most scores takes 50 ns.
    if scores.get("bleu"):
        return False
    return bool(scores.get("bleu", scores.get("score")) == 0 and scores["precisions"][0] > 0)


def warn_of_zero_bleu(counts: BleuCounts, offsets: Offsets, rules: BleuRules) -> bool:
    """Warn that BLEU is 0 although a token matches; name the order and what to do.

    Args:
        counts: of all samples.
        offsets: int64, shape (samples + 1,); where the references of each sample start.
        rules: how the counts become BLEU.

    Returns:
        Whether it warned.
    """
    statistics = gather_corpus(counts, offsets, rules)
    orders = decompose_score(statistics, rules).orders
    missing = find_missing(orders)
    # Else a reference is empty, or a smoothing is not defined for the counts.
    if missing is None or not statistics.matches[0] or not statistics.reference_length:
        return False
    from ...matching.texts import describe_missing

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
    has_shorter = rules.weights is None and not is_method6
    if has_shorter:
        remedies += [", or ", Argument("max_order", "=", missing.order - 1)]
    return Message(remedies)

"""Compute BLEU: brevity penalty times the weighted geometric mean of the precisions.

Each formula does the floating-point operations of its library in the same order. Do not "simplify"
a formula: that changes last digits.
"""

import math
import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from .means import adapt_weights, average
from .penalty import penalise
from .rules import Arithmetic, BleuRules
from .smoothing import added_to_totals, smooth_precisions
from .statistics import BleuStatistics

SCALES: Final[dict[Arithmetic, float]] = {"hf": 1.0, "sacrebleu": 100.0, "nltk": 1.0}

# From the matches of each order, the prediction length and the reference length to BLEU.
SentenceScore = Callable[[Sequence[int], int, float], float]

# Fast path: up to this many n-grams of an order, the logarithms of all precisions are in a table,
# which equals computing them and takes 0.1 MB. By python -m timeit "score([14, 9, 6, 5], 17, 17)",
# a sentence takes 0.5 µs, and 0.9 with this at 0.
_MOST_TABLED: Final = 64


def score_statistics(
    statistics: BleuStatistics,
    precisions: Sequence[float] | None,
    penalty: float,
    rules: BleuRules,
    *,
    leaves_out_orders: bool,
) -> list[float]:
    """Compute one score per set of weights.

    Args:
        statistics: counts of the corpus or of one sample.
        precisions: smoothed precisions; None if they are undefined, which makes the score 0.
        penalty: brevity penalty.
        rules: arithmetic and weights.
        leaves_out_orders: whether orders are left out for which no prediction is long enough.
    """
    weight_sets = rules.weights or (None,)
    factors = choose_factors(statistics, precisions, rules, leaves_out_orders=leaves_out_orders)
    if factors is None:
        return [0.0] * len(weight_sets)
    precisions, orders = factors
    scores: list[float] = []
    for weights in weight_sets:
        adapted = adapt_weights(weights, orders, statistics.prediction_length, rules)
        scores.append(penalty * average(precisions, adapted, rules.arithmetic))
    return scores


def choose_factors(
    statistics: BleuStatistics,
    precisions: Sequence[float] | None,
    rules: BleuRules,
    *,
    leaves_out_orders: bool,
) -> tuple[Sequence[float], int] | None:
    """Return the precisions that are averaged, and how many of the orders count.

    The arguments are those of :func:`score_statistics`.

    Returns:
        None if the score is 0 whatever the precisions are.
    """
    if rules.arithmetic == "hf":
        # Parity: compute_bleu raises ZeroDivisionError for an empty text; here its score is 0.
        has_score = statistics.prediction_length and statistics.reference_length
    else:
        # Parity: sacrebleu and NLTK give 0 if there is no match, with any smoothing.
        has_score = statistics.matches[0]
    if not has_score or precisions is None:
        return None
    if rules.arithmetic == "nltk" and rules.smooth in ("none", "method0"):
        # Parity: with NLTK's default, method0, an order without a match makes the score tiny, not
        # 0.
        precisions = [precision or sys.float_info.min for precision in precisions]
    orders = rules.max_order
    if leaves_out_orders and not added_to_totals(rules):
        # Parity: in sacrebleu's compute_bleu, what add-k adds to the total counts as n-grams, so
        # no order is left out.
        orders -= statistics.totals[:orders].count(0)
    return precisions, orders


def prepare_sentence_score(rules: BleuRules) -> SentenceScore:
    """Return the function that computes sentence BLEU by the rules, which have no sets of weights.

    >>> prepare_sentence_score(BleuRules(max_order=2))([3, 2], 4, 4)
    0.7071067811865475
    """
    is_plain = rules.weights is None and not rules.auto_reweigh and rules.arithmetic != "nltk"
    if is_plain and rules.smooth in ("none", "exp"):
        return _prepare_plain(rules)
    scale, arithmetic = SCALES[rules.arithmetic], rules.arithmetic
    leaves_out_orders = rules.leaves_out_orders(is_sentence=True)

    def score(matches: Sequence[int], length: int, reference_length: float) -> float:
        statistics = make_statistics(matches, length, reference_length, rules)
        (value,) = score_statistics(
            statistics,
            smooth_precisions(statistics, rules, scale),
            penalise(length, reference_length, arithmetic),
            rules,
            leaves_out_orders=leaves_out_orders,
        )
        return value

    return score


def make_statistics(
    matches: Sequence[int], length: int, reference_length: float, rules: BleuRules
) -> BleuStatistics:
    """Make the statistics of one sample from its counts."""
    totals = [length - start if length > start else 0 for start in range(rules.counted_order)]
    denominators = totals
    if rules.arithmetic == "nltk":
        # Parity: as gather_corpus does for NLTK.
        denominators = [total or 1 for total in totals]
    return BleuStatistics(matches, totals, denominators, length, reference_length, matches, length)


def _prepare_plain(rules: BleuRules) -> SentenceScore:
    """Return the function for equal weights of evaluate and sacrebleu."""
    scale, arithmetic, most = SCALES[rules.arithmetic], rules.arithmetic, rules.max_order
    leaves_out_orders = rules.leaves_out_orders(is_sentence=True)
    is_smoothed, divides_last = rules.smooth == "exp", arithmetic == "sacrebleu"
    logarithms = _tabulate_logarithms(scale)

    def score(matches: Sequence[int], length: int, reference_length: float) -> float:
        # Fast path: equals the score of prepare_sentence_score, in less than half the time.
        if not (matches[0] if divides_last else length and reference_length):
            return 0.0
        orders = length if leaves_out_orders and length < most else most
        if length < orders:
            return 0.0
        weight = 1.0 if divides_last else 1.0 / orders
        divisor, logarithm, total = 1.0, 0.0, length
        for match in matches if orders == most else matches[:orders]:
            if match and total <= _MOST_TABLED:
                logarithm += weight * logarithms[total][match]
            elif match:
                logarithm += weight * math.log(scale * match / total)
            elif is_smoothed:
                divisor *= 2
                logarithm += weight * math.log(scale / (divisor * total))
            else:
                return 0.0
            total -= 1
        mean = math.exp(logarithm / orders if divides_last else logarithm)
        if length >= reference_length:
            return mean
        return penalise(length, reference_length, arithmetic) * mean

    return score


@cache
def _tabulate_logarithms(scale: float) -> list[list[float]]:
    """Return the logarithms of precisions by total and matches; none is read for no matches.

    Args:
        scale: 1.0 or 100.0.
    """
    return [
        [0.0, *(math.log(scale * match / total) for match in range(1, total + 1))]
        for total in range(_MOST_TABLED + 1)
    ]

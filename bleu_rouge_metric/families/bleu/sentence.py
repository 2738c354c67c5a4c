"""Compute BLEU of one sentence from its counts, with as few steps as Python allows.

The score equals that of ``formula.py`` bit for bit. Common rules have a function of their own.
"""

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from .formula import SCALES, penalise, score_statistics
from .rules import BleuRules
from .smoothing import smooth_precisions
from .statistics import BleuStatistics

# From the matches of each order, the prediction length and the reference length to BLEU.
SentenceScore = Callable[[Sequence[int], int, float], float]

# Fast path: up to this many n-grams of an order, the logarithms of all precisions are in a table,
# which equals computing them and takes 0.1 MB. By python -m timeit "score([14, 9, 6, 5], 17, 17)",
# a sentence takes 0.5 µs, and 0.9 with this at 0.
_MOST_TABLED: Final = 64


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
        # Fast path: equals the function of prepare_sentence_score, in less than half the time.
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

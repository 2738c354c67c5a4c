"""Smooth BLEU's n-gram precisions.

The methods 1 to 7 of Chen and Cherry (2014), "A Systematic Comparison of Smoothing Techniques for
Sentence-Level BLEU", with the formulas of the libraries: sacrebleu 2.6 (``floor``, ``add-k``,
``exp``), NLTK 3.10 (``method1`` to ``method7``), evaluate (``add-one``). Those that depend on
nothing but sums are computed for one sum of counts, and for many.

Not done here: how a precision of 0 is scored, and the score if nothing matches (``formula.py``).
"""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .rules import SMOOTHINGS, BleuRules
from .statistics import BleuStatistics

if TYPE_CHECKING:
    from fractions import Fraction

# NLTK's names of sacrebleu's smoothings. The formulas are the same, but the libraries divide by
# different numbers, and smooth in different cases.
SAME_SMOOTHINGS: Final = {
    "method0": "none",
    "method1": "floor",
    "method2": "add-k",
    "method3": "exp",
}

# Smoothings that are computed row by row, because they need NLTK's exact fractions.
SINGLE_SMOOTHINGS: Final = SMOOTHINGS[SMOOTHINGS.index("method4") :]


def smooth_precisions(
    statistics: BleuStatistics, rules: BleuRules, scale: float
) -> list[float] | None:
    """Compute the smoothed precisions of all orders; None if the smoothing is not defined.

    The scale is 1.0, or 100.0 for percentages; its place in a formula decides the last bit.

    >>> statistics = BleuStatistics([4, 3], [3, 0], [4, 3], 4, [3, 0], 4)
    >>> smooth_precisions(statistics, BleuRules(max_order=2, smooth="add-k", smooth_value=1), 1.0)
    [0.75, 0.25]
    """
    name = SAME_SMOOTHINGS.get(rules.smooth, rules.smooth)
    orders = slice(rules.max_order)
    pairs = zip(statistics.matches[orders], statistics.denominators[orders], strict=True)
    if name == "none":
        return [_divide(scale, match, total) for match, total in pairs]
    if name == "add-one":
        # Parity: evaluate's compute_bleu also smooths unigrams; Lin and Och (2004) smooth only
        # longer n-grams.
        return [scale * (match + 1.0) / (total + 1.0) for match, total in pairs]
    if name == "add-k":
        added = added_to_totals(rules)
        first = _divide(scale, *next(pairs))
        return [first, *(_divide(scale, match + added, total + added) for match, total in pairs)]
    if name == "floor":
        return [_divide(scale, match or rules.parameter, total) for match, total in pairs]
    if name == "exp":
        return _halve(pairs, scale)
    # Imported on demand, as it takes 5 ms.
    from fractions import Fraction

    # Parity: NLTK computes with exact fractions up to the logarithm, or until a float is added.
    exact = [Fraction(match, total or 1) for match, total in pairs]
    fractions = smooth_fractions(exact, statistics, rules)
    return None if fractions is None else [scale * float(fraction) for fraction in fractions]


def added_to_totals(rules: BleuRules) -> float:
    """Return the number that the smoothing adds to the n-grams and to the matches of an order."""
    if rules.smooth == "add-k":
        return rules.parameter
    return 1 if rules.smooth in ("add-one", "method2") else 0


def _divide(scale: float, matches: float, total: float) -> float:
    """Compute the precision of one order."""
    # Parity: sacrebleu's compute_bleu computes 100. * matches / total, and multiplies first.
    return scale * matches / total if total else 0.0


def _halve(pairs: Iterable[tuple[int, int]], scale: float) -> list[float]:
    """Apply method 3: half a match for the first order without one, a quarter for the next."""
    precisions: list[float] = []
    divisor = 1.0
    for match, total in pairs:
        if match or not total:
            precisions.append(_divide(scale, match, total))
        else:
            divisor *= 2
            precisions.append(scale / (divisor * total))
    return precisions


def smooth_fractions(
    precisions: Sequence["Fraction | float"], statistics: BleuStatistics, rules: BleuRules
) -> Sequence["Fraction | float"] | None:
    """Apply one of methods 4 to 7 to exact precisions; what is no fraction any more is a float."""
    from fractions import Fraction

    method, _, correction = rules.smooth.partition("-")
    if method == "method6":
        return _interpolate(precisions, statistics, rules.parameter, is_corrected=bool(correction))
    if method in ("method4", "method7"):
        precisions = _smooth_by_length(precisions, statistics, rules.parameter)
    if method == "method4":
        return precisions
    # Parity: NLTK's method5 always uses order 5 of the last sample as the order after the last one
    # (nltk#3903); the paper uses the next order of the corpus.
    order, matches, total = 5, statistics.last_matches, max(1, statistics.last_length - 4)
    if correction:
        order = rules.max_order + 1
        matches, total = statistics.matches, statistics.denominators[rules.max_order] or 1
    return _average_neighbours([*precisions, Fraction(matches[order - 1], total)])


def _smooth_by_length(
    precisions: Sequence["Fraction | float"], statistics: BleuStatistics, k: float
) -> list["Fraction | float"]:
    """Apply method 4: as method 3, in proportion to the logarithm of the predictions' length."""
    smoothed = list(precisions)
    # Parity: NLTK's method4 does not smooth a prediction of one token.
    length = statistics.totals[0]
    if length > 1:
        power = 1
        for order, precision in enumerate(precisions):
            total = statistics.denominators[order]
            if not precision and total:
                power *= 2
                share = 1 / (power * k / math.log(length))
                smoothed[order] = share / total
    return smoothed


def _average_neighbours(precisions: Sequence["Fraction | float"]) -> list["Fraction | float"]:
    """Apply method 5: the mean of the smoothed order below, the order itself and the one above."""
    # Parity: NLTK's method5 averages precisions; the paper averages numbers of matches.
    below = precisions[0] + 1
    smoothed: list[Fraction | float] = []
    for precision, above in pairwise(precisions):
        below = (below + precision + above) / 3
        smoothed.append(below)
    return smoothed


def _interpolate(
    precisions: Sequence["Fraction | float"],
    statistics: BleuStatistics,
    alpha: float,
    *,
    is_corrected: bool,
) -> list["Fraction | float"] | None:
    """Apply method 6: interpolate order 3 and above with an estimate from the two orders below."""
    # Parity: NLTK's method6 asserts a match of order 3, and raises IndexError if there are fewer
    # orders. The formula itself needs only a match of order 2, and smooths nothing below order 3.
    is_defined = all(precisions[1:2]) if is_corrected else any(precisions[2:3])
    if not is_defined:
        return None
    smoothed = list(precisions)
    for order in range(2, len(smoothed)):
        expected = smoothed[order - 1] ** 2 / smoothed[order - 2] if smoothed[order - 2] else 0
        # Parity: NLTK's method6 uses matches of the corpus, but n-grams of its last sample.
        total = statistics.totals[order] if is_corrected else statistics.last_length - order
        weight = max(total, 0) + alpha
        if not weight:
            return None
        smoothed[order] = (statistics.matches[order] + alpha * expected) / weight
    return smoothed


def smooth_rows(matches: Any, totals: Any, rules: BleuRules, scale: float) -> Any:
    """Compute ``smooth_precisions`` of many rows, for a smoothing that looks at nothing else.

    The matches and denominators are whole numbers as floats, shape (orders, rows).
    """
    name = SAME_SMOOTHINGS.get(rules.smooth, rules.smooth)
    if name == "add-one":
        return scale * (matches + 1) / (totals + 1)
    if name == "add-k":
        added = np.full((len(matches), 1), added_to_totals(rules), dtype=matches.dtype)
        added[0] = 0
        matches, totals = matches + added, totals + added
    scaled = scale * matches
    if name == "floor":
        scaled = np.where(matches == 0, np.array(scale * rules.parameter, matches.dtype), scaled)
    precisions = np.where(totals == 0, 0, scaled / np.where(totals == 0, 1, totals))
    if name == "exp":
        is_halved = (matches == 0) & (totals != 0)
        divisors = np.exp2(np.cumsum(is_halved, axis=0)).astype(matches.dtype)
        halved = scale / np.where(is_halved, divisors * totals, 1)
        precisions = np.where(is_halved, halved, precisions)
    return precisions

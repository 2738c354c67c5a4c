"""Compute CodeXGLUE's smoothed BLEU-4 of a sample, bit-identical to CodeT5's ``smooth_bleu.py``.

Smoothing "plus one" (Lin and Och 2004): 1 is added to the matches and n-grams of the orders above 1
and, unlike in the paper, to both lengths of the brevity penalty. The score of several samples is
their mean, a percentage. The order of the floating-point operations is part of the contract. Not
done here: counting, which is that of BLEU.
"""

import math
import sys
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...counting.kernels import BleuCounts
from ..bleu.rules import BleuRules
from ..bleu.statistics import choose_reference_lengths

# The orders of the n-grams.
ORDERS: Final = 4

# The score of a perfect sample.
SCALE: Final = 100.0

# Parity: CodeXGLUE takes the shortest reference.
RULES: Final = BleuRules(reference_length="shortest")

# Parity: CodeXGLUE adds the smallest normal float to every count, which changes only those of 0.
_LOGARITHM_OF_ZERO: Final = math.log(sys.float_info.min)


def score_lengths(matches: Sequence[int], length: int, reference_length: float) -> float:
    """Compute the score of one sample.

    Args:
        matches: clipped matches of the orders 1 to 4.
        length: tokens of the prediction, from which its n-grams follow.
        reference_length: tokens of the shortest reference.

    Returns:
        In (0, 1], or 0 if the prediction is very much shorter than the reference. Without any
        match it is close to 0.

    >>> score_lengths([2, 1, 0, 0], 2, 2), score_lengths([0, 0, 0, 0], 3, 3) < 1e-76
    (1.0, True)
    """
    logarithm = 0.0
    for index, match in enumerate(matches):
        logarithm += take_logarithm(match, max(0, length - index), index + 1)
    logarithm /= ORDERS
    logarithm += find_exponent(length, reference_length)
    return math.exp(logarithm)


def take_logarithm(match: int, total: int, order: int) -> float:
    """Return the logarithm of a smoothed precision."""
    # Parity: a difference of logarithms, not the logarithm of a quotient.
    added = 0 if order == 1 else 1
    return _log(match + added) - _log(total + added)


def find_exponent(length: int, reference_length: float) -> float:
    """Return the logarithm of the brevity penalty, 0 or less."""
    return min(0, 1 - (reference_length + 1) / (length + 1))


def list_precisions(matches: Sequence[int], length: int) -> list[float]:
    """Return the precision of each order, without smoothing.

    >>> list_precisions([1, 1, 0, 0], 2)[1:], list_precisions([0], 1)[0] < 1e-307
    ([1.0, 0.0, 0.0], True)
    """
    # Parity: an order without n-grams is 0, and one without a match is not quite.
    return [
        math.exp(_log(match) - _log(length - index)) if length > index else 0.0
        for index, match in enumerate(matches)
    ]


def score_samples(counts: BleuCounts, offsets: NDArray[np.int64]) -> list[float]:
    """Compute the score of every sample, as :func:`score_lengths` does.

    Args:
        counts: of the orders 1 to 4.
        offsets: int64, shape (samples + 1,); index at which the references of each sample start.
    """
    reference_lengths = choose_reference_lengths(counts, offsets, RULES).tolist()
    return list(
        map(
            score_lengths,
            counts.matches.tolist(),
            counts.prediction_lengths.tolist(),
            reference_lengths,
        )
    )


def average(scores: Iterable[float], samples: int, scale: float = SCALE) -> float:
    """Return the mean of the scores of samples, multiplied by the scale.

    >>> average([1.0, 0.5], 2)
    75.0
    """
    # Parity: summed from left to right, without the compensation of sum() since Python 3.12, and
    # multiplied before it is divided.
    total = 0.0
    for score in scores:
        total += score
    return total * scale / samples


def _log(count: int) -> float:
    return math.log(count) if count else _LOGARITHM_OF_ZERO

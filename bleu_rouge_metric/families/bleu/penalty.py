"""The brevity penalty of BLEU: of one pair of lengths, and of many."""

import math
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from ...checks import check_choice
from .means import map_floats
from .rules import ARITHMETICS, Arithmetic

Floats = NDArray[np.float64]


def brevity_penalty(
    prediction_length: float, reference_length: float, *, arithmetic: Arithmetic = "hf"
) -> float:
    """Compute the factor that lowers the score of a prediction shorter than its reference.

    Papineni et al. (2002), section 2.2.2.

    Args:
        prediction_length: number of tokens, at least 0.
        reference_length: number of tokens, at least 0; may be a mean and not an integer.
        arithmetic: ``hf`` first divides the lengths, ``sacrebleu`` and ``nltk`` do not; the results
            differ in the last bit.

    Returns:
        A float in [0, 1]: 1 if the prediction is not shorter; 0 if only the prediction is empty.

    Raises:
        TypeError: a length is not a number.
        ValueError: a length is negative or not finite, or the arithmetic is unknown.

    >>> brevity_penalty(12, 12), brevity_penalty(0, 0), brevity_penalty(0, 3)
    (1.0, 1.0, 0.0)
    """
    lengths = {"prediction_length": prediction_length, "reference_length": reference_length}
    for name, length in lengths.items():
        if isinstance(length, bool) or not isinstance(length, Real):
            raise TypeError(f"{name} is {length!r}; expected a number of tokens.")
        if not 0 <= length < math.inf:
            raise ValueError(f"{name} is {length}; expected a number of tokens, 0 or more.")
    check_choice("arithmetic", arithmetic, ARITHMETICS)
    return penalise(prediction_length, reference_length, arithmetic)


def penalise(prediction_length: float, reference_length: float, arithmetic: Arithmetic) -> float:
    """Compute the brevity penalty for lengths that are checked already."""
    if prediction_length >= reference_length:
        return 1.0
    return math.exp(find_exponent(prediction_length, reference_length, arithmetic))


def find_exponent(
    prediction_length: float, reference_length: float, arithmetic: Arithmetic
) -> float:
    """Compute the logarithm of the brevity penalty, min(0, 1 - r / c); minus infinity if c is 0."""
    if prediction_length >= reference_length:
        return 0.0
    if not prediction_length:
        return -math.inf
    if arithmetic == "hf":
        # Parity: compute_bleu first computes the ratio; exp(1 - r / c) often differs in the last
        # bit.
        return 1 - 1.0 / (prediction_length / reference_length)
    return 1 - reference_length / prediction_length


def penalise_rows(lengths: Floats, reference_lengths: Floats, arithmetic: Arithmetic) -> Floats:
    """Compute the brevity penalty of each row, as ``penalise`` does; both have shape (rows,)."""
    is_short = lengths < reference_lengths
    divisors = np.where(is_short & (lengths > 0), lengths, 1)
    references = np.where(is_short & (lengths > 0), reference_lengths, 1)
    ratios = 1.0 / (divisors / references) if arithmetic == "hf" else references / divisors
    return np.where(is_short & (lengths == 0), 0.0, map_floats(math.exp, 1 - ratios))

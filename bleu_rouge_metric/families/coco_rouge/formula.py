"""Compute the ROUGE-L of captions from counts, bit-identical to pycocoevalcap 1.2.

Of several references, the precision is the largest and the recall is the largest, each of any
reference. The order of the floating-point operations is part of the contract.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..rouge.formulas import Floats, Numbers, Parts, RougeScores

# The weight of the recall.
BETA: Final = 1.2


def score_pairs(counts: Numbers) -> tuple[Floats, Floats]:
    """Compute precision and recall of each pair.

    Args:
        counts: shape (pairs, 3): length of the LCS, tokens of the prediction and of the reference.

    >>> precision, recall = score_pairs(np.array([[1, 2, 4], [0, 0, 0]]))
    >>> precision.tolist(), recall.tolist()
    ([0.5, 1.0], [0.25, 1.0])
    """
    lengths, predictions, references = counts.T
    # Parity: pycocoevalcap's text.split(" ") finds one token in an empty text, the empty token.
    # Two texts without tokens are therefore equal, whatever the tokenizer.
    lengths = np.where((predictions == 0) & (references == 0), 1, lengths)
    return lengths / np.maximum(predictions, 1), lengths / np.maximum(references, 1)


def score_samples(counts: Numbers, offsets: NDArray[np.int64], beta: float = BETA) -> RougeScores:
    """Compute precision, recall and F-measure of each sample, arrays of shape (samples,).

    Args:
        counts: as for :func:`score_pairs`.
        offsets: int64, shape (samples + 1,); index at which the pairs of each sample start.
        beta: the weight of the recall.

    >>> counts = np.array([[2, 4, 3], [3, 4, 6]])
    >>> score_samples(counts, np.array([0, 2])).recall
    array([0.66666667])
    """
    # Parity: pycocoevalcap, Rouge.calc_score: both maxima are independent of each other.
    precision, recall = (np.maximum.reduceat(part, offsets[:-1]) for part in score_pairs(counts))
    return RougeScores(precision, recall, measure(precision, recall, beta))


def measure(precision: Floats, recall: Floats, beta: float = BETA) -> Floats:
    """Compute the F-measure, 0 if one of the two is 0; the order of operations is fixed."""
    total = recall + beta**2 * precision
    fmeasure = (1 + beta**2) * precision * recall / np.where(total > 0, total, 1.0)
    return np.where((precision > 0) & (recall > 0), fmeasure, 0.0)


def score_numbers(numbers: Sequence[int], beta: float = BETA) -> Parts:
    """Compute the scores of one sample; equal to :func:`score_samples`.

    Args:
        numbers: three for each reference, as a row of :func:`score_pairs`.
        beta: the weight of the recall.

    >>> score_numbers([2, 4, 3, 3, 4, 6])
    (0.75, 0.6666666666666666, 0.6...)
    """
    precision = recall = 0.0
    for at in range(0, len(numbers), 3):
        length, prediction, reference = numbers[at : at + 3]
        if not (prediction or reference):
            length = 1
        precision = max(precision, length / (prediction or 1))
        recall = max(recall, length / (reference or 1))
    if not (precision and recall):
        return precision, recall, 0.0
    squared = beta**2
    return precision, recall, (1 + squared) * precision * recall / (recall + squared * precision)


def average(values: Floats) -> float:
    """Return the mean of the samples; NaN without samples is left to the caller."""
    # Parity: np.mean adds pairwise, unlike Python's sum and math.fsum.
    return float(np.mean(values))

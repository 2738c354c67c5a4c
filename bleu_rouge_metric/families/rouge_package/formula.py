"""The formulas of ``rouge`` and ``rouge-chinese``: of many samples, and of one."""

from typing import Any, TypeVar

import numpy as np

from ..parts import Parts, RougeScores
from ..score import Floats

Number = TypeVar("Number", float, Floats)


def score_triples(triples: Any) -> RougeScores:
    """Compute recall, precision and F-measure.

    Args:
        triples: shape (pairs, 3): hits, total of the prediction, total of the reference.

    >>> score_triples(np.array([[1, 1, 2]])).fmeasure.tolist()
    [0.6666666622222223]
    """
    hits, predicted, referred = triples.T
    # Parity: f_r_p_rouge_n of rouge 1.0.1. Without a total, precision or recall is 0.
    precision = hits / np.maximum(predicted, 1)
    recall = hits / np.maximum(referred, 1)
    return RougeScores(precision, recall, measure(precision, recall))


def score_triple(hits: int, predicted: int, referred: int) -> Parts:
    """Compute precision, recall and F-measure, as ``score_triples`` does for many.

    >>> score_triple(1, 1, 2)
    (1.0, 0.5, 0.6666666622222223)
    """
    precision = hits / predicted if predicted else 0.0
    recall = hits / referred if referred else 0.0
    return precision, recall, measure(precision, recall)


def measure(precision: Number, recall: Number) -> Number:
    """Compute the F-measure of one precision and recall, or of arrays of them."""
    # Parity: the 1e-8 of the library, and the order of its operations.
    return 2.0 * ((precision * recall) / ((precision + recall) + 1e-8))


def average(values: Floats, count: int | None = None) -> float:
    """Return the mean of at least one score, or their sum divided by a number.

    >>> average(np.array([0.1, 0.2, 0.3]))
    0.20000000000000004
    """
    # Parity: Rouge._get_avg_scores adds from the left. np.sum adds pairwise, and Python's sum
    # carries the rounding errors along since 3.12.
    return float(np.add.accumulate(values)[-1]) / (len(values) if count is None else count)

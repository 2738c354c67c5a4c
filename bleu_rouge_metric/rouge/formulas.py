"""From hits and totals of ROUGE to precision, recall and F-measure, pair by pair.

Three formulas: ``exact`` gives the very doubles of ``rouge_score`` 0.1.2, ``rouge-1.5.5`` the five
digits that ROUGE-1.5.5 prints, ``lin2004`` the equations of Lin (2004). With beta = 1 the first and
the last are one; what the paper counts otherwise is counted otherwise (``counts.count_rouge``).

Not done here: the choice among references (``rouge_policies.py``).
"""

import math
from itertools import repeat
from typing import Final, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from ..checks import check_choice, check_number
from ..counting.rouge_types import RougeType, parse_rouge_type
from ..rounding import round_as_printed

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64] | NDArray[np.int32] | Floats

Formula = Literal["exact", "rouge-1.5.5", "lin2004"]
MultiReference = Literal["best", "best_recall", "micro", "mean", "jackknife"]

_PAIRS_PER_BLOCK: Final = 4096


class RougeScores(NamedTuple):
    """Precision, recall and F-measure: three float64 arrays of the same shape, in [0, 1].

    Under ``lin2004`` the precision of ``rougeLsum`` may be above 1, and the F-measure with it.
    """

    precision: Floats
    recall: Floats
    fmeasure: Floats


class RougeRules(NamedTuple):
    """What the options say about the arithmetic of ROUGE.

    Attributes:
        formula: ``exact``, ``rouge-1.5.5`` or ``lin2004``.
        beta: weight of the recall in the F-measure, above 0; infinite for the recall alone.
            ROUGE-1.5.5 has it as alpha = 1 / (1 + beta ** 2), its option ``-p``.
        multi_reference: what is made of several references, as in ``rouge_policies``.
    """

    formula: Formula = "exact"
    beta: float = 1.0
    multi_reference: MultiReference = "best"

    @property
    def alpha(self) -> float:
        """Weight of the precision in the F-measure of ROUGE-1.5.5, in [0, 1).

        >>> RougeRules(beta=0.5).alpha, RougeRules(beta=math.inf).alpha
        (0.8, 0.0)
        """
        # Beyond the largest root of a double the square is infinite all the same.
        return 1 / (1 + self.beta * self.beta)


def make_rouge_rules(
    *, formula: object = "exact", beta: object = 1.0, multi_reference: object = "best"
) -> RougeRules:
    """Checked rules.

    Raises:
        TypeError: beta is no number.
        ValueError: a name is unknown, or beta is not above 0.
    """
    check_choice("formula", formula, get_args(Formula))
    check_choice("multi_reference", multi_reference, get_args(MultiReference))
    expected = "expected a number above 0, or math.inf for the recall."
    weight = check_number("beta", beta, expected)
    if not weight > 0:
        raise ValueError(f"beta is {beta!r}; {expected}")
    return RougeRules(formula, weight, multi_reference)  # type: ignore[arg-type]


def weight_of(rouge_type: RougeType | str) -> float | None:
    """The weight of ROUGE-W, or None for the other types.

    >>> weight_of("rougeW-1.5"), weight_of("rougeL")
    (1.5, None)
    """
    parsed = parse_rouge_type(rouge_type) if isinstance(rouge_type, str) else rouge_type
    return parsed.weight if parsed.kind == "w" else None


def weigh_totals(counts: Numbers, weight: float | None) -> Numbers:
    """Counts whose quotients make precision and recall.

    Args:
        counts: shape (pairs, 3): hits, total of the prediction, total of the reference.
        weight: w of ROUGE-W; None for the other types, whose counts are returned as they are.

    Returns:
        Shape (pairs, 3). For ROUGE-W both totals became f(total) = total ** w.

    >>> weigh_totals(np.array([[5.0, 2.0, 3.0]]), 2.0)
    array([[5., 4., 9.]])
    """
    if weight is None:
        return counts
    # Source: Lin (2004), section 4: f(m) and f(n) of both lengths.
    # Parity: ROUGE-1.5.5 has in place of m the sum of f(length) over the reference sentences,
    # and applies f to that once more. Identical texts of n tokens have the recall n ** (1 - w).
    weighed = np.empty(counts.shape)
    weighed[:, 0] = counts[:, 0]
    weighed[:, 1] = _power(counts[:, 1], weight)
    weighed[:, 2] = _power(counts[:, 2], weight)
    return weighed


def _power(values: Numbers, exponent: float) -> Floats:
    # Python's power: NumPy's own has other last digits on other processors.
    return np.fromiter(map(pow, values.tolist(), repeat(exponent)), np.float64, len(values))


def score_pairs(counts: Numbers, rules: RougeRules, weight: float | None = None) -> RougeScores:
    """Precision, recall and F-measure, each of shape (pairs,).

    Args:
        counts: shape (pairs, 3), as ``weigh_totals`` returns them.
        rules: formula and beta.
        weight: w of ROUGE-W, or None.
    """
    scores = RougeScores(*(np.empty(len(counts)) for _ in range(3)))
    # Fast path: equals one block of all pairs, in half the time for 10,000 of them: temporary
    # arrays this small are not given back to the system, and asked for again, each time.
    for start in range(0, len(counts), _PAIRS_PER_BLOCK):
        block = slice(start, start + _PAIRS_PER_BLOCK)
        precision, recall, fmeasure = (part[block] for part in scores)
        hits, prediction_totals, reference_totals = counts[block].T
        # Parity: rouge_score divides by max(total, 1); without a total there is no hit either.
        np.divide(hits, np.maximum(prediction_totals, 1), out=precision)
        np.divide(hits, np.maximum(reference_totals, 1), out=recall)
        if weight is not None:
            precision[:] = _power(precision, 1 / weight)
            recall[:] = _power(recall, 1 / weight)
        if rules.formula == "rouge-1.5.5":
            precision[:] = round_as_printed(precision)
            recall[:] = round_as_printed(recall)
            fmeasure[:] = round_as_printed(_weigh_harmonically(precision, recall, rules.alpha))
        else:
            fmeasure[:] = _measure(precision, recall, rules.beta)
    return scores


def _measure(precision: Floats, recall: Floats, beta: float) -> Floats:
    """F_beta of the paper; with beta = 1 what ``rouge_score`` gives.

    The order of the operations is part of the contract.
    """
    squared = beta * beta
    if math.isinf(squared):
        return recall
    # Source: Lin (2004), equation 4.
    # Parity: rouge_score.scoring.fmeasure, (2 * precision * recall) / (precision + recall), or
    # 0 where both are 0; there the denominator is 1 only to be no division by zero.
    total = squared * precision + recall
    return (1 + squared) * precision * recall / np.where(total > 0, total, 1.0)


def _weigh_harmonically(precision: Floats, recall: Floats, alpha: float) -> Floats:
    """F-measure of ROUGE-1.5.5, made from precision and recall as printed."""
    total = (1 - alpha) * precision + alpha * recall
    return precision * recall / np.where(total > 0, total, 1.0)

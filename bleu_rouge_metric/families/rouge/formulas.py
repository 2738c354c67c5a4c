"""Compute precision, recall and F-measure from ROUGE's hits and totals, pair by pair.

There are three formulas: ``exact`` equals ``rouge_score`` 0.1.2 bit for bit, ``rouge-1.5.5`` gives
the five digits that ROUGE-1.5.5 prints, and ``lin2004`` uses the equations of Lin (2004). With
beta = 1, ``exact`` and ``lin2004`` are the same here; the paper also counts differently, which
``counting.kernels.count_rouge`` does.

Not done here: the choice among references (``references.py``).
"""

from functools import lru_cache
from itertools import repeat
from typing import Any, Final, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from ...checks import check_choice, check_number
from ...counting.rouge_types import RougeType, parse_rouge_type
from ...messages import PythonOnly, describe_value, format_message
from ...rounding import round_as_printed
from ...tables import import_pandas, write_html
from .fmeasure import measure, weigh_harmonically

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64] | NDArray[np.int32] | Floats

Formula = Literal["exact", "rouge-1.5.5", "lin2004"]
MultiReference = Literal["best", "best_recall", "micro", "mean", "jackknife"]

_PAIRS_PER_BLOCK: Final = 4096

# The most samples that a notebook shows.
_SHOWN: Final = 20


class RougeScores(NamedTuple):
    """Precision, recall and F-measure: three float64 arrays of the same shape, in [0, 1].

    With ``lin2004``, precision and F-measure of ``rougeLsum`` may be above 1.
    """

    precision: Floats
    recall: Floats
    fmeasure: Floats

    def to_pandas(self) -> Any:
        """Return a data frame with one row per sample and the columns precision, recall, fmeasure.

        Raises:
            ImportError: pandas is not installed.
        """
        return import_pandas().DataFrame(self._asdict())

    def _repr_html_(self) -> str:
        samples = len(self.fmeasure)
        shown = min(samples, _SHOWN)
        rows = zip(range(shown), *(part[:shown].tolist() for part in self), strict=True)
        hidden = samples - shown
        notes = [f"and {hidden:,} more samples"] if hidden else []
        return write_html(["sample", *self._fields], rows, notes=notes)


# Its name before 0.2, kept for one release.
Score = RougeScores


# What torchmetrics, and what rouge-metric and PyTorch-Ignite call the mean of several references;
# the letters behind -f of ROUGE-1.5.5.
_FOREIGN_CHOICES: Final = {"avg": "mean", "average": "mean", "A": "micro", "B": "best_recall"}


class RougeRules(NamedTuple):
    """How counts become ROUGE scores.

    Attributes:
        formula: ``exact``, ``rouge-1.5.5`` or ``lin2004``.
        beta: weight of the recall in the F-measure, above 0; if infinite, the F-measure is the
            recall. ROUGE-1.5.5's option ``-p`` is alpha = 1 / (1 + beta ** 2).
        multi_reference: how several references make one score (``references.py``).
    """

    formula: Formula = "exact"
    beta: float = 1.0
    multi_reference: MultiReference = "best"

    @property
    def alpha(self) -> float:
        """Return the weight of the precision in ROUGE-1.5.5's F-measure, in [0, 1).

        >>> RougeRules(beta=0.5).alpha, RougeRules(beta=float("inf")).alpha
        (0.8, 0.0)
        """
        # The square of a very large beta is infinite, and alpha is then 0, as it should be.
        return 1 / (1 + self.beta * self.beta)


def make_rouge_rules(
    *, formula: object = "exact", beta: object = 1.0, multi_reference: object = "best"
) -> RougeRules:
    """Make checked rules.

    Raises:
        TypeError: beta is not a number.
        ValueError: a name is unknown, or beta is not above 0.
    """
    check_choice("formula", formula, get_args(Formula))
    check_choice(
        "multi_reference", multi_reference, get_args(MultiReference), foreign=_FOREIGN_CHOICES
    )
    infinite = PythonOnly("math.inf", "inf")
    expected = format_message("expected a number above 0, or {} for the recall.", infinite)
    weight = check_number("beta", beta, expected)
    if not weight > 0:
        raise ValueError(describe_value("beta", repr(beta), expected))
    return RougeRules(formula, weight, multi_reference)  # type: ignore[arg-type]


# The weight of a type never changes; as for ``parse_rouge_type``, few types are used.
@lru_cache(maxsize=256)
def weight_of(rouge_type: RougeType | str) -> float | None:
    """Return the weight of a ROUGE-W type; None for any other type.

    >>> weight_of("rougeW-1.5"), weight_of("rougeL")
    (1.5, None)
    """
    parsed = parse_rouge_type(rouge_type) if isinstance(rouge_type, str) else rouge_type
    return parsed.weight if parsed.kind == "w" else None


def weigh_totals(counts: Numbers, weight: float | None) -> Numbers:
    """Return the counts whose quotients are precision and recall.

    Args:
        counts: shape (pairs, 3): hits, total of the prediction, total of the reference.
        weight: w of ROUGE-W; None for any other type, whose counts are returned unchanged.

    Returns:
        Shape (pairs, 3). For ROUGE-W both totals are replaced by f(total) = total ** w.

    >>> weigh_totals(np.array([[5.0, 2.0, 3.0]]), 2.0)
    array([[5., 4., 9.]])
    """
    if weight is None:
        return counts
    # Source: Lin (2004), section 4: f(m) and f(n) of both lengths.
    # Parity: instead of m, ROUGE-1.5.5 uses the sum of f(length) over the reference sentences, and
    # applies f again to this sum. So the recall of identical texts of n tokens is n ** (1 - w).
    weighed = np.empty(counts.shape)
    weighed[:, 0] = counts[:, 0]
    weighed[:, 1] = _power(counts[:, 1], weight)
    weighed[:, 2] = _power(counts[:, 2], weight)
    return weighed


def _power(values: Numbers, exponent: float) -> Floats:
    # Python's power is used because the last digits of NumPy's power depend on the processor.
    return np.fromiter(map(pow, values.tolist(), repeat(exponent)), np.float64, len(values))


def score_pairs(counts: Numbers, rules: RougeRules, weight: float | None = None) -> RougeScores:
    """Compute precision, recall and F-measure, each of shape (pairs,).

    Args:
        counts: shape (pairs, 3), from ``weigh_totals``.
        rules: formula and beta.
        weight: w of ROUGE-W; None for any other type.
    """
    scores = RougeScores(*(np.empty(len(counts)) for _ in range(3)))
    # Fast path: equals one block of all pairs, in half the time for 10,000 pairs: the memory of
    # small temporary arrays is reused instead of being returned to the system each time.
    for start in range(0, len(counts), _PAIRS_PER_BLOCK):
        block = slice(start, start + _PAIRS_PER_BLOCK)
        precision, recall, fmeasure = (part[block] for part in scores)
        hits, prediction_totals, reference_totals = counts[block].T
        # Parity: rouge_score divides by max(total, 1); if a total is 0, there is no hit.
        np.divide(hits, np.maximum(prediction_totals, 1), out=precision)
        np.divide(hits, np.maximum(reference_totals, 1), out=recall)
        if weight is not None:
            precision[:] = _power(precision, 1 / weight)
            recall[:] = _power(recall, 1 / weight)
        if rules.formula == "rouge-1.5.5":
            precision[:], recall[:] = round_as_printed(np.stack([precision, recall]))
            fmeasure[:] = round_as_printed(weigh_harmonically(precision, recall, rules.alpha))
        else:
            fmeasure[:] = measure(precision, recall, rules.beta)
    return scores

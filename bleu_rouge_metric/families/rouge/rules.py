"""How counts become ROUGE scores: the formula, the weight of the recall, and several references."""

from typing import Final, Literal, NamedTuple, get_args

from ...checks import check_choice, check_number
from ...messages import PythonOnly, describe_value, format_message

Formula = Literal["exact", "rouge-1.5.5", "lin2004"]
MultiReference = Literal["best", "best_recall", "micro", "mean", "jackknife"]

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

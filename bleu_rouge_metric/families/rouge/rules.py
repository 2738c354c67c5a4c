"""Check the options of ROUGE, and make rules of those that decide how counts become scores."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from os import PathLike, fspath
from typing import Any, Final, Literal, NamedTuple, cast, get_args

import numpy as np

from ...checks import check_choice, check_number
from ...counting.rouge_types import parse_rouge_type
from ...messages import (
    Argument,
    PythonOnly,
    describe_value,
    format_message,
    type_error,
    value_error,
)

Formula = Literal["exact", "rouge-1.5.5", "lin2004"]
MultiReference = Literal["best", "best_recall", "micro", "mean", "jackknife"]
Aggregator = Literal["mean", "bootstrap"]

DEFAULT_ROUGE_TYPES: Final = ("rouge1", "rouge2", "rougeL", "rougeLsum")

# What torchmetrics, and what rouge-metric and PyTorch-Ignite call the mean of several references;
# the letters behind -f of ROUGE-1.5.5.
_FOREIGN_CHOICES: Final = {"avg": "mean", "average": "mean", "A": "micro", "B": "best_recall"}

# Spellings of types that some libraries have, and that only their profiles know.
LIBRARY_TYPES: Final = frozenset({*(f"rouge-{order}" for order in range(1, 6)), "rouge-l"})

# The names of S, SU and W have a number, so there is no end of types. Each takes 24 bytes of counts
# per pair of texts, and 1,000 types take 12 times as long as 100.
_MOST_TYPES: Final = 100


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
    """Make checked rules."""
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


def check_stemmer(name: str, value: Any) -> Any:
    """Return the value; raise unless it is a flag or a str."""
    if not isinstance(value, bool | np.bool_ | str):
        expected = (
            "expected True (Porter), False, or the language of a Snowball stemmer, such as "
            "'german'."
        )
        raise TypeError(describe_value(name, repr(value), expected))
    return value


def to_words(_: str, value: object) -> object:
    """Return several words as a tuple, sorted if they are a set; a name stays a str."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        return value
    return tuple(sorted(value) if isinstance(value, AbstractSet) else value)


def to_paths(_: str, value: object) -> object:
    """Return one path, or several, as a tuple of str."""
    if isinstance(value, str | PathLike):
        return (fspath(value),)
    if not isinstance(value, Iterable):
        return value
    return tuple(fspath(path) if isinstance(path, PathLike) else path for path in value)


def check_rouge_types(name: str, value: object) -> tuple[str, ...]:
    """Return the types as a tuple, each once, in the order of their first occurrence."""
    expected = "expected a sequence of types."
    if isinstance(value, str):
        parts = [part.strip() for part in value.split(",")]
        remedy = format_message("Use {}.", Argument(name, "=", parts))
        given = Argument(name), value
        raise type_error("{} is the str {!r}", *given, expected=expected, remedy=remedy)
    # The order of the types decides what "bootstrap" draws for each; a set has none.
    is_sequence = isinstance(value, Iterable) and not isinstance(value, AbstractSet)
    if not is_sequence or isinstance(value, bytes | Mapping):
        raise TypeError(describe_value(name, f"of type {type(value).__name__}", expected))
    types = tuple(cast("Iterable[str]", value))
    if not types:
        expected = "expected at least one type, such as 'rouge1'."
        raise ValueError(describe_value(name, "empty", expected))
    for item in types:
        if not isinstance(item, str) or item not in LIBRARY_TYPES:
            parse_rouge_type(item if isinstance(item, str) else repr(item))
    # Parity: rouge_score's results are a dict by type, so a repeated type is scored once.
    distinct = tuple(dict.fromkeys(map(str, types)))
    if len(distinct) > _MOST_TYPES:
        raise value_error(
            "{} has {} types",
            *(Argument(name), len(distinct)),
            expected=f"expected at most {_MOST_TYPES}.",
            remedy="Score the others in another call.",
        )
    return distinct

"""Check how systems are to be compared: the test, and its draws."""

import math
from collections.abc import Mapping
from typing import Final, NamedTuple, cast, get_args

import numpy as np

from ..checks import check_choice, check_number
from ..messages import Argument, describe_value, value_error
from ..resampling.corrections import Correction
from ..resampling.draws import Floats
from ..resampling.pair_tests import Alternative
from ..schema.checks import check_confidence, check_resamples, choose_seed

TESTS: Final = ("approximate_randomization", "bootstrap", "bootstrap_t")
CONVENTIONS: Final = ("sacrebleu",)
PAIRS: Final = ("all",)

# As in sacrebleu: a swap costs little, and a p-value below 0.001 needs more than 1,000 of them.
_RESAMPLES: Final = {"approximate_randomization": 10_000, "bootstrap": 1_000, "bootstrap_t": 1_000}

# What other libraries call the tests.
_FOREIGN_TESTS: Final = {
    "ar": "approximate_randomization",
    "paired-ar": "approximate_randomization",
    "permutation": "approximate_randomization",
    "bs": "bootstrap",
    "paired-bs": "bootstrap",
}
# With fewer samples or clusters, their spread is not known well enough to plan with.
FEWEST_UNITS: Final = 20

_NONINFERIOR: Final = "noninferior"
_FOREIGN_ALTERNATIVES: Final = {"larger": "greater", "non-inferior": _NONINFERIOR}
_FOREIGN_CORRECTIONS: Final = {"bh": "fdr_bh", "benjamini-hochberg": "fdr_bh", "fdr": "fdr_bh"}


class Design(NamedTuple):
    """How systems are compared; the fields are documented at ``compare_systems``."""

    test: str
    n_resamples: int
    confidence: float
    seed: int
    alternative: Alternative
    correction: Correction | None
    convention: str | None
    all_pairs: bool = False
    margin: float | dict[str, float] | None = None

    @property
    def interval_resamples(self) -> int:
        """How many bootstrap resamples make an interval; the test may need more."""
        return min(self.n_resamples, _RESAMPLES["bootstrap"]) if self.swaps else self.n_resamples

    @property
    def swaps(self) -> bool:
        """Return whether the test is approximate randomization."""
        return self.test == "approximate_randomization"

    def list_margins(self, scales: Mapping[str, int | None]) -> Floats:
        """Return the margin of each score, shape (scores,); 0 without a margin.

        Args:
            scales: of the scores, by name: that of a perfect system; None if there is none.

        Raises:
            ValueError: a score has none, a margin has no score, or one is as large as the scale.
        """
        margins = self.margin
        if not isinstance(margins, dict):
            margins = dict.fromkeys(scales, 0.0 if margins is None else margins)
        for name in [*scales, *margins]:
            if name not in margins or name not in scales:
                raise value_error(
                    "{margin} has {} {!r}",
                    "no score" if name in scales else "the score",
                    name,
                    expected=f"expected a number for each of {', '.join(map(repr, scales))}.",
                )
            if (scale := scales[name]) is not None and margins[name] >= scale:
                raise value_error(
                    "{margin} is {}, but {} is from 0 to {}",
                    *(margins[name], name, scale),
                    expected="expected a smaller margin.",
                )
        return np.array([margins[name] for name in scales])


def check_design(
    *,
    test: object,
    n_resamples: object,
    confidence: object,
    seed: object,
    alternative: object,
    correction: object,
    convention: object,
    pairs: object = None,
    baseline: object = None,
    margin: object = None,
) -> Design:
    """Check the arguments, and fill in what is None.

    Args:
        test: one of ``TESTS``; None for that of the alternative.
        n_resamples: None for the test's own number.
        confidence: in (0, 1).
        seed: None to draw one.
        alternative: ``two-sided``, ``greater`` or ``noninferior``.
        correction: None, ``holm``, ``bonferroni`` or ``fdr_bh``.
        convention: None or ``sacrebleu``.
        pairs: None, or ``all``, which has no baseline and a correction.
        baseline: None, or a system that the others are compared with.
        margin: a number of 0 or more, or one by score, for ``noninferior``; else None.

    Raises:
        TypeError: a value is of a wrong type.
        ValueError: a value is out of range, or the convention does not have it.
    """
    check_choice("alternative", alternative, get_args(Alternative), foreign=_FOREIGN_ALTERNATIVES)
    name = _choose_test(test, alternative)
    margins = _check_margin(margin, alternative)
    if correction is not None:
        check_choice("correction", correction, get_args(Correction), foreign=_FOREIGN_CORRECTIONS)
    if convention is not None:
        check_choice("convention", convention, CONVENTIONS)
        if name == "bootstrap_t":
            raise value_error(
                "{test} is {!r}, but sacrebleu supports only {}",
                *(name, "'approximate_randomization' and 'bootstrap'"),
                remedy="leave it out, or leave the convention out.",
            )
        for option, value, only in (
            ("confidence", confidence, 0.95),
            ("alternative", alternative, "two-sided"),
        ):
            if value != only:
                raise value_error(
                    "{} is {!r}, but sacrebleu supports only {!r}",
                    *(Argument(option), value, only),
                    remedy="leave it out, or leave the convention out.",
                )
    if pairs is not None:
        correction = _check_pairs(pairs, baseline, alternative, correction, convention)
    return Design(
        name,
        _RESAMPLES[name] if n_resamples is None else check_resamples("n_resamples", n_resamples),
        float(check_confidence("confidence", confidence)),
        choose_seed(seed),
        cast("Alternative", alternative),
        cast("Correction | None", correction),
        cast("str | None", convention),
        pairs is not None,
        margins,
    )


def _choose_test(test: object, alternative: object) -> str:
    """Return the name of the test."""
    if test is None:
        return "bootstrap_t" if alternative == _NONINFERIOR else TESTS[0]
    name = check_choice("test", test, TESTS, foreign=_FOREIGN_TESTS)
    if alternative == _NONINFERIOR and name != "bootstrap_t":
        raise value_error(
            "{test} is {!r}, but {alternative='noninferior'} is tested by 'bootstrap_t' only",
            name,
            remedy="leave it out.",
        )
    return name


def _check_margin(margin: object, alternative: object) -> float | dict[str, float] | None:
    """Check that there is a margin of 0 or more for ``noninferior``, and none for the others."""
    if (margin is None) == (alternative == _NONINFERIOR):
        raise value_error(
            "{margin} is {!r}, but {alternative} is {!r}",
            *(margin, alternative),
            expected="expected a margin for alternative 'noninferior', and none for the others.",
        )
    if margin is None:
        return None
    if isinstance(margin, Mapping):
        return {name: _check_one_margin(f"margin[{name!r}]", each) for name, each in margin.items()}
    return _check_one_margin("margin", margin)


def _check_one_margin(name: str, margin: object) -> float:
    expected = "expected a finite number of 0 or more: by how much a score may be worse."
    value = check_number(name, margin, expected)
    if not 0 <= value < math.inf:
        raise ValueError(describe_value(name, str(margin), expected))
    return value


def _check_pairs(
    pairs: object, baseline: object, alternative: object, correction: object, convention: object
) -> object:
    """Check what all pairs cannot have; return the correction, which they need."""
    check_choice("pairs", pairs, PAIRS)
    for option, value, only in (
        ("baseline", baseline, None),
        ("alternative", alternative, "two-sided"),
        ("convention", convention, None),
    ):
        if value != only:
            raise value_error(
                "{} is {!r}, but {pairs='all'} tests each system against each other one, two-sided",
                *(Argument(option), value),
                remedy="leave one of the two out.",
            )
    return "holm" if correction is None else correction

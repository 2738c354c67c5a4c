"""Check how systems are to be compared: the test, and its draws."""

from typing import Final, NamedTuple, cast, get_args

from ..checks import check_choice
from ..messages import Argument, value_error
from ..resampling.corrections import Correction
from ..resampling.pair_tests import Alternative
from ..schema.checks import check_confidence, check_resamples, check_seed

TESTS: Final = ("approximate_randomization", "bootstrap")
CONVENTIONS: Final = ("sacrebleu",)
PAIRS: Final = ("all",)

# As in sacrebleu: a swap costs little, and a p-value below 0.001 needs more than 1,000 of them.
_RESAMPLES: Final = {"approximate_randomization": 10_000, "bootstrap": 1_000}

# What other libraries call the tests.
_FOREIGN_TESTS: Final = {
    "ar": "approximate_randomization",
    "paired-ar": "approximate_randomization",
    "permutation": "approximate_randomization",
    "bs": "bootstrap",
    "paired-bs": "bootstrap",
}
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

    @property
    def interval_resamples(self) -> int:
        """How many bootstrap resamples make an interval; the test may need more."""
        return min(self.n_resamples, _RESAMPLES["bootstrap"]) if self.swaps else self.n_resamples

    @property
    def swaps(self) -> bool:
        """Return whether the test is approximate randomization."""
        return self.test == "approximate_randomization"


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
    draw: int,
) -> Design:
    """Check the arguments, and fill in what is None.

    Args:
        test: one of ``TESTS``.
        n_resamples: None for the test's own number.
        confidence: in (0, 1).
        seed: None for ``draw``.
        alternative: ``two-sided`` or ``greater``.
        correction: None, ``holm``, ``bonferroni`` or ``fdr_bh``.
        convention: None or ``sacrebleu``.
        pairs: None, or ``all``, which has no baseline and a correction.
        baseline: None, or a system that the others are compared with.
        draw: a seed that was drawn.

    Raises:
        TypeError: a value is of a wrong type.
        ValueError: a value is out of range, or the convention does not have it.
    """
    name = check_choice("test", test, TESTS, foreign=_FOREIGN_TESTS)
    given = check_seed(seed)
    check_choice("alternative", alternative, get_args(Alternative))
    if correction is not None:
        check_choice("correction", correction, get_args(Correction), foreign=_FOREIGN_CORRECTIONS)
    if convention is not None:
        check_choice("convention", convention, CONVENTIONS)
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
        draw if given is None else given,
        cast("Alternative", alternative),
        cast("Correction | None", correction),
        cast("str | None", convention),
        pairs is not None,
    )


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

"""How systems are compared: the test, its draws and its corrections, checked once."""

import math
from typing import Final, NamedTuple, cast, get_args

from ..checks import MOST_RESAMPLES, check_choice, check_confidence, check_resamples, choose_seed
from ..messages import Argument, PythonOnly, format_message, value_error
from ..resampling.corrections import Correction
from ..resampling.tests import Alternative, find_level

TESTS: Final = ("approximate_randomization", "bootstrap", "bootstrap_t")
CONVENTIONS: Final = ("sacrebleu",)
PAIRS: Final = ("all",)

# The only test that takes the variance between runs into account.
RUN_TEST: Final = "bootstrap_t"

# As in sacrebleu: a swap costs little, and a p-value below 0.001 needs more than 1,000 of them.
DEFAULT_RESAMPLES: Final = {
    "approximate_randomization": 10_000,
    "bootstrap": 1_000,
    "bootstrap_t": 1_000,
}

# Samples times resamples, unless a number of resamples is given. Three systems of 1,000,000 samples
# take three minutes, of which two are those of 10,000 resamples (``bench/significance.py``).
_MOST_DRAWS: Final = 10_000_000_000

# What other libraries call the tests, the alternative and the correction.
_FOREIGN_TESTS: Final = {
    "ar": "approximate_randomization",
    "paired-ar": "approximate_randomization",
    "permutation": "approximate_randomization",
    "bs": "bootstrap",
    "paired-bs": "bootstrap",
}
_FOREIGN_ALTERNATIVES: Final = {"larger": "greater"}
_FOREIGN_CORRECTIONS: Final = {"bh": "fdr_bh", "benjamini-hochberg": "fdr_bh", "fdr": "fdr_bh"}


def count_resamples(test: str, units: int) -> int:
    """Return the default number of resamples of a test, which is smaller for very many samples.

    >>> count_resamples("bootstrap", 5_000), count_resamples("bootstrap", 20_000_000)
    (1000, 500)
    """
    return min(DEFAULT_RESAMPLES[test], max(100, _MOST_DRAWS // units))


class Design(NamedTuple):
    """How systems are compared; the fields are documented at ``compare_systems``.

    ``n_resamples`` is 0 until the samples and the tests are counted, if it was not given.
    """

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
        """Return how many bootstrap resamples make an interval; the test may need more."""
        most = DEFAULT_RESAMPLES["bootstrap"] if self.swaps else self.n_resamples
        return min(self.n_resamples, most)

    @property
    def swaps(self) -> bool:
        """Return whether the test is approximate randomization."""
        return self.test == "approximate_randomization"

    def choose_resamples(self, units: int, n_tests: int) -> "Design":
        """Return the design with enough resamples for the correction over ``n_tests`` p-values."""
        n_resamples = self.n_resamples or count_resamples(self.test, units)
        # Benjamini and Hochberg leave the largest p-value as it is, and so all if all are equal.
        if self.test == "bootstrap_t" or self.correction in (None, "fdr_bh") or self.convention:
            return self._replace(n_resamples=n_resamples)
        # The smallest p-value is 1 / (n_resamples + 1).
        needed = math.ceil(n_tests / find_level(self.confidence) - 1e-9) - 1
        needed = min(needed, MOST_RESAMPLES)
        if n_resamples >= needed or (self.swaps and units < n_resamples.bit_length()):
            return self._replace(n_resamples=n_resamples)
        if self.n_resamples:
            raise value_error(
                "{n_resamples} is {}, too few for {} tests and the correction {!r}: no corrected p "
                "could be {} or less",
                *(n_resamples, n_tests, self.correction, find_level(self.confidence)),
                remedy=format_message(
                    "use at least {:,} resamples, compare fewer systems or scores, or give {}.",
                    *(needed, PythonOnly("another correction", "--correction none")),
                ),
            )
        return self._replace(n_resamples=needed)


def check_design(
    *,
    test: object = None,
    n_resamples: object = None,
    confidence: object = 0.95,
    seed: object = 12345,
    alternative: object = "two-sided",
    correction: object = None,
    convention: object = None,
    pairs: object = None,
    baseline: object = None,
    has_runs: bool = False,
) -> Design:
    """Return the checked arguments of ``compare_systems``, with defaults in place of None."""
    check_choice("alternative", alternative, get_args(Alternative), foreign=_FOREIGN_ALTERNATIVES)
    name = RUN_TEST if has_runs else TESTS[0]
    if test is not None:
        name = check_choice("test", test, TESTS, foreign=_FOREIGN_TESTS)
    if has_runs and name != RUN_TEST:
        raise value_error(
            "{test} is {!r}, which finds too many differences between systems of several runs",
            name,
            remedy=f"leave it out; several runs are tested with {RUN_TEST!r}.",
        )
    if correction is not None:
        check_choice("correction", correction, get_args(Correction), foreign=_FOREIGN_CORRECTIONS)
    if convention is not None:
        _check_convention(convention, name, confidence, alternative)
    if pairs is not None:
        check_choice("pairs", pairs, PAIRS)
        for option, value, only in (
            ("baseline", baseline, None),
            ("alternative", alternative, "two-sided"),
            ("convention", convention, None),
        ):
            if value != only:
                raise value_error(
                    "{} is {!r}, but {pairs='all'} tests each system against each other one, "
                    "two-sided",
                    *(Argument(option), value),
                    remedy="leave one of the two out.",
                )
        correction = "holm" if correction is None else correction
    return Design(
        name,
        0 if n_resamples is None else check_resamples("n_resamples", n_resamples),
        float(check_confidence("confidence", confidence)),
        choose_seed(seed),
        cast("Alternative", alternative),
        cast("Correction | None", correction),
        cast("str | None", convention),
        pairs is not None,
    )


def _check_convention(
    convention: object, test: str, confidence: object, alternative: object
) -> None:
    """Raise ValueError for what sacrebleu does not support."""
    check_choice("convention", convention, CONVENTIONS)
    remedy = "leave it out, or leave the convention out."
    if test == "bootstrap_t":
        raise value_error(
            "{test} is {!r}, but sacrebleu supports only {}",
            *(test, "'approximate_randomization' and 'bootstrap'"),
            remedy=remedy,
        )
    for option, value, only in (
        ("confidence", confidence, 0.95),
        ("alternative", alternative, "two-sided"),
    ):
        if value != only:
            raise value_error(
                "{} is {!r}, but sacrebleu supports only {!r}",
                *(Argument(option), value, only),
                remedy=remedy,
            )

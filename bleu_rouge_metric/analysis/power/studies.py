"""What a study shall find, and how it is tested: the arguments of ``required_samples``, checked."""

import math
import secrets
from typing import Final, NamedTuple

from ...checks import check_choice, check_number, check_range
from ...messages import describe_value
from ...resampling.pair_tests import find_level
from ...schema.checks import check_confidence, check_resamples, check_seed

# As many p-values are more than a table has.
_MOST_TESTS: Final = 1_000_000


class Study(NamedTuple):
    """What is asked for; the fields are documented at ``required_samples``."""

    difference: float
    power: float
    confidence: float
    alternative: str
    n_tests: int
    n_resamples: int
    seed: int

    @property
    def level(self) -> float:
        """Return the largest p-value that finds a difference."""
        return find_level(self.confidence) / self.n_tests

    @property
    def tail(self) -> float:
        """Return the probability that the test errs on the side of the difference."""
        return self.level if self.alternative == "greater" else self.level / 2

    @property
    def fewest_units(self) -> int:
        """Return the fewest samples or clusters of which a randomization test has such a p."""
        return max(2, math.ceil(math.log2(1 / self.tail)))


def check_study(
    *,
    difference: object,
    power: object,
    confidence: object,
    alternative: object,
    n_tests: object,
    n_resamples: object,
    seed: object,
) -> Study:
    """Check the arguments that need no pilot.

    Raises:
        TypeError: a value is of a wrong type.
        ValueError: a value is out of range.
    """
    expected = "expected a number above 0 and below 1, such as 0.8."
    share = check_number("power", power, expected)
    if not 0 < share < 1:
        raise ValueError(describe_value("power", str(power), expected))
    expected = "expected a number above 0, in the units of the score."
    amount = check_number("difference", difference, expected)
    if not 0 < amount < math.inf:
        raise ValueError(describe_value("difference", str(difference), expected))
    given = check_seed(seed)
    return Study(
        amount,
        share,
        float(check_confidence("confidence", confidence)),
        check_choice("alternative", alternative, ("two-sided", "greater")),
        check_range("n_tests", n_tests, 1, _MOST_TESTS),
        check_resamples("n_resamples", n_resamples),
        secrets.randbits(32) if given is None else given,
    )

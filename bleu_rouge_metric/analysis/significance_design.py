"""Check how systems are to be compared: the test, its draws, and outside scores."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, cast, get_args

import numpy as np

from ..checks import check_choice
from ..messages import Argument, value_error
from ..resampling.draws import Floats
from ..resampling.paired import Alternative, Correction
from ..schema.checks import check_confidence, check_resamples, check_seed

TESTS: Final = ("approximate_randomization", "bootstrap")
CONVENTIONS: Final = ("sacrebleu",)

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
    return Design(
        name,
        _RESAMPLES[name] if n_resamples is None else check_resamples("n_resamples", n_resamples),
        float(check_confidence("confidence", confidence)),
        draw if given is None else given,
        cast("Alternative", alternative),
        cast("Correction | None", correction),
        cast("str | None", convention),
    )


def check_outside_scores(
    scores: object, systems: Sequence[str], samples: int
) -> list[dict[str, Floats]]:
    """Check scores of samples by other metrics, and return them for each system.

    Args:
        scores: mapping of a name to a mapping of each system to its numbers; None for none.
        systems: names of the systems.
        samples: how many samples there are.

    Raises:
        TypeError: a value is of a wrong type.
        ValueError: a system has no scores or is unknown, a length differs, or a number is not
            finite.
    """
    found: list[dict[str, Floats]] = [{} for _ in systems]
    if scores is None:
        return found
    expected = 'expected {"name": {"system": [one number for each sample]}}.'
    if not isinstance(scores, Mapping):
        raise TypeError(f"scores is of type {type(scores).__name__}; {expected}")
    for name, by_system in scores.items():
        if not isinstance(name, str) or not isinstance(by_system, Mapping):
            raise TypeError(f"scores[{name!r}] is of type {type(by_system).__name__}; {expected}")
        if set(by_system) != set(systems):
            raise ValueError(
                f"scores[{name!r}] has the systems {', '.join(map(repr, by_system))}; expected "
                f"{', '.join(map(repr, systems))}."
            )
        for system, row in zip(systems, found, strict=True):
            row[name] = check_numbers(f"scores[{name!r}][{system!r}]", by_system[system], samples)
    return found


def check_numbers(place: str, numbers: Any, samples: int) -> Floats:
    """Check that there is one finite number per sample."""
    if isinstance(numbers, str | bytes | Mapping) or not isinstance(numbers, Iterable):
        raise TypeError(
            f"{place} is of type {type(numbers).__name__}; expected one number for each sample."
        )
    items = numbers.tolist() if hasattr(numbers, "tolist") else list(numbers)
    if len(items) != samples:
        raise ValueError(
            f"{place} has {len(items)} numbers, but there are {samples} samples; expected one "
            "number for each."
        )
    for index, item in enumerate(items):
        if isinstance(item, bool) or not isinstance(item, int | float | np.number):
            raise TypeError(f"{place}[{index}] is {item!r}; expected a number.")
        if not np.isfinite(item):
            raise ValueError(f"{place}[{index}] is {item}; expected a finite number.")
    return np.array(items, dtype=np.float64)

"""Compare systems on several test sets: a mean over sets, and how many sets are won.

Dror et al. (2017) count the data sets on which a method is better, so that the number is too large
with a probability of at most the level. The mean over sets gives every set the same weight.
"""

from collections.abc import Mapping
from functools import partial
from math import sqrt
from typing import TYPE_CHECKING, Any, Final, cast, get_args

import numpy as np

from ...checks import check_choice, check_flag
from ...messages import Argument, value_error
from ...resampling.corrections import Correction, combine_p_values, correct_rows, count_effects
from ...resampling.pair_tests import Alternative, find_level, student_p_values
from ...resampling.student import student_quantile
from ..significance import compare_systems
from ..significance_parts import correct_results
from ..significance_tests import divide
from ..system_comparison import SystemComparison, SystemScore
from ..systems import has_runs
from .set_comparison import MacroScore, SetComparison

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..comparison_keywords import ComparisonKeywords


def combine_sets(
    comparisons: Mapping[str, SystemComparison],
    correction: Correction | None,
    lower_is_better: Any = (),
    *,
    independent: bool,
) -> SetComparison:
    """Combine comparisons of the same systems and scores, one per test set.

    Args:
        comparisons: without corrections, by the name of the set.
        correction: of all p-values of the sets together, and of those of the means.
        lower_is_better: names of scores.
        independent: whether the sets are.

    Raises:
        ValueError: a set was not tested.
    """
    for name, each in comparisons.items():
        if each.untested_reason is not None:
            raise ValueError(
                f"The test set {name!r} was not tested, because {each.untested_reason}; "
                "leave it out."
            )
    corrected = correct_results(list(comparisons.values()), correction)
    first = corrected[0]
    rows = [
        _combine(
            [each.rows[place] for each in corrected],
            [(each.n_clusters or each.n_samples) - 1 for each in corrected],
            first,
            -1 if row.score in lower_is_better else 1,
            independent=independent,
        )
        for place, row in enumerate(first.rows)
    ]
    return SetComparison(
        rows=correct_rows([rows], correction)[0],
        sets=dict(zip(comparisons, corrected, strict=True)),
        baseline=first.baseline,
        confidence=first.confidence,
        alternative=first.alternative,
        correction=correction,
        independent=independent,
    )


def _combine(
    rows: list[SystemScore],
    degrees: list[int],
    design: SystemComparison,
    sign: int,
    *,
    independent: bool,
) -> MacroScore:
    """Combine one score of one system on all sets.

    Args:
        rows: of the sets.
        degrees: of freedom, of each set.
        design: how each set was tested.
        sign: 1 if a higher score is better, -1 if a lower one is.
        independent: whether the sets are.
    """
    value = float(np.mean([row.value for row in rows]))
    join = partial(_join_errors, degrees=degrees, independent=independent)
    error, freedom = join([row.error for row in rows])
    tail = (1 - design.confidence) / 2
    width = student_quantile(1 - tail, freedom) * error
    found = MacroScore(rows[0].system, rows[0].score, value, value - width, value + width)
    found = found._replace(scale=rows[0].scale)
    if rows[0].delta is None:
        return found
    delta = float(np.mean([row.delta for row in rows]))
    error, freedom = join([row.delta_error for row in rows])
    width = student_quantile(1 - tail, freedom) * error
    alternative = cast("Alternative", design.alternative)
    ratio = divide(np.array([sign * delta]), np.array([error]))
    p_value = float(student_p_values(ratio, np.array([freedom]), alternative)[0])
    better = [_find_side(row, alternative, sign) for row in rows]
    worse = [_find_side(row, alternative, -sign) for row in rows]
    level = find_level(design.confidence)
    combined = combine_p_values(better, independent=independent)
    lost = None
    if alternative == "two-sided":
        combined = min(1.0, 2 * min(combined, combine_p_values(worse, independent=independent)))
        # Both directions are looked for, each at half of the level.
        level /= 2
        lost = count_effects(worse, level, independent=independent)
    return found._replace(
        delta=delta,
        delta_low=delta - width,
        delta_high=delta + width,
        p_value=p_value,
        p_combined=combined,
        won=count_effects(better, level, independent=independent),
        lost=lost,
    )


def _join_errors(
    errors: list[float | None], degrees: list[int], *, independent: bool
) -> tuple[float, int]:
    """Return the standard error of the mean of sets, and its degrees of freedom."""
    found = np.array([np.nan if error is None else error for error in errors])
    if not independent:
        # The standard deviation of a sum is at most the sum of the standard deviations.
        return float(found.sum()) / len(errors), min(degrees)
    variances = found**2
    total = float(variances.sum())
    # Source: Satterthwaite (1946), "An Approximate Distribution of Estimates of Variance
    # Components".
    spread = float((variances**2 / np.array(degrees)).sum())
    freedom = int(total**2 / spread) if spread > 0 else sum(degrees)
    return sqrt(total) / len(errors), max(1, freedom)


def _find_side(row: SystemScore, alternative: Alternative, sign: int) -> float:
    """Return the one-sided p-value of one set, from that of the test."""
    p_value, delta = row.p_value or 0.0, sign * (row.delta or 0.0)
    if alternative != "two-sided":
        return p_value
    # The distribution of a difference under exchanged systems is symmetric.
    return p_value / 2 if delta > 0 else 1 - p_value / 2


_EXPECTED: Final = (
    'expected a mapping of two or more names to systems and references, such as {"news": (systems, '
    "references), ...}."
)


# Arguments that each set has its own value of.
_PER_SET: Final = ("scores", "clusters", "groups")


def compare_test_sets(
    test_sets: Mapping[str, Any],
    *,
    independent: bool = True,
    **keywords: "Unpack[ComparisonKeywords]",
) -> SetComparison:
    """Compare systems on several test sets.

    Args:
        test_sets: mapping of the name of each set to its systems and references, as
            ``compare_systems`` takes them; or to its systems alone, if these are scorers.
        independent: whether the sets are independent of each other; False if they share samples,
            such as several domains of the same documents. Intervals of means are then wider.
        **keywords: of ``compare_systems``; ``scores``, ``clusters`` and ``groups`` are mappings of
            each set to its own. The ``correction`` is of the p-values of all sets together, and of
            those of the means together.

    Returns:
        The comparison on each set, means with intervals and tests, and how many sets are won.

    Raises:
        TypeError: a value is of a wrong type.
        ValueError: there are fewer than two sets, the sets have different systems, or
            ``compare_systems`` raises for one of them.

    >>> texts = ["the cat sat on the mat", "a dog ran", "one bird", "two birds sing"]
    >>> systems = {"A": [text[:-4] for text in texts], "B": texts}
    >>> compared = compare_test_sets({"x": (systems, texts), "y": (systems, texts)}, family="rouge")
    >>> [(row.system, row.won) for row in compared.rows if row.score == "rouge1"]
    [('A', None), ('B', 0)]
    """
    check_flag("independent", independent)
    given: dict[str, Any] = dict(keywords)
    correction = given.pop("correction", None)
    if correction is not None:
        check_choice("correction", correction, get_args(Correction))
    checked = _check_sets(test_sets)
    for name in ("convention", "margin", "pairs"):
        if given.get(name) is not None:
            raise value_error(
                "{} is given, but several test sets have none",
                Argument(name),
                remedy="leave it out.",
            )
    comparisons = {}
    for name, (systems, references) in checked.items():
        own = {
            key: value[name]
            for key, value in given.items()
            if key in _PER_SET and value is not None and _check_per_set(key, value, checked)
        }
        others = {key: value for key, value in given.items() if key not in _PER_SET}
        try:
            comparisons[name] = compare_systems(systems, references, **others, **own, pairs=None)
        except (TypeError, ValueError) as error:
            raise type(error)(f"test_sets[{name!r}]: {error}") from error
    return combine_sets(
        comparisons,
        correction,
        given.get("lower_is_better", ()),
        independent=independent,
    )


def _check_sets(test_sets: object) -> dict[str, tuple[Any, Any]]:
    """Check that there are sets with the same systems; return systems and references of each."""
    if not isinstance(test_sets, Mapping):
        raise TypeError(f"test_sets is of type {type(test_sets).__name__}; {_EXPECTED}")
    if len(test_sets) < 2:
        raise ValueError(
            f"test_sets has {len(test_sets)} set{'s' * (len(test_sets) != 1)}; {_EXPECTED}"
        )
    found: dict[str, tuple[Any, Any]] = {}
    for name, value in test_sets.items():
        systems, references = (value, None) if isinstance(value, Mapping) else _split(name, value)
        if not isinstance(systems, Mapping):
            raise TypeError(
                f"test_sets[{name!r}] has systems of type {type(systems).__name__}; {_EXPECTED}"
            )
        if has_runs(systems):
            raise ValueError(
                f"test_sets[{name!r}] has several runs of a system; expected one run of each."
            )
        if found:
            first, (others, _) = next(iter(found.items()))
            if set(systems) != set(others):
                raise ValueError(
                    f"test_sets[{name!r}] has the systems {', '.join(map(repr, systems))}, but "
                    f"test_sets[{first!r}] has {', '.join(map(repr, others))}; expected the same."
                )
            systems = {system: systems[system] for system in others}
        found[name] = systems, references
    return found


def _split(name: object, value: Any) -> tuple[Any, Any]:
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise TypeError(f"test_sets[{name!r}] is of type {type(value).__name__}; {_EXPECTED}")
    return value[0], value[1]


def _check_per_set(key: str, value: object, sets: Mapping[str, Any]) -> bool:
    """Check that an argument has a value for each set."""
    if not isinstance(value, Mapping) or set(value) != set(sets):
        raise value_error(
            "{} does not have the names of test_sets",
            Argument(key),
            expected=f"expected a mapping of each of {', '.join(map(repr, sets))} to its own.",
        )
    return True

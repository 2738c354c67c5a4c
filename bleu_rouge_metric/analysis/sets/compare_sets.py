"""Compare systems on several test sets: a mean over sets, and how many sets are won.

Dror et al. (2017) count the data sets on which a method is better, so that the number is too large
with a probability of at most the level. The mean over sets gives every set the same weight.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, get_args

from ...checks import check_choice, check_flag
from ...messages import Argument, value_error
from ...resampling.corrections import Correction
from ..significance import compare_systems
from ..system_runs import has_runs
from .combine_sets import combine_sets
from .set_comparison import SetComparison

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..comparison_keywords import ComparisonKeywords

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

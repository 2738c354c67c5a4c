"""Systems of which each has several runs, such as trainings with several seeds."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from ..checks import is_sequence
from ..scoring.scorer import Scorer

# The test of several runs, unless another is asked for.
RUN_TEST: Final = "bootstrap_t"


class SplitRuns(NamedTuple):
    """All runs of all systems.

    Attributes:
        systems: predictions or a scorer, by what errors call the run.
        owners: the place of the system that each run belongs to.
    """

    systems: dict[str, Any]
    owners: tuple[int, ...]


def has_runs(systems: object) -> bool:
    """Return whether a system has several runs."""
    return isinstance(systems, Mapping) and any(map(_has_runs, systems.values()))


def split_runs(systems: Mapping[str, Any]) -> SplitRuns | None:
    """Return the runs of all systems; None if each system is a single run.

    Args:
        systems: by their names: predictions or a scorer; or a sequence of several, or a mapping of
            names such as seeds to them.

    Raises:
        ValueError: some systems have several runs and some do not, or a system has fewer than two.
    """
    if not has_runs(systems):
        return None
    have = {name: _has_runs(value) for name, value in systems.items()}
    if not all(have.values()):
        single = next(name for name, several in have.items() if not several)
        several = next(name for name, found in have.items() if found)
        raise ValueError(
            f"systems[{several!r}] has several runs, but systems[{single!r}] is a single one; "
            "expected two runs or more of each system."
        )
    runs: dict[str, Any] = {}
    owners: list[int] = []
    for place, (name, value) in enumerate(systems.items()):
        if len(value) < 2:
            raise ValueError(
                f"systems[{name!r}] has {len(value)} run{'s' * (len(value) != 1)}; expected at "
                "least 2, because one does not say how much runs differ."
            )
        items = value.items() if isinstance(value, Mapping) else enumerate(value)
        for key, run in items:
            runs[f"systems[{name!r}][{key!r}]"] = run
            owners.append(place)
    return SplitRuns(runs, tuple(owners))


def _has_runs(value: object) -> bool:
    """Return whether a system is several runs: predictions, or scorers."""
    if isinstance(value, Mapping):
        return True
    if not isinstance(value, list | tuple) or not value:
        return False
    first: Any = value[0]
    if isinstance(first, Scorer):
        return True
    if not is_sequence(first) or not len(first):
        return False
    # A prediction is a str, or a sequence of token ids. The labels of a Series need not have a 0.
    prediction = next(iter(first))
    return isinstance(prediction, str) or is_sequence(prediction)

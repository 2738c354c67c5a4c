"""Runs of systems for ``bleu-rouge compare --runs``: which files belong to which system."""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

from ..scoring.scorer import Scorer
from .messages import UsageError


def name_runs(names: Sequence[str], runs: int | None) -> dict[str, list[str]] | None:
    """Return the names of the runs of each system; None without ``--runs``.

    Args:
        names: of all runs, those of a system next to each other.
        runs: how many each system has.

    Raises:
        UsageError: it is not a number of 2 or more that divides the number of names by two or more
            systems, the names of the runs of a system do not begin alike, or two systems have the
            same name.

    >>> name_runs(["a-1", "a-2", "b-1", "b-2"], 2)
    {'a': ['a-1', 'a-2'], 'b': ['b-1', 'b-2']}
    """
    if runs is None:
        return None
    number = runs
    if number < 2 or len(names) % number or len(names) == number:
        raise UsageError(
            f"--runs is {runs}, but there are {len(names)} files or columns; expected 2 or more "
            "runs of each of two or more systems."
        )
    named: dict[str, list[str]] = {}
    for start in range(0, len(names), number):
        part = list(names[start : start + number])
        # Names are compared character by character: they are no paths.
        alike = takewhile(lambda each: len(set(each)) == 1, zip(*part, strict=False))
        name = "".join(each[0] for each in alike).rstrip("-_. ")
        if not name:
            raise UsageError(
                f"--runs is {runs}, so that {', '.join(map(repr, part))} would be runs of one "
                "system, but their names do not begin alike; give the files of each system next "
                "to each other."
            )
        if name in named:
            raise UsageError(
                f"--runs is {runs}, but two systems would be called {name!r}; give the files of "
                "each system next to each other, with names that begin alike."
            )
        named[name] = part
    return named


def join_runs(
    scorers: Mapping[str, Scorer], runs: Mapping[str, Sequence[str]] | None
) -> Mapping[str, Any]:
    """Return the scorers of the runs of each system; the scorers as they are without runs."""
    if runs is None:
        return scorers
    return {system: [scorers[name] for name in names] for system, names in runs.items()}

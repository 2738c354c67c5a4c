"""Count the samples of several systems that have the same references."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..families.counts import SampleCounts
from ..options.options import Options
from ..options.profiles import Family, check_family
from ..options.relevance import ONE_NUMBER, check_known, refuse_options
from ..options.same_counts import check_same_functions
from ..options.table import option_names
from ..samples.inputs import check_samples
from ..scoring.counting import count_samples
from ..scoring.lost_texts import warn_of_texts
from ..scoring.result_options import choose_options
from ..scoring.scorer import Scorer
from .system_runs import split_runs


class CountedSystems(NamedTuple):
    """Counts of all systems, the baseline first.

    Attributes:
        names: of the systems.
        counts: of each, or of each run.
        options: of the scores.
        families: that are scored.
        owners: the place of the system that each of the counts is a run of; None if each system
            has a single run.
    """

    names: list[str]
    counts: list[SampleCounts]
    options: Options
    families: tuple[Family, ...]
    owners: tuple[int, ...] | None = None


def count_systems(
    systems: object,
    references: object,
    *,
    baseline: object,
    family: object,
    options: Mapping[str, Any],
) -> CountedSystems:
    """Check systems and references, and count the samples of each system.

    Args:
        systems: mapping of names to predictions, to scorers, or to several runs of one of both; two
            or more.
        references: of the predictions; None for scorers.
        baseline: the name of one; None for the first.
        family: ``bleu`` or ``rouge``; None for both.
        options: of the scores.

    Raises:
        TypeError: a value is of a wrong type, or an option is unknown or asks for another output.
        ValueError: there are fewer than two systems or samples, the lengths differ, or the scorers
            do not fit together.
    """
    named = check_systems(systems, baseline)
    check_known(options)
    refuse_options(options, option_names("output"), "compare_systems", ONE_NUMBER)
    families = check_family(family)
    runs = split_runs(named)
    if runs is None:
        placed = {f"systems[{name!r}]": value for name, value in named.items()}
        counted = _count_each(placed, references, options, families)
    else:
        counted = _count_each(runs.systems, references, options, families)
        counted = counted._replace(owners=runs.owners)
    return counted._replace(names=list(named))


def _count_each(
    named: Mapping[str, Any],
    references: object,
    options: Mapping[str, Any],
    families: Sequence[Family],
) -> CountedSystems:
    """Count each of some systems or runs, by what errors call it."""
    scorers = [value for value in named.values() if isinstance(value, Scorer)]
    if not scorers:
        counted = _count_texts(named, references, options, families)
    elif len(scorers) == len(named):
        if references is not None:
            raise TypeError(
                "references is given, but the systems are scorers, which have counted theirs; "
                "leave it out."
            )
        counted = _take_counts(list(named), scorers, options)
    else:
        raise TypeError(
            "systems has predictions and scorers; expected one kind, because they are counted "
            "with the same options."
        )
    samples = len(counted.counts[0].reference_counts)
    if samples < 2:
        raise ValueError(f"There is {samples} sample; expected at least 2 to resample.")
    return counted


def check_systems(systems: object, baseline: object) -> dict[str, Any]:
    """Return the systems by name, the baseline first."""
    if not isinstance(systems, Mapping):
        raise TypeError(
            f"systems is of type {type(systems).__name__}; expected a mapping of names to "
            'predictions, such as {"A": [...], "B": [...]}.'
        )
    for name in systems:
        if not isinstance(name, str) or not name:
            raise TypeError(f"systems has the name {name!r}; expected a str that is not empty.")
    if len(systems) < 2:
        raise ValueError(
            f"systems has {len(systems)} system{'s' * (len(systems) != 1)}; expected at least 2 to "
            "compare."
        )
    named = dict(systems)
    if baseline is None:
        return named
    if baseline not in named:
        raise ValueError(
            f"baseline is {baseline!r}; expected one of {', '.join(map(repr, named))}."
        )
    return {str(baseline): named.pop(baseline), **named}


def _count_texts(
    systems: Mapping[str, Any],
    references: object,
    options: Mapping[str, Any],
    families: Sequence[Family],
) -> CountedSystems:
    """Count the predictions of each system."""
    checked = Options.from_keywords(options, families)
    plan = checked.plan(families)
    for part in plan.scoring.parts.values():
        part.check_sums()
    # They are read once for each system.
    shared = list(references) if isinstance(references, Iterator) else references
    counts: list[SampleCounts] = []
    for name, predictions in systems.items():
        try:
            samples = check_samples(predictions, shared)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{name}: {error}") from error
        counts.append(count_samples(samples, plan.counting))
        if len(counts) == 1:
            # Warnings about the other systems would mostly repeat it.
            warn_of_texts(samples, counts[0], plan.counting)
    return CountedSystems(list(systems), counts, checked, plan.families)


def _take_counts(
    names: list[str], scorers: Sequence[Scorer], options: Mapping[str, Any]
) -> CountedSystems:
    """Take the counts of scorers, which must have the same options, samples and references."""
    first = scorers[0]
    counts: list[SampleCounts] = []
    for name, scorer in zip(names, scorers, strict=True):
        if not len(scorer):
            raise ValueError(f"{name} has no samples; give some to update first.")
        if scorer.families != first.families or scorer.options != first.options:
            raise ValueError(
                f"{name} has other options than {names[0]}: "
                f"{scorer.signature()} and {first.signature()}; count both with the same."
            )
        check_same_functions(first.options, scorer.options)
        counts.append(scorer.counts())
        _check_same_samples(name, names[0], counts[-1], counts[0], first)
        if not np.array_equal(_list_keys(scorer), _list_keys(first)):
            raise ValueError(
                f"{name} and {names[0]} have samples of other keys; expected the same samples."
            )
    chosen = choose_options(first.options, first.families, options)
    return CountedSystems(names, counts, chosen, first.families)


def _list_keys(scorer: Scorer) -> Any:
    keys = scorer.keys()
    return [] if keys is None else keys


def _check_same_samples(
    name: str, baseline: str, counts: SampleCounts, expected: SampleCounts, scorer: Scorer
) -> None:
    """Raise ValueError if two scorers have other numbers of samples or other references."""
    ours, theirs = len(counts.reference_counts), len(expected.reference_counts)
    if ours != theirs:
        raise ValueError(
            f"{name} has {ours} samples, but {baseline} has {theirs}; expected the same samples."
        )
    parts = scorer.options.plan(scorer.families).counting.parts.values()

    def describe(held: SampleCounts) -> list[Any]:
        """List the numbers that depend on references alone."""
        described = (array for part in parts for array in part.list_reference_counts(held))
        return [held.reference_counts, *described]

    here, there = describe(counts), describe(expected)
    if any(not np.array_equal(mine, other) for mine, other in zip(here, there, strict=True)):
        raise ValueError(
            f"{name} and {baseline} were counted with other references; expected the same samples."
        )

"""Check and count the systems that are compared.

A system is predictions, a ``Scorer``, or several runs of one of both.
"""

from collections.abc import Iterator, Mapping, Sequence, Sized
from typing import Any, NamedTuple

import numpy as np

from ..checks import is_sequence
from ..families.counts import SampleCounts
from ..messages import count_noun, value_error
from ..options.errors import ONE_NUMBER, check_known, refuse_options
from ..options.options import Options
from ..options.profiles import Family, check_family
from ..options.same_counts import check_same_functions
from ..options.table import option_names
from ..samples.inputs import Samples, check_samples
from ..scoring.counting import count_samples
from ..scoring.results import choose_options
from ..scoring.scorer import Scorer
from ..scoring.text_warnings import warn_of_texts


def has_runs(systems: object) -> bool:
    """Return whether a system has several runs."""
    return isinstance(systems, Mapping) and any(map(_has_runs, systems.values()))


def split_runs(systems: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[int, ...]] | None:
    """Return all runs by what errors call them, and the place of the system of each run.

    None if each system is a single run.
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
                f"systems[{name!r}] has {count_noun(len(value), 'run')}; expected at "
                "least 2, because one does not say how much runs differ."
            )
        items = value.items() if isinstance(value, Mapping) else enumerate(value)
        for key, run in items:
            runs[f"systems[{name!r}][{key!r}]"] = run
            owners.append(place)
    return runs, tuple(owners)


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


class CountedSystems(NamedTuple):
    """Counts of all systems, the baseline first.

    ``counts`` are those of each system, or of each run. ``owners`` has the place of the system of
    each run; it is None if each system has a single run.
    """

    names: list[str]
    counts: list[SampleCounts]
    options: Options
    families: tuple[Family, ...]
    owners: tuple[int, ...] | None = None


class CheckedSystems(NamedTuple):
    """Systems whose predictions and references fit together.

    ``samples`` are still to be counted, so that ``counted`` has no counts yet; scorers have none.
    """

    counted: CountedSystems
    samples: list[Samples]
    n_samples: int

    def count_all(self) -> CountedSystems:
        """Count the samples of each system."""
        plan, counts = self.counted.options.plan(self.counted.families), []
        for samples in self.samples:
            counts.append(count_samples(samples, plan))
            if len(counts) == 1:
                # Warnings about the other systems would mostly repeat it.
                warn_of_texts(samples, counts[0], plan)
        return self.counted._replace(counts=self.counted.counts + counts)


def check_systems(
    systems: object,
    references: object,
    *,
    baseline: object,
    family: object,
    options: Mapping[str, Any],
) -> CheckedSystems:
    """Return the checked systems, references and options of ``compare_systems``."""
    named = order_systems(systems, baseline)
    check_known(options)
    refuse_options(options, option_names("output"), "compare_systems", ONE_NUMBER)
    families = check_family(family)
    runs = split_runs(named)
    placed = {f"systems[{name!r}]": value for name, value in named.items()}
    if runs is not None:
        placed = runs[0]
    scorers = [value for value in placed.values() if isinstance(value, Scorer)]
    if not scorers:
        checked = _check_texts(placed, references, options, families)
    elif len(scorers) < len(placed):
        raise TypeError(
            "systems has predictions and scorers; expected one kind, because they are counted "
            "with the same options."
        )
    elif references is not None:
        raise TypeError(
            "references is given, but the systems are scorers, which have counted theirs; "
            "leave it out."
        )
    else:
        checked = _check_scorers(list(placed), scorers, options)
    if checked.n_samples < 2:
        raise ValueError(f"There is {checked.n_samples} sample; expected at least 2 to resample.")
    owners = None if runs is None else runs[1]
    return checked._replace(counted=checked.counted._replace(names=list(named), owners=owners))


def order_systems(systems: object, baseline: object) -> dict[str, Any]:
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
            f"systems has {count_noun(len(systems), 'system')}; expected at least 2 to compare."
        )
    named = dict(systems)
    if baseline is None:
        return named
    if baseline not in named:
        raise ValueError(
            f"baseline is {baseline!r}; expected one of {', '.join(map(repr, named))}."
        )
    return {str(baseline): named.pop(baseline), **named}


def choose_system(names: Sequence[str], system: str | None) -> str:
    """Return the checked system, which is not the baseline (first); None for the only other one."""
    others = list(names[1:])
    if system is None and len(others) == 1:
        return others[0]
    if system not in others:
        raise value_error(
            "{system} is {!r}", system, expected=f"expected one of {', '.join(map(repr, others))}."
        )
    return str(system)


def _check_texts(
    placed: Mapping[str, Any],
    references: object,
    options: Mapping[str, Any],
    families: Sequence[Family],
) -> CheckedSystems:
    """Check the predictions of each system or run, by what errors call it."""
    checked = Options.from_keywords(options, families)
    plan = checked.plan(families)
    for part in plan.scores.values():
        part.check_sums()
    # References are read once for each system.
    shared = list(references) if isinstance(references, Iterator) else references
    held = {
        place: list(value) if isinstance(value, Iterator) else value
        for place, value in placed.items()
    }
    _check_lengths(held, shared)
    samples = [_check_one(place, predictions, shared) for place, predictions in held.items()]
    n_samples = len(samples[0].offsets) - 1
    return CheckedSystems(CountedSystems([], [], checked, plan.families), samples, n_samples)


def _check_one(place: str, predictions: object, references: object) -> Samples:
    """Check the samples of one system or run; an error says of which."""
    try:
        return check_samples(predictions, references)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{place}: {error}") from error


def _check_lengths(placed: Mapping[str, Any], references: object) -> None:
    """Raise ValueError if systems have different numbers of predictions."""
    lengths = {
        place: len(value)
        for place, value in placed.items()
        if isinstance(value, Sized) and not isinstance(value, str | bytes | Mapping)
    }
    if len(set(lengths.values())) < 2:
        return
    expected = len(references) if isinstance(references, Sized) else -1
    if expected not in lengths.values():
        expected = next(iter(lengths.values()))
    place = next(place for place, length in lengths.items() if length != expected)
    other = next(place for place, length in lengths.items() if length == expected)
    raise ValueError(
        f"{place} has {count_noun(lengths[place], 'prediction')}, but {other} has "
        f"{expected}; expected predictions for the same samples."
    )


def _check_scorers(
    places: list[str], scorers: Sequence[Scorer], options: Mapping[str, Any]
) -> CheckedSystems:
    """Take the counts of scorers, which must have the same options, samples and references."""
    first = scorers[0]
    counts: list[SampleCounts] = []
    for place, scorer in zip(places, scorers, strict=True):
        if not len(scorer):
            raise ValueError(f"{place} has no samples; give some to update first.")
        if scorer.families != first.families or scorer.options != first.options:
            raise ValueError(
                f"{place} has other options than {places[0]}: "
                f"{scorer.signature()} and {first.signature()}; count both with the same."
            )
        check_same_functions(first.options, scorer.options, first.families)
        counts.append(scorer.counts())
        _check_same_samples(place, places[0], counts[-1], counts[0], first)
        if not np.array_equal(_list_keys(scorer), _list_keys(first)):
            raise ValueError(
                f"{place} and {places[0]} have samples of other keys; expected the same samples."
            )
    chosen = choose_options(first.options, first.families, options)
    n_samples = len(counts[0].reference_counts)
    return CheckedSystems(CountedSystems([], counts, chosen, first.families), [], n_samples)


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
    parts = scorer.options.plan(scorer.families).scores.values()

    def describe(held: SampleCounts) -> list[Any]:
        """List the numbers that depend on references alone."""
        described = (array for part in parts for array in part.list_reference_counts(held))
        return [held.reference_counts, *described]

    here, there = describe(counts), describe(expected)
    if any(not np.array_equal(mine, other) for mine, other in zip(here, there, strict=True)):
        raise ValueError(
            f"{name} and {baseline} were counted with other references; expected the same samples."
        )

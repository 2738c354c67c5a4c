"""Systems with ratings by people, and what metrics say of them: check them, and count texts."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from ...messages import format_message, value_error
from ...options.profiles import Family
from ...resampling.draws import Floats
from ...resampling.paired import System, join_statistics
from ...scoring.statistics import make_mean_statistic
from ..systems import check_numbers, check_outside_scores, count_systems, gather_scores
from .coefficients import merge_ties

_EXPECTED: Final = 'expected a mapping of names to ratings, such as {"A": [4, 2], "B": [3, 5]}.'


class RatedSystems(NamedTuple):
    """The scores of several metrics, and ratings by people, for the same texts.

    Attributes:
        systems: names of the systems.
        metrics: names of the metrics.
        samples: the scores of each metric, shape (metrics, systems, items).
        values: the scores of whole systems, shape (metrics, systems); equal if only rounding
            errors differ.
        ratings: shape (systems, items).
        tables: of each system, the statistics of all metrics, for resamples of items.
        rating_tables: of each system, the statistic of its ratings.
        options: the signature of the options of BLEU and ROUGE; empty if they are not scored.
    """

    systems: list[str]
    metrics: list[str]
    samples: Floats
    values: Floats
    ratings: Floats
    tables: list[System]
    rating_tables: list[System]
    options: str

    @property
    def n_items(self) -> int:
        """Number of items: the inputs, each with one text per system."""
        return int(self.ratings.shape[1])

    @property
    def mean_ratings(self) -> Floats:
        """Return the ratings of whole systems, shape (systems,)."""
        return merge_ties(self.ratings.mean(axis=1))


def gather_ratings(
    scores: object,
    human: object,
    *,
    systems: object,
    references: object,
    seed: int,
    family: Family | None,
    options: Mapping[str, Any],
) -> RatedSystems:
    """Check scores and ratings, and count the texts of the systems if there are some.

    Args:
        scores: mapping of a metric to a mapping of each system to its numbers; None for none.
        human: mapping of each system to its ratings.
        systems: mapping of each system to predictions or to a scorer; None for none.
        references: of the predictions.
        seed: of an aggregator that resamples.
        family: ``bleu`` or ``rouge``; None for both.
        options: of the scores.

    Raises:
        TypeError: a value is of a wrong type.
        ValueError: there are no scores, systems or items differ, a rating is missing, or a number
            is not finite.
    """
    if not isinstance(human, Mapping):
        raise TypeError(f"human is of type {type(human).__name__}; {_EXPECTED}")
    if systems is None:
        if references is not None or family is not None or options:
            name = "references" if references is not None else next(iter(options), "family")
            raise TypeError(f"{name} is given without systems; give the texts in systems.")
        return _gather_numbers(scores, human)
    counted = count_systems(systems, references, baseline=None, family=family, options=options)
    n_items = len(counted.counts[0].reference_counts)
    outside = check_outside_scores(scores, counted.names, n_items)
    ratings = _check_ratings(human, counted.names, n_items)
    plan = counted.options.plan(counted.families)
    gathered = gather_scores(counted.counts, outside, plan.scoring, seed, None)
    metrics = list(gathered[0].values)
    return RatedSystems(
        counted.names,
        metrics,
        np.array([[one.samples[metric] for one in gathered] for metric in metrics]),
        merge_ties(np.array([[one.values[metric] for one in gathered] for metric in metrics])),
        ratings,
        [one.table for one in gathered],
        _make_tables(ratings[np.newaxis]),
        counted.options.write_signature(
            counted.families, reference_counts=counted.counts[0].reference_counts, seed=seed
        ),
    )


def _gather_numbers(scores: object, human: Mapping[Any, Any]) -> RatedSystems:
    """Gather scores that are all numbers."""
    if not scores:
        raise value_error(
            "{scores} has no metric, and there are no {systems} to score",
            remedy="give the scores of a metric, or the texts of the systems.",
        )
    by_system = next(iter(scores.values())) if isinstance(scores, Mapping) else None
    names = list(by_system) if isinstance(by_system, Mapping) else list(human)
    first = next(iter(by_system.values()), ()) if isinstance(by_system, Mapping) else ()
    n_items = len(first) if hasattr(first, "__len__") else 0
    outside = check_outside_scores(scores, names, n_items)
    if len(names) < 2 or n_items < 2:
        count = f"{len(names)} system{'s' * (len(names) != 1)}"
        items = f"{n_items} item{'s' * (n_items != 1)}"
        raise value_error(
            "{scores} has {} and {}",
            format_message(count),
            format_message(items),
            expected="expected at least 2 of each.",
        )
    ratings = _check_ratings(human, names, n_items)
    metrics = list(outside[0])
    for metric in metrics:
        if outside[0][metric].score is not None:
            raise value_error(
                "{scores} has a function of sums for {!r}, but there are no {systems}",
                metric,
                remedy="give the texts of the systems too, or one number for each sample.",
            )
    samples = np.array([[one[metric].samples for one in outside] for metric in metrics])
    return RatedSystems(
        names,
        metrics,
        samples,
        merge_ties(samples.mean(axis=2)),
        ratings,
        _make_tables(samples),
        _make_tables(ratings[np.newaxis]),
        "",
    )


def _check_ratings(human: Mapping[Any, Any], names: list[str], n_items: int) -> Floats:
    """Return the ratings, shape (systems, items)."""
    if set(human) != set(names):
        raise value_error(
            "{human} has the systems {}",
            ", ".join(map(repr, human)),
            expected=f"expected ratings of {', '.join(map(repr, names))}.",
        )
    return np.array([check_numbers(f"human[{name!r}]", human[name], n_items) for name in names])


def _make_tables(numbers: Floats) -> list[System]:
    """Return for each system the means of its numbers, shape (metrics, systems, items)."""
    largest = np.abs(numbers).max(axis=(1, 2))
    return [
        join_statistics(
            [
                make_mean_statistic(metric[system], float(most))
                for metric, most in zip(numbers, largest, strict=True)
            ]
        )
        for system in range(numbers.shape[1])
    ]

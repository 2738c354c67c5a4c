"""Scores of other metrics: one number per sample, or columns whose sums have a score."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..messages import value_error
from ..resampling.draws import Floats, join_sums, split_scores
from ..resampling.paired import Statistic
from ..scoring.statistics import make_mean_statistic

# From sums of columns, shape (rows, columns), to scores, shape (rows,).
SumScore = Callable[[Any], Any]

# Whole numbers whose sums over any test set are exact.
_LARGEST_WHOLE: Final = 1 << 31


class SummedScore(NamedTuple):
    """A score that is a function of sums, such as TER: all edits over all words of references.

    Attributes:
        columns: for each system, one row per sample: a sequence of numbers, whose sums are scored.
        score: from a float64 array of sums, shape (rows, columns), to one score per row. It is
            called with the sums of all samples, of resamples, and with each sample alone.

    >>> def score_ter(sums):
    ...     return sums[:, 0] / sums[:, 1]
    >>> SummedScore({"A": [[1, 5], [0, 5]]}, score_ter).score(np.array([[1, 10]])).tolist()
    [0.1]
    """

    columns: Mapping[str, Any]
    score: SumScore


@dataclass(frozen=True)
class OutsideScore:
    """A score of one system by another metric.

    Attributes:
        samples: of each sample, shape (samples,).
        sign: 1 if a higher score is better, -1 if a lower one is.
        columns: what is summed, shape (samples, columns); None for a mean of samples.
        score: from sums to scores; None for a mean of samples.
    """

    samples: Floats
    sign: int = 1
    columns: Floats | None = None
    score: SumScore | None = None

    def select(self, indices: NDArray[np.int64]) -> "OutsideScore":
        """Return the score of some samples."""
        columns = None if self.columns is None else self.columns[indices]
        return replace(self, samples=self.samples[indices], columns=columns)


def make_statistics(
    scores: Sequence[OutsideScore], clusters: NDArray[np.int64] | None
) -> list[Statistic]:
    """Return what is resampled of one score, for each system.

    Args:
        scores: of the systems.
        clusters: the number of each sample's cluster; None if there are none.
    """
    sign, function = scores[0].sign, scores[0].score
    if function is None:
        largest = max(float(np.abs(each.samples).max()) for each in scores)
        means = [make_mean_statistic(each.samples, largest, clusters) for each in scores]
        return [statistic._replace(sign=sign) for statistic in means]
    tables = [each.columns for each in scores if each.columns is not None]
    bounds = [_find_bound([table[:, at] for table in tables]) for at in range(tables[0].shape[1])]
    scorer = partial(_score_halves, bounds=bounds, score=function)
    return [
        Statistic(
            np.concatenate(
                [
                    table[:, [at]].astype(np.int64)
                    if bound is None
                    else split_scores(table[:, at], bound)
                    for at, bound in enumerate(bounds)
                ],
                axis=1,
            ),
            scorer,
            sign,
        )
        for table in tables
    ]


def _find_bound(columns: Sequence[Floats]) -> float | None:
    """Return the largest absolute value of a column; None if all values are whole numbers."""
    largest = max(float(np.abs(column).max()) for column in columns)
    is_whole = all(np.array_equal(column, np.rint(column)) for column in columns)
    return None if is_whole and largest < _LARGEST_WHOLE else largest


def _score_halves(sums: Floats, bounds: Sequence[float | None], score: SumScore) -> Floats:
    """Score sums of columns, of which some are in two halves."""
    joined, at = [], 0
    for bound in bounds:
        joined.append(sums[:, at] if bound is None else join_sums(sums[:, at : at + 2], bound))
        at += 1 if bound is None else 2
    scores: Floats = score(np.stack(joined, axis=1))
    return scores


def check_outside_scores(
    scores: object, systems: Sequence[str], samples: int, lower_is_better: object = ()
) -> list[dict[str, OutsideScore]]:
    """Check scores of samples by other metrics, and return them for each system.

    Args:
        scores: mapping of a name to a mapping of each system to its numbers, or to a
            ``SummedScore``; None for none.
        systems: names of the systems.
        samples: how many samples there are.
        lower_is_better: the names of the scores of which a lower one is better.

    Raises:
        TypeError: a value is of a wrong type.
        ValueError: a system has no scores or is unknown, a length differs, or a number is not
            finite.
    """
    found: list[dict[str, OutsideScore]] = [{} for _ in systems]
    expected = 'expected {"name": {"system": [one number for each sample]}}.'
    if scores is not None and not isinstance(scores, Mapping):
        raise TypeError(f"scores is of type {type(scores).__name__}; {expected}")
    named: Mapping[Any, Any] = {} if scores is None else scores
    lower = _check_lower(lower_is_better, list(named))
    for name, given in named.items():
        by_system = given.columns if isinstance(given, SummedScore) else given
        if not isinstance(name, str) or not isinstance(by_system, Mapping):
            raise TypeError(f"scores[{name!r}] is of type {type(by_system).__name__}; {expected}")
        if set(by_system) != set(systems):
            raise ValueError(
                f"scores[{name!r}] has the systems {', '.join(map(repr, by_system))}; expected "
                f"{', '.join(map(repr, systems))}."
            )
        width: int | None = None
        for system, row in zip(systems, found, strict=True):
            place = f"scores[{name!r}][{system!r}]"
            sign = -1 if name in lower else 1
            if not isinstance(given, SummedScore):
                row[name] = OutsideScore(check_numbers(place, by_system[system], samples), sign)
                continue
            columns = _check_columns(place, by_system[system], samples, width)
            width = columns.shape[1]
            score = _check_function(f"scores[{name!r}]", given.score)
            row[name] = OutsideScore(score(columns), sign, columns, score)
    return found


def _check_lower(lower_is_better: object, names: list[str]) -> set[str]:
    """Check the names of the scores of which a lower one is better."""
    if isinstance(lower_is_better, str) or not isinstance(lower_is_better, Iterable):
        raise TypeError(
            f"lower_is_better is {lower_is_better!r}; expected the names of some scores of "
            "scores=, such as ['ter']."
        )
    lower = list(lower_is_better)
    if lower and not names:
        raise value_error(
            "{lower_is_better} is given, but {scores} is not",
            remedy="give the scores of other metrics, or leave it out.",
        )
    for name in lower:
        if name not in names:
            raise value_error(
                "{lower_is_better} has {!r}",
                name,
                expected=f"expected one of {', '.join(map(repr, names))}.",
            )
    return set(lower)


def _check_function(place: str, function: object) -> SumScore:
    """Return the function with checks of what it returns."""
    if not callable(function):
        raise TypeError(
            f"{place}.score is of type {type(function).__name__}; expected a callable from sums, "
            "shape (rows, columns), to one score per row."
        )

    def score(sums: Floats) -> Floats:
        with np.errstate(all="ignore"):
            values: Floats = np.asarray(function(sums), dtype=np.float64)
        if values.shape != (len(sums),):
            raise ValueError(
                f"{place}.score returns an array of shape {values.shape} for {len(sums)} rows of "
                f"sums; expected one score per row, shape ({len(sums)},)."
            )
        wrong = np.flatnonzero(~np.isfinite(values))
        if wrong.size:
            raise ValueError(
                f"{place}.score returns {values[wrong[0]]} for the sums "
                f"{sums[wrong[0]].tolist()}; expected a finite number for every sample, such as 0 "
                "for one without words."
            )
        return values

    return score


def _check_columns(place: str, rows: Any, samples: int, width: int | None) -> Floats:
    """Check that there is one row of finite numbers per sample."""
    _check_iterable(place, rows, "one row of numbers for each sample")
    items = rows.tolist() if hasattr(rows, "tolist") else list(rows)
    if len(items) != samples:
        raise ValueError(
            f"{place} has {len(items)} rows, but there are {samples} samples; expected one row for "
            "each."
        )
    checked = [_check_items(f"{place}[{index}]", item) for index, item in enumerate(items)]
    width = len(checked[0]) if width is None else width
    for index, row in enumerate(checked):
        if len(row) != width or not row:
            raise ValueError(
                f"{place}[{index}] has {len(row)} numbers; expected {width or 'at least 1'}, as in "
                "the rows before."
            )
    return np.array(checked, dtype=np.float64)


def check_numbers(place: str, numbers: Any, samples: int) -> Floats:
    """Check that there is one finite number per sample."""
    _check_iterable(place, numbers, "one number for each sample")
    items = numbers.tolist() if hasattr(numbers, "tolist") else list(numbers)
    if len(items) != samples:
        raise ValueError(
            f"{place} has {len(items)} numbers, but there are {samples} samples; expected one "
            "number for each."
        )
    return np.array(_check_items(place, items), dtype=np.float64)


def _check_iterable(place: str, value: object, expected: str) -> None:
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise TypeError(f"{place} is of type {type(value).__name__}; expected {expected}.")


def _check_items(place: str, items: Any) -> list[float]:
    """Check that all items are finite numbers."""
    _check_iterable(place, items, "numbers")
    for index, item in enumerate(items):
        if isinstance(item, bool) or not isinstance(item, int | float | np.number):
            raise TypeError(f"{place}[{index}] is {item!r}; expected a number.")
        if not np.isfinite(item):
            raise ValueError(f"{place}[{index}] is {item}; expected a finite number.")
    return list(items)

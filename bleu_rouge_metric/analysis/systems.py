"""The systems that are compared: check and count them, and gather what is scored and resampled.

A system is predictions, a ``Scorer``, or several runs of one of both. Scores of other metrics are
one number per sample, or columns whose sums have a score.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..checks import is_sequence
from ..families.counts import SampleCounts
from ..messages import value_error
from ..options.options import Options
from ..options.plans import ScorePlan
from ..options.profiles import Family, check_family
from ..options.relevance import ONE_NUMBER, check_known, refuse_options
from ..options.same_counts import check_same_functions
from ..options.table import option_names
from ..resampling.draws import Floats, join_sums, split_scores
from ..resampling.paired import Statistic, System, join_statistics
from ..samples.inputs import check_samples
from ..scoring.counting import count_samples
from ..scoring.lost_texts import warn_of_texts
from ..scoring.result_options import choose_options
from ..scoring.scorer import Scorer
from ..scoring.statistics import make_mean_statistic, sum_clusters

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


def choose_system(names: Sequence[str], system: str | None) -> str:
    """Return the system that is compared with the baseline, the first name; None for the only one.

    Raises:
        ValueError: it is unknown, or not named although there are several.
    """
    others = list(names[1:])
    if system is None and len(others) == 1:
        return others[0]
    if system not in others:
        raise value_error(
            "{system} is {!r}", system, expected=f"expected one of {', '.join(map(repr, others))}."
        )
    return str(system)


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


class SystemScores(NamedTuple):
    """The scores of one system, each under its name and in the same order.

    Attributes:
        values: of all samples together.
        samples: of each sample, shape (samples,); BLEU is smoothed, so that a sentence without a
            match of four words is told from one without any match.
        table: what is resampled.
        scales: the score of a perfect system; None for outside scores.
        signs: 1 if a higher score is better, -1 if a lower one is.
        runs: the scores of each run, if the system has several; the values and samples are then
            their means, and the table is that of the first.
    """

    values: dict[str, float]
    samples: dict[str, Floats]
    table: System
    scales: dict[str, int | None]
    signs: dict[str, int]
    runs: "tuple[SystemScores, ...]" = ()


def gather_scores(
    systems: Sequence[SampleCounts],
    outside: Sequence[Mapping[str, OutsideScore]],
    plan: ScorePlan,
    seed: int,
    clusters: NDArray[np.int64] | None,
) -> list[SystemScores]:
    """Gather the scores of all systems.

    Args:
        systems: the counts of each.
        outside: scores of samples by other metrics, for each system.
        plan: of the options that the samples were counted with.
        seed: of the random stream of an aggregator that resamples.
        clusters: the number of each sample's cluster; None if there are none.

    Raises:
        ValueError: the options give no BLEU that can be resampled, or an outside score has the
            name of another score.
    """
    parts = plan.parts.values()
    scored = [
        [part.score_system(counts, plan.output, seed) for part in parts] for counts in systems
    ]
    values = [{name: one for own, _ in each for name, one in own.items()} for each in scored]
    scores = [
        {name: OutsideScore(one) for _, own in each for name, one in own.items()} for each in scored
    ]
    sums = [
        {name: one for part in parts for name, one in part.sum(each).items()} for each in systems
    ]
    for name in outside[0]:
        if name in values[0]:
            raise value_error(
                "{scores} has the name {!r}, which is also a score computed here",
                name,
                expected="expected another name.",
            )
    for own, others in zip(scores, outside, strict=True):
        own.update(others)
    # BLEU is resampled from its counts, all others from the scores of samples.
    statistics = {
        name: [each[name].statistic for each in sums]
        if name in sums[0]
        else make_statistics([each[name] for each in scores], clusters)
        for name in scores[0]
    }
    scales: dict[str, int | None] = {name: part.scale for part in parts for name in part.names}
    scales = {name: scales.get(name) for name in [*values[0], *outside[0]]}
    signs = {name: scores[0][name].sign for name in scales}
    found = []
    for index, (whole, own) in enumerate(zip(values, scores, strict=True)):
        resampled = [each[index] for each in statistics.values()]
        if clusters is not None:
            resampled = [sum_clusters(statistic, clusters) for statistic in resampled]
        table = join_statistics(resampled)
        for name, score in outside[index].items():
            # A mean is that of NumPy, not that of the whole numbers that are resampled.
            whole[name] = (
                float(np.mean(score.samples))
                if score.columns is None
                else float(table.score_all()[list(own).index(name)])
            )
        samples = {name: score.samples for name, score in own.items()}
        found.append(SystemScores(whole, samples, table, scales, signs))
    return found


def average_runs(gathered: Sequence[SystemScores], owners: Sequence[int]) -> list[SystemScores]:
    """Return the scores of systems from those of all their runs.

    Args:
        gathered: the scores of the runs.
        owners: the place of the system of each run.
    """
    systems = []
    for system in range(max(owners) + 1):
        runs = [run for run, owner in zip(gathered, owners, strict=True) if owner == system]
        systems.append(
            runs[0]._replace(
                values={
                    name: float(np.mean([run.values[name] for run in runs]))
                    for name in runs[0].values
                },
                samples={
                    name: np.mean([run.samples[name] for run in runs], axis=0)
                    for name in runs[0].samples
                },
                runs=tuple(runs),
            )
        )
    return systems


def describe_runs(scores: SystemScores, score: str) -> dict[str, Any]:
    """Return how many runs a system has, and how much their scores vary; empty for a single one."""
    if not scores.runs:
        return {}
    values = [run.values[score] for run in scores.runs]
    return {"runs": len(values), "run_std": float(np.std(values, ddof=1))}


def score_all(counts: SampleCounts, plan: ScorePlan, seed: int = 0) -> dict[str, float]:
    """Return one number per score, as ``metric.compute`` gives it, in the order of results.

    Args:
        counts: of all samples.
        plan: of the options; whatever else it asks for is left out.
        seed: of the random stream of an aggregator that resamples.
    """
    scores: dict[str, float] = {}
    for part in plan.parts.values():
        scores.update(part.score_plainly(counts, plan.output, seed))
    return scores

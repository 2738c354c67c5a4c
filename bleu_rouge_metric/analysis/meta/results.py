"""The result of ``meta_evaluate``."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from ...matching.texts import join_names
from ...tables import Report, Result, Table, import_pandas
from ..system_words import (
    compare_p,
    find_p,
    is_clear,
    name_score,
    write_confidence,
    write_delta,
    write_p,
    write_value,
)

_NAMES: Final = {
    "pearson": "Pearson",
    "spearman": "Spearman",
    "kendall_b": "Kendall tau-b",
    "kendall_c": "Kendall tau-c",
    "accuracy": "accuracy",
    "calibrated_accuracy": "calibrated accuracy",
}
_LEVELS: Final = {"system": "Systems", "segment": "Segments"}
_GROUPINGS: Final = {
    "item": "in groups of one item",
    "system": "in groups of one system",
    "none": "all together",
}
_RESAMPLED: Final = {"both": "systems and items", "items": "items", "systems": "systems"}
_UNDEFINED: Final = "undefined"


class MetricAgreement(NamedTuple):
    """How far one metric agrees with people, by one coefficient at one level.

    Attributes:
        metric: name of the metric.
        level: ``system`` or ``segment``.
        coefficient: ``pearson``, ``spearman``, ``kendall_b``, ``kendall_c``, ``accuracy`` or
            ``calibrated_accuracy``.
        value: from -1 to 1, an accuracy from 0 to 1; of several groups, the mean of those in which
            it is defined; None if it is undefined.
        low: lower end of the interval; None if there is none.
        high: upper end of the interval.
        n_groups: how many groups of texts are correlated; 1 at the level of systems.
        n_undefined: groups that are left out, because all their scores or all their ratings are
            equal.
        undefined_resamples: resamples that are left out of the interval for the same reason.
        undefined_reason: why there is no value; None if there is one.
        threshold: of the calibrated accuracy: scores that differ by at most this are tied; None for
            other coefficients.
    """

    metric: str
    level: str
    coefficient: str
    value: float | None
    low: float | None
    high: float | None
    n_groups: int
    n_undefined: int
    undefined_resamples: int
    undefined_reason: str | None
    threshold: float | None


class MetricDifference(NamedTuple):
    """How much more one metric agrees with people than another, and whether that may be chance.

    Attributes:
        metric: name of the metric.
        other: the metric that it is compared with.
        level: ``system`` or ``segment``.
        coefficient: as in ``MetricAgreement``.
        delta: the value of ``metric`` minus that of ``other``; None if one is undefined.
        p_value: of the permutation test, two-sided; None if a value is undefined.
        p_corrected: ``p_value`` corrected for the number of tests; None without a correction.
        p_williams: of Williams' test; None for other coefficients than Pearson's, for texts in
            groups, and with fewer than 4 units.
        swapped: whether the scores of whole ``systems`` or ``items`` are swapped.
        n_resamples: how many ways to swap were tried.
        is_exact: whether these were all ways.
    """

    metric: str
    other: str
    level: str
    coefficient: str
    delta: float | None
    p_value: float | None
    p_corrected: float | None
    p_williams: float | None
    swapped: str
    n_resamples: int
    is_exact: bool


@dataclass(frozen=True, kw_only=True)
class MetaEvaluation(Result):
    """How far metrics agree with ratings by people.

    Attributes:
        rows: a row for each level, coefficient and metric.
        differences: a row for each level, coefficient and pair of metrics.
        systems: names of the systems.
        n_items: how many items each system has.
        grouping: how texts are grouped at the level of segments.
        resampled: what the intervals draw: ``both``, ``items`` or ``systems``.
        n_resamples: how many resamples make an interval, and a test unless it is exact.
        seed: of the random stream.
        confidence: of the intervals.
        correction: of the p-values: ``holm``, ``bonferroni``, ``fdr_bh`` or None.
        n_tests: how many p-values were corrected together; None without a correction.
        options: the signature of the options of BLEU and ROUGE; empty if all scores are numbers.
    """

    rows: tuple[MetricAgreement, ...]
    differences: tuple[MetricDifference, ...]
    systems: tuple[str, ...]
    n_items: int
    grouping: str
    resampled: str
    n_resamples: int
    seed: int
    confidence: float
    correction: str | None
    n_tests: int | None
    options: str

    @property
    def metrics(self) -> list[str]:
        """Return the names of the metrics, in their order."""
        return self._list("metric")

    def find(self, metric: str, coefficient: str, level: str = "segment") -> MetricAgreement:
        """Return the row of a metric.

        Raises:
            ValueError: there is no such row.
        """
        for row in self.rows:
            if (row.metric, row.coefficient, row.level) == (metric, coefficient, level):
                return row
        raise ValueError(
            f"there is no {coefficient!r} of {metric!r} at the level {level!r}; the rows have the "
            f"metrics {', '.join(map(repr, self.metrics))}."
        )

    def sentences(self) -> list[str]:
        """Return a sentence for each difference between metrics, and for each undefined value."""
        rows = (row for row in self.differences if row.p_value is not None)
        return [*map(self._describe, rows), *self._describe_undefined()]

    def differences_to_pandas(self) -> Any:
        """Return a data frame of the differences between metrics.

        Raises:
            ImportError: pandas is not installed.
        """
        return import_pandas().DataFrame(self.differences, columns=MetricDifference._fields)

    def report(self) -> Report:
        """Return for each level the coefficients and the differences of metrics, and the method."""
        return Report(list(self._list_tables()), self._list_notes())

    def _list_tables(self) -> Iterator[Table]:
        for level, title in _LEVELS.items():
            values: dict[str, dict[str, str]] = {}
            for row in (row for row in self.rows if row.level == level):
                shown = _UNDEFINED if row.value is None else write_value(row, 3)
                values.setdefault(name_score(row.metric), {})[_NAMES[row.coefficient]] = shown
            deltas: dict[str, dict[str, str]] = {}
            for pair in (pair for pair in self.differences if pair.level == level):
                p, shown = find_p(pair), _UNDEFINED
                if p is not None:
                    shown = f"{write_delta(pair.delta, 3)} ({write_p(p)})"
                name = f"{name_score(pair.metric)} - {name_score(pair.other)}"
                deltas.setdefault(name, {})[_NAMES[pair.coefficient]] = shown
            for what, cells in (
                ("agreement with people", values),
                ("differences between metrics, with p", deltas),
            ):
                if cells:
                    head = ["", *next(iter(cells.values()))]
                    lines = [[name, *line.values()] for name, line in cells.items()]
                    yield Table(head, lines, f"{title}: {what}")

    def _list_notes(self) -> list[str]:
        """Return sentences on the data, the intervals and the tests."""
        lines = [f"Systems: {len(self.systems):,}. Items: {self.n_items:,}."]
        if any(row.level == "segment" for row in self.rows):
            lines.append(f"Segments are correlated {_GROUPINGS[self.grouping]}.")
        lines.append(
            f"Intervals: {write_confidence(self.confidence)}, bootstrap over "
            f"{_RESAMPLED[self.resampled]}, n_resamples {self.n_resamples:,}, seed {self.seed}."
        )
        if self.differences:
            swapped = " and ".join(dict.fromkeys(row.swapped for row in self.differences))
            correction = "p not corrected"
            if self.correction is not None:
                correction = f"p corrected ({self.correction}, tests: {self.n_tests:,})"
            lines.append(f"Tests: permutation of whole {swapped}, two-sided, {correction}.")
        return [*lines, *self._describe_undefined()]

    def _describe(self, row: MetricDifference) -> str:
        """Return one sentence on a difference."""
        first, other = name_score(row.metric), name_score(row.other)
        start = f"{first} and {other} agree with people equally"
        if row.delta:
            more = "more" if row.delta > 0 else "less"
            start = f"{first} agrees with people {more} than {other}"
        p = compare_p("corrected p" if row.p_corrected is not None else "p", find_p(row) or 0)
        verdict = "no clear difference"
        if is_clear(row, self.confidence):
            verdict = "a difference of this size is unlikely to be chance"
        return (
            f"{start} by {_NAMES[row.coefficient]} at the {row.level} level (difference "
            f"{write_delta(row.delta, 3)}, {p}): {verdict}."
        )

    def _describe_undefined(self) -> Iterator[str]:
        """Iterate over sentences on values that are undefined, or leave groups out."""
        for row in self.rows:
            place = _name_row(row)
            if row.undefined_reason is not None:
                yield f"{place} is undefined, because {row.undefined_reason}."
            elif row.n_undefined:
                yield (
                    f"{place} leaves out {row.n_undefined:,} of {row.n_groups:,} groups, because "
                    "all their scores or all their ratings are equal."
                )
        by_count: dict[int, list[str]] = {}
        for row in self.rows:
            if row.value is not None and row.undefined_resamples:
                by_count.setdefault(row.undefined_resamples, []).append(_name_row(row))
        for count, places in by_count.items():
            yield (
                f"The interval{'s' * (len(places) > 1)} of {join_names(places)} "
                f"{'leave' if len(places) > 1 else 'leaves'} out {count:,} of {self.n_resamples:,} "
                "resamples, in which all scores or all ratings are equal."
            )


def _name_row(row: MetricAgreement) -> str:
    return f"{_NAMES[row.coefficient]} of {name_score(row.metric)} ({row.level} level)"

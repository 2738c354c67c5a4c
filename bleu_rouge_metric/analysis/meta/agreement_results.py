"""The result of ``meta_evaluate``, and its representations."""

from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from ...tables import import_pandas
from .agreement_tables import (
    describe_differences,
    write_latex_tables,
    write_markdown_page,
    write_page,
    write_plain,
)


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
class MetaEvaluation:
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
        return list(dict.fromkeys(row.metric for row in self.rows))

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
        return describe_differences(self)

    def to_dict(self) -> dict[str, Any]:
        """Return everything in JSON types; the rows are dicts."""
        return {
            **{item.name: getattr(self, item.name) for item in fields(self)},
            "rows": [row._asdict() for row in self.rows],
            "differences": [row._asdict() for row in self.differences],
            "systems": list(self.systems),
        }

    def to_pandas(self) -> Any:
        """Return a data frame of the rows.

        Raises:
            ImportError: pandas is not installed.
        """
        return import_pandas().DataFrame(self.rows, columns=MetricAgreement._fields)

    def differences_to_pandas(self) -> Any:
        """Return a data frame of the differences between metrics.

        Raises:
            ImportError: pandas is not installed.
        """
        return import_pandas().DataFrame(self.differences, columns=MetricDifference._fields)

    def to_markdown(self) -> str:
        """Return tables in Markdown, how they were computed, and the sentences."""
        return write_markdown_page(self)

    def to_latex(self) -> str:
        r"""Return LaTeX tables, which need ``\usepackage{booktabs}``, with captions."""
        return write_latex_tables(self)

    def __str__(self) -> str:
        """Return a table per level, how it was computed, and the sentences."""
        return write_plain(self)

    def _repr_html_(self) -> str:
        return write_page(self)

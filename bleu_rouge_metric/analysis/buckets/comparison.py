"""The result of a comparison of systems in buckets, and its tables."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ...tables import (
    Tabular,
    escape_latex,
    escape_markdown,
    write_html,
    write_latex,
    write_markdown,
    write_text,
)
from ..system_comparison import SystemComparison, SystemScore
from ..system_tables import make_table
from ..system_words import describe_test, name_score

# The row of all samples or n-grams.
ALL: Final = "all"

_TITLES: Final = {
    "length": "tokens of the reference",
    "label": "label",
    "frequency": "frequency of words",
    "order": "order of n-grams",
}
_NAMES: Final = {"fmeasure": "F-measure", "precision": "Precision", "recall": "Recall"}


@dataclass(frozen=True, kw_only=True)
class BucketComparison(Tabular):
    """Scores of systems in buckets, with intervals and tests of the differences.

    Attributes:
        by: ``length``, ``label``, ``frequency`` or ``order``.
        unit: what a bucket contains: ``samples``, ``words`` or ``n-grams``.
        sizes: how many samples, or n-grams of the references, each bucket contains, by its name and
            in order.
        comparison: of all samples or n-grams; its ``groups`` are the buckets, in order. Empty
            buckets are left out.
    """

    by: str
    unit: str
    sizes: Mapping[str, int]
    comparison: SystemComparison

    @property
    def buckets(self) -> Mapping[str, SystemComparison]:
        """Return the comparison of each bucket, by its name."""
        return self.comparison.groups

    def to_dict(self) -> dict[str, Any]:
        """Return everything except counts in JSON types."""
        sizes = dict(self.sizes)
        return {"by": self.by, "unit": self.unit, "sizes": sizes, **self.comparison.to_dict()}

    def to_table(self) -> tuple[list[str], list[list[Any]]]:
        """Return the names of the columns and the rows: the bucket, its size and a score each.

        The rows of all samples or n-grams come first; their bucket is None.
        """
        rows: list[list[Any]] = [[None, self._size, *row] for row in self.comparison.rows]
        for name, part in self.buckets.items():
            rows += [[name, self.sizes[name], *row] for row in part.rows]
        return ["bucket", "size", *SystemScore._fields], rows

    def to_markdown(self) -> str:
        """Return a table in Markdown for each score, and how they were computed."""
        tables = [
            f"**{escape_markdown(self._title(score))}**\n\n"
            + write_markdown(*self._make_table(score, escape_markdown))
            for score in self.comparison.scores
        ]
        return "\n\n".join([*tables, " ".join(map(escape_markdown, self._list_notes()))])

    def to_latex(self) -> str:
        r"""Return a LaTeX table for each score, which needs ``\usepackage{booktabs}``."""
        return "\n\n".join(
            write_latex(
                *self._make_table(score, escape_latex),
                caption=escape_latex(" ".join([f"{self._title(score)}.", *self._list_notes()])),
            )
            for score in self.comparison.scores
        )

    def __str__(self) -> str:
        """Return a table for each score, and how they were computed."""
        tables = [
            f"{self._title(score)}\n{write_text(*self._make_table(score, str))}"
            for score in self.comparison.scores
        ]
        return "\n\n".join([*tables, "\n".join(self._list_notes())])

    def _repr_html_(self) -> str:
        tables = [
            write_html(*self._make_table(score, str), caption=self._title(score))
            for score in self.comparison.scores
        ]
        notes = write_html([], [], notes=self._list_notes())
        return "".join([*tables, notes])

    @property
    def _size(self) -> int:
        return sum(self.sizes.values())

    def _title(self, score: str) -> str:
        return f"{_NAMES.get(score) or name_score(score)} by {_TITLES[self.by]}"

    def _make_table(
        self, score: str, escape: Callable[[str], str]
    ) -> tuple[list[str], list[list[str]]]:
        """Return a row per bucket: the values of all systems, then the differences and p."""
        head: list[str] = []
        rows: list[list[str]] = []
        parts = [*self.buckets.items(), (ALL, self.comparison)]
        for name, part in parts:
            _, lines = make_table(part, [score], escape)
            size = self._size if part is self.comparison else self.sizes[name]
            cells = [f"{size:,}", lines[0][1]]
            head = [self.by, self.unit, lines[0][0]]
            for system, value, difference, p in lines[1:]:
                cells += [value, difference, p]
                head += [system, "diff", "p"]
            rows.append([escape(name), *cells])
        return head, rows

    def _list_notes(self) -> list[str]:
        """Return sentences on the test, and on buckets without one."""
        untested = [name for name, part in self.buckets.items() if part.untested_reason is not None]
        notes = describe_test(self.comparison)
        if untested:
            names = ", ".join(untested)
            notes.append(f"Not tested, because their samples cannot be resampled: {names}.")
        if self.by == "frequency" and 0 in self.sizes.values():
            names = ", ".join(name for name, size in self.sizes.items() if not size)
            notes.append(f"No reference has a word of frequency {names}: only predictions do.")
        return notes

"""The results of comparisons in buckets, and of lists of n-grams."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ...tables import Report, Result, Table
from ..system_comparison import SystemComparison, SystemScore
from ..system_words import describe_test, name_score, write_confidence

if TYPE_CHECKING:
    from typing_extensions import Self


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
class BucketComparison(Result):
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

    @property
    def rows(self) -> tuple[SystemScore, ...]:
        """Return the rows of all samples or n-grams."""
        return self.comparison.rows

    def to_dict(self) -> dict[str, Any]:
        """Return everything except counts in JSON types."""
        sizes = dict(self.sizes)
        return {"by": self.by, "unit": self.unit, "sizes": sizes, **self.comparison.to_dict()}

    def to_table(self) -> tuple[list[str], list[list[Any]]]:
        """Return the names of the columns and the rows: the bucket, its size and a score each.

        The rows of all samples or n-grams come first; their bucket is None.
        """
        rows = [[None, self._size, *row] for row in self.rows]
        for name, part in self.buckets.items():
            rows += [[name, self.sizes[name], *row] for row in part.rows]
        return ["bucket", "size", *SystemScore._fields], rows

    def report(self) -> Report:
        """Return a table for each score, and how they were computed."""
        return Report(
            [self._make_table(score) for score in self.comparison.scores], self._list_notes()
        )

    @property
    def _size(self) -> int:
        return sum(self.sizes.values())

    def _make_table(self, score: str) -> Table:
        """Return a row per bucket: the values of all systems, then the differences and p."""
        head, rows = [self.by, self.unit], []
        for name, part in [*self.buckets.items(), (ALL, self.comparison)]:
            first, *others = part.make_table([score]).rows
            size = self._size if part is self.comparison else self.sizes[name]
            rows.append([name, f"{size:,}", first[1]])
            for _, *cells in others:
                rows[-1] += cells
        head += [first[0], *(each for line in others for each in (line[0], "diff", "p"))]
        title = f"{_NAMES.get(score) or name_score(score)} by {_TITLES[self.by]}"
        return Table(head, rows, title)

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


_MEANINGS: Final = {
    "matched": "n-grams that {} has right more often than {}",
    "novel": "n-grams that {} has more often than {} without a match in the references",
    "missed": "n-grams of the references that {} lacks more often than {}",
}


class NgramDifference(NamedTuple):
    """An n-gram that two systems have not equally often.

    Attributes:
        ngram: its words.
        system: how often the system has it in the sense of the list: all matches of all samples.
        baseline: how often the baseline does.
        reference: how often the references have it.
        delta: ``system`` minus ``baseline``.
        delta_low: lower end of the interval of ``delta``; None if it cannot be resampled.
        delta_high: upper end.
    """

    ngram: tuple[str, ...]
    system: int
    baseline: int
    reference: int
    delta: int
    delta_low: float | None
    delta_high: float | None

    @classmethod
    def of(cls, ngram: tuple[str, ...], counts: Sequence[int], margin: float | None) -> "Self":
        """Return the row of an n-gram.

        Args:
            ngram: its words.
            counts: of the system, the baseline and the references.
            margin: half of the width of the interval; None if there is none.
        """
        system, baseline, reference = counts
        delta = system - baseline
        low, high = (None, None) if margin is None else (delta - margin, delta + margin)
        return cls(ngram, system, baseline, reference, delta, low, high)


@dataclass(frozen=True, kw_only=True)
class NgramDifferences(Result):
    """N-grams that a system and the baseline have not equally often, those that differ most first.

    Attributes:
        system: name of the system.
        baseline: name of the baseline.
        kind: ``matched``, ``novel`` or ``missed``.
        more: n-grams that the system has more often.
        less: n-grams that the baseline has more often.
        n_samples: number of samples.
        n_resamples: of the bootstrap.
        confidence: of the intervals.
        seed: of the random stream.
    """

    system: str
    baseline: str
    kind: str
    more: tuple[NgramDifference, ...]
    less: tuple[NgramDifference, ...]
    n_samples: int
    n_resamples: int
    confidence: float
    seed: int

    @property
    def rows(self) -> tuple[NgramDifference, ...]:
        """Return the n-grams of both lists."""
        return (*self.more, *self.less)

    def to_table(self) -> tuple[list[str], list[list[Any]]]:
        """Return the names of the columns and the rows of both lists; an n-gram is one text."""
        rows = [[" ".join(row.ngram), *row[1:]] for row in self.rows]
        return list(NgramDifference._fields), rows

    def report(self) -> Report:
        """Return both lists, and how the intervals were computed."""
        head = ["n-gram", self.system, self.baseline, "references", "diff"]
        tables = []
        for names, listed in (
            ((self.system, self.baseline), self.more),
            ((self.baseline, self.system), self.less),
        ):
            title = _MEANINGS[self.kind].format(*names)
            rows = [[" ".join(row.ngram), *map(str, row[1:4]), _write_delta(row)] for row in listed]
            tables.append(Table(head, rows, title[0].upper() + title[1:]))
        note = (
            f"Intervals: {write_confidence(self.confidence)}, from {self.n_resamples:,} bootstrap "
            f"resamples of {self.n_samples:,} samples, seed {self.seed}, not corrected for the "
            "choice of the n-grams."
        )
        return Report(tables, [note])


def _write_delta(row: NgramDifference) -> str:
    """Write the difference with its interval."""
    if row.delta_low is None or row.delta_high is None:
        return f"{row.delta:+d}"
    return f"{row.delta:+d} [{row.delta_low:.1f}, {row.delta_high:.1f}]"

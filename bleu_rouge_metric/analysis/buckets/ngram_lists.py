"""The lists of n-grams in which two systems differ, and their tables."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ...tables import (
    Tabular,
    escape_latex,
    escape_markdown,
    make_line,
    write_html,
    write_latex,
    write_markdown,
    write_text,
)
from ..system_words import write_confidence

if TYPE_CHECKING:
    from typing_extensions import Self

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
class NgramDifferences(Tabular):
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

    def to_dict(self) -> dict[str, Any]:
        """Return everything in JSON types; the rows are dicts."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        return {
            **values,
            "more": [{**row._asdict(), "ngram": list(row.ngram)} for row in self.more],
            "less": [{**row._asdict(), "ngram": list(row.ngram)} for row in self.less],
        }

    def to_table(self) -> tuple[list[str], list[list[Any]]]:
        """Return the names of the columns and the rows of both lists; an n-gram is one text."""
        rows = [[" ".join(row.ngram), *row[1:]] for row in (*self.more, *self.less)]
        return list(NgramDifference._fields), rows

    def to_markdown(self) -> str:
        """Return both lists as tables in Markdown, and how the intervals were computed."""
        tables = [
            f"**{escape_markdown(title)}**\n\n"
            + write_markdown(*self._make_table(rows, escape_markdown))
            for title, rows in self._list_tables()
        ]
        return "\n\n".join([*tables, escape_markdown(self._note())])

    def to_latex(self) -> str:
        r"""Return both lists as LaTeX tables, which need ``\usepackage{booktabs}``."""
        return "\n\n".join(
            write_latex(
                *self._make_table(rows, escape_latex),
                caption=escape_latex(f"{title}. {self._note()}"),
            )
            for title, rows in self._list_tables()
        )

    def __str__(self) -> str:
        """Return both lists as tables, and how the intervals were computed."""
        tables = [
            f"{make_line(title)}\n{write_text(*self._make_table(rows, str))}"
            for title, rows in self._list_tables()
        ]
        return "\n\n".join([*tables, self._note()])

    def _repr_html_(self) -> str:
        return "".join(
            write_html(*self._make_table(rows, str), caption=title, notes=[self._note()])
            for title, rows in self._list_tables()
        )

    def _list_tables(self) -> list[tuple[str, Sequence[NgramDifference]]]:
        meaning = _MEANINGS[self.kind]
        titles = (
            meaning.format(self.system, self.baseline),
            meaning.format(self.baseline, self.system),
        )
        return [
            (title[0].upper() + title[1:], rows)
            for title, rows in zip(titles, (self.more, self.less), strict=True)
        ]

    def _make_table(
        self, rows: Sequence[NgramDifference], escape: Callable[[str], str]
    ) -> tuple[list[str], list[list[str]]]:
        """Return a row per n-gram."""
        head = ["n-gram", escape(self.system), escape(self.baseline), "references", "diff"]
        return head, [
            [escape(" ".join(row.ngram)), *map(str, row[1:4]), _write_delta(row)] for row in rows
        ]

    def _note(self) -> str:
        return (
            f"Intervals: {write_confidence(self.confidence)}, from {self.n_resamples:,} bootstrap "
            f"resamples of {self.n_samples:,} samples, seed {self.seed}, not corrected for the "
            "choice of the n-grams."
        )


def _write_delta(row: NgramDifference) -> str:
    """Write the difference with its interval."""
    if row.delta_low is None or row.delta_high is None:
        return f"{row.delta:+d}"
    return f"{row.delta:+d} [{row.delta_low:.1f}, {row.delta_high:.1f}]"

"""The result of comparisons of systems on several test sets, and its representations."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

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
from ..system_comparison import SystemComparison
from .set_words import describe_sets, describe_won, make_set_table


class MacroScore(NamedTuple):
    """The mean of one score of one system over test sets, and how many sets it wins.

    Everything that compares with the baseline is None for the baseline itself.

    Attributes:
        system: name of the system.
        score: name of the score.
        value: the mean of the scores of the sets; each set counts the same.
        low: lower end of the interval of the value.
        high: upper end of the interval of the value.
        delta: the value minus the baseline's.
        delta_low: lower end of the interval of ``delta``.
        delta_high: upper end of the interval of ``delta``.
        p_value: of ``delta``, from Student's t.
        p_corrected: ``p_value`` corrected for the number of systems and scores.
        p_combined: the p-values of the sets combined: how probable they are if the system does not
            differ from the baseline in any set.
        won: in how many sets the system is better, with all of them right at the level; at least.
        lost: in how many sets the system is worse, in the same way; None in a one-sided test.
        scale: the score of a perfect system, 1 or 100; None for an outside score.
    """

    system: str
    score: str
    value: float
    low: float | None = None
    high: float | None = None
    delta: float | None = None
    delta_low: float | None = None
    delta_high: float | None = None
    p_value: float | None = None
    p_corrected: float | None = None
    p_combined: float | None = None
    won: int | None = None
    lost: int | None = None
    scale: int | None = None

    @property
    def run_std(self) -> None:
        """Return None: test sets have no runs."""
        return


@dataclass(frozen=True, kw_only=True)
class SetComparison(Tabular):
    """Scores of several systems on several test sets, and tests of their differences.

    Attributes:
        rows: all systems of the first score, the baseline among them, then those of the next.
        sets: the comparison on each test set, by name.
        baseline: the system that the others are compared with.
        confidence: of the intervals; 1 minus this is the level of all tests.
        alternative: ``two-sided``, or ``greater`` if only a better score counts.
        correction: of the p-values of all sets together, and of those of the means; or None.
        independent: whether the test sets are independent of each other.
    """

    rows: tuple[MacroScore, ...]
    sets: Mapping[str, SystemComparison]
    baseline: str
    confidence: float
    alternative: str
    correction: str | None
    independent: bool

    @property
    def systems(self) -> list[str]:
        """Return the names of the systems, in their order."""
        return list(dict.fromkeys(row.system for row in self.rows))

    @property
    def scores(self) -> list[str]:
        """Return the names of the scores, in their order."""
        return list(dict.fromkeys(row.score for row in self.rows))

    def sentences(self) -> list[str]:
        """Return one sentence per system and score: the mean difference, and the sets won."""
        return [describe_won(row, self) for row in self.rows if row.delta is not None]

    def signature(self) -> str:
        """Return the line of the first set, which says how scores and tests were computed."""
        return next(iter(self.sets.values())).signature()

    def to_dict(self) -> dict[str, Any]:
        """Return everything in JSON types; the rows are dicts."""
        return {
            **{item.name: getattr(self, item.name) for item in fields(self)},
            "rows": [row._asdict() for row in self.rows],
            "sets": {name: comparison.to_dict() for name, comparison in self.sets.items()},
            "signature": self.signature(),
        }

    def to_table(self) -> tuple[list[str], list[list[Any]]]:
        """Return the names of the columns and the rows."""
        return list(MacroScore._fields), [list(row) for row in self.rows]

    def to_markdown(self) -> str:
        """Return a table per score in Markdown, how it was computed, and the sentences."""
        tables = [
            write_markdown(*make_set_table(self, name, escape_markdown)) for name in self.scores
        ]
        notes = " ".join(map(escape_markdown, describe_sets(self)))
        lines = "\n".join(f"- {escape_markdown(line)}" for line in self.sentences())
        return "\n\n".join([*tables, notes, lines])

    def to_latex(self) -> str:
        r"""Return a LaTeX table per score with a caption; it needs ``\usepackage{booktabs}``."""
        caption = " ".join(map(escape_latex, describe_sets(self)))
        return "\n\n".join(
            write_latex(*make_set_table(self, name, escape_latex), caption=caption)
            for name in self.scores
        )

    def __str__(self) -> str:
        """Return a table per score, how it was computed, and the sentences."""
        tables = [write_text(*make_set_table(self, name)) for name in self.scores]
        notes = [
            "\n".join(map(make_line, part)) for part in (describe_sets(self), self.sentences())
        ]
        return "\n\n".join([*tables, *notes])

    def _repr_html_(self) -> str:
        *others, last = [make_set_table(self, name) for name in self.scores]
        notes = [*describe_sets(self), *self.sentences()]
        tables = [write_html(*table, caption="Test sets") for table in others]
        return "".join([*tables, write_html(*last, caption="Test sets", notes=notes)])

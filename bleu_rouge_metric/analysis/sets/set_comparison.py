"""The result of comparisons of systems on several test sets."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...resampling.pair_tests import find_level
from ...tables import Report, Result, Table
from ..system_comparison import SystemComparison
from ..system_words import (
    CORRECTIONS,
    choose_decimals,
    compare_p,
    find_p,
    is_clear,
    list_facts,
    name_score,
    write_confidence,
    write_count,
    write_delta,
    write_difference,
    write_p,
    write_value,
)


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


@dataclass(frozen=True, kw_only=True)
class SetComparison(Result):
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
        return self._list("system")

    @property
    def scores(self) -> list[str]:
        """Return the names of the scores, in their order."""
        return self._list("score")

    def signature(self) -> str:
        """Return the line of the first set, which says how scores and tests were computed."""
        return next(iter(self.sets.values())).signature()

    def to_dict(self) -> dict[str, Any]:
        """Return everything in JSON types; the rows are dicts."""
        return {**super().to_dict(), "signature": self.signature()}

    def report(self) -> Report:
        """Return a table per score, how it was computed, and a sentence per system and score."""
        findings = [self._describe(row) for row in self.rows if row.delta is not None]
        return Report(
            [self._make_table(score) for score in self.scores], self._list_notes(), findings
        )

    def _make_table(self, score: str) -> Table:
        """Return a row per system: a column per set, then the mean."""
        rows = [row for row in self.rows if row.score == score]
        decimals = choose_decimals(rows)
        lines = []
        for place, row in enumerate(rows):
            line = [row.system + " (baseline)" * (row.system == self.baseline)]
            for part in self.sets.values():
                each = [other for other in part.rows if other.score == score][place]
                line.append(f"{each.value:.{decimals}f}{'*' * is_clear(each, self.confidence)}")
            p, won = find_p(row), "" if row.delta is None else f"{row.won}/{len(self.sets)}"
            line += [write_value(row, decimals), write_delta(row.delta, decimals)]
            lines.append([*line, "" if p is None else write_p(p), won])
        return Table([name_score(score), *self.sets, "mean", "diff", "p", "won"], lines)

    def _list_notes(self) -> list[str]:
        """Return sentences on the sets, the tests and what is combined."""
        level = write_confidence(find_level(self.confidence))
        correction = "p not corrected"
        if self.correction is not None:
            correction = (
                f"p corrected with {CORRECTIONS[self.correction]}, over all systems, scores and "
                "sets"
            )
        combined = "Fisher's method for independent sets"
        if not self.independent:
            combined = "Bonferroni's method, as the sets depend on each other"
        side = "one-sided" if self.alternative == "greater" else "two-sided"
        return [
            f"Mean over {write_count(len(self.sets), 'test set')}, each with the same weight; "
            f"intervals {write_confidence(self.confidence)} and p from Student's t, {side}, "
            f"against {self.baseline}.",
            f"* differs from {self.baseline} on the set at the level {level}, {correction}.",
            f"Sets won: at least so many, at the level {level} (partial conjunction, {combined}).",
        ]

    def _describe(self, row: MacroScore) -> str:
        """Return one sentence on the mean difference of a system, and on the sets that it wins."""
        facts = list_facts(row, self.confidence)
        if row.p_combined is not None:
            facts.append(compare_p("combined p", row.p_combined))
        lost = "" if row.lost is None else f", and is worse in at least {row.lost}"
        return (
            f"On average, {write_difference(row, self.baseline)} ({', '.join(facts)}); it is "
            f"better in at least {row.won} of {write_count(len(self.sets), 'set')}{lost}."
        )

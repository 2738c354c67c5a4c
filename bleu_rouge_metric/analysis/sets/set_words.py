"""Comparisons on several test sets in words and tables."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...resampling.pair_tests import find_level
from ..system_tables import Table, choose_decimals, write_value
from ..system_words import (
    CORRECTIONS,
    compare_p,
    find_p,
    name_score,
    write_amount,
    write_confidence,
    write_count,
    write_p,
)

if TYPE_CHECKING:
    from .set_comparison import MacroScore, SetComparison


def make_set_table(
    comparison: "SetComparison", score: str, escape: Callable[[str], str] = str
) -> Table:
    """Return the head and the rows of the table of a score: a column per set, and the mean.

    Args:
        comparison: the scores.
        score: name of the score.
        escape: what is done to names.
    """
    rows: list[Any] = [row for row in comparison.rows if row.score == score]
    decimals = choose_decimals(rows)
    level = find_level(comparison.confidence)
    head = [escape(name_score(score)), *map(escape, comparison.sets), "mean", "diff", "p", "won"]
    lines = []
    for place, row in enumerate(rows):
        cells = []
        for part in comparison.sets.values():
            single = [each for each in part.rows if each.score == score][place]
            p = find_p(single)
            mark = "*" if p is not None and p <= level else ""
            cells.append(f"{single.value:.{decimals}f}{escape(mark)}")
        name = escape(row.system) + " (baseline)" * (row.system == comparison.baseline)
        cells.append(write_value(row, decimals))
        if row.delta is None:
            cells += ["", "", ""]
        else:
            p = find_p(row)
            won = f"{row.won}/{len(comparison.sets)}"
            cells += [f"{row.delta:+.{decimals}f}", "" if p is None else write_p(p), won]
        lines.append([name, *cells])
    return head, lines


def describe_sets(comparison: "SetComparison") -> list[str]:
    """Return sentences on the sets, the tests and what is combined."""
    level = write_confidence(find_level(comparison.confidence))
    correction = "p not corrected"
    if comparison.correction is not None:
        correction = (
            f"p corrected with {CORRECTIONS[comparison.correction]}, over all systems, scores and "
            "sets"
        )
    combined = "Fisher's method for independent sets"
    if not comparison.independent:
        combined = "Bonferroni's method, as the sets depend on each other"
    side = "one-sided" if comparison.alternative == "greater" else "two-sided"
    return [
        f"Mean over {write_count(len(comparison.sets), 'test set')}, each with the same weight; "
        f"intervals {write_confidence(comparison.confidence)} and p from Student's t, {side}, "
        f"against {comparison.baseline}.",
        f"* differs from {comparison.baseline} on the set at the level {level}, {correction}.",
        f"Sets won: at least so many, at the level {level} (partial conjunction, {combined}).",
    ]


def describe_won(row: "MacroScore", comparison: "SetComparison") -> str:
    """Return one sentence on the mean difference of a system, and on the sets that it wins."""
    delta = row.delta or 0.0
    amount = write_amount(abs(delta), delta)
    points = " points" if row.scale == 100 else ""
    direction = "more" if delta > 0 else "less"
    start = (
        f"{row.system} scores {amount} {name_score(row.score)}{points} {direction} than "
        f"{comparison.baseline} on average"
    )
    facts = []
    if row.delta_low is not None and row.delta_high is not None:
        ends = (row.delta_low, row.delta_high) if delta > 0 else (-row.delta_high, -row.delta_low)
        facts.append(
            f"{write_confidence(comparison.confidence)} interval {write_amount(ends[0], delta)} "
            f"to {write_amount(ends[1], delta)}"
        )
    p = find_p(row)
    if p is not None:
        facts.append(compare_p("p", p))
    if row.p_combined is not None:
        facts.append(compare_p("combined p", row.p_combined))
    lost = "" if row.lost is None else f", and is worse in at least {row.lost}"
    sets = write_count(len(comparison.sets), "set")
    return f"{start} ({', '.join(facts)}); it is better in at least {row.won} of {sets}{lost}."

"""A comparison of systems as tables: plain text, Markdown, LaTeX and HTML.

A row is a system. A score has three columns: its value with the interval, the difference from the
baseline, and p.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, Protocol

from ..tables import (
    escape_latex,
    escape_markdown,
    make_line,
    write_html,
    write_latex,
    write_markdown,
    write_text,
)
from .system_words import describe_test, find_p, name_score, suggest_samples, write_p

if TYPE_CHECKING:
    from .system_comparison import SystemComparison, SystemScore

# Plain text that would be wider is cut into several tables.
_WIDTH: Final = 100

# Not every terminal can show a delta.
_DIFFERENCE: Final = "diff"

# Names of columns, and rows of cells.
Table = tuple[list[str], list[list[str]]]


def make_table(
    comparison: "SystemComparison", scores: Sequence[str], escape: Callable[[str], str] = str
) -> Table:
    """The head and the rows of a table.

    Args:
        comparison: the scores.
        scores: names of the scores that the table has.
        escape: what is done to names of systems and scores.
    """
    head = [""]
    columns: list[list[str]] = []
    for score in scores:
        rows = [row for row in comparison.rows if row.score == score]
        decimals = choose_decimals(rows)
        head += [escape(name_score(score)), _DIFFERENCE, "p"]
        columns.append([write_value(row, decimals) for row in rows])
        columns.append([_write_delta(row, decimals) for row in rows])
        columns.append(["" if (p := find_p(row)) is None else write_p(p) for row in rows])
    names = [
        f"{escape(name)} (baseline)" if name == comparison.baseline else escape(name)
        for name in comparison.systems
    ]
    return head, [[name, *cells] for name, *cells in zip(names, *columns, strict=True)]


class _Valued(Protocol):
    """A row with a value, and its interval if there is one."""

    @property
    def value(self) -> float: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...
    @property
    def run_std(self) -> float | None: ...


def choose_decimals(rows: Sequence[_Valued]) -> int:
    """Return how many decimals the values of a score have."""
    return 2 if max(abs(row.value) for row in rows) > 1 else 4


def write_value(row: _Valued, decimals: int) -> str:
    """Write a value, with its interval in brackets, and with its standard deviation over runs."""
    value = f"{row.value:.{decimals}f}"
    if row.run_std is not None:
        value = f"{value} (sd {row.run_std:.{decimals}f})"
    if row.low is None or row.high is None:
        return value
    return f"{value} [{row.low:.{decimals}f}, {row.high:.{decimals}f}]"


def _write_delta(row: "SystemScore", decimals: int) -> str:
    return "" if row.delta is None else f"{row.delta:+.{decimals}f}"


def write_plain(comparison: "SystemComparison") -> str:
    """Tables of at most 100 columns if possible, then the test, then a sentence for each score."""
    scores = comparison.scores
    for size in range(len(scores), 0, -1):
        parts = [scores[start : start + size] for start in range(0, len(scores), size)]
        tables = [write_text(*make_table(comparison, part)) for part in parts]
        lines = [line for table in tables for line in table.split("\n")]
        if max(map(len, lines)) <= _WIDTH:
            break
    notes = [
        "\n".join(map(make_line, lines))
        for lines in (
            describe_test(comparison),
            [*comparison.sentences(), *suggest_samples(comparison)],
        )
    ]
    groups = [f"Group {make_line(name)}\n\n{group}" for name, group in comparison.groups.items()]
    return "\n\n".join([*tables, *filter(None, notes), *groups])


def write_markdown_page(comparison: "SystemComparison") -> str:
    """A table in Markdown, then the test, then a list of sentences."""
    table = write_markdown(*make_table(comparison, comparison.scores, escape_markdown))
    notes = " ".join(map(escape_markdown, describe_test(comparison)))
    sentences = "\n".join(f"- {escape_markdown(line)}" for line in comparison.sentences())
    groups = [
        f"**Group {escape_markdown(name)}**\n\n{group.to_markdown()}"
        for name, group in comparison.groups.items()
    ]
    return "\n\n".join([table, notes, *filter(None, [sentences]), *groups])


def write_latex_tables(comparison: "SystemComparison", group: str | None = None) -> str:
    """A table in LaTeX, with the test in its caption, and one for each group."""
    head, rows = make_table(comparison, comparison.scores, escape_latex)
    notes = [*([] if group is None else [f"Group {group}."]), *describe_test(comparison)]
    table = write_latex(head, rows, caption=" ".join(map(escape_latex, notes)))
    groups = [write_latex_tables(part, name) for name, part in comparison.groups.items()]
    return "\n\n".join([table, *groups])


def write_page(comparison: "SystemComparison", group: str | None = None) -> str:
    """A table in HTML with the test and the sentences below it, and one for each group."""
    head, rows = make_table(comparison, comparison.scores)
    table = write_html(
        head,
        rows,
        caption="Systems" if group is None else f"Group {group}",
        notes=[*describe_test(comparison), *comparison.sentences()],
    )
    return table + "".join(write_page(part, name) for name, part in comparison.groups.items())

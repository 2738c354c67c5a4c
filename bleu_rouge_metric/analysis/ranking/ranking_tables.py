"""A ranking of systems as tables: plain text, Markdown, LaTeX and HTML; one table per score.

A row is a system, the best first: its value with the interval, its range of ranks, its cluster, and
letters.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...tables import (
    escape_latex,
    escape_markdown,
    make_line,
    write_html,
    write_latex,
    write_markdown,
    write_text,
)
from ..system_tables import Table, choose_decimals, write_value
from ..system_words import describe_test, name_score

if TYPE_CHECKING:
    from .system_ranking import RankedSystem, SystemRanking

_LETTERS_NOTE = "Systems that share a letter do not differ significantly."


def make_tables(ranking: "SystemRanking", escape: Callable[[str], str] = str) -> list[Table]:
    """Return the head and the rows of the table of each score.

    Args:
        ranking: the scores.
        escape: what is done to names of systems and scores.
    """
    tables = []
    for score in ranking.scores:
        rows = [row for row in ranking.rows if row.score == score]
        decimals = choose_decimals(rows)
        head = ["", escape(name_score(score)), "rank", "cluster", "letters"]
        cells = [
            [escape(row.system), write_value(row, decimals), *_write_place(row)] for row in rows
        ]
        tables.append((head, cells))
    return tables


def _write_place(row: "RankedSystem") -> list[str]:
    """Write the range of ranks, the cluster and the letters of a system."""
    if row.rank_low is None:
        return ["", "", ""]
    ranks = (
        str(row.rank_low) if row.rank_low == row.rank_high else f"{row.rank_low}-{row.rank_high}"
    )
    return [ranks, str(row.cluster), str(row.letters)]


def _describe(ranking: "SystemRanking") -> list[str]:
    """Return sentences on the test and the letters."""
    letters = [] if ranking.untested_reason is not None else [_LETTERS_NOTE]
    return [*describe_test(ranking), *letters]


def write_plain_ranking(ranking: "SystemRanking") -> str:
    """Write a table per score, then the test, then a sentence for each score."""
    notes = [
        "\n".join(map(make_line, lines)) for lines in (_describe(ranking), ranking.sentences())
    ]
    tables = [write_text(*table) for table in make_tables(ranking)]
    groups = [f"Group {make_line(name)}\n\n{group}" for name, group in ranking.groups.items()]
    return "\n\n".join([*tables, *filter(None, notes), *groups])


def write_markdown_ranking(ranking: "SystemRanking") -> str:
    """Write a table per score in Markdown, then the test, then a list of sentences."""
    tables = [write_markdown(*table) for table in make_tables(ranking, escape_markdown)]
    notes = " ".join(map(escape_markdown, _describe(ranking)))
    sentences = "\n".join(f"- {escape_markdown(line)}" for line in ranking.sentences())
    groups = [
        f"**Group {escape_markdown(name)}**\n\n{group.to_markdown()}"
        for name, group in ranking.groups.items()
    ]
    return "\n\n".join([*tables, notes, *filter(None, [sentences]), *groups])


def write_latex_ranking(ranking: "SystemRanking", group: str | None = None) -> str:
    """Write a table per score in LaTeX, with letters behind the values, and those of the groups."""
    notes = [*([] if group is None else [f"Group {group}."]), *_describe(ranking)]
    caption = " ".join(map(escape_latex, notes))
    tables = []
    for head, rows in make_tables(ranking, escape_latex):
        lines = [
            [
                name,
                f"{value}$^{{{letters}}}$" if letters else value,
                ranks.replace("-", "--"),
                cluster,
            ]
            for name, value, ranks, cluster, letters in rows
        ]
        tables.append(write_latex(head[:-1], lines, caption=caption))
    groups = [write_latex_ranking(part, name) for name, part in ranking.groups.items()]
    return "\n\n".join([*tables, *groups])


def write_page_ranking(ranking: "SystemRanking", group: str | None = None) -> str:
    """Write a table per score in HTML with the test and the sentences below the last one."""
    caption = "Ranking" if group is None else f"Group {group}"
    *others, last = make_tables(ranking)
    notes = [*_describe(ranking), *ranking.sentences()]
    tables = [write_html(*table, caption=caption) for table in others]
    tables.append(write_html(*last, caption=caption, notes=notes))
    return "".join(tables) + "".join(
        write_page_ranking(part, name) for name, part in ranking.groups.items()
    )

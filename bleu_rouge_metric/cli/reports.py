"""Write scores as text: a table for the terminal, in Markdown or in LaTeX, CSV or JSON.

JSON keeps the structure of the scores. The other formats have one row per number. Tables round to
four decimals, CSV and JSON do not round. The signature, if there is one, follows the tables. Scores
of groups are a table with a row per group, of one number per score; CSV has a column for the group.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, Final, cast

from ..families.family import Family
from ..families.registry import FAMILIES, find_family
from ..scoring.results import GROUPS, Number, Value, flatten
from ..tables import Report, Table, show, write_csv
from .score_tables import write_table

_PARTS: Final = {
    "value": "Value",
    "precision": "Precision",
    "recall": "Recall",
    "fmeasure": "F-measure",
    "r": "Recall",
    "p": "Precision",
    "f": "F-measure",
}
_SIGNATURE: Final = "signature"

Groups = Mapping[str, Mapping[str, Value]]


class ReportFormat(str, Enum):
    """How scores and comparisons are printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"
    LATEX = "latex"


def report(scores: Mapping[str, Value], report_format: ReportFormat) -> str:
    r"""Write the scores as a text that ends with a line break.

    Args:
        scores: result of ``score_counts``; without lists of one value per sample unless the format
            is JSON.
        report_format: the format; a table has colours if standard output is a terminal.

    >>> print(report({"bleu": 0.25, "precisions": [0.5, 0.125], "rouge1": 1 / 3},
    ...              ReportFormat.MARKDOWN), end="")
    | BLEU | Value |
    | :-- | --: |
    | bleu | 0.2500 |
    | precision\_1 | 0.5000 |
    | precision\_2 | 0.1250 |
    <BLANKLINE>
    | ROUGE | F-measure |
    | :-- | --: |
    | rouge1 | 0.3333 |
    """
    if report_format is ReportFormat.JSON:
        return json.dumps(scores) + "\n"
    groups = cast("Groups | None", scores.get(GROUPS))
    if report_format is ReportFormat.CSV:
        return _render_csv(scores, groups)
    values = {name: value for name, value in scores.items() if name not in (_SIGNATURE, GROUPS)}
    tables = [*_list_tables(values), *([] if groups is None else [_make_group_table(groups)])]
    signature = cast("str", scores.get(_SIGNATURE, ""))
    return write_tables(tables, report_format) + write_signature(signature, report_format)


def write_tables(tables: Sequence[Table], report_format: ReportFormat) -> str:
    """Write tables for the terminal, in Markdown or in LaTeX."""
    if report_format is ReportFormat.LATEX:
        return Report(tables).to_latex() + "\n"
    if report_format is ReportFormat.MARKDOWN:
        # The title is that of the first column.
        return Report([table._replace(title="") for table in tables]).to_markdown() + "\n"
    return "\n".join(write_table(table.head, table.rows) for table in tables)


def write_signature(line: str, report_format: ReportFormat) -> str:
    """Write the line of a signature that follows a table; nothing if it is empty."""
    # A % starts a comment of LaTeX, and the "|" of a signature would make it a table of Markdown.
    ends = {ReportFormat.LATEX: f"% {line}\n", ReportFormat.MARKDOWN: f"\n`{line}`\n"}
    return ends.get(report_format, f"\n{line}\n") * bool(line)


def _render_csv(scores: Mapping[str, Value], groups: Groups | None) -> str:
    """Write a header, one row per number, and one row for each signature."""
    if groups is None:
        return write_csv([("score", "value"), *_list_rows(scores)])
    # The rows of all samples have no group.
    rows = [
        (*row, label) for label, part in [("", scores), *groups.items()] for row in _list_rows(part)
    ]
    return write_csv([("score", "value", "group"), *rows])


def _list_rows(scores: Mapping[str, Value]) -> Iterator[tuple[str, Number | str]]:
    """Iterate over the numbers by name; the signature, if there is one, is the last."""
    yield from flatten(
        {name: value for name, value in scores.items() if name not in (_SIGNATURE, GROUPS)}
    ).items()
    if _SIGNATURE in scores:
        yield _SIGNATURE, cast("str", scores[_SIGNATURE])


def _make_group_table(groups: Groups) -> Table:
    """Return a table with a row per group and one number per score."""
    rows = {label: _choose_numbers(scores) for label, scores in groups.items()}
    lines = [[label, *map(show, numbers.values())] for label, numbers in rows.items()]
    return Table(["Group", *next(iter(rows.values()))], lines, "Scores of each group")


def _choose_numbers(scores: Mapping[str, Any]) -> dict[str, Number]:
    """Return the numbers that a table of groups has."""
    values = {
        name: value[family.parts[-1]] if isinstance(value, dict) else value
        for name, value in scores.items()
        if (family := find_family(name)) is not None
    }
    return flatten(values)


def _list_tables(scores: Mapping[str, Value]) -> Iterator[Table]:
    """Iterate over tables, one per group of families: a row per number or per detailed score."""
    # What is not a score, such as the brevity penalty, belongs to the score before it.
    groups: dict[str, tuple[Family, dict[str, Value]]] = {}
    family = next(iter(FAMILIES.values()))
    for name, value in scores.items():
        family = find_family(name) or family
        groups.setdefault(family.group, (family, {}))[1][name] = value
    for group, (family, values) in groups.items():
        rows: dict[str, Mapping[str, Any]] = {}
        for name, value in values.items():
            if isinstance(value, dict):
                rows[name] = value
            else:
                numbers = flatten({name: value})
                rows |= {key: {family.parts[-1]: number} for key, number in numbers.items()}
        columns = next(iter(rows.values()))
        head = [group.upper(), *(_PARTS[part] for part in columns)]
        yield Table(
            head, [[name, *map(show, parts.values())] for name, parts in rows.items()], head[0]
        )

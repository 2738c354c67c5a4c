"""Write scores as text: a table for the terminal, a Markdown table, CSV or JSON.

JSON keeps the structure of the scores. The other formats have one row per number. Tables round to
four decimals, CSV and JSON do not round. The signature, if there is one, follows the tables.
"""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final, cast

from rich import box
from rich.console import Console
from rich.table import Table

from ..scoring.results import Number, Value, flatten

_PARTS: Final = {"precision": "Precision", "recall": "Recall", "fmeasure": "F-measure"}
_SIGNATURE: Final = "signature"
# Wider than any table of scores, so that no table is cut.
_WIDE: Final = 200


class ReportFormat(str, Enum):
    """How scores are printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


def report(scores: Mapping[str, Value], report_format: ReportFormat) -> str:
    """Write the scores as a text that ends with a line break.

    Args:
        scores: result of ``score_counts``; without lists of one value per sample unless the format
            is JSON.
        report_format: the format; a table has colours if standard output is a terminal.

    >>> print(report({"bleu": 0.25, "precisions": [0.5, 0.125], "rouge1": 1 / 3},
    ...              ReportFormat.MARKDOWN), end="")
    | BLEU        |  Value |
    |-------------|--------|
    | bleu        | 0.2500 |
    | precision_1 | 0.5000 |
    | precision_2 | 0.1250 |
    <BLANKLINE>
    | ROUGE  | F-measure |
    |--------|-----------|
    | rouge1 |    0.3333 |
    """
    if report_format is ReportFormat.JSON:
        return json.dumps(scores) + "\n"
    values = {name: value for name, value in scores.items() if name != _SIGNATURE}
    signature = cast("str | None", scores.get(_SIGNATURE))
    if report_format is ReportFormat.CSV:
        return _render_csv(flatten(values), signature)
    if report_format is ReportFormat.MARKDOWN:
        console = Console(file=io.StringIO(), width=_WIDE)
        tables = _render_tables(values, box.MARKDOWN, console)
        # The "|" of the signature would make it a table.
        return tables if signature is None else f"{tables}\n`{signature}`\n"
    tables = _render_tables(values, box.SIMPLE_HEAD, Console(width=_WIDE))
    return tables if signature is None else f"{tables}\n{signature}\n"


def _render_csv(numbers: Mapping[str, Number], signature: str | None) -> str:
    """Write a header, one row per number, and one row for the signature."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("score", "value"))
    writer.writerows(numbers.items())
    if signature is not None:
        writer.writerow((_SIGNATURE, signature))
    return text.getvalue()


def _render_tables(scores: Mapping[str, Value], style: box.Box, console: Console) -> str:
    """Write a table of the BLEU scores and one of the ROUGE scores, if there are any."""
    rouge = {name: value for name, value in scores.items() if name.startswith("rouge")}
    bleu = {name: value for name, value in scores.items() if name not in rouge}
    tables = []
    if bleu:
        table = start_table("BLEU", ["Value"], style)
        for name, number in flatten(bleu).items():
            table.add_row(name, _shorten(number))
        tables.append(table)
    if rouge:
        parts = [
            value if isinstance(value, dict) else {"fmeasure": value} for value in rouge.values()
        ]
        table = start_table("ROUGE", [_PARTS[part] for part in parts[0]], style)
        for name, values in zip(rouge, parts, strict=True):
            table.add_row(name, *map(_shorten, values.values()))
        tables.append(table)
    return "\n".join(render(table, console) for table in tables)


def render(table: Table, console: Console) -> str:
    """Return the lines of a table, without spaces at line ends and empty lines around the table."""
    with console.capture() as capture:
        console.print(table)
    lines = [line.rstrip() for line in capture.get().splitlines()]
    return "\n".join(lines).strip("\n") + "\n"


def start_table(title: str, columns: Sequence[str], style: box.Box) -> Table:
    """Make a table without rows; names are aligned to the left, numbers to the right."""
    table = Table(title, box=style)
    for column in columns:
        table.add_column(column, justify="right")
    return table


def _shorten(value: object) -> str:
    """Write a float with four decimals, and an int completely."""
    return f"{value:.4f}" if isinstance(value, float) else str(value)

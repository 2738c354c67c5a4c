"""Write scores as text: a table for the terminal, a Markdown table, CSV or JSON.

JSON keeps the structure of the scores. The other formats have one row per number. Tables round to
four decimals, CSV and JSON do not round. The signature, if there is one, follows the tables. Scores
of groups are a table with a row per group, of one number per score; CSV has a column for the group.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

from ..families.family import Family
from ..families.registry import FAMILIES, find_family
from ..scoring.results import GROUPS, Number, Value, flatten
from ..tables import make_line, show, write_csv
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


def report(scores: Mapping[str, Value], report_format: str) -> str:
    """Write the scores as a text that ends with a line break.

    Args:
        scores: result of ``score_counts``; without lists of one value per sample unless the format
            is JSON.
        report_format: table, json, csv or markdown; a table has colours if standard output is a terminal.

    >>> print(report({"bleu": 0.25, "precisions": [0.5, 0.125], "rouge1": 1 / 3},
    ...              "markdown"), end="")
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
    if report_format == "json":
        return json.dumps(scores) + "\n"
    groups = cast("Groups | None", scores.get(GROUPS))
    if report_format == "csv":
        return _render_csv(scores, groups)
    values = {name: value for name, value in scores.items() if name not in (_SIGNATURE, GROUPS)}
    signature = cast("str | None", scores.get(_SIGNATURE))
    is_markdown = report_format == "markdown"
    tables = _render_tables(values, is_markdown=is_markdown)
    if groups is not None:
        tables = f"{tables}\n{_render_groups(groups, is_markdown=is_markdown)}"
    if signature is not None:
        # The "|" of the signature would make it a table.
        tables = f"{tables}\n`{signature}`\n" if is_markdown else f"{tables}\n{signature}\n"
    return tables


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


def _render_groups(groups: Groups, *, is_markdown: bool) -> str:
    """Write a table with a row per group and one number per score."""
    rows = {label: _choose_numbers(scores) for label, scores in groups.items()}
    lines = []
    for label, numbers in rows.items():
        name = make_line(label)
        shown = name.replace("|", "\\|") if is_markdown else name
        lines.append([shown, *map(show, numbers.values())])
    return write_table(["Group", *next(iter(rows.values()))], lines, is_markdown=is_markdown)


def _choose_numbers(scores: Mapping[str, Any]) -> dict[str, Number]:
    """Return the numbers that a table of groups has."""
    values = {
        name: value[family.parts[-1]] if isinstance(value, dict) else value
        for name, value in scores.items()
        if (family := find_family(name)) is not None
    }
    return flatten(values)


def _render_tables(scores: Mapping[str, Value], *, is_markdown: bool) -> str:
    """Write a table per group of families, with a row per number or per detailed score."""
    # What is not a score, such as the brevity penalty, belongs to the score before it.
    groups: dict[str, tuple[Family, dict[str, Value]]] = {}
    family = next(iter(FAMILIES.values()))
    for name, value in scores.items():
        family = find_family(name) or family
        groups.setdefault(family.group, (family, {}))[1][name] = value
    tables = []
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
        lines = [[name, *map(show, parts.values())] for name, parts in rows.items()]
        tables.append(write_table(head, lines, is_markdown=is_markdown))
    return "\n".join(tables)

"""Results as text: tables for the terminal, Markdown or LaTeX, CSV and JSON.

JSON keeps the structure of a result, CSV has one row per number; both are not rounded. Tables have
four decimals.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ..families.registry import FAMILIES, find_family
from ..families.score import Score
from ..scoring.results import GROUPS, Number, Value, flatten
from ..tables import Report, Result, Table, write_csv

_PARTS: Final = {"value": "Value", "precision": "Precision", "recall": "Recall",
                 "fmeasure": "F-measure", "p": "Precision", "r": "Recall",
                 "f": "F-measure"}  # fmt: skip
_SIGNATURE: Final = "signature"
_DIGITS: Final = 4

# A % starts a comment of LaTeX, and the "|" of a signature would make it a table of Markdown.
_SIGNED: Final = {"latex": "% {}\n", "markdown": "\n`{}`\n"}
_WRITERS: Final = {"latex": Report.to_latex, "markdown": Report.to_markdown}


def write_scores(scores: Mapping[str, Value], report_format: str, width: int | None = None) -> str:
    """Write scores; ``width`` digits, None for 4 in tables and for all in JSON and CSV."""
    if report_format in ("json", "csv"):
        rounded = scores if width is None else _round(scores, width)
        return f"{json.dumps(rounded)}\n" if report_format == "json" else _write_rows(rounded)
    digits = _DIGITS if width is None else width
    values: dict[str, Any] = dict(scores)
    groups, signature = values.pop(GROUPS, None), values.pop(_SIGNATURE, "")
    tables = list(_list_tables(values, digits))
    if groups is not None:
        tables.append(_make_group_table(groups, digits))
    return write_report(Report(tables), report_format, signature)


def write_score_only(scores: Mapping[str, Value], width: int | None = None) -> str:
    """Write one number per score and line: BLEU, and the F-measure of each ROUGE type."""
    digits = _DIGITS if width is None else width
    return "".join(f"{_show(number, digits)}\n" for number in _choose_numbers(scores).values())


def write_result(
    result: Result, report_format: str, signature: str, *, is_signed: bool = False
) -> str:
    """Write a comparison of systems; JSON always has the signature, other formats if signed."""
    if report_format == "json":
        return json.dumps({**result.to_dict(), _SIGNATURE: signature}) + "\n"
    signature *= is_signed
    if report_format == "csv":
        head, rows = result.to_table()
        return write_csv([head, *rows, *([(_SIGNATURE, signature)] if signature else [])])
    return write_report(result.report(), report_format, signature, has_titles=True)


def write_report(
    report: Report, report_format: str, signature: str = "", *, has_titles: bool = False
) -> str:
    """Write a report, and its signature if there is one; LaTeX always has titles."""
    if report_format != "latex" and not has_titles:
        report = report._replace(tables=[table._replace(title="") for table in report.tables])
    end = _SIGNED.get(report_format, "\n{}\n").format(signature) * bool(signature)
    return f"{_WRITERS.get(report_format, Report.to_text)(report)}\n{end}"


def _show(value: Any, digits: int) -> str:
    """Write a number: a float with so many decimals."""
    return f"{value:.{digits}f}" if isinstance(value, float) else str(value)


def _round(value: Any, digits: int) -> Any:
    """Round all floats of a value in JSON types."""
    if isinstance(value, Mapping):
        return {name: _round(item, digits) for name, item in value.items()}
    if isinstance(value, list):
        return [_round(item, digits) for item in value]
    return round(value, digits) if isinstance(value, float) else value


def _write_rows(scores: Mapping[str, Any]) -> str:
    """Write CSV: a header, one row per number, and one row for each signature."""
    groups = scores.get(GROUPS, {})
    head = ("score", "value", *(["group"] if groups else []))
    rows: list[Sequence[object]] = [head]
    # The rows of all samples have no group.
    for label, part in {"": scores, **groups}.items():
        values = {name: value for name, value in part.items() if name not in (_SIGNATURE, GROUPS)}
        signed = {_SIGNATURE: part[_SIGNATURE]} if _SIGNATURE in part else {}
        rows += [(*row, label)[: len(head)] for row in (flatten(values) | signed).items()]
    return write_csv(rows)


def _make_group_table(groups: Mapping[str, Mapping[str, Value]], digits: int) -> Table:
    """Return a table with a row per group and one number per score."""
    rows = {label: _choose_numbers(scores) for label, scores in groups.items()}
    lines = [[label, *(_show(x, digits) for x in row.values())] for label, row in rows.items()]
    return Table(["Group", *next(iter(rows.values()))], lines, "Scores of each group")


def _choose_numbers(scores: Mapping[str, Any]) -> dict[str, Number]:
    """Return one number per score."""
    values = {
        name: value[family.parts[-1]] if isinstance(value, dict) else value
        for name, value in scores.items()
        if (family := find_family(name)) is not None
    }
    return flatten(values)


def _list_tables(scores: Mapping[str, Value], digits: int) -> Iterator[Table]:
    """Iterate over tables, one per group of families: a row per number or per detailed score."""
    # What is not a score, such as the brevity penalty, belongs to the score before it.
    groups: dict[str, tuple[type[Score], dict[str, Value]]] = {}
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
        head = [group.upper(), *(_PARTS[part] for part in next(iter(rows.values())))]
        lines = [[name, *(_show(x, digits) for x in row.values())] for name, row in rows.items()]
        yield Table(head, lines, head[0])

"""Results as text: tables for the terminal, Markdown or LaTeX, CSV and JSON.

JSON keeps the structure of a result, CSV has one row per number; both are not rounded. Tables have
four decimals.
"""

import json
import textwrap
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, cast

from ..families.registry import FAMILIES, find_family, list_groups
from ..families.score import Score
from ..scoring.results import GROUPS, Number, Value, flatten
from ..tables import Report, Result, Table, write_csv

if TYPE_CHECKING:
    from ..analysis.profiles import ProfileComparison, ProfileDifference

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
_DIGITS: Final = 4

# Replaces a space at which a line must not break; textwrap breaks lines only at other spaces.
_NO_BREAK: Final = "\N{NO-BREAK SPACE}"

Groups = Mapping[str, Mapping[str, Value]]


def write_scores(scores: Mapping[str, Value], report_format: str, width: int | None = None) -> str:
    """Write scores; ``width`` digits, None for 4 in tables and for all in JSON and CSV."""
    if report_format in ("json", "csv"):
        rounded = scores if width is None else _round(scores, width)
        return f"{json.dumps(rounded)}\n" if report_format == "json" else _write_rows(rounded)
    groups = cast("Groups | None", scores.get(GROUPS))
    digits = _DIGITS if width is None else width
    values = {name: value for name, value in scores.items() if name not in (_SIGNATURE, GROUPS)}
    tables = list(_list_score_tables(values, digits))
    if groups is not None:
        tables.append(_make_group_table(groups, digits))
    signature = cast("str", scores.get(_SIGNATURE, ""))
    return _write_tables(tables, report_format) + _write_signature(signature, report_format)


def write_score_only(scores: Mapping[str, Value], width: int | None = None) -> str:
    """Write one number per score and line: BLEU, and the F-measure of each ROUGE type."""
    digits = _DIGITS if width is None else width
    return "".join(f"{_show(number, digits)}\n" for number in _choose_numbers(scores).values())


def write_result(
    result: Result, report_format: str, signature: str, *, is_signed: bool = False
) -> str:
    """Write a comparison of systems; JSON always has the signature, other formats if signed."""
    if report_format == "json":
        return json.dumps({**result.to_dict(), "signature": signature}) + "\n"
    signature = signature * is_signed
    if report_format == "csv":
        head, rows = result.to_table()
        return write_csv([head, *rows, *([("signature", signature)] if signature else [])])
    report = _write_report(result.report(), report_format)
    return report + _write_signature(signature, report_format)


def write_profiles(comparison: "ProfileComparison", report_format: str) -> str:
    """Write a comparison of profiles: tables, and but for LaTeX the steps to each profile."""
    if report_format == "json":
        return json.dumps(comparison.to_dict()) + "\n"
    if report_format == "csv":
        return _write_profile_rows(comparison)
    tables = _write_tables(list(_list_profile_tables(comparison)), report_format)
    if report_format == "latex":
        return tables
    return "\n".join([tables, *_list_reasons(comparison, is_markdown=report_format == "markdown")])


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


def _write_tables(tables: list[Table], report_format: str) -> str:
    """Write tables; only LaTeX has titles, which repeat the names of the first columns."""
    if report_format != "latex":
        tables = [table._replace(title="") for table in tables]
    return _write_report(Report(tables), report_format)


def _write_report(report: Report, report_format: str) -> str:
    writers = {"latex": Report.to_latex, "markdown": Report.to_markdown}
    return f"{writers.get(report_format, Report.to_text)(report)}\n"


def _write_signature(line: str, report_format: str) -> str:
    """Write the line of a signature that follows a table; nothing if it is empty."""
    # A % starts a comment of LaTeX, and the "|" of a signature would make it a table of Markdown.
    ends = {"latex": f"% {line}\n", "markdown": f"\n`{line}`\n"}
    return ends.get(report_format, f"\n{line}\n") * bool(line)


def _write_rows(scores: Mapping[str, Value]) -> str:
    """Write CSV: a header, one row per number, and one row for each signature."""
    groups = cast("Groups | None", scores.get(GROUPS))
    if groups is None:
        return write_csv([("score", "value"), *_list_numbers(scores)])
    # The rows of all samples have no group.
    parts = [("", scores), *groups.items()]
    rows = [(*row, label) for label, part in parts for row in _list_numbers(part)]
    return write_csv([("score", "value", "group"), *rows])


def _list_numbers(scores: Mapping[str, Value]) -> Iterator[tuple[str, Number | str]]:
    """Iterate over the numbers by name; the signature, if there is one, is the last."""
    yield from flatten(
        {name: value for name, value in scores.items() if name not in (_SIGNATURE, GROUPS)}
    ).items()
    if _SIGNATURE in scores:
        yield _SIGNATURE, cast("str", scores[_SIGNATURE])


def _make_group_table(groups: Groups, digits: int) -> Table:
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


def _list_score_tables(scores: Mapping[str, Value], digits: int) -> Iterator[Table]:
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


def _list_profile_tables(comparison: "ProfileComparison") -> Iterator[Table]:
    """Iterate over tables, one per family: a row per score, a column per profile of the family."""
    for group in list_groups():
        names = [
            name
            for name in dict.fromkeys(chain.from_iterable(comparison.scores.values()))
            if (family := find_family(name)) is not None and family.group == group
        ]
        # A profile may lack some of the scores of another.
        columns = {
            profile: [_show(scores.get(name, ""), _DIGITS) for name in names]
            for profile, scores in comparison.scores.items()
            if scores.keys() & names
        }
        if columns:
            rows = list(map(list, zip(names, *columns.values(), strict=True)))
            yield Table([group.upper(), *columns], rows, group.upper())


def _list_reasons(comparison: "ProfileComparison", *, is_markdown: bool) -> Iterator[str]:
    """Write a paragraph per profile: the steps from the first one to it."""
    from ..analysis.profiles import BASELINE

    indent, deeper, end = ("- ", "  ", ":") if is_markdown else ("  ", "    ", "")
    for profile in comparison.scores:
        if profile == BASELINE:
            continue
        steps = [step for step in comparison.differences if step.profile == profile]
        if not steps:
            yield f"{profile} gives the same scores as {BASELINE}.\n"
            continue
        lines = [f"From {BASELINE} to {profile}:", *([""] if is_markdown else [])]
        changes: dict[str, list[str]] = {}
        for step in steps:
            changes.setdefault(describe_step(step) + end, []).append(_describe_change(step))
        for reason, texts in changes.items():
            lines += textwrap.wrap(reason, 80, initial_indent=indent, subsequent_indent=deeper)
            lines += textwrap.wrap(
                ", ".join(texts), 80, initial_indent=deeper, subsequent_indent=deeper
            )
        yield "\n".join(lines).replace(_NO_BREAK, " ") + "\n"


def describe_step(step: "ProfileDifference") -> str:
    """Describe what changes a score; the arithmetic has no value before."""
    return f"{step.option}: {'' if step.old == '' else f'{step.old} -> '}{step.new}"


def _describe_change(step: "ProfileDifference") -> str:
    """Write a score before and after, or the difference if four decimals do not show it."""
    before, after = _show(step.before, _DIGITS), _show(step.after, _DIGITS)
    change = f"{step.after - step.before:+.0e}" if before == after else f"-> {after}"
    return f"{step.score} {before} {change}".replace(" ", _NO_BREAK)


def _write_profile_rows(comparison: "ProfileComparison") -> str:
    """Write CSV with a row per score: profile, name, value, and the steps that led to it."""
    steps: dict[tuple[str, str], list[str]] = {}
    for step in comparison.differences:
        steps.setdefault((step.profile, step.score), []).append(describe_step(step))
    rows = [
        (profile, name, value, "; ".join(steps.get((profile, name), ())))
        for profile, scores in comparison.scores.items()
        for name, value in scores.items()
    ]
    return write_csv([("profile", "score", "value", "differs_by"), *rows])

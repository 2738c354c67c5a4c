"""The agreement of metrics with people as tables and sentences: text, Markdown, LaTeX and HTML.

Each level has two tables: the coefficients of each metric, and the differences between metrics.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from ...matching.notes import join_names
from ...resampling.pair_tests import find_level
from ...tables import (
    escape_latex,
    escape_markdown,
    make_line,
    write_html,
    write_latex,
    write_markdown,
    write_text,
)
from ..system_words import name_score, write_confidence, write_p

if TYPE_CHECKING:
    from .agreement_results import MetaEvaluation, MetricAgreement, MetricDifference

_NAMES: Final = {
    "pearson": "Pearson",
    "spearman": "Spearman",
    "kendall_b": "Kendall tau-b",
    "kendall_c": "Kendall tau-c",
    "accuracy": "accuracy",
    "calibrated_accuracy": "calibrated accuracy",
}
_LEVELS: Final = {"system": "Systems", "segment": "Segments"}
_GROUPINGS: Final = {
    "item": "in groups of one item",
    "system": "in groups of one system",
    "none": "all together",
}
_RESAMPLED: Final = {"both": "systems and items", "items": "items", "systems": "systems"}
_UNDEFINED: Final = "undefined"


class _Table(NamedTuple):
    """A table with its caption.

    Attributes:
        caption: what it shows.
        head: names of the columns.
        rows: cells.
    """

    caption: str
    head: list[str]
    rows: list[list[str]]


def _list_tables(result: "MetaEvaluation", escape: Callable[[str], str] = str) -> Iterator[_Table]:
    """Iterate over the tables; ``escape`` is applied to names of metrics."""
    for level, title in _LEVELS.items():
        rows = [row for row in result.rows if row.level == level]
        if not rows:
            continue
        coefficients = list(dict.fromkeys(row.coefficient for row in rows))
        head = ["", *(_NAMES[name] for name in coefficients)]
        values = {(row.metric, row.coefficient): _write_value(row) for row in rows}
        yield _Table(
            f"{title}: agreement with people",
            head,
            [
                [escape(name_score(metric)), *(values[metric, name] for name in coefficients)]
                for metric in result.metrics
            ],
        )
        pairs: dict[str, list[str]] = {}
        for row in result.differences:
            if row.level == level:
                name = f"{escape(name_score(row.metric))} - {escape(name_score(row.other))}"
                pairs.setdefault(name, []).append(_write_difference(row))
        if pairs:
            cells = [[name, *row] for name, row in pairs.items()]
            yield _Table(f"{title}: differences between metrics, with p", head, cells)


def _write_value(row: "MetricAgreement") -> str:
    if row.value is None:
        return _UNDEFINED
    if row.low is None or row.high is None:
        return f"{row.value:.3f}"
    return f"{row.value:.3f} [{row.low:.3f}, {row.high:.3f}]"


def _write_difference(row: "MetricDifference") -> str:
    if row.delta is None or row.p_value is None:
        return _UNDEFINED
    return f"{row.delta:+.3f} ({write_p(_find_p(row))})"


def _find_p(row: "MetricDifference") -> float:
    """Return the p-value that decides: the corrected one if there is one."""
    p = row.p_value if row.p_corrected is None else row.p_corrected
    return 1.0 if p is None else p


def describe_method(result: "MetaEvaluation") -> list[str]:
    """Return sentences on the data, the intervals and the tests."""
    lines = [f"Systems: {len(result.systems):,}. Items: {result.n_items:,}."]
    if any(row.level == "segment" for row in result.rows):
        lines.append(f"Segments are correlated {_GROUPINGS[result.grouping]}.")
    lines.append(
        f"Intervals: {write_confidence(result.confidence)}, bootstrap over "
        f"{_RESAMPLED[result.resampled]}, n_resamples {result.n_resamples:,}, seed {result.seed}."
    )
    if result.differences:
        swapped = " and ".join(dict.fromkeys(row.swapped for row in result.differences))
        correction = "p not corrected"
        if result.correction is not None:
            correction = f"p corrected ({result.correction}, tests: {result.n_tests:,})"
        lines.append(f"Tests: permutation of whole {swapped}, two-sided, {correction}.")
    return [*lines, *_describe_undefined(result)]


def _name_row(row: "MetricAgreement") -> str:
    return f"{_NAMES[row.coefficient]} of {name_score(row.metric)} ({row.level} level)"


def _describe_undefined(result: "MetaEvaluation") -> Iterator[str]:
    """Iterate over sentences on values that are undefined, or leave groups out."""
    for row in result.rows:
        place = _name_row(row)
        if row.undefined_reason is not None:
            yield f"{place} is undefined, because {row.undefined_reason}."
        elif row.n_undefined:
            yield (
                f"{place} leaves out {row.n_undefined:,} of {row.n_groups:,} groups, because all "
                "their scores or all their ratings are equal."
            )
    by_count: dict[int, list[str]] = {}
    for row in result.rows:
        if row.value is not None and row.undefined_resamples:
            by_count.setdefault(row.undefined_resamples, []).append(_name_row(row))
    for count, places in by_count.items():
        yield (
            f"The interval{'s' * (len(places) > 1)} of {join_names(places)} "
            f"{'leave' if len(places) > 1 else 'leaves'} out {count:,} of {result.n_resamples:,} "
            "resamples, in which all scores or all ratings are equal."
        )


def describe_differences(result: "MetaEvaluation") -> list[str]:
    """Return a sentence for each difference, then those on undefined values."""
    lines = []
    for row in result.differences:
        if row.delta is None or row.p_value is None:
            continue
        p = _find_p(row)
        more = "more" if row.delta > 0 else "less"
        verdict = "no clear difference"
        if p <= find_level(result.confidence):
            verdict = "a difference of this size is unlikely to be chance"
        corrected = "corrected " if row.p_corrected is not None else ""
        shown = f"< {write_p(p)[1:]}" if p < 0.0005 else f"= {write_p(p)}"
        start = f"{name_score(row.metric)} agrees with people {more} than {name_score(row.other)}"
        if row.delta == 0:
            names = f"{name_score(row.metric)} and {name_score(row.other)}"
            start = f"{names} agree with people equally"
        lines.append(
            f"{start} by {_NAMES[row.coefficient]} at the {row.level} level (difference "
            f"{row.delta:+.3f}, {corrected}p {shown}): {verdict}."
        )
    return [*lines, *_describe_undefined(result)]


def write_plain(result: "MetaEvaluation") -> str:
    """Write the tables and how they were computed."""
    tables = [f"{one.caption}\n\n{write_text(one.head, one.rows)}" for one in _list_tables(result)]
    return "\n\n".join([*tables, "\n".join(map(make_line, describe_method(result)))])


def write_markdown_page(result: "MetaEvaluation") -> str:
    """Write the tables in Markdown, and how they were computed."""
    tables = [
        f"**{one.caption}**\n\n{write_markdown(one.head, one.rows)}"
        for one in _list_tables(result, escape_markdown)
    ]
    return "\n\n".join([*tables, " ".join(map(escape_markdown, describe_method(result)))])


def write_latex_tables(result: "MetaEvaluation") -> str:
    """Write the tables in LaTeX; how they were computed is in the captions."""
    notes = " ".join(map(escape_latex, describe_method(result)))
    return "\n\n".join(
        write_latex(one.head, one.rows, caption=f"{one.caption}. {notes}")
        for one in _list_tables(result, escape_latex)
    )


def write_page(result: "MetaEvaluation") -> str:
    """Write the tables in HTML; how they were computed is below each."""
    notes = describe_method(result)
    return "".join(
        write_html(one.head, one.rows, caption=one.caption, notes=notes)
        for one in _list_tables(result)
    )

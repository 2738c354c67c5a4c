"""The work of ``bleu-rouge compare-profiles``: tables of scores, and reasons of differences."""

import json
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from ..analysis.profiles import (
    ARITHMETIC,
    BASELINE,
    ProfileComparison,
    ProfileDifference,
    choose_fit,
    compare_samples,
    plan_comparison,
)
from ..families.registry import find_family, list_groups
from ..files.samples import read_samples
from ..options.profiles import PROFILES
from ..tables import Table, write_csv
from .checks import check_environment, read_choice
from .file_flags import read_file_flags
from .messages import one_line_warnings, print_report, usage_errors
from .option_flags import to_keywords
from .reports import ReportFormat, write_tables

# The width of the lines of reasons.
_NARROW: Final = 80

# Replaces a space at which a line must not break; textwrap breaks lines only at other spaces.
_NO_BREAK: Final = "\N{NO-BREAK SPACE}"


def run_compare_profiles(
    predictions: str,
    *,
    references: Sequence[str] | None,
    report_format: str,
    profile: Sequence[str] | None,
    **parameters: Any,
) -> None:
    """Compare profiles; the parameters are the flags as they were typed.

    Raises:
        FileError: a file cannot be read.
        UsageError: a flag has a wrong value, or flags do not go together.
    """
    with one_line_warnings():
        with usage_errors():
            check_environment()
            written = read_choice("--format", report_format, ReportFormat)
            keywords = {**to_keywords(parameters), "profiles": profile or tuple(PROFILES)}
            plans = plan_comparison(**keywords)
            files = read_file_flags(parameters)
        samples = read_samples(predictions, references or [], **files)
        # Profiles that nobody asked for are left out if they cannot score the samples.
        comparison = compare_samples(samples, plans if profile else choose_fit(samples, plans))
        print_report(
            lambda: report_comparison(comparison, written),
            has_colours=written is ReportFormat.TABLE,
        )


def report_comparison(comparison: ProfileComparison, report_format: ReportFormat) -> str:
    """Write the comparison as a text that ends with a line break.

    Args:
        comparison: result of ``compare_profiles``.
        report_format: JSON has everything; CSV has one row per score; the other formats have one
            table per family, and LaTeX nothing else; then the steps from ``hf`` to each profile.
    """
    if report_format is ReportFormat.JSON:
        differences = [difference._asdict() for difference in comparison.differences]
        return json.dumps({"scores": comparison.scores, "differences": differences}) + "\n"
    if report_format is ReportFormat.CSV:
        return _render_csv(comparison)
    tables = write_tables(list(_list_scores(comparison)), report_format)
    if report_format is ReportFormat.LATEX:
        return tables
    is_markdown = report_format is ReportFormat.MARKDOWN
    return "\n".join([tables, *_list_reasons(comparison, is_markdown=is_markdown)])


def _list_scores(comparison: ProfileComparison) -> Iterator[Table]:
    """Iterate over tables, one per family: a row per score, a column per profile of the family."""
    for group in list_groups():
        columns: dict[str, dict[str, float]] = {}
        for profile, scores in comparison.scores.items():
            own = {name: value for name, value in scores.items() if _find_group(name) == group}
            if own:
                columns[profile] = own
        if columns:
            # A profile may lack some of the scores of another.
            names = dict.fromkeys(name for scores in columns.values() for name in scores)
            rows = [
                [
                    name,
                    *(
                        f"{scores[name]:.4f}" if name in scores else ""
                        for scores in columns.values()
                    ),
                ]
                for name in names
            ]
            yield Table([group.upper(), *columns], rows, group.upper())


def _find_group(score: str) -> str | None:
    family = find_family(score)
    return None if family is None else family.group


def _list_reasons(comparison: ProfileComparison, *, is_markdown: bool) -> Iterator[str]:
    """Write a paragraph per profile: the steps from ``hf`` to it."""
    indent, deeper, end = ("- ", "  ", ":") if is_markdown else ("  ", "    ", "")
    for profile in comparison.scores:
        if profile == BASELINE:
            continue
        steps = [step for step in comparison.differences if step.profile == profile]
        if not steps:
            yield f"{profile} gives the same scores as {BASELINE}.\n"
            continue
        lines = [f"From {BASELINE} to {profile}:"]
        if is_markdown:
            lines.append("")
        for reason, changes in _group_by_reason(steps):
            lines += textwrap.wrap(
                reason + end, _NARROW, initial_indent=indent, subsequent_indent=deeper
            )
            lines += textwrap.wrap(
                ", ".join(map(_describe_change, changes)),
                _NARROW,
                initial_indent=deeper,
                subsequent_indent=deeper,
            )
        yield "\n".join(lines).replace(_NO_BREAK, " ") + "\n"


def _group_by_reason(
    steps: Sequence[ProfileDifference],
) -> Iterator[tuple[str, Iterable[ProfileDifference]]]:
    """Group steps by reason; the reasons of one option are in the order of first occurrence."""
    for _, of_option in groupby(steps, key=lambda step: step.option):
        by_reason: dict[str, list[ProfileDifference]] = {}
        for step in of_option:
            by_reason.setdefault(describe_step(step), []).append(step)
        yield from by_reason.items()


def describe_step(step: ProfileDifference) -> str:
    """Describe what changes a score.

    >>> describe_step(ProfileDifference("sacrebleu", "bleu", "smooth", "none", "exp", 0.0, 0.1))
    'smooth: none -> exp'
    """
    if step.option == ARITHMETIC:
        return f"arithmetic: {step.new}"
    return f"{step.option}: {step.old} -> {step.new}"


def _describe_change(step: ProfileDifference) -> str:
    """Write a score before and after, or the difference if four decimals do not show it."""
    before, after = f"{step.before:.4f}", f"{step.after:.4f}"
    change = f"{step.after - step.before:+.0e}" if before == after else f"-> {after}"
    return f"{step.score} {before} {change}".replace(" ", _NO_BREAK)


def _render_csv(comparison: ProfileComparison) -> str:
    """Write a row per score: profile, name, value, and the steps that led to it."""
    rows: list[tuple[object, ...]] = [("profile", "score", "value", "differs_by")]
    for profile, scores in comparison.scores.items():
        for name, value in scores.items():
            steps = [
                describe_step(step)
                for step in comparison.differences
                if (step.profile, step.score) == (profile, name)
            ]
            rows.append((profile, name, value, "; ".join(steps)))
    return write_csv(rows)

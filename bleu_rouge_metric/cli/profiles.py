"""The work of ``bleu-rouge compare-profiles``: tables of scores, and reasons of differences."""

import json
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from ..analysis.comparison import Comparison, Difference
from ..analysis.profile_steps import ARITHMETIC, BASELINE, plan_comparison
from ..analysis.profiles import choose_fit, compare_samples
from ..families.registry import find_family, list_groups
from ..files.samples import read_samples
from ..options.profiles import PROFILES
from ..tables import write_csv
from .messages import print_report
from .score_tables import write_table
from .values import Values

# The width of the lines of reasons.
_NARROW: Final = 80

# Replaces a space at which a line must not break; textwrap breaks lines only at other spaces.
_NO_BREAK: Final = "\N{NO-BREAK SPACE}"


def run_compare_profiles(flags: Values) -> None:
    """Compare profiles.

    Raises:
        FileError: a file cannot be read.
        UsageError: a flag has a wrong value, or flags do not go together.
    """
    with flags.errors():
        plans = plan_comparison(**flags.keywords, profiles=flags.profiles or tuple(PROFILES))
    samples = read_samples(flags.predictions, flags.references, **flags.files)
    # Profiles that nobody asked for are left out if they cannot score the samples.
    comparison = compare_samples(samples, plans if flags.profiles else choose_fit(samples, plans))
    print_report(
        lambda: report_comparison(comparison, flags.report_format),
        has_colours=flags.report_format == "table",
    )


def report_comparison(comparison: Comparison, report_format: str) -> str:
    """Write the comparison as a text that ends with a line break.

    Args:
        comparison: result of ``compare_profiles``.
        report_format: JSON has everything; CSV has one row per score; the other formats have one
            table per family, then the steps from ``hf`` to each profile.
    """
    if report_format == "json":
        differences = [difference._asdict() for difference in comparison.differences]
        return json.dumps({"scores": comparison.scores, "differences": differences}) + "\n"
    if report_format == "csv":
        return _render_csv(comparison)
    is_markdown = report_format == "markdown"
    tables = _list_scores(comparison, is_markdown=is_markdown)
    lines = _list_reasons(comparison, is_markdown=is_markdown)
    return "\n".join([*tables, *lines])


def _list_scores(comparison: Comparison, *, is_markdown: bool) -> Iterator[str]:
    """Write a table per family, with a row per score and a column per profile of the family."""
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
            yield write_table([group.upper(), *columns], rows, is_markdown=is_markdown)


def _find_group(score: str) -> str | None:
    family = find_family(score)
    return None if family is None else family.group


def _list_reasons(comparison: Comparison, *, is_markdown: bool) -> Iterator[str]:
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


def _group_by_reason(steps: Sequence[Difference]) -> Iterator[tuple[str, Iterable[Difference]]]:
    """Group steps by reason; the reasons of one option are in the order of first occurrence."""
    for _, of_option in groupby(steps, key=lambda step: step.option):
        by_reason: dict[str, list[Difference]] = {}
        for step in of_option:
            by_reason.setdefault(describe_step(step), []).append(step)
        yield from by_reason.items()


def describe_step(step: Difference) -> str:
    """Describe what changes a score.

    >>> describe_step(Difference("sacrebleu", "bleu", "smooth", "none", "exp", 0.0, 0.1))
    'smooth: none -> exp'
    """
    if step.option == ARITHMETIC:
        return f"arithmetic: {step.new}"
    return f"{step.option}: {step.old} -> {step.new}"


def _describe_change(step: Difference) -> str:
    """Write a score before and after, or the difference if four decimals do not show it."""
    before, after = f"{step.before:.4f}", f"{step.after:.4f}"
    change = f"{step.after - step.before:+.0e}" if before == after else f"-> {after}"
    return f"{step.score} {before} {change}".replace(" ", _NO_BREAK)


def _render_csv(comparison: Comparison) -> str:
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

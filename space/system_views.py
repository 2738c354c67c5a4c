"""Convert a comparison of systems to what the page shows: sentences, a matrix, charts and files."""

import json
import shlex
from collections.abc import Mapping, Sequence
from html import escape
from itertools import chain
from typing import Any, Final

from bleu_rouge_metric import SystemComparison, SystemRanking, schema
from bleu_rouge_metric.analysis.results import (
    CORRECTIONS,
    SystemScore,
    describe_difference,
    describe_test,
)
from bleu_rouge_metric.analysis.wording import (
    choose_decimals,
    find_p,
    is_clear,
    name_score,
    write_confidence,
    write_delta,
    write_value,
)
from bleu_rouge_metric.cli.flags import name_flags, to_flag
from bleu_rouge_metric.matching.texts import join_names
from bleu_rouge_metric.messages import count_noun
from bleu_rouge_metric.options.table import OPTIONS

from .charts import Interval, draw_histogram, draw_intervals, draw_scatter
from .differences import list_differences, split_by_winner, write_rows
from .report import write_report
from .systems import Compared, Design
from .views import (
    SMOOTHED_COLUMN,
    count_bins,
    name_bleu,
    show_text,
    show_warnings,
    write_copy,
    write_csv,
)

BINS: Final = 20


def judge(row: SystemScore, comparison: SystemComparison) -> str:
    """Return what the test says of a difference, in a few words; empty for the baseline."""
    if row.delta is None:
        return ""
    if find_p(row) is None:
        return "not tested"
    if not is_clear(row, comparison.confidence):
        # A one-sided test does not look for what is worse.
        is_loss = comparison.alternative == "greater" and row.delta <= 0
        return "not better" if is_loss else "not clear"
    return "better" if row.delta > 0 else "worse"


def summarize(comparison: SystemComparison) -> str:
    """Return in a few sentences which systems differ clearly from the baseline, as HTML.

    The last one says whether p, which decides, is corrected for the number of tests.
    """
    baseline = f"<bdi>{escape(show_text(comparison.baseline))}</bdi>"
    if comparison.untested_reason is not None:
        return f"Not tested, because {escape(comparison.untested_reason)}."
    sentences = []
    for word in ("better", "worse"):
        systems: dict[str, list[str]] = {}
        for row in comparison.rows:
            if judge(row, comparison) == word:
                systems.setdefault(row.system, []).append(name_score(row.score))
        scores = list(map(name_score, comparison.scores))
        if systems:
            parts = [
                f"<b><bdi>{escape(show_text(name))}</bdi></b> on {_list_scores(found, scores)}"
                for name, found in systems.items()
            ]
            sentences.append(f"{word.title()} than {baseline}: {'; '.join(parts)}.")
    words = [judge(row, comparison) for row in comparison.rows]
    others = {
        "not clear": "Other differences are not clear.",
        "not better": "The test does not ask what is worse.",
    }
    if sentences:
        sentences += [text for word, text in others.items() if word in words]
    else:
        sentences = [f"No system differs clearly from {baseline}."]
    return " ".join([*sentences, f"({_describe_correction(comparison)})"])


def _describe_correction(comparison: SystemComparison) -> str:
    """Say how p was corrected, and for how many tests."""
    if comparison.correction is None or comparison.n_tests is None:
        return "p not corrected"
    tests = count_noun(comparison.n_tests, "test")
    return f"p corrected with {CORRECTIONS[comparison.correction]} over {tests}"


def _list_scores(scores: Sequence[str], every: Sequence[str]) -> str:
    """Name some of the scores in few words.

    >>> _list_scores(["BLEU", "ROUGE-1"], ["BLEU", "ROUGE-1", "ROUGE-2"])
    'every score but ROUGE-2'
    """
    missing = [name for name in every if name not in scores]
    if not missing:
        return "every score" if len(every) > 1 else every[0]
    if len(missing) == 1 and len(every) > 2:
        return f"every score but {missing[0]}"
    return join_names(scores)


def write_matrix(comparison: SystemComparison, selected: tuple[str, str] | None) -> str:
    """Return a table with a row per system and a column per score.

    Args:
        comparison: the comparison.
        selected: the score and the system that are explained below; None for a table without
            buttons.
    """
    heads = "".join(f'<th scope="col">{name_score(score)}</th>' for score in comparison.scores)
    by_system: dict[str, list[SystemScore]] = {}
    for row in comparison.rows:
        by_system.setdefault(row.system, []).append(row)
    decimals = _choose_decimals(comparison)
    lines = []
    for system, rows in by_system.items():
        name = f"<bdi>{escape(show_text(system))}</bdi>"
        if system == comparison.baseline:
            name += '<span class="delta">baseline</span>'
        cells = "".join(_write_cell(row, comparison, selected, decimals[row.score]) for row in rows)
        lines.append(f'<tr><th scope="row">{name}</th>{cells}</tr>')
    return (
        f'<table class="matrix"><thead><tr><th scope="col">System</th>{heads}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table>"
    )


def _choose_decimals(comparison: SystemComparison) -> dict[str, int]:
    """Return how many decimals each score has, in the matrix and charts as in the LaTeX file."""
    return {
        score: choose_decimals([row for row in comparison.rows if row.score == score])
        for score in comparison.scores
    }


def _write_cell(
    row: SystemScore,
    comparison: SystemComparison,
    selected: tuple[str, str] | None,
    decimals: int,
) -> str:
    # The interval of the value is in a chart.
    value = f'<span class="value">{write_value(row._replace(low=None), decimals)}</span>'
    word = judge(row, comparison)
    if word:
        style = word.replace(" ", "-")
        delta = _write_delta(row, decimals)
        value += f'<span class="chip {style}">{word}</span><span class="delta">{delta}</span>'
    if selected and row.delta is not None:
        cell = escape(json.dumps([row.score, row.system]))
        is_on = str(selected == (row.score, row.system)).lower()
        value = (
            f'<button type="button" class="cell" aria-pressed="{is_on}" data-cell="{cell}">'
            f"{value}</button>"
        )
    return f'<td data-label="{name_score(row.score)}">{value}</td>'


def _write_delta(row: SystemScore, decimals: int) -> str:
    """Write a difference with its interval; both have the sign of system minus baseline."""
    shown = write_delta(row.delta, decimals)
    if row.delta_low is None or row.delta_high is None:
        return shown
    ends = (write_delta(end, decimals) for end in (row.delta_low, row.delta_high))
    return f"{shown} <span>[{', '.join(ends)}]</span>"


def show_comparison(compared: Compared, selected: tuple[str, str] | None) -> str:
    """Return what the test says: a summary, the matrix, and what its numbers are."""
    comparison = compared.comparison
    test, *notes = describe_test(comparison)
    groups = "".join(
        f"<h3><bdi>{escape(show_text(name))}</bdi> ({group.n_samples:,} samples)</h3>"
        f"<p>{summarize(group)}</p>{write_matrix(group, None)}"
        for name, group in comparison.groups.items()
    )
    if groups:
        groups = f"<details><summary>Groups</summary>{groups}</details>"
    if compared.ranking is not None:
        ranks = compared.ranking._repr_html_()
        groups += f'<details class="ranks"><summary>Ranks</summary>{ranks}</details>'
    interval = write_confidence(comparison.confidence)
    return (
        '<div class="ours">'
        f'<p class="say">{summarize(comparison)}</p>'
        f"{write_matrix(comparison, selected)}"
        f'<p class="note">Below each value: the difference from the baseline with its {interval} '
        f"interval. {escape(show_text(test))}</p>"
        f'<p class="note" dir="auto">{escape(show_text(" ".join(notes)))} '
        f"Inputs: {escape(show_text(compared.systems.texts.source))}.</p>{groups}</div>"
        f"{show_warnings(compared.warnings, 'compare')}"
    )


def list_others(compared: Compared) -> list[str]:
    """Return the names of the systems that are compared with the baseline."""
    comparison = compared.comparison
    return [name for name in comparison.systems if name != comparison.baseline]


def draw_all(compared: Compared) -> dict[str, dict[str, str]]:
    """Return what is shown of each cell as HTML, by the score and the system."""
    rows = {(row.score, row.system): row for row in compared.comparison.rows}
    return {
        score: {
            name: _draw(compared, rows[score, name], score, name) for name in list_others(compared)
        }
        for score in compared.comparison.scores
    }


def _draw(compared: Compared, row: SystemScore, score: str, system: str) -> str:
    comparison = compared.comparison
    baseline, name = comparison.baseline, name_score(score)
    before, after = (
        compared.systems.list_scores(score, baseline),
        compared.systems.list_scores(score, system),
    )
    rows = list_differences(before, after)
    deltas = [row.delta for row in rows]
    counts = {winner: f"{len(some):,}" for winner, some in split_by_winner(rows).items()}
    each = name_bleu(compared.systems.choices) if score == "bleu" else name
    decimals = _choose_decimals(comparison)[score]
    intervals = draw_intervals(
        [
            # A system that has no interval is a point.
            Interval(
                other.system,
                other.value,
                other.value if other.low is None else other.low,
                other.value if other.high is None else other.high,
                write_value(other, decimals),
            )
            for other in comparison.rows
            if other.score == score
        ],
        title=f"{name}, {write_confidence(comparison.confidence)} intervals",
    )
    most = max(map(abs, deltas)) or 0.1
    histogram = draw_histogram(
        count_bins(deltas, -most, most, BINS),
        -most,
        most,
        title=f"Number of samples by their difference in {each}, {system} minus {baseline}",
    )
    scatter = draw_scatter(
        before, after, x_name=baseline, y_name=system, title=f"Each sample: {each}"
    )
    facts = [
        describe_difference(row, comparison) or "",
        # By the scores of the samples below; those of the command are without smoothing.
        f"By the {each}, it wins {counts['system']} samples, ties {counts['ties']} and loses "
        f"{counts['baseline']}.",
    ]
    return (
        f'<div class="ours"><p class="call"><b><bdi>{escape(show_text(system))}</bdi>, {name}.</b> '
        f"{escape(show_text(' '.join(facts)))}</p>"
        f'<div class="charts">{intervals}{histogram}{scatter}</div></div>'
    )


def write_commands(compared: Compared, design: Design) -> str:
    """Return how Python and the command make what is shown, with buttons that copy it."""
    comparison, texts = compared.comparison, compared.systems.texts
    # A seed that was drawn is named.
    keywords = design._replace(seed=comparison.seed).make_keywords()
    # The command corrects p by default.
    uncorrected = {} if keywords.get("correction") else {"correction": "none"}
    results: list[tuple[SystemComparison | SystemRanking, dict[str, Any]]]
    results = [(comparison, keywords)]
    if compared.ranking is not None:
        results.append((compared.ranking, {**keywords, "baseline": None, "pairs": "all"}))
    labels = "".join(f"{name}={name}, " for name in texts.labels)
    python = ["from bleu_rouge_metric import SystemComparison, compare_systems\n"]
    commands = []
    for result, given in results:
        read = f"SystemComparison.read_signature({result.signature()!r})"
        python.append(f"compare_systems(systems, references, {labels}**{read})")
        tests = [
            (to_flag(name.removeprefix("n_")), str(value))
            for name, value in {**given, **({} if "pairs" in given else uncorrected)}.items()
            if value is not None
        ]
        scores = to_arguments(compared.systems.choices.list_changes())
        # Names of systems come from a file, and the line is pasted into a shell.
        words = chain.from_iterable((texts.arguments, scores, *tests))
        commands.append(shlex.join(["bleu-rouge", "compare", *words]))
    shown = [write_copy("\n".join(python), "code"), write_copy("\n".join(commands), "command")]
    return (
        '<div class="ours"><details><summary>The same in Python and on the command line</summary>'
        f"{''.join(shown)}</details>"
        f"{write_copy(comparison.signature(), 'signature')}</div>"
    )


def write_files(compared: Compared, charts: dict[str, dict[str, str]]) -> dict[str, str]:
    """Return the files to save: scores of every sample, JSON, LaTeX, and a report in HTML."""
    comparison = compared.comparison
    columns: dict[str, Any] = {"index": range(comparison.n_samples)}
    for system, scores in compared.each.items():
        columns |= {f"{system}_{score}": values for score, values in scores.items()}
        if compared.systems.choices.smoothing:
            shown = compared.systems.list_scores("bleu", system)
            columns[f"{system}_{SMOOTHED_COLUMN}"] = shown
    tables: dict[str, Any] = {"json": comparison.to_dict(), "latex": [comparison.to_latex()]}
    if (ranking := compared.ranking) is not None:
        tables["json"]["ranking"] = ranking.to_dict()
        tables["latex"].append(ranking.to_latex())
    return {
        "csv": write_csv(columns),
        "json": json.dumps(tables["json"], indent=2) + "\n",
        "latex": "\n".join([*tables["latex"], f"% {comparison.signature()}\n"]),
        "html": _report(compared, charts),
    }


def _report(compared: Compared, charts: dict[str, dict[str, str]]) -> str:
    """Return the comparison as one HTML file."""
    comparison = compared.comparison
    parts = [show_comparison(compared, None), "<h2>Every difference</h2>"]
    parts += [html for systems in charts.values() for html in systems.values()]
    for name in list_others(compared):
        score = comparison.scores[0]
        title = f"Where {name} and {comparison.baseline} differ most: {name_score(score)}"
        parts.append(f'<div class="ours"><h2>{escape(show_text(title))}</h2>')
        parts.append(f"{write_rows(compared.systems, score, name, links=False).html}</div>")
    parts.append(f'<div class="ours"><pre>{escape(show_text(comparison.signature()))}</pre></div>')
    return write_report("Comparison of systems", parts)


def to_arguments(keywords: Mapping[str, Any]) -> list[str]:
    """Return flags of a command that give options these values, as ``to_keywords`` reads them.

    Args:
        keywords: values by the names of options; False only if a flag turns the option off.

    >>> to_arguments({"rouge_types": ["rougeL", "rougeS"], "max_order": 3, "use_stemmer": False})
    ['--rouge-type', 'rougeL', '--rouge-type', 'rougeS', '--max-order', '3', '--stemmer', 'none']
    """
    arguments: list[str] = []
    for name, given in keywords.items():
        option = OPTIONS[name]
        value = "none" if option.kind is schema.STEMMER and given is False else given
        is_switch = isinstance(value, bool)
        flag = next(flag for flag in option.flags if is_switch != bool(flag.metavar))
        names = name_flags(option, flag)
        if is_switch:
            arguments.append(names[0 if value else 1])
            continue
        for one in value if flag.is_list else [value]:
            arguments += [names[0], str(one)]
    return arguments

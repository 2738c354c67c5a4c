"""Write the scores of systems as HTML: tiles or a matrix, charts, samples, files to save."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from html import escape
from itertools import chain
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bleu_rouge_metric import SystemComparison
from bleu_rouge_metric.analysis import results
from bleu_rouge_metric.analysis.results import SystemScore, describe_difference, describe_test
from bleu_rouge_metric.analysis.wording import (
    choose_decimals,
    compare_p,
    find_p,
    is_clear,
    name_score,
    write_confidence,
    write_delta,
    write_size,
    write_value,
)
from bleu_rouge_metric.cli.flags import name_flags, to_flag
from bleu_rouge_metric.matching.texts import join_names
from bleu_rouge_metric.messages import count_noun
from bleu_rouge_metric.options.table import OPTIONS
from bleu_rouge_metric.schema import STEMMER
from bleu_rouge_metric.tables import write_csv

from .charts import Interval, draw_histogram, draw_intervals, draw_scatter
from .html import (
    link_explain,
    name_text,
    shorten,
    show_text,
    write_copy,
    write_digits,
    write_report,
    write_score,
    write_table,
    write_tiles,
    write_warnings,
)
from .options import Choices
from .systems import Result

STEP: Final = 10  # samples that are shown at first, and with each further click
MOST_LISTED: Final = 1_000  # samples in the table of one system
BINS: Final = 20
WINNERS: Final = ("all", "baseline", "system", "ties")
FILES: Final = {
    "html": ("Report (one HTML file)", "report.html", "text/html"),
    "csv": ("Scores of each sample (CSV)", "samples.csv", "text/csv"),
    "latex": ("Table for a paper (LaTeX)", "comparison.tex", "text/x-tex"),
    "json": ("Everything (JSON)", "scores.json", "application/json"),
}
_MOST_SHOWN: Final = 2_000  # characters of a text
_MOST_COMPARED: Final = 500_000  # pairs of pieces of two texts
_PIECE: Final = re.compile(r"\s+|\w+|[^\w\s]")


def show_result(result: Result) -> str:
    """Return what is shown at first."""
    warnings = write_warnings(result.warnings)
    source = f'<p class="note" dir="auto">{show_text(result.texts.source)}: '
    source += f"{count_noun(len(result.texts.references), 'sample')}.</p>"
    if result.comparison is None:
        (together,) = result.together.values()
        return (
            f"{write_tiles(together, result.choices)}{source}{warnings}"
            f'<div id="systems-cell">{show_cell(result)}</div>'
            f"{_write_saves(('html', 'csv', 'json'))}{write_commands(result)}"
        )
    return (
        f"{show_comparison(result, with_buttons=True)}{source}{warnings}"
        f'<div id="systems-cell">{show_cell(result)}</div>'
        f"{_write_saves(FILES)}{write_commands(result)}"
    )


def _write_saves(names: Any) -> str:
    links = "".join(
        f'<a class="act" data-file="{name}" href="#">{FILES[name][0]}</a>' for name in names
    )
    return f'<div class="actions">{links}</div>'


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
    """Return in a few sentences which systems differ clearly from the baseline."""
    baseline = name_text(comparison.baseline)
    if comparison.untested_reason is not None:
        return f"Not tested, because {escape(comparison.untested_reason)}."
    words = {(row.system, row.score): judge(row, comparison) for row in comparison.rows}
    sentences = []
    for word in ("better", "worse"):
        parts = []
        for system in comparison.systems:
            found = [one for one in comparison.scores if words.get((system, one)) == word]
            if found:
                scores = _list_scores(found, comparison.scores)
                parts.append(f"<b>{name_text(system)}</b> on {scores}")
        if parts:
            sentences.append(f"{word.title()} than {baseline}: {'; '.join(parts)}.")
    if not sentences:
        sentences = [f"No system differs clearly from {baseline}."]
    elif "not clear" in words.values():
        sentences.append("Other differences are not clear.")
    if "not better" in words.values():
        sentences.append("The test does not ask what is worse.")
    correction = "p not corrected"
    if comparison.correction is not None and comparison.n_tests is not None:
        tests = count_noun(comparison.n_tests, "test")
        correction = f"p corrected with {results.CORRECTIONS[comparison.correction]} over {tests}"
    return " ".join([*sentences, f"({correction})"])


def _list_scores(scores: Sequence[str], every: Sequence[str]) -> str:
    """Name some of the scores in few words.

    >>> _list_scores(["bleu", "rouge1"], ["bleu", "rouge1", "rouge2"])
    'every score but ROUGE-2'
    """
    missing = [name_score(name) for name in every if name not in scores]
    if not missing and len(every) > 1:
        return "every score"
    if len(missing) == 1 and len(every) > 2:
        return f"every score but {missing[0]}"
    return join_names(list(map(name_score, scores)))


def write_matrix(comparison: SystemComparison, *, with_buttons: bool) -> str:
    """Return a table with a row per system and a column per score; buttons show charts."""
    cells: dict[str, list[str]] = {}
    decimals = _choose_decimals(comparison)
    selected = _choose_cell(comparison)
    for row in comparison.rows:
        # The interval of the value is in a chart.
        value = write_value(row._replace(low=None), decimals[row.score])
        shown = f'<span class="value">{value}</span>'
        if word := judge(row, comparison):
            delta = _write_delta(row, decimals[row.score])
            style = word.replace(" ", "-")
            shown += f'<span class="chip {style}">{word}</span><span class="delta">{delta}</span>'
            if with_buttons:
                data = escape(json.dumps({"score": row.score, "system": row.system}))
                pressed = str((row.score, row.system) == selected).lower()
                shown = (
                    f'<button type="button" class="cell" aria-pressed="{pressed}" '
                    f'data-cell="{data}" data-key="{data}">{shown}</button>'
                )
        cells.setdefault(row.system, []).append(shown)
    baseline = '<span class="delta">baseline</span>'
    rows = [
        [name_text(system) + baseline * (system == comparison.baseline), *shown]
        for system, shown in cells.items()
    ]
    return write_table(["System", *map(name_score, comparison.scores)], rows, "matrix")


def _choose_decimals(comparison: SystemComparison) -> dict[str, int]:
    """Return how many decimals each score has, in the matrix and charts as in the LaTeX file."""
    return {
        score: choose_decimals([row for row in comparison.rows if row.score == score])
        for score in comparison.scores
    }


def _choose_cell(comparison: SystemComparison) -> tuple[str, str]:
    """Return the score and the system that are shown at first."""
    others = [name for name in comparison.systems if name != comparison.baseline]
    return comparison.scores[0], others[0]


def show_comparison(result: Result, *, with_buttons: bool) -> str:
    """Return what the test says: a summary, the matrix, and what its numbers are."""
    comparison = result.comparison
    assert comparison is not None
    test, *notes = describe_test(comparison)
    groups = "".join(
        f"<h3>{name_text(name)} ({count_noun(group.n_samples, 'sample')})</h3>"
        f"<p>{summarize(group)}</p>{write_matrix(group, with_buttons=False)}"
        for name, group in comparison.groups.items()
    )
    if groups:
        groups = f'<details data-key="groups"><summary>Groups</summary>{groups}</details>'
    if result.ranking is not None:
        ranks = result.ranking._repr_html_()
        groups += f'<details data-key="ranks"><summary>Ranks</summary>{ranks}</details>'
    interval = write_confidence(comparison.confidence)
    return (
        f'<p class="say">{summarize(comparison)}</p>'
        f"{write_matrix(comparison, with_buttons=with_buttons)}"
        f'<p class="note" dir="auto">Below each value: the difference from the baseline with its '
        f"{interval} interval. {show_text(' '.join([test, *notes]))}</p>{groups}"
    )


def show_cell(
    result: Result,
    score: str = "",
    system: str = "",
    *,
    with_links: bool = True,
    **rows: Any,
) -> str:
    """Return charts and samples of one score of one system."""
    comparison = result.comparison
    if comparison is None:
        (name,) = result.texts.predictions
        charts = "".join(
            draw_histogram(
                count_bins(result.list_scores(view, name), 0, _find_scale(result, view), 10),
                0,
                _find_scale(result, view),
                title=f"Number of samples by their {_name_score(result.choices, view)}",
            )
            for view in result.choices.views
        )
        head = "<h2>Samples, the lowest first</h2>"
        return f'<div class="charts">{charts}</div>{head}{_list_samples(result)}'
    first = _choose_cell(comparison)
    if score not in comparison.scores or system not in comparison.systems:
        score, system = first
    controls = ""
    if with_links:
        buttons = "".join(
            f'<label><input type="radio" name="winner" value="{winner}"'
            f"{' checked' * (winner == WINNERS[0])}>"
            f"{label}</label>"
            for winner, label in _count_winners(result, score, system).items()
        )
        controls = (
            f'<div class="segments" role="group" aria-label="Show samples">{buttons}</div>'
            '<input type="search" name="search" placeholder="Search the texts" '
            'aria-label="Search the texts">'
        )
    return (
        f'{_draw(result, comparison, score, system)}<form class="heading" id="systems-filter" '
        f'data-score="{escape(score)}" data-system="{escape(system)}">'
        f"<h2>Where they differ most: {name_score(score)}</h2>{controls}</form>"
        f'<div id="systems-rows">{show_rows(result, score, system, with_links=with_links, **rows)}'
        "</div>"
    )


def _find_scale(result: Result, score: str) -> int:
    return result.choices.scale if score == "bleu" else 1


def _name_score(choices: Choices, score: str) -> str:
    """Return what the page calls a score of a sample."""
    return choices.sentence_bleu if score == "bleu" else name_score(score)


def count_bins(values: NDArray[np.float64], low: float, high: float, bins: int) -> list[int]:
    """Count the values in each of some equal parts of [low, high]; the last part has its end."""
    counts: list[int] = np.histogram(np.clip(values, low, high), bins, (low, high))[0].tolist()
    return counts


def _list_samples(result: Result) -> str:
    """Return a table of the samples of one system, the lowest first."""
    ((name, texts),) = result.texts.predictions.items()
    views = list(result.choices.views)
    columns = [result.list_scores(view, name) for view in views]
    order = np.argsort(
        np.mean(
            [
                column / max(1, _find_scale(result, view))
                for view, column in zip(views, columns, strict=True)
            ],
            axis=0,
        ),
        kind="stable",
    )
    rows = []
    for index in order[:MOST_LISTED].tolist():
        text = show_text(shorten(texts[index]))
        shown = [
            write_score(column[index], _find_scale(result, view))
            for view, column in zip(views, columns, strict=True)
        ]
        link = (
            link_explain(
                texts[index],
                result.texts.references[index],
                result.choices,
                views[0],
                str(index + 1),
            )
            if len(texts[index]) < _MOST_SHOWN
            else str(index + 1)
        )
        rows.append([link, *shown, text])
    note = ""
    if len(texts) > MOST_LISTED:
        note = f'<p class="note">{MOST_LISTED:,} of {len(texts):,} samples.</p>'
    head = ["row", *(_name_score(result.choices, view) for view in views), "prediction"]
    return f'{note}<div class="samples">{write_table(head, rows, "words")}</div>'


def _draw(result: Result, comparison: SystemComparison, score: str, system: str) -> str:
    """Return what the test says of one difference, and its charts."""
    baseline, name = comparison.baseline, name_score(score)
    row = next(row for row in comparison.rows if (row.score, row.system) == (score, system))
    before, after = result.list_scores(score, baseline), result.list_scores(score, system)
    deltas, each = after - before, _name_score(result.choices, score)
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
    most = float(np.abs(deltas).max()) or 0.1
    histogram = draw_histogram(
        count_bins(deltas, -most, most, BINS),
        -most,
        most,
        title=f"Number of samples by their difference in {each}, {system} minus {baseline}",
    )
    scatter = draw_scatter(
        before.tolist(),
        after.tolist(),
        x_name=baseline,
        y_name=system,
        title=f"Each sample: {each}",
    )
    wins, losses = int((deltas > 0).sum()), int((deltas < 0).sum())
    # By the scores of the samples below; those of the command are without smoothing.
    facts = (
        f"{_describe_row(row, comparison, decimals)} By the {each}, it wins "
        f"{count_noun(wins, 'sample')}, ties {len(deltas) - wins - losses:,} and loses {losses:,}."
    )
    return (
        f'<p class="call"><b>{name_text(system)}, {name}.</b> {show_text(facts)}</p>'
        f'<div class="charts">{intervals}{histogram}{scatter}</div>'
    )


def _describe_row(row: SystemScore, comparison: SystemComparison, decimals: int) -> str:
    """Say how large a difference is and what the test says, with the signs of the matrix."""
    p = find_p(row)
    if p is None:
        return describe_difference(row, comparison)
    corrected = "corrected p" if row.p_corrected is not None else "p"
    detectable = ""
    if row.detectable is not None:
        size = write_size(row.detectable, decimals)
        detectable = f" The smallest difference detectable with a power of 0.8 is {size}."
    return (
        f"{_write_delta(row, decimals)}, {compare_p(corrected, p)}: {judge(row, comparison)}."
        f"{detectable}"
    )


def _write_delta(row: SystemScore, decimals: int) -> str:
    """Write a difference with its interval; both have the sign of system minus baseline."""
    shown = write_delta(row.delta, decimals)
    if row.delta_low is None or row.delta_high is None:
        return shown
    ends = (write_delta(end, decimals) for end in (row.delta_low, row.delta_high))
    return f"{shown} [{', '.join(ends)}]"


def _split_winners(result: Result, score: str, system: str) -> dict[str, list[int]]:
    """Return the indices of samples by ``WINNERS``, the largest difference first."""
    assert result.comparison is not None
    baseline = result.comparison.baseline
    deltas = result.list_scores(score, system) - result.list_scores(score, baseline)
    order = np.argsort(-np.abs(deltas), kind="stable")
    signs = deltas[order]
    chosen = {"all": order, "baseline": order[signs < 0], "system": order[signs > 0]}
    chosen["ties"] = order[signs == 0]
    return {name: indices.tolist() for name, indices in chosen.items()}


def _count_winners(result: Result, score: str, system: str) -> dict[str, str]:
    assert result.comparison is not None
    names = {
        "all": "all",
        "baseline": f"{name_text(shorten(result.comparison.baseline, 20))} wins",
        "system": f"{name_text(shorten(system, 20))} wins",
        "ties": "ties",
    }
    split = _split_winners(result, score, system)
    return {name: f"{label} {len(split[name]):,}" for name, label in names.items()}


def show_rows(
    result: Result,
    score: str,
    system: str,
    *,
    winner: str = "all",
    search: str = "",
    most: int = STEP,
    with_links: bool = True,
) -> str:
    """Return samples with both outputs and the references, the largest differences first."""
    wanted = search.strip().casefold()
    indices = _split_winners(result, score, system).get(winner, [])
    if wanted:
        indices = [index for index in indices if _contains(result, index, wanted)]
    if not indices:
        return '<p class="note">No sample.</p>'
    rows = [
        _write_row(result, score, system, index, with_links=with_links) for index in indices[:most]
    ]
    legend = '<p class="note"><b class="g g3">word</b> in only one of the two outputs</p>'
    more = ""
    if len(indices) > most and with_links:
        more = (
            f'<p class="note">{most:,} of {count_noun(len(indices), "sample")}. <button '
            f'type="button" class="act" data-key="more" data-more="{most + STEP}">Show {STEP} more'
            "</button></p>"
        )
    return f"{legend}{''.join(rows)}{more}"


def _contains(result: Result, index: int, wanted: str) -> bool:
    texts = (texts[index] for texts in result.texts.predictions.values())
    return any(wanted in text.casefold() for text in chain(texts, result.texts.references[index]))


def _write_row(result: Result, score: str, system: str, index: int, *, with_links: bool) -> str:
    assert result.comparison is not None
    scale, references = _find_scale(result, score), result.texts.references[index]
    names = (result.comparison.baseline, system)
    texts = [result.texts.predictions[name][index] for name in names]
    values = [float(result.list_scores(score, name)[index]) for name in names]
    marked = mark_differences(*(text[:_MOST_SHOWN] for text in texts))
    lines = []
    for name, text, value, html in zip(names, texts, values, marked, strict=True):
        link = (
            link_explain(text, references, result.choices, score, "explain") if with_links else ""
        )
        lines.append((f"{name_text(name)} {write_score(value, scale)}", f"{html} {link}"))
    for number, text in enumerate(references, start=1):
        label = "reference" if len(references) == 1 else f"reference {number}"
        lines.append((label, show_text(text[:_MOST_SHOWN])))
    shown = "".join(
        f'<div class="name">{name}</div><div class="body" dir="auto">{text}</div>'
        for name, text in lines
    )
    delta = write_score(values[1] - values[0], scale)
    sign = "+" * (values[1] > values[0])
    return (
        f'<div class="pair sample"><p class="row">row {index + 1} · {sign}{delta}</p>{shown}</div>'
    )


def mark_differences(first: str, second: str) -> tuple[str, str]:
    """Return two texts as HTML; what one has and the other has not is strong.

    >>> mark_differences("a red cat", "a cat")
    ('a <b class="g g3">red </b>cat', 'a cat')
    """
    ours, theirs = _PIECE.findall(first), _PIECE.findall(second)
    if len(ours) * len(theirs) > _MOST_COMPARED:
        return show_text(first), show_text(second)
    blocks = SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes()
    return (
        "".join(_mark(ours, [(kind, a, b) for kind, a, b, _, _ in blocks])),
        "".join(_mark(theirs, [(kind, a, b) for kind, _, _, a, b in blocks])),
    )


def _mark(pieces: Sequence[str], parts: Sequence[tuple[str, int, int]]) -> Iterator[str]:
    for kind, start, end in parts:
        text = show_text("".join(pieces[start:end]))
        if text:
            yield text if kind == "equal" else f'<b class="g g3">{text}</b>'


def write_commands(result: Result) -> str:
    """Return the command that makes what is shown, the signature, and every digit."""
    comparison, tests = result.comparison, []
    if comparison is not None:
        # A seed that was drawn is named; the command corrects p by default.
        correction = result.design["correction"] or "none"
        design = {**result.design, "seed": comparison.seed, "correction": correction}
        for name, value in design.items():
            tests += [to_flag(name), str(value)] if value is not None else []
    # Names of systems come from a file, and the line is pasted into a shell.
    command = ["bleu-rouge", "score" if comparison is None else "compare"]
    words = [*command, *result.texts.arguments, *to_arguments(result.choices.changes), *tests]
    signature = result.signature if comparison is None else comparison.signature()
    return (
        '<details data-key="commands"><summary>Every digit, signature, and the same on the command '
        f"line</summary>{write_copy(shlex.join(words), 'command')}"
        f"{write_copy(signature, 'signature')}{write_digits(result.together)}</details>"
    )


def write_file(result: Result, kind: str) -> str:
    """Return the content of a file of ``FILES``."""
    comparison, ranking = result.comparison, result.ranking
    if kind == "html":
        return _write_page(result)
    if kind == "csv":
        columns: dict[str, Any] = {"index": range(len(result.texts.references))}
        for system, scores in result.columns.items():
            start = f"{system}_" if comparison else ""
            columns |= {f"{start}{name}": values.tolist() for name, values in scores.items()}
            if result.choices.smoothing:
                # The BLEU that the page shows; "sentence_bleu" is that of the command.
                columns[f"{start}smoothed_sentence_bleu"] = result.bleu[system].tolist()
        return write_csv([columns, *zip(*columns.values(), strict=True)])
    if comparison is None:
        (together,) = result.together.values()
        content: Any = {"scores": together, "signature": result.signature}
        return json.dumps(content, indent=2) + "\n"
    if kind == "json":
        content = comparison.to_dict()
        if ranking is not None:
            content["ranking"] = ranking.to_dict()
        return json.dumps(content, indent=2) + "\n"
    tables = [comparison.to_latex(), *([ranking.to_latex()] if ranking else [])]
    return "\n".join([*tables, f"% {comparison.signature()}\n"])


def _write_page(result: Result) -> str:
    """Return the report."""
    comparison = result.comparison
    warnings = write_warnings(result.warnings)
    if comparison is None:
        (together,) = result.together.values()
        source = f"<p>{show_text(result.texts.source)}</p>"
        parts = [write_tiles(together, result.choices), source, warnings, show_cell(result)]
        return write_report(
            "Scores of a file", [*parts, f"<pre>{show_text(result.signature)}</pre>"]
        )
    parts = [show_comparison(result, with_buttons=False), warnings]
    for score in comparison.scores:
        for system in comparison.systems:
            if system != comparison.baseline:
                parts.append(_draw(result, comparison, score, system))
    for system in comparison.systems:
        if system != comparison.baseline:
            score = comparison.scores[0]
            title = f"Where {system} and {comparison.baseline} differ most: {name_score(score)}"
            parts.append(f"<h2>{show_text(title)}</h2>")
            parts.append(show_rows(result, score, system, with_links=False))
    parts.append(f"<pre>{show_text(comparison.signature())}</pre>")
    return write_report("Comparison of systems", parts)


def to_arguments(keywords: Mapping[str, Any]) -> list[str]:
    """Return flags of the command that give options these values.

    >>> to_arguments({"rouge_types": ["rougeL"], "max_order": 3, "use_stemmer": False})
    ['--rouge-type', 'rougeL', '--max-order', '3', '--stemmer', 'none']
    """
    arguments: list[str] = []
    for name, given in keywords.items():
        option = OPTIONS[name]
        value = "none" if option.kind is STEMMER and given is False else given
        is_switch = isinstance(value, bool)
        flag = next(flag for flag in option.flags if is_switch != bool(flag.metavar))
        names = name_flags(option, flag)
        if is_switch:
            arguments.append(names[0 if value else 1])
            continue
        for one in value if flag.is_list else [value]:
            arguments += [names[0], str(one)]
    return arguments

"""Convert a comparison of systems to what the page shows: sentences, tables, charts and files."""

import json
from collections.abc import Callable, Sequence
from functools import cache
from html import escape
from typing import Any, Final, NamedTuple

from bleu_rouge_metric import Explanation, explain
from bleu_rouge_metric.analysis.system_tables import make_table
from bleu_rouge_metric.analysis.system_words import describe_test, name_score, write_confidence
from bleu_rouge_metric.tables import write_html

from .charts import Interval, draw_histogram, draw_intervals, draw_scatter
from .pair_views import write_marked, write_texts
from .systems import Compared
from .views import BLEU, SMOOTHED, count_bins, shorten, show_text, show_warnings, write_csv

_BINS: Final = 20
_MOST_ROWS: Final = 10  # of the table of largest differences
_MOST_EXPLAINED: Final = 2_000  # characters of a prediction and its references
_SENTENCE_BLEU: Final = "sentence_bleu"

# Explains the prediction of a system for one sample; None if the texts are long.
_Explain = Callable[[str, int], Explanation | None]


class Difference(NamedTuple):
    """The scores of one sample in two systems; ``place`` is its index."""

    place: int
    delta: float
    before: float
    after: float


def show_comparison(compared: Compared) -> str:
    """Return what the test says: sentences, a table for each score, and how it was made."""
    comparison = compared.comparison
    first, *others = comparison.sentences() or ["Nothing was tested."]
    tables = (
        write_html(*make_table(comparison, [score]), caption=name_score(score))
        for score in comparison.scores
    )
    boxes = "".join(f'<div class="wide">{table}</div>' for table in tables)
    notes = [*describe_test(comparison), f"Inputs: {compared.texts.source}."]
    return (
        f'{show_warnings(compared.warnings)}<div class="ours">'
        f'<p class="lead" dir="auto">{escape(first)}</p>'
        f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in others)}</ul>"
        f'<div class="scores">{boxes}</div>'
        f"<p>In brackets: {write_confidence(comparison.confidence)} intervals. "
        "diff: the difference from the baseline.</p>"
        f'<p class="inputs" dir="auto">{escape(" ".join(notes))}</p>'
        f'<p class="inputs">{escape(comparison.signature())}</p></div>'
    )


def list_others(compared: Compared) -> list[str]:
    """Return the names of the systems that are compared with the baseline."""
    comparison = compared.comparison
    return [name for name in comparison.systems if name != comparison.baseline]


def draw_all(compared: Compared) -> dict[str, dict[str, str]]:
    """Return charts and differences as HTML, by the name of the score and the system."""

    @cache
    def explain_row(system: str, place: int) -> Explanation | None:
        """Explain a prediction, which several scores may show; None for texts that are long."""
        prediction = compared.texts.predictions[system][place]
        references = compared.texts.references[place]
        if len(prediction) + sum(map(len, references)) > _MOST_EXPLAINED:
            return None
        return explain(prediction, references, **compared.choices._asdict())

    return {
        name_score(score): {
            name: _draw(compared, score, name, explain_row) for name in list_others(compared)
        }
        for score in compared.comparison.scores
    }


def _draw(compared: Compared, score: str, system: str, explain_row: _Explain) -> str:
    comparison = compared.comparison
    baseline, name = comparison.baseline, name_score(score)
    key = _SENTENCE_BLEU if score == "bleu" else score
    before, after = compared.shown[baseline][key], compared.shown[system][key]
    deltas = [new - old for old, new in zip(before, after, strict=True)]
    each = f"{BLEU}{SMOOTHED}" if score == "bleu" else name
    intervals = draw_intervals(
        [
            Interval(row.system, row.value, row.low, row.high)
            for row in comparison.rows
            if row.score == score and row.low is not None and row.high is not None
        ],
        title=f"{name} of each system, with {write_confidence(comparison.confidence)} intervals",
    )
    most = max(map(abs, deltas)) or 0.1
    histogram = draw_histogram(
        count_bins(deltas, -most, most, _BINS),
        -most,
        most,
        title=f"Number of samples by their difference in {each}, {system} minus {baseline}",
    )
    scatter = draw_scatter(
        before, after, x_name=baseline, y_name=system, title=f"Each sample: {each}"
    )
    rows = list_largest(before, after)
    table = _write_differences(compared, system, score, rows, explain_row)
    caption = f"<p><b>Largest differences: {escape(each)}</b></p>"
    return (
        f'<div class="ours"><div class="charts">{intervals}{histogram}{scatter}</div>'
        f'<div class="wide openers">{caption}{table}</div></div>'
    )


def list_largest(before: Sequence[float], after: Sequence[float]) -> list[Difference]:
    """Return the samples that differ most, the largest difference first; equal ones are left out.

    >>> list_largest([0.5, 0.5, 0.5], [0.5, 0.25, 1.0])
    [Difference(place=2, delta=0.5, before=0.5, after=1.0), \
Difference(place=1, delta=-0.25, before=0.5, after=0.25)]
    """
    rows = [
        Difference(place, new - old, old, new)
        for place, (old, new) in enumerate(zip(before, after, strict=True))
        if new != old
    ]
    return sorted(rows, key=lambda row: -abs(row.delta))[:_MOST_ROWS]


def _write_differences(
    compared: Compared,
    system: str,
    score: str,
    rows: Sequence[Difference],
    explain_row: _Explain,
) -> str:
    """Return a table that sorts by number; a click shows the texts of a row."""
    if not rows:
        return "<p>Every sample has the same score in both systems.</p>"
    names = {
        "place": "Row",
        "delta": "Δ",
        "before": shorten(compared.comparison.baseline, 16),
        "after": shorten(system, 16),
    }
    heads = "".join(
        f'<th scope="col"><button type="button" data-sort="{key}">{escape(head)}</button></th>'
        for key, head in names.items()
    )
    bodies = []
    for row in rows:
        texts = "".join(
            f'<div class="pair">{_write_texts(compared, name, score, row.place, explain_row)}</div>'
            for name in (system, compared.comparison.baseline)
        )
        prediction = compared.texts.predictions[system][row.place]
        bodies.append(_write_difference(row, prediction, texts))
    return (
        f'<table class="differences"><thead><tr>{heads}<th scope="col" class="text">Text</th></tr>'
        f"</thead>{''.join(bodies)}</table>"
    )


def _write_texts(
    compared: Compared, system: str, score: str, place: int, explain_row: _Explain
) -> str:
    """Return one output beside its references; short texts are marked."""
    explanation = explain_row(system, place)
    if explanation is not None:
        return write_marked(explanation, score, name=system)
    references = enumerate(compared.texts.references[place], start=1)
    parts = [(system, compared.texts.predictions[system][place])]
    parts += [(f"Reference {number}", text) for number, text in references]
    return write_texts((name, _write_start(text)) for name, text in parts)


def _write_start(text: str) -> str:
    """Return the start of a text as HTML."""
    start = escape(show_text(text[:_MOST_EXPLAINED]))
    return f"{start}…" if len(text) > _MOST_EXPLAINED else start


def _write_difference(row: Difference, prediction: str, texts: str) -> str:
    """Return the body of a table: a row with the scores, and a hidden one with the texts."""
    number, opened = row.place + 1, f"row-{row.place + 1}"
    # The numbers that the browser sorts by have every digit.
    sorts = " ".join(
        f'data-{key}="{value!r}"' for key, value in row._replace(place=number)._asdict().items()
    )
    return (
        f"<tbody {sorts}><tr><td>{number}</td><td>{row.delta:+.4f}</td><td>{row.before:.4f}</td>"
        f'<td>{row.after:.4f}</td><td class="text"><button type="button" '
        f'aria-expanded="false" aria-controls="{opened}" dir="auto">'
        f"{escape(shorten(prediction, 60)) or '(empty)'}</button></td></tr>"
        f'<tr id="{opened}" hidden><td colspan="5" class="text">{texts}</td></tr></tbody>'
    )


def write_files(compared: Compared) -> dict[str, str]:
    """Return the files to save: scores of every sample, JSON with the signature, and LaTeX."""
    comparison = compared.comparison
    columns: dict[str, Any] = {"index": range(comparison.n_samples)}
    for system, scores in compared.each.items():
        columns |= {f"{system}_{score}": values for score, values in scores.items()}
    return {
        "csv": write_csv(columns),
        "json": json.dumps(comparison.to_dict(), indent=2) + "\n",
        "latex": f"{comparison.to_latex()}\n% {comparison.signature()}\n",
    }

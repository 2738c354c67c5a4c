"""Convert scores to what the page shows: tables in HTML, every digit, histograms, and files."""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from html import escape
from itertools import count
from typing import Any, Final

import pandas as pd

from bleu_rouge_metric.tables import write_csv as write_rows
from bleu_rouge_metric.tables import write_html

from .charts import draw_histogram
from .labels import write_message
from .scores import Choices, Scored, Scores, score_each

BINS: Final = 10  # of the histogram of scores
MOST_REPORTED: Final = 1_000  # samples in a report
BLEU: Final = "sentence BLEU"
# The column of a saved file; "sentence_bleu" is that of the library, without smoothing.
SMOOTHED_COLUMN: Final = "smoothed_sentence_bleu"


def write_score(value: float, scale: int) -> str:
    """Return a score as the command writes it: with four decimals, or in points with two.

    >>> write_score(0.60766, 1), write_score(60.766, 100)
    ('0.6077', '60.77')
    """
    return f"{value:.2f}" if scale > 1 else f"{value:.4f}"


def write_digits(scores: Scores) -> str:
    """Return every digit as JSON."""
    return f'<pre class="digits">{escape(json.dumps(scores, indent=2))}</pre>'


def write_copy(text: str, name: str) -> str:
    """Return a text with a button that copies it; ``name`` says what it is."""
    return (
        f'<div class="copy"><pre>{escape(show_text(text))}</pre>'
        f'<button type="button" data-copy>Copy {name}</button></div>'
    )


def show_warnings(warnings: Sequence[str], tab: str) -> str:
    """Return the warnings of the library as HTML, with buttons that set controls of the tab."""
    return "".join(write_message(text, tab, "warning", "note") for text in warnings)


def name_columns(scored: Scored) -> dict[str, list[float]]:
    """Return the scores of each sample, with a smoothed BLEU, by their names on the page."""
    smoothing = scored.choices.smoothing
    bleu = f"{BLEU} (smoothed)" if smoothing else BLEU
    shown = score_each(scored.scorer, **smoothing)
    return {bleu if name == "sentence_bleu" else name: each for name, each in shown.items()}


def name_bleu(choices: Choices) -> str:
    """Return what the page calls the BLEU of a sample, with its smoothing.

    >>> name_bleu(Choices())
    'sentence BLEU (smoothed: one is added to the orders above 1)'
    """
    smoothed = " (smoothed: one is added to the orders above 1)"
    return f"{BLEU}{smoothed * bool(choices.smoothing)}"


def _find_scale(column: str, choices: Choices) -> int:
    """Return the scale of a column of ``name_columns``."""
    return choices.scale if column.startswith(BLEU) else 1


def show_samples(
    predictions: Sequence[str], columns: Mapping[str, list[float]], choices: Choices
) -> Any:
    """Return a table with a row per sample: its number, its scores, its prediction.

    The cells are numbers, which sort as numbers, and are shown as ``write_score`` writes them.
    """
    rows = {"row": range(1, len(predictions) + 1), **columns}
    texts = {"prediction": map(shorten, predictions)}
    form: Any = {name: partial(write_score, scale=_find_scale(name, choices)) for name in columns}
    return pd.DataFrame({**rows, **texts}).style.format(form)


def write_samples(
    predictions: Sequence[str], columns: Mapping[str, list[float]], choices: Choices
) -> str:
    """Return the first samples of ``show_samples`` as HTML."""
    shown = [
        [write_score(value, _find_scale(name, choices)) for value in values[:MOST_REPORTED]]
        for name, values in columns.items()
    ]
    lines = zip(count(1), *shown, map(shorten, predictions), strict=False)
    table = write_html(["row", *columns, "prediction"], lines)
    size = len(predictions)
    note = f"The first {MOST_REPORTED:,} of {size:,} samples." if size > MOST_REPORTED else ""
    return f'<div class="ours wide words"><h2>Samples</h2><p class="note">{note}</p>{table}</div>'


def write_csv(columns: Mapping[str, Iterable[object]]) -> str:
    """Return columns as CSV with every digit, in the form that ``--per-sample`` writes."""
    return write_rows([columns, *zip(*columns.values(), strict=True)])


def shorten(text: str, most: int = 80) -> str:
    """Return some characters of a text, in one line and without lone surrogates."""
    line = show_text(" ".join(text[: 5 * most].split()))
    return line if len(line) <= most else f"{line[: most - 1]}…"


def show_text(text: str) -> str:
    """Return a text that can be sent as UTF-8: a question mark stands for a lone surrogate."""
    return text.encode("utf-8", "replace").decode("utf-8")


def count_bins(
    values: Sequence[float], low: float = 0, high: float = 1, bins: int = BINS
) -> list[int]:
    """Count the values in each of some equal parts of [low, high]; the last part has its end."""
    counts = [0] * bins
    for value in values:
        counts[min(int((value - low) / (high - low) * bins), bins - 1)] += 1
    return counts


def plot_histogram(scores: Sequence[float], name: str, scored: Scored) -> str:
    """Return the histogram of one score as HTML."""
    scale = _find_scale(name, scored.choices)
    bleu = name_bleu(scored.choices)
    title = f"Number of samples by their {bleu if name.startswith(BLEU) else name}"
    bins = count_bins(scores, 0, scale)
    return f'<div class="ours">{draw_histogram(bins, 0, scale, title=title)}</div>'

"""Convert scores to what the page shows: tables in HTML, every digit, histograms, and files."""

import json
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, Final

import pandas as pd

from bleu_rouge_metric.tables import write_csv as write_rows
from bleu_rouge_metric.tables import write_html

from .charts import draw_histogram
from .labels import write_labels
from .scores import ROUGE_TYPES, Scored, Scores, score_each

BINS: Final = 10  # of the histogram of scores
BLEU: Final = "sentence BLEU"
# Without smoothing most sentences have the BLEU 0.
SMOOTHED: Final = " (smoothed: one is added to every order)"
_PARTS: Final = ("precision", "recall", "fmeasure")


def show_scores(scored: Scored, inputs: str) -> str:
    """Return the scores of all samples together: warnings, two tables, and every digit as JSON.

    Args:
        scored: the scores.
        inputs: what was scored, in words.
    """
    scores = scored.together
    bleu = write_html(["BLEU", "Value"], _list_bleu(scores))
    rouge = write_html(
        ["ROUGE", "P", "R", "F"],
        [
            [name, *(scores[name][part] for part in _PARTS)]
            for name in scores
            if name in ROUGE_TYPES
        ],
    )
    return (
        f'{show_warnings(scored.warnings)}<div class="ours">'
        f'<p class="inputs" dir="auto">{escape(inputs)}</p>'
        f'<div class="scores"><div class="bleu">{bleu}</div><div class="rouge">{rouge}</div></div>'
        f'<p class="inputs">{escape(scored.scorer.signature())}</p>'
        f"{write_digits(scores)}</div>"
    )


def write_digits(scores: Scores) -> str:
    """Return a part that opens and shows every digit as JSON."""
    digits = escape(json.dumps(scores, indent=2))
    return f"<details><summary>Every digit, as JSON</summary><pre>{digits}</pre></details>"


def _list_bleu(scores: Scores) -> list[list[object]]:
    return [
        ["BLEU", scores["bleu"]],
        *(
            [f"Precision of {order}-grams", precision]
            for order, precision in enumerate(scores["precisions"], start=1)
        ),
        ["Brevity penalty", scores["brevity_penalty"]],
        ["Length ratio", scores["length_ratio"]],
        ["Tokens of predictions", f"{scores['translation_length']:,}"],
        ["Tokens of references", f"{scores['reference_length']:,}"],
    ]


def show_warnings(warnings: Sequence[str]) -> str:
    """Return the warnings of the library as HTML; empty if there are none."""
    return "".join(
        f'<div class="warning" role="note"><p dir="auto">{escape(write_labels(text))}</p></div>'
        for text in warnings
    )


def name_columns(scored: Scored) -> dict[str, list[float]]:
    """Return the scores of each sample, with a smoothed BLEU, by their names on the page."""
    shown = score_each(scored.scorer, smooth=True)
    return {BLEU if name == "sentence_bleu" else name: each for name, each in shown.items()}


def show_samples(predictions: Sequence[str], columns: Mapping[str, list[float]]) -> Any:
    """Return a table with a row per sample: its number, its prediction, its scores.

    The cells are numbers, which sort as numbers, and are shown with four decimals.
    """
    rows = {"row": range(1, len(predictions) + 1), "prediction": map(shorten, predictions)}
    return pd.DataFrame({**rows, **columns}).style.format(dict.fromkeys(columns, "{:.4f}"))


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


def plot_histogram(scores: Sequence[float], name: str) -> str:
    """Return the histogram of one score as HTML."""
    title = f"Number of samples by their {name}{SMOOTHED if name == BLEU else ''}"
    return f'<div class="ours">{draw_histogram(count_bins(scores), 0, 1, title=title)}</div>'

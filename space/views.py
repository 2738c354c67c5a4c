"""Convert scores to what the page shows: tables, JSON, and a histogram."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import pandas as pd

from .scores import ROUGE_TYPES, Scored, Scores

BINS: Final = 10  # of the histogram
BLEU: Final = "BLEU"

# Rows of the BLEU table, rows of the ROUGE table, every digit as JSON.
ScoreViews = tuple[list[list[str]], list[list[str]], str]


def show_scores(scores: Scores) -> ScoreViews:
    """Return two tables and the JSON of the detailed scores of all samples together."""
    bleu = [
        [BLEU, f"{scores['bleu']:.4f}"],
        *(
            [f"Precision of {order}-grams", f"{precision:.4f}"]
            for order, precision in enumerate(scores["precisions"], start=1)
        ),
        ["Brevity penalty", f"{scores['brevity_penalty']:.4f}"],
        ["Length ratio", f"{scores['length_ratio']:.4f}"],
        ["Prediction length in tokens", f"{scores['translation_length']:,}"],
        ["Reference length in tokens", f"{scores['reference_length']:,}"],
    ]
    rouge = [
        [name, *(f"{scores[name][part]:.4f}" for part in ("precision", "recall", "fmeasure"))]
        for name in scores
        if name in ROUGE_TYPES
    ]
    return bleu, rouge, json.dumps(scores, indent=2)


def name_columns(scored: Scored) -> dict[str, list[float]]:
    """Return the scores of each sample by their names on the page."""
    return {BLEU if name == "sentence_bleu" else name: each for name, each in scored.each.items()}


def show_samples(predictions: Sequence[str], columns: Mapping[str, list[float]]) -> pd.DataFrame:
    """Return a table with a row per sample: its number, its prediction, its scores."""
    rows = {"row": range(1, len(predictions) + 1), "prediction": map(shorten, predictions)}
    table = pd.DataFrame({**rows, **columns})
    return table.map(lambda value: f"{value:.4f}" if isinstance(value, float) else value)


def shorten(text: str) -> str:
    """Return at most 80 characters of a text, in one line and without lone surrogates."""
    line = " ".join(text[:400].split()).encode("utf-8", "replace").decode("utf-8")
    return line if len(line) <= 80 else line[:79] + "…"


def count_bins(scores: Sequence[float]) -> list[int]:
    """Count the scores in each tenth of [0, 1]; 1 belongs to the last tenth."""
    counts = [0] * BINS
    for score in scores:
        counts[min(int(score * BINS), BINS - 1)] += 1
    return counts


def plot_histogram(bins: Mapping[str, list[int]], name: str) -> pd.DataFrame:
    """Return the bars of one score.

    Args:
        bins: results of ``count_bins`` by name; the browser keeps them between two clicks.
        name: name of the score.
    """
    labels = [f"{place / BINS:.1f}–{(place + 1) / BINS:.1f}" for place in range(BINS)]
    return pd.DataFrame({"score": labels, "samples": bins[name]})


def show_warnings(warnings: Sequence[str]) -> dict[str, Any]:
    """Return the properties of the box of warnings."""
    return {"value": "\n\n".join(warnings), "visible": bool(warnings)}

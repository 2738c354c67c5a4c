"""Scores for the page: of one pair, of the samples of a file, and their histogram.

Nothing is shared among requests: each one makes its own instance of the metric.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import evaluate
import gradio as gr
import pandas as pd

from .files import MAX_CHARACTERS, InputError, read_samples, too_long

MAX_REFERENCES: Final = 5
BINS: Final = 10  # of the histogram
BLEU: Final = "BLEU"
ROUGE_TYPES: Final = (*(f"rouge{order}" for order in range(1, 10)), "rougeL", "rougeLsum")

# The metric's folder in the repository; in a Space its files lie flat beside app.py.
_ROOT: Final = Path(__file__).resolve().parent.parent
_FOLDER: Final = _ROOT / "bleu_rouge_metric"
METRIC_PATH: Final = _FOLDER if _FOLDER.is_dir() else _ROOT / "bleu_rouge_metric.py"
# Loaded once, so that a broken Space fails at its start; an instance belongs to one request.
METRIC_CLASS: Final[Callable[[], Any]] = type(evaluate.load(str(METRIC_PATH)))

Scores = dict[str, Any]
# Rows of the BLEU table, rows of the ROUGE table, every digit as JSON.
ScoreViews = tuple[list[list[str]], list[list[str]], str]


class Choices(NamedTuple):
    """Options of the page, in the order of their controls."""

    max_order: int
    smooth: bool
    bleu_tokenizer: str
    rouge_types: list[str]
    rouge_tokenizer: str
    use_stemmer: bool


def compute(
    predictions: list[str], references: list[list[str]], choices: Choices, **options: bool
) -> Scores:
    """Scores from a metric of this request alone; its errors become messages."""
    if choices.use_stemmer and choices.rouge_tokenizer != "rouge":
        raise InputError(
            "The stemmer works with the ROUGE tokenizer 'rouge' alone; "
            "choose that tokenizer, or untick the stemmer."
        )
    try:
        scores: Scores = METRIC_CLASS().compute(
            predictions=predictions, references=references, **choices._asdict(), **options
        )
    except (TypeError, ValueError) as reason:
        raise InputError(str(reason)) from reason
    return scores


def show_scores(scores: Scores) -> ScoreViews:
    """Two tables and the JSON of detailed scores of all samples together."""
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


def score_pair(prediction: str, reference_count: int, *inputs: Any) -> ScoreViews:
    """Every score of one prediction.

    Args:
        prediction: a text; the empty one scores 0.
        reference_count: how many reference boxes count.
        *inputs: the texts of all reference boxes, then the options.

    Raises:
        InputError: a reference is empty, a text is too long, or the options do not fit together.
    """
    references = list(inputs[:reference_count])
    for place, text in enumerate(references, start=1):
        if not text.strip():
            raise InputError(
                f"Reference {place} is empty; type a text, or choose fewer references."
            )
        if len(text) > MAX_CHARACTERS:
            raise too_long(f"Reference {place}", text)
    if len(prediction) > MAX_CHARACTERS:
        raise too_long("The prediction", prediction)
    choices = Choices(*inputs[MAX_REFERENCES:])
    return show_scores(compute([prediction], [references], choices, detailed=True))


def score_file(
    path: str | None, prediction_column: str, reference_column: str, shown: str, *options: Any
) -> tuple[Any, ...]:
    """Scores of a file's samples together, of each one, and their histogram.

    Args:
        path: where the upload was saved; None before there was one.
        prediction_column: name of the column of predictions.
        reference_column: name of the column of references.
        shown: the score whose histogram was shown before.
        *options: as in ``Choices``.

    Raises:
        InputError: the file cannot be read or scored; the message says where and why.
    """
    if path is None:
        raise InputError("There is no file yet; upload a CSV, TSV, JSONL or Parquet file first.")
    predictions, references = read_samples(Path(path), prediction_column, reference_column)
    choices = Choices(*options)
    together = compute(predictions, references, choices, detailed=True)
    each = compute(predictions, references, choices, use_aggregator=False, sentence_bleu=True)

    columns = {BLEU: each["sentence_bleu"]} | {name: each[name] for name in choices.rouge_types}
    rows = {"row": range(1, len(predictions) + 1), "prediction": map(shorten, predictions)}
    table = pd.DataFrame({**rows, **columns})
    chosen = shown if shown in columns else choices.rouge_types[0]
    return (
        f"### Scores of {len(predictions):,} {'sample' if len(predictions) == 1 else 'samples'}",
        *show_scores(together),
        table.map(lambda value: f"{value:.4f}" if isinstance(value, float) else value),
        gr.Dropdown(choices=list(columns), value=chosen),
        columns,
        plot_histogram(columns, chosen),
    )


def shorten(text: str) -> str:
    """At most 80 characters of a text, in one line and without lone surrogates."""
    line = " ".join(text[:400].split()).encode("utf-8", "replace").decode("utf-8")
    return line if len(line) <= 80 else line[:79] + "…"


def plot_histogram(columns: Mapping[str, list[float]], name: str) -> pd.DataFrame:
    """How many samples have a score in each tenth of [0, 1]; 1 belongs to the last."""
    counts = [0] * BINS
    for score in columns[name]:
        counts[min(int(score * BINS), BINS - 1)] += 1
    labels = [f"{place / BINS:.1f}–{(place + 1) / BINS:.1f}" for place in range(BINS)]
    return pd.DataFrame({"score": labels, "samples": counts})

"""The tab FILE: scores of a file together, of each sample, a histogram, and a download."""

from typing import Any

import gradio as gr

from .files import JSON, TEXT
from .handlers import score_file, score_uploads
from .limits import MAX_MEGABYTES, MAX_ROWS
from .scores import ROUGE_TYPES, Choices, score_each
from .tiles import show_scores
from .views import BLEU, name_columns, plot_histogram, show_samples, write_csv
from .widgets import (
    WORKERS,
    answer,
    build_bar,
    build_panel,
    build_results,
    build_uploads,
    for_programs,
)


def build(_: gr.Blocks) -> None:
    """Build the tab."""
    with build_panel("file"):
        inputs = _build_inputs()
        button = gr.Button(
            "Score the file", variant="primary", elem_id="file-score", elem_classes="score"
        )
        with build_results("file") as outputs:
            scores = gr.HTML(elem_id="file-scores")
            shown = gr.Dropdown(
                [BLEU, *ROUGE_TYPES], value="rouge1", label="Histogram of", elem_id="file-shown"
            )
            histogram = gr.HTML(elem_id="file-histogram")
            each = gr.Dataframe(
                label="Scores of each sample",
                interactive=False,
                max_height=320,
                elem_id="file-samples",
            )
            save = gr.Button("Save the scores of each sample (CSV)", elem_id="file-save")
        # What the browser keeps: the histograms, and the text of the file to save.
        kept = gr.JSON(visible=False)
    answer("file", button, show_file, inputs, [*outputs, scores, each, shown, kept, histogram])
    shown.input(
        None,
        [kept, shown],
        histogram,
        js="(kept, name) => kept.histograms[name]",
    )
    save.click(None, kept, None, js="(kept) => page.save('scores.csv', 'text/csv', kept.csv)")
    # An endpoint for programs: nobody clicks the button; the components name and type the endpoint.
    gr.Button(visible=False).click(
        for_programs(score_file),
        inputs,
        gr.JSON(visible=False, label="scores"),
        api_name="score_file",
        **WORKERS,
    )


def _build_inputs() -> list[gr.components.Component]:
    """Build the inputs, in the order of the arguments of ``show_file``."""
    with gr.Row():
        file, reference_files = build_uploads(
            "file", "File", "References, only if the file is .txt", reference_types=[TEXT, JSON]
        )
        with gr.Column():
            gr.Markdown(
                "A **CSV**, **TSV**, **JSONL** or **Parquet** file with one sample per row. Write "
                'several references as a list, in a CSV cell as JSON: `["one text", "another"]`. '
                "Or a **.txt** file with one prediction per line, and other files with the "
                "references.\n\n"
                f"Up to {MAX_ROWS:,} rows and {MAX_MEGABYTES} MB."
            )
            with gr.Row():
                prediction_column = gr.Textbox(
                    "prediction", label="Column of predictions", elem_id="file-prediction-column"
                )
                reference_column = gr.Textbox(
                    "reference", label="Column of references", elem_id="file-reference-column"
                )
    options = build_bar("file")
    return [file, reference_files, prediction_column, reference_column, *options]


def show_file(
    file: str | None,
    reference_files: list[str] | None,
    prediction_column: str,
    reference_column: str,
    *options: Any,
) -> tuple[Any, ...]:
    """Show the scores of all samples of a file together, of each sample, and a histogram.

    Args:
        file: path of the uploaded file; None if there is none yet.
        reference_files: paths of the files of references, if the file is a text file.
        prediction_column: name of the column of predictions.
        reference_column: name of the column of references.
        *options: options, in the order of ``Choices``.

    Returns:
        The scores as HTML, the table of samples, the menu of histograms, what the browser keeps,
        and the first histogram as HTML.

    Raises:
        InputError: the file cannot be read or scored; the message says where and why.
    """
    names = (prediction_column, reference_column)
    uploads, scored = score_uploads(file, reference_files, names, Choices(*options))
    columns = name_columns(scored)
    histograms = {name: plot_histogram(scores, name) for name, scores in columns.items()}
    first = list(columns)[1]
    rows = {"index": range(len(uploads.predictions)), **score_each(scored.scorer)}
    return (
        show_scores(scored, uploads.describe(), "file"),
        show_samples(uploads.predictions, columns),
        gr.Dropdown(choices=list(columns), value=first),
        {"histograms": histograms, "csv": write_csv(rows)},
        histograms[first],
    )

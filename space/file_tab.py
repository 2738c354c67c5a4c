"""The tab FILES: scores of a file together, of each sample, a histogram, and a download."""

from pathlib import Path
from typing import Any, Final

import gradio as gr

from .explain_inputs import fill
from .files import JSON, TEXT, describe_files, read_samples
from .handlers import score_file, score_uploads
from .limits import MAX_MEGABYTES, MAX_ROWS, InputError
from .report import write_report
from .scores import Choices, score_each
from .systems import list_columns
from .tiles import show_scores
from .views import (
    SMOOTHED_COLUMN,
    name_columns,
    plot_histogram,
    show_samples,
    write_csv,
    write_samples,
)
from .widgets import (
    COPY_LINK,
    WORKERS,
    answer,
    answer_upload,
    build_bar,
    build_panel,
    build_results,
    build_uploads,
    for_programs,
    make_settable,
    show_error,
    write_note,
)

EXAMPLE: Final = Path(__file__).resolve().parent.parent / "examples" / "samples.jsonl"
_PREDICTION_NAMES: Final = (
    *("prediction", "predictions", "hypothesis", "output", "generated", "candidate", "system"),
    *("translation", "response", "summary"),
)
_REFERENCE_NAMES: Final = (
    *("reference", "references", "target", "targets", "gold", "label", "answer", "summary"),
    "highlights",
)


def build(page: gr.Blocks, _tab: gr.Tab) -> None:
    """Build the tab."""
    with build_panel("file"):
        inputs = _build_inputs()
        with gr.Row(elem_classes="actions"):
            button = gr.Button(
                "Score the file", variant="primary", elem_id="file-score", elem_classes="score"
            )
            example = gr.Button("Use the example file", size="sm", elem_id="file-example")
        with build_results("file") as outputs:
            scores = gr.HTML(elem_id="file-scores")
            with gr.Row():
                with gr.Column(scale=1):
                    shown = gr.Dropdown([], label="Histogram of", elem_id="file-shown")
                    histogram = gr.HTML(elem_id="file-histogram", elem_classes="histogram")
                with gr.Column(scale=2):
                    each = gr.Dataframe(
                        label="Scores of each sample; a click on one explains it",
                        interactive=False,
                        max_height=320,
                        elem_id="file-samples",
                    )
            with gr.Row(elem_classes="actions"):
                report = gr.Button("Report (one HTML file)", size="sm", elem_id="file-save-html")
                save = gr.Button("Scores of each sample (CSV)", size="sm", elem_id="file-save")
                gr.HTML(COPY_LINK)
        # What the browser keeps: the histograms, and the texts of the files to save.
        kept = gr.JSON(visible=False)
        row = gr.JSON(visible=False)
    answer("file", button, show_file, inputs, [*outputs, scores, each, shown, kept, histogram])
    make_settable("file", page, inputs, inputs[2:4])
    load_example = example.click(
        lambda: (str(EXAMPLE), None), None, inputs[:2], api_visibility="private"
    )
    answer_upload("file", guess_columns, inputs, [outputs[0], *inputs[2:4]], load_example)
    shown.input(None, [kept, shown], histogram, js="(kept, name) => kept.histograms[name]")
    save.click(None, kept, None, js="(kept) => page.save('scores.csv', 'text/csv', kept.csv)")
    report.click(None, kept, None, js="(kept) => page.save('scores.html', 'text/html', kept.html)")
    each.select(
        find_row,
        inputs,
        row,
        js="(...values) => page.wait('file', page.recall('file', 0, values))",
        show_progress="hidden",
        api_visibility="private",
    ).then(None, row, None, js="(row) => page.explain('file', row)")
    # An endpoint for programs: nobody clicks the button; the components name and type the endpoint.
    gr.Button(visible=False).click(
        for_programs(score_file),
        inputs,
        gr.JSON(visible=False, label="scores"),
        api_name="score_file",
        **WORKERS,
    )


def _build_inputs() -> list[Any]:
    """Build the inputs, in the order of the arguments of ``show_file``."""
    with gr.Row():
        file, reference_files = build_uploads(
            "file",
            f"CSV, TSV, JSONL, Parquet or .txt (to {MAX_ROWS:,} rows, {MAX_MEGABYTES} MB)",
            "References, only if the file is .txt",
            reference_types=[TEXT, JSON],
        )
    with gr.Row():
        prediction_column, reference_column = (
            gr.Dropdown(
                [name],
                value=name,
                label=f"Column of {name}s",
                allow_custom_value=True,
                elem_id=f"file-{name}-column",
            )
            for name in ("prediction", "reference")
        )
    options = build_bar("file")
    return [file, reference_files, prediction_column, reference_column, *options]


def guess_columns(file: str | None) -> list[Any]:
    """Fill the menus with the columns of the uploaded table.

    Returns:
        The message, and the menus of the columns of predictions and of references.
    """
    paths = [Path(file)] if file else []
    try:
        note, columns = describe_files(paths), list_columns(paths)
    except InputError as reason:
        return [show_error(reason, "file"), *[gr.Dropdown(choices=[], value=None)] * 2]
    chosen = _guess(columns)
    if columns and None in chosen.values():
        names = " and ".join(f"of {name}s" for name, column in chosen.items() if column is None)
        note = f"{note} No column has a usual name: choose the column {names}.".strip()
    menus = [gr.Dropdown(choices=columns, value=name) for name in chosen.values()]
    return [write_note(note), *menus]


def _guess(columns: list[str]) -> dict[str, str | None]:
    """Return the columns of predictions and of references; None for what only a person can tell.

    >>> _guess(["id", "Target", "output"]), _guess(["mine", "target"])
    ({'prediction': 'output', 'reference': 'Target'}, {'prediction': 'mine', 'reference': 'target'})
    >>> _guess(["id", "mine", "target"])
    {'prediction': None, 'reference': 'target'}
    """
    by_name = {column.casefold(): column for column in reversed(columns)}
    chosen: dict[str, str | None] = {}
    for kind, names in (("prediction", _PREDICTION_NAMES), ("reference", _REFERENCE_NAMES)):
        free = {name: column for name, column in by_name.items() if column not in chosen.values()}
        chosen[kind] = next((free[name] for name in names if name in free), None)
    # Of two columns, the other one.
    for kind, column in chosen.items():
        others = set(columns) - set(chosen.values())
        if column is None and len(columns) == 2 and len(others) == 1:
            chosen[kind] = others.pop()
    return chosen


def find_row(event: gr.SelectData, *inputs: Any) -> dict[str, Any] | None:
    """Return the inputs of the tab Explain for the row that was clicked; None if there is none.

    Args:
        event: the click.
        *inputs: those of ``show_file``, of the scores that are shown.
    """
    file, reference_files, *columns = inputs[:4]
    try:
        paths = [Path(path) for path in reference_files or ()]
        predictions, references = read_samples(Path(file), paths, *columns)
        # Rows may be sorted: the first cell is the number of the row.
        number = int(event.row_value[0]) - 1
        return fill(predictions[number], references[number], Choices(*inputs[4:]))
    except (InputError, IndexError, TypeError, ValueError):
        return None


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
    histograms = {name: plot_histogram(each, name, scored) for name, each in columns.items()}
    first = [*columns][min(1, len(columns) - 1)]
    rows = {"index": range(len(uploads.predictions)), **score_each(scored.scorer)}
    if scored.choices.smoothing:
        # The BLEU that the page shows; "sentence_bleu" is that of the command.
        rows[SMOOTHED_COLUMN] = next(iter(columns.values()))
    scores = show_scores(scored, uploads.describe(), "file")
    charts = f'<div class="ours"><div class="charts">{"".join(histograms.values())}</div></div>'
    report = [scores, charts, write_samples(uploads.predictions, columns, scored.choices)]
    files = {"csv": write_csv(rows), "html": write_report("Scores of a file", report)}
    return (
        scores,
        show_samples(uploads.predictions, columns, scored.choices),
        gr.Dropdown(choices=list(columns), value=first),
        {"histograms": histograms, **files},
        histograms[first],
    )

"""The tab COMPARE SYSTEMS: scores with intervals, tests of the differences, charts, and files."""

from pathlib import Path
from typing import Any, Final

import gradio as gr

from .files import TEXT
from .limits import MAX_MEGABYTES, MAX_ROWS, InputError
from .scores import Choices
from .system_views import draw_all, list_others, show_comparison, write_files
from .systems import (
    MAX_SYSTEMS,
    TESTS,
    Design,
    compare,
    list_columns,
    list_names,
    read_systems,
)
from .widgets import (
    answer,
    build_options,
    build_panel,
    build_results,
    build_uploads,
    explain_error,
    write_message,
)

EXAMPLE: Final = Path(__file__).resolve().parent.parent / "examples" / "systems.csv"
_REFERENCE_NAMES: Final = ("reference", "references", "summary", "target", "gold")
_FILES: Final = {
    "csv": ("Scores of each sample (CSV)", "samples.csv", "text/csv"),
    "json": ("Everything, with signature (JSON)", "comparison.json", "application/json"),
    "latex": ("Table for a paper (LaTeX)", "comparison.tex", "text/x-tex"),
}


def build(_: gr.Blocks) -> None:
    """Build the tab."""
    with build_panel("compare"):
        with gr.Row():
            files, reference_files = build_uploads(
                "compare",
                "Systems: one table, or a .txt file for each",
                "References, only if the systems are .txt",
                reference_types=[TEXT],
                file_count="multiple",
            )
            with gr.Column():
                gr.Markdown(
                    "A **CSV**, **TSV**, **JSONL** or **Parquet** table with a column for each "
                    "system and one of references. Or a **.txt** file for each system with one "
                    "text per line, and other files with the references.\n\n"
                    f"From 2 to {MAX_SYSTEMS} systems; each file up to {MAX_ROWS:,} rows and "
                    f"{MAX_MEGABYTES} MB."
                )
                example = gr.Button("Use the example file", size="sm", elem_id="compare-example")
        with gr.Row():
            columns = gr.Dropdown(
                [], multiselect=True, label="Columns of the systems", elem_id="compare-columns"
            )
            reference_column = gr.Dropdown(
                [], label="Column of the references", elem_id="compare-reference-column"
            )
            baseline = gr.Dropdown(
                [], label="Baseline (if empty, the first system)", elem_id="compare-baseline"
            )
        with gr.Row():
            test = gr.Dropdown(list(TESTS), label="Test", elem_id="compare-test")
            seed = gr.Number(12345, label="Seed", precision=0, minimum=0, elem_id="compare-seed")
        options = build_options("compare")
        button = gr.Button(
            "Compare", variant="primary", elem_id="compare-score", elem_classes="score"
        )
        with build_results("compare") as outputs:
            said = gr.HTML(elem_id="compare-said")
            with gr.Row():
                shown_score = gr.Dropdown([], label="Charts of", elem_id="compare-shown-score")
                shown_system = gr.Dropdown([], label="System", elem_id="compare-shown-system")
            charts = gr.HTML(elem_id="compare-charts")
            with gr.Row():
                saves = {
                    kind: gr.Button(f"Save: {label}", size="sm", elem_id=f"compare-save-{kind}")
                    for kind, (label, _, _) in _FILES.items()
                }
        # What the browser keeps: the charts by score and system, and the files to save.
        kept = gr.JSON(visible=False)
    inputs = [files, reference_files, columns, reference_column, baseline, test, seed, *options]
    answer(
        "compare",
        button,
        show_systems,
        inputs,
        [*outputs, said, shown_score, shown_system, charts, kept],
    )
    files.change(
        show_columns,
        files,
        [outputs[0], columns, reference_column, baseline],
        show_progress="hidden",
        api_visibility="private",
    )
    example.click(lambda: [str(EXAMPLE)], None, files, api_visibility="private")
    gr.on(
        [shown_score.input, shown_system.input],
        None,
        [kept, shown_score, shown_system],
        [charts],
        js="(kept, score, system) => kept.charts[score][system]",
    )
    for kind, (_label, name, media) in _FILES.items():
        saves[kind].click(
            None, kept, None, js=f"(kept) => page.save('{name}', '{media}', kept.files.{kind})"
        )


def show_columns(files: list[str] | None) -> list[Any]:
    """Fill the menus with the columns of the uploaded table, or with the names of text files.

    Returns:
        The message, and the menus of columns of systems, column of references, and baseline.
    """
    paths = [Path(file) for file in files or ()]
    try:
        columns = list_columns(paths)
        names = list_names(paths)
    except InputError as reason:
        message = gr.HTML(write_message(explain_error(reason)), visible=True)
        return [message, *[gr.Dropdown(choices=[], value=None)] * 3]
    reference = next((name for name in _REFERENCE_NAMES if name in columns), None)
    systems = [name for name in columns if name != reference][:MAX_SYSTEMS]
    return [
        gr.HTML("", visible=False),
        gr.Dropdown(choices=columns, value=systems, multiselect=True),
        gr.Dropdown(choices=columns, value=reference),
        gr.Dropdown(choices=columns or names, value=None),
    ]


def show_systems(  # noqa: PLR0917 - Gradio gives values by place
    files: list[str] | None,
    reference_files: list[str] | None,
    columns: list[str],
    reference_column: str | None,
    baseline: str | None,
    test: str,
    seed: float | None,
    *options: Any,
) -> tuple[Any, ...]:
    """Show how systems compare.

    Args:
        files: paths of one table, or of a text file for each system; None if there are none yet.
        reference_files: paths of text files of references.
        columns: columns of the systems, for a table.
        reference_column: column of the references, for a table.
        baseline: name of a system.
        test: a key of ``TESTS``.
        seed: of the random stream.
        *options: options, in the order of ``Choices``.

    Returns:
        The findings as HTML, the menus of scores and systems, the first charts as HTML, and what
        the browser keeps.

    Raises:
        InputError: the files cannot be read or compared; the message says where and why.
    """
    texts = read_systems(
        [Path(file) for file in files or ()],
        [Path(file) for file in reference_files or ()],
        columns,
        reference_column,
    )
    compared = compare(texts, Choices(*options), Design(baseline, test, seed))
    charts, others = draw_all(compared), list_others(compared)
    score = next(iter(charts))
    return (
        show_comparison(compared),
        gr.Dropdown(choices=list(charts), value=score),
        gr.Dropdown(choices=others, value=others[0]),
        charts[score][others[0]],
        {"charts": charts, "files": write_files(compared)},
    )

"""The tab COMPARE: scores with intervals, tests of the differences, charts, samples, and files."""

import json
import time
from functools import partial
from pathlib import Path
from typing import Any, Final

import gradio as gr

from .differences import STEP, WINNERS, write_rows
from .files import TEXT, describe_files
from .limits import MAX_MEGABYTES, MAX_ROWS, MAX_SECONDS, InputError
from .scores import Choices
from .system_views import draw_all, list_others, show_comparison, write_commands, write_files
from .systems import (
    ALTERNATIVES,
    CORRECTIONS,
    MAX_SYSTEMS,
    TESTS,
    Design,
    SystemTexts,
    compare,
    count_systems,
    list_columns,
    list_names,
    read_systems,
    score_systems,
)
from .views import shorten
from .widgets import (
    COPY_LINK,
    WORKERS,
    answer,
    answer_upload,
    build_bar,
    build_heading,
    build_panel,
    build_results,
    build_uploads,
    make_settable,
    show_error,
    write_note,
)

EXAMPLE: Final = Path(__file__).resolve().parent.parent / "examples" / "systems.csv"
_REFERENCE_NAMES: Final = ("reference", "references", "summary", "target", "gold")
_OTHER_NAMES: Final = ("", "id", "index", "source", "src", "document", "doc", "question", "prompt")
_FILES: Final = {
    "html": ("Report (one HTML file)", "comparison.html", "text/html"),
    "latex": ("Table for a paper (LaTeX)", "comparison.tex", "text/x-tex"),
    "csv": ("Scores of each sample (CSV)", "samples.csv", "text/csv"),
    "json": ("Everything (JSON)", "comparison.json", "application/json"),
}
_DESIGN: Final = len(Design._fields)
_OLD: Final = '<p class="note">Click Compare to see the results of these inputs.</p>'


def build(page: gr.Blocks, _tab: gr.Tab) -> None:
    """Build the tab."""
    with build_panel("compare"):
        sources = _build_sources()
        design = _build_design(sources)
        options = build_bar("compare")
        with gr.Row(elem_classes="actions"):
            button = gr.Button(
                "Compare", variant="primary", elem_id="compare-score", elem_classes="score"
            )
            example = gr.Button("Use the example file", size="sm", elem_id="compare-example")
        with build_results("compare") as outputs:
            said = gr.HTML(elem_id="compare-said")
            charts = gr.HTML(elem_id="compare-charts")
            with build_heading("Where they differ most"):
                winner = gr.Radio(
                    list(WINNERS),
                    value="all",
                    label="Show samples",
                    container=False,
                    elem_id="compare-winner",
                    elem_classes="segments",
                )
                search = gr.Textbox(
                    placeholder="Search the texts",
                    label="Search the texts",
                    container=False,
                    lines=1,
                    elem_id="compare-search",
                )
            rows = gr.HTML(elem_id="compare-rows", elem_classes="ours")
            with gr.Row(elem_classes="actions"):
                saves = {
                    kind: gr.Button(label, size="sm", elem_id=f"compare-save-{kind}")
                    for kind, (label, _, _) in _FILES.items()
                }
                gr.HTML(COPY_LINK)
            commands = gr.HTML(elem_id="compare-commands")
        cell = gr.Textbox("", visible="hidden", elem_id="compare-cell")
        most = gr.Number(STEP, visible="hidden", elem_id="compare-most")
        # What the browser keeps: the charts by score and system, and the files to save.
        kept = gr.JSON(visible=False)
    inputs = [*sources, *design, *options]
    shown = [said, charts, cell, winner, search, most, rows, commands, kept]
    answer("compare", button, show_systems, inputs, [*outputs, *shown])
    settable = [*inputs, cell, most]
    menus = [*sources[2:4], design[0], *sources[4:]]
    setting = make_settable("compare", page, settable, [*menus, cell, most])
    load_example = example.click(
        lambda: ([str(EXAMPLE)], None), None, sources[:2], api_visibility="private"
    )
    answer_upload("compare", show_columns, settable, [outputs[0], *menus], load_example)
    cell.change(None, [kept, cell], charts, js="(kept, cell) => page.selectCell(kept, cell)")
    # A cell and how many samples are shown are set by buttons in HTML.
    for listen in (setting.then, partial(gr.on, [winner.input, search.input])):
        listen(
            show_rows,
            [cell, winner, search, most, *inputs],
            [winner, rows],
            js="(...values) => page.recall('compare', 4, values)",
            trigger_mode="always_last",
            show_progress="hidden",
            api_visibility="private",
            **WORKERS,
        )
    for kind, (_label, name, media) in _FILES.items():
        saves[kind].click(
            None, kept, None, js=f"(kept) => page.save('{name}', '{media}', kept.files.{kind})"
        )


def _build_sources() -> list[Any]:
    """Build the inputs of the texts: files, columns, and columns of labels."""
    with gr.Row():
        files, reference_files = build_uploads(
            "compare",
            f"Systems: one table (CSV, TSV, JSONL, Parquet), or 2 to {MAX_SYSTEMS} .txt files",
            f"References, only if the systems are .txt (to {MAX_ROWS:,} rows, {MAX_MEGABYTES} MB)",
            reference_types=[TEXT],
            file_count="multiple",
        )
    with gr.Row():
        columns = _build_menu("columns", "Columns of the systems", multiselect=True)
        reference_column = _build_menu("reference-column", "Column of the references")
    clusters = _build_menu("clusters", "Column of clusters", render=False)
    groups = _build_menu("groups", "Column of groups", render=False)
    return [files, reference_files, columns, reference_column, clusters, groups]


def _build_menu(name: str, label: str, **options: Any) -> gr.Dropdown:
    """Build a menu that a file fills; for what the file has not, the page has its own messages."""
    return gr.Dropdown(
        [], label=label, allow_custom_value=True, elem_id=f"compare-{name}", **options
    )


def _build_design(sources: list[Any]) -> list[Any]:
    """Build the controls of ``Design``, in its order."""
    own = Design()
    with gr.Accordion("Baseline and test", open=False, elem_id="compare-design"):
        with gr.Row():
            baseline = _build_menu("baseline", "Baseline (if empty, the first)")
            test = gr.Dropdown(
                [(name, key) for key, name in TESTS.items()],
                value=own.test,
                label="Test",
                elem_id="compare-test",
            )
            correction = gr.Dropdown(
                [(name, key) for key, name in CORRECTIONS.items()],
                value=own.correction,
                label="Correction of p",
                elem_id="compare-correction",
            )
            alternative = gr.Dropdown(
                [(name, key) for key, name in ALTERNATIVES.items()],
                value=own.alternative,
                label="Alternative",
                elem_id="compare-alternative",
            )
        with gr.Row():
            resamples = gr.Number(
                None,
                label="Resamples (empty for the default)",
                precision=0,
                elem_id="compare-resamples",
            )
            seed = gr.Number(own.seed, label="Seed", precision=0, elem_id="compare-seed")
            for column in sources[4:]:
                column.render()
    return [baseline, test, seed, resamples, correction, alternative]


def show_columns(files: list[str] | None) -> list[Any]:
    """Fill the menus with the columns of the uploaded table, or with the names of text files.

    Returns:
        The message, and the menus of columns of systems, column of references, baseline, clusters
        and groups.
    """
    paths = [Path(file) for file in files or ()]
    try:
        note, columns = describe_files(paths), list_columns(paths)
        names = list_names(paths)
    except InputError as reason:
        return [show_error(reason, "compare"), *[gr.Dropdown(choices=[], value=None)] * 5]
    reference = next((name for name in _REFERENCE_NAMES if name in columns), None)
    systems = [
        name for name in columns if name != reference and name.casefold() not in _OTHER_NAMES
    ][:MAX_SYSTEMS]
    return [
        write_note(note),
        gr.Dropdown(choices=columns, value=systems, multiselect=True),
        gr.Dropdown(choices=columns, value=reference),
        gr.Dropdown(
            choices=[*(name for name in columns or names if name != reference)], value=None
        ),
        *[gr.Dropdown(choices=columns, value=None)] * 2,
    ]


def _read(sources: tuple[Any, ...]) -> SystemTexts:
    """Read the texts of the inputs of ``_build_sources``."""
    files, reference_files, columns, reference_column, clusters, groups = sources
    return read_systems(
        [Path(file) for file in files or ()],
        [Path(file) for file in reference_files or ()],
        columns,
        reference_column,
        {"clusters": clusters, "groups": groups},
    )


def show_systems(*inputs: Any) -> tuple[Any, ...]:
    """Show how systems compare.

    Args:
        *inputs: paths of files, paths of files of references, columns of systems, column of
            references, of clusters and of groups; the values of ``Design``; those of ``Choices``.

    Returns:
        The findings and the charts as HTML, the selected cell, the choice of samples, no search,
        how many samples are shown, the samples and the commands as HTML, and what the browser
        keeps.

    Raises:
        InputError: the files cannot be read or compared; the message says where and why.
    """
    sources, design = inputs[:6], Design(*inputs[6 : 6 + _DESIGN])
    compared = compare(_read(sources), Choices(*inputs[6 + _DESIGN :]), design)
    charts = draw_all(compared)
    score, system = compared.comparison.scores[0], list_others(compared)[0]
    found = write_rows(compared.systems, score, system)
    return (
        show_comparison(compared, (score, system)),
        charts[score][system],
        json.dumps([score, system]),
        _choose_winner(found.counts, compared.comparison.baseline, system, "all"),
        "",
        STEP,
        found.html,
        write_commands(compared, design),
        {"charts": charts, "files": write_files(compared, charts)},
    )


def _choose_winner(counts: dict[str, int], baseline: str, system: str, value: str) -> gr.Radio:
    """Return the choice of samples, with how many there are."""
    labels = {
        "all": "all",
        "baseline": f"{shorten(baseline, 20)} wins",
        "system": f"{shorten(system, 20)} wins",
        "ties": "ties",
    }
    choices = [(f"{label} {counts[name]:,}", name) for name, label in labels.items()]
    return gr.Radio(choices=choices, value=value)


def show_rows(cell: str, winner: str, search: str, most: float, *inputs: Any) -> tuple[Any, ...]:
    """Show other samples of a comparison; the texts are read again.

    Args:
        cell: JSON of the score and the system.
        winner: one of ``WINNERS``.
        search: what a text contains.
        most: how many samples are shown.
        *inputs: those of ``show_systems``, of the comparison that is shown.

    Returns:
        The choice of samples, and the samples as HTML.
    """
    try:
        score, system = json.loads(cell)
        texts, choices = _read(inputs[:6]), Choices(*inputs[6 + _DESIGN :])
        baseline = inputs[6] or next(iter(texts.predictions))
        pair = {name: texts.predictions[name] for name in (baseline, system)}
        texts = texts._replace(predictions=pair)
        scorers = count_systems(texts, choices, time.monotonic() + MAX_SECONDS)
        systems = score_systems(texts, choices, scorers, baseline)
        found = write_rows(
            systems, score, system, winner=winner, search=search or "", most=int(most)
        )
    except (InputError, KeyError, TypeError, ValueError):
        # The inputs have changed, and the page says so; the message is that of the next click.
        return gr.skip(), _OLD
    return _choose_winner(found.counts, baseline, system, winner), found.html

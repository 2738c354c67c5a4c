"""Gradio page of the metric: score one pair of texts, or a file of samples.

It runs from the repository (``python app.py``) and from a Space. ``space/`` reads files and scores;
this file builds the page. The server keeps nothing between two clicks. Old results are hidden as
soon as an input changes.
"""

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

import gradio as gr

from space.files import JSON, SUFFIXES, TEXT
from space.handlers import REFERENCE_BOXES, score_file, score_pair, show_file, show_pair
from space.limits import MAX_MEGABYTES, MAX_ROWS, InputError
from space.scores import DEFAULT_TYPES, MAX_ORDER, ROUGE_TYPES, TOKENIZERS
from space.views import BLEU, plot_histogram

PAIRS: Final = [
    ["Paris is not the capital of France", 1, "Paris is the biggest French city", ""],
    [
        "The ferry leaves the island at noon.",
        2,
        "At noon the ferry leaves for the mainland.",
        "The boat leaves the island at twelve.",
    ],
    [
        "Rain stopped the match.\nIt goes on tomorrow.",
        1,
        "The match goes on tomorrow.\nHeavy rain had stopped it.",
        "",
    ],
]
STYLE: Final = ".message { border-left: 4px solid var(--error-icon-color) !important; }"

# Hides the message and the results in the browser, without a request to the server.
HIDE: Final = "() => [1, 2].map(() => ({__type__: 'update', visible: false}))"
# Several requests run at the same time, so that small files do not wait for a large one.
WORKERS: Final[dict[str, Any]] = {"concurrency_id": "score", "concurrency_limit": 4}


def answer(
    button: gr.Button,
    handler: Callable[..., tuple[Any, ...]],
    inputs: list[Any],
    outputs: list[Any],
) -> None:
    """At every click, show the handler's values, or a message that says why there are none.

    A click hides old results. A change of an input hides them too, and cancels a running request,
    so that its results are never shown beside other inputs.

    Args:
        button: the button to click.
        handler: called with the values of ``inputs``.
        inputs: input components.
        outputs: the box of the message, the column of the results, and a component for every value
            of the handler.
    """
    views = outputs[:2]
    # Hide old results before the handler is called, in case Gradio itself has an error.
    button.click(None, None, views, js=HIDE)
    scoring = button.click(
        for_page(handler, len(outputs) - 2), inputs, outputs, api_visibility="private", **WORKERS
    )
    changes = [component.change for component in inputs if component not in outputs]
    gr.on(changes, None, None, views, js=HIDE, cancels=[scoring])


def for_page(handler: Callable[..., tuple[Any, ...]], shown: int) -> Callable[..., list[Any]]:
    """Wrap a handler: put its message and the column of its results before its values.

    Args:
        handler: the handler to call.
        shown: how many values it returns; after an error they stay unchanged and hidden.
    """

    def respond(*values: Any) -> list[Any]:
        try:
            outputs = handler(*values)
        except Exception as reason:  # noqa: BLE001 - the page shows any error
            message = gr.Textbox(explain(reason), visible=True)
            return [message, gr.Column(visible=False), *([gr.skip()] * shown)]
        return [gr.Textbox("", visible=False), gr.Column(visible=True), *outputs]

    return respond


def explain(reason: Exception) -> str:
    """Return the message about an error; log the error if it is unexpected."""
    if isinstance(reason, InputError):
        return str(reason)
    logging.getLogger(__name__).error("A request failed.", exc_info=reason)
    return (
        f"This page has an error, {type(reason).__name__}: {str(reason)[:200]}. "
        "Please report it with the texts or the file that you scored."
    )


def for_programs(handler: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a handler: raise errors that Gradio sends to a program; the signature is the same."""

    @wraps(handler)
    def respond(*values: Any, **named: Any) -> Any:
        try:
            return handler(*values, **named)
        except Exception as reason:
            # Without print_exception=False Gradio prints a traceback, also for a wrong input.
            raise gr.Error(explain(reason), print_exception=False) from reason

    return respond


def build_message(tab: str) -> gr.Textbox:
    """Build the box that says what to change; it shows plain text, because it may quote a file."""
    return gr.Textbox(
        label="Nothing was scored",
        interactive=False,
        visible=False,
        elem_id=f"{tab}-message",
        elem_classes="message",
    )


def build_options(tab: str) -> list[gr.components.Component]:
    """Build the controls of ``Choices``, in its order; their element ids begin with ``tab``."""
    with gr.Accordion("Options", open=False, elem_id=f"{tab}-options"):
        with gr.Row():
            max_order = gr.Slider(
                1, MAX_ORDER, 4, step=1, label="Longest n-gram of BLEU", elem_id=f"{tab}-max-order"
            )
            smooth = gr.Checkbox(
                label="Smooth BLEU", info="Add one to every order.", elem_id=f"{tab}-smooth"
            )
            bleu_tokenizer = gr.Dropdown(
                TOKENIZERS, value="13a", label="BLEU tokenizer", elem_id=f"{tab}-bleu-tokenizer"
            )
        with gr.Row():
            rouge_types = gr.Dropdown(
                ROUGE_TYPES,
                value=DEFAULT_TYPES,
                multiselect=True,
                label="ROUGE types",
                elem_id=f"{tab}-rouge-types",
            )
            use_stemmer = gr.Checkbox(
                label="Stem for ROUGE", info="Porter; English.", elem_id=f"{tab}-use-stemmer"
            )
            rouge_tokenizer = gr.Dropdown(
                TOKENIZERS, value="rouge", label="ROUGE tokenizer", elem_id=f"{tab}-rouge-tokenizer"
            )
    return [max_order, smooth, bleu_tokenizer, rouge_types, rouge_tokenizer, use_stemmer]


def build_score_views(tab: str) -> list[gr.components.Component]:
    """Build the box of warnings, then the outputs of ``show_scores``, in its order."""
    warnings = gr.Textbox(
        label="Warnings", interactive=False, visible=False, lines=2, elem_id=f"{tab}-warnings"
    )
    looks: dict[str, Any] = {"interactive": False, "show_label": False, "buttons": []}
    with gr.Row():
        bleu = gr.Dataframe(headers=["BLEU", "Value"], elem_id=f"{tab}-bleu", **looks)
        headers = ["ROUGE", "Precision", "Recall", "F-measure"]
        rouge = gr.Dataframe(headers=headers, elem_id=f"{tab}-rouge", **looks)
    with gr.Accordion("Every digit, as JSON", open=False, elem_id=f"{tab}-digits"):
        digits = gr.Code(language="json", show_label=False, elem_id=f"{tab}-json")
    return [warnings, bleu, rouge, digits]


def build_pair_tab() -> None:
    """Build the tab that scores one prediction with its references."""
    with gr.Row():
        with gr.Column():
            prediction = gr.Textbox(label="Prediction", lines=3, elem_id="pair-prediction")
            count = gr.Radio(
                list(range(1, REFERENCE_BOXES + 1)),
                value=1,
                label="Number of references",
                elem_id="pair-count",
            )
        with gr.Column():
            references = [
                gr.Textbox(
                    label=f"Reference {place}",
                    lines=3,
                    visible=place == 1,
                    elem_id=f"pair-reference-{place}",
                )
                for place in range(1, REFERENCE_BOXES + 1)
            ]
    gr.Examples(
        PAIRS,
        [prediction, count, *references[:2]],
        example_labels=["One reference", "Two references", "Two sentences, one per line"],
        cache_examples=False,
        elem_id="pair-examples",
    )
    options = build_options("pair")
    button = gr.Button("Score", variant="primary", elem_id="pair-score")
    message = build_message("pair")
    with gr.Column(visible=False) as results:
        outputs = build_score_views("pair")
    count.change(
        lambda shown: [gr.Textbox(visible=place < shown) for place in range(REFERENCE_BOXES)],
        count,
        references,
        show_progress="hidden",
        api_visibility="private",
    )
    inputs = [prediction, count, *references, *options]
    answer(button, show_pair, inputs, [message, results, *outputs])
    gr.events.api(for_programs(score_pair), api_name="score_pair", **WORKERS)


def build_file_tab() -> None:
    """Build the tab that scores a file: all samples, each sample, and a histogram."""
    with gr.Row():
        file = gr.File(label="File", file_types=list(SUFFIXES), height=160, elem_id="file-upload")
        reference_files = gr.File(
            label="References, only if the file is .txt",
            file_types=[TEXT, JSON],
            file_count="multiple",
            height=160,
            elem_id="file-references",
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
    options = build_options("file")
    button = gr.Button("Score the file", variant="primary", elem_id="file-score")
    message = build_message("file")
    with gr.Column(visible=False) as results:
        heading = gr.Markdown(elem_id="file-heading")
        warnings, *together = build_score_views("file")
        each = gr.Dataframe(
            label="Scores of each sample", interactive=False, max_height=320, elem_id="file-samples"
        )
        shown = gr.Dropdown(
            [BLEU, *ROUGE_TYPES], value="rouge1", label="Histogram of", elem_id="file-shown"
        )
        histogram = gr.BarPlot(
            x="score",
            y="samples",
            x_title="Score of a sample",
            y_title="Samples",
            sort="x",
            height=280,
            show_label=False,
            elem_id="file-histogram",
        )
    bins = gr.JSON(visible=False)  # the browser keeps them to show another histogram
    inputs = [file, reference_files, prediction_column, reference_column, shown, *options]
    outputs = [message, results, warnings, heading, *together, each, shown, bins, histogram]
    answer(button, show_file, inputs, outputs)
    shown.input(
        plot_histogram,
        [bins, shown],
        histogram,
        show_progress="hidden",
        api_visibility="private",
    )
    # An endpoint for programs: nobody clicks the button; the components name and type the endpoint.
    gr.Button(visible=False).click(
        for_programs(score_file),
        [component for component in inputs if component is not shown],
        gr.JSON(visible=False, label="scores"),
        api_name="score_file",
        **WORKERS,
    )


def build_page() -> gr.Blocks:
    """Build the whole page; uploads are deleted after an hour."""
    page: gr.Blocks
    with gr.Blocks(
        title="BLEU and ROUGE", analytics_enabled=False, delete_cache=(3600, 3600)
    ) as page:
        gr.Markdown(
            "# BLEU and ROUGE\n"
            "Scores of generated texts against one or more references. The numbers are exactly "
            "those of the reference libraries; every score is between 0 and 1."
        )
        with gr.Tab("One pair", elem_id="pair-tab"):
            build_pair_tab()
        with gr.Tab("File", elem_id="file-tab"):
            build_file_tab()
    return page


LAUNCH: Final[dict[str, Any]] = {
    "ssr_mode": False,  # else Node would render the page on a Space, but not in the tests
    # Gradio drops a larger file without a message; up to this size the page says what is wrong.
    "max_file_size": f"{10 * MAX_MEGABYTES}mb",
    # Gradio keeps the last inputs and outputs of this many visitors and calls.
    "state_session_capacity": 32,
    "show_error": True,
    "footer_links": ["api"],
    "theme": gr.themes.Default(font=["system-ui", "sans-serif"], font_mono=["monospace"]),
    "css": STYLE,
}

if __name__ == "__main__":
    build_page().launch(**LAUNCH)

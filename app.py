"""Gradio Space of the metric: scores of one pair of texts, or of a file of samples.

Runs from the repository (``python app.py``, the metric's folder beside it) and from a flattened
Space (the metric's files beside it) alike. Reading and scoring are in ``space/``; here is the page.
What the histogram needs between two clicks stays in its session.
"""

from collections.abc import Callable
from typing import Any, Final

import gradio as gr

from space.files import MAX_MEGABYTES, MAX_ROWS, READERS, InputError
from space.scores import (
    BLEU,
    MAX_REFERENCES,
    ROUGE_TYPES,
    plot_histogram,
    score_file,
    score_pair,
)

TOKENIZERS: Final = ("13a", "rouge", "unicode", "whitespace", "char", "grapheme", "intl", "zh")
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

Scores = dict[str, Any]
# Rows of the BLEU table, rows of the ROUGE table, every digit as JSON.
ScoreViews = tuple[list[list[str]], list[list[str]], str]


def answer(
    button: gr.Button,
    handler: Callable[..., tuple[Any, ...]],
    inputs: list[Any],
    outputs: list[Any],
) -> None:
    """At every click show the handler's values, or a message why there are none.

    Args:
        button: what is clicked.
        handler: called with the values of ``inputs``.
        inputs: components.
        outputs: the box of the message, the column of the results, and a component for every value
            of the handler.
    """

    def respond(*values: Any) -> list[Any]:
        try:
            shown = handler(*values)
        except InputError as reason:
            unchanged = [gr.skip()] * (len(outputs) - 2)
            return [gr.Textbox(str(reason), visible=True), gr.Column(visible=False), *unchanged]
        return [gr.Textbox("", visible=False), gr.Column(visible=True), *shown]

    # A large file shares the processor with small ones and does not keep them waiting.
    button.click(respond, inputs, outputs, api_name=handler.__name__, concurrency_limit=4)


def build_message(tab: str) -> gr.Textbox:
    """Where the page says what has to be changed; plain text, for it may quote a file."""
    return gr.Textbox(
        label="Nothing was scored",
        interactive=False,
        visible=False,
        elem_id=f"{tab}-message",
        elem_classes="message",
    )


def build_options(tab: str) -> list[gr.components.Component]:
    """The controls of ``Choices``, in its order; ``tab`` starts their element ids."""
    with gr.Accordion("Options", open=False, elem_id=f"{tab}-options"):
        with gr.Row():
            max_order = gr.Slider(
                1, 9, 4, step=1, label="Longest n-gram of BLEU", elem_id=f"{tab}-max-order"
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
                value=["rouge1", "rouge2", "rougeL", "rougeLsum"],
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
    """The outputs of ``show_scores``, in its order."""
    looks: dict[str, Any] = {"interactive": False, "show_label": False, "buttons": []}
    with gr.Row():
        bleu = gr.Dataframe(headers=["BLEU", "Value"], elem_id=f"{tab}-bleu", **looks)
        headers = ["ROUGE", "Precision", "Recall", "F-measure"]
        rouge = gr.Dataframe(headers=headers, elem_id=f"{tab}-rouge", **looks)
    with gr.Accordion("Every digit, as JSON", open=False, elem_id=f"{tab}-digits"):
        digits = gr.Code(language="json", show_label=False, elem_id=f"{tab}-json")
    return [bleu, rouge, digits]


def build_pair_tab() -> None:
    """Texts in, every score out."""
    with gr.Row():
        with gr.Column():
            prediction = gr.Textbox(label="Prediction", lines=3, elem_id="pair-prediction")
            count = gr.Radio(
                list(range(1, MAX_REFERENCES + 1)),
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
                for place in range(1, MAX_REFERENCES + 1)
            ]
    gr.Examples(
        PAIRS,
        [prediction, count, *references[:2]],
        example_labels=["One reference", "Two references", "Two sentences, one a line"],
        cache_examples=False,
        elem_id="pair-examples",
    )
    options = build_options("pair")
    button = gr.Button("Score", variant="primary", elem_id="pair-score")
    message = build_message("pair")
    with gr.Column(visible=False) as results:
        outputs = build_score_views("pair")
    count.change(
        lambda shown: [gr.Textbox(visible=place < shown) for place in range(MAX_REFERENCES)],
        count,
        references,
        show_progress="hidden",
        api_visibility="private",
    )
    inputs = [prediction, count, *references, *options]
    answer(button, score_pair, inputs, [message, results, *outputs])


def build_file_tab() -> None:
    """A file in; scores of all samples, of each sample, and a histogram out."""
    with gr.Row():
        file = gr.File(label="File", file_types=list(READERS), height=160, elem_id="file-upload")
        with gr.Column():
            gr.Markdown(
                "One sample a row, in a **CSV**, **TSV**, **JSONL** or **Parquet** file. Several "
                'references are a list; in a CSV cell write it as JSON: `["one text", "another"]`. '
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
        together = build_score_views("file")
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
    columns = gr.State()
    inputs = [file, prediction_column, reference_column, shown, *options]
    outputs = [message, results, heading, *together, each, shown, columns, histogram]
    answer(button, score_file, inputs, outputs)
    shown.input(
        plot_histogram,
        [columns, shown],
        histogram,
        show_progress="hidden",
        api_visibility="private",
    )


def build_page() -> gr.Blocks:
    """The whole page; uploads are deleted after an hour."""
    page: gr.Blocks
    with gr.Blocks(
        title="BLEU and ROUGE", analytics_enabled=False, delete_cache=(3600, 3600)
    ) as page:
        gr.Markdown(
            "# BLEU and ROUGE\n"
            "Scores of generated texts against one or more references, with the very numbers of "
            "the reference libraries; every score is between 0 and 1."
        )
        with gr.Tab("One pair", elem_id="pair-tab"):
            build_pair_tab()
        with gr.Tab("File", elem_id="file-tab"):
            build_file_tab()
    return page


if __name__ == "__main__":
    build_page().launch(
        ssr_mode=False,  # Node would render the page on a Space, but not where it is tested
        # Gradio drops a larger file without a word; up to this size the page says what is wrong.
        max_file_size=f"{10 * MAX_MEGABYTES}mb",
        footer_links=["api"],
        theme=gr.themes.Default(font=["system-ui", "sans-serif"], font_mono=["monospace"]),
        css=STYLE,
    )

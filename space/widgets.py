"""Parts that several tabs of the page have: options, messages, and how a button answers.

``page.js`` does what happens in the browser: it marks results of other inputs, and shows at once
that a click was received.
"""

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial, wraps
from html import escape
from typing import Any, Final

import gradio as gr

from bleu_rouge_metric.messages import get_message

from .files import SUFFIXES
from .labels import LABELS, write_message
from .limits import InputError
from .scores import (
    DEFAULT_TYPES,
    MAX_ORDER,
    OFFERED,
    PAGE_LANGUAGES,
    ROUGE_TYPES,
    Choices,
)

# Several requests run at the same time, so that small files do not wait for a large one.
WORKERS: Final[dict[str, Any]] = {"concurrency_id": "score", "concurrency_limit": 4}

# What a panel says about its results; the style shows one of the lines.
_STATES: Final = (
    '<div class="state" role="status">'
    '<p class="busy">Working…</p>'
    '<p class="reading">Reading the file…</p>'
    '<p class="old">The inputs have changed. The results below belong to the earlier inputs.</p>'
    '<p class="files" hidden></p>'
    '<p class="failed">The page got no answer. Check the connection, and try again.</p></div>'
)


@contextmanager
def build_panel(tab: str) -> Iterator[None]:
    """Build the column of a whole tab, whose state ``page.js`` sets."""
    with gr.Column(elem_id=f"{tab}-panel"):
        yield


@contextmanager
def build_results(tab: str) -> Iterator[list[gr.blocks.Block]]:
    """Build the box of the message and the column of results; yield both."""
    gr.HTML(_STATES, elem_classes="states")
    message = gr.HTML(visible=False, elem_id=f"{tab}-message")
    with gr.Column(visible=False, elem_id=f"{tab}-results") as results:
        yield [message, results]


COPY_LINK: Final = '<button type="button" class="act" data-copy>Copy link</button>'


@contextmanager
def build_heading(title: str) -> Iterator[None]:
    """Build a heading with the controls of what is below it."""
    with gr.Row(elem_classes="heading"):
        gr.HTML(f"<h2>{escape(title)}</h2>")
        yield


def answer(
    tab: str,
    button: gr.Button,
    handler: Callable[..., tuple[Any, ...]],
    inputs: list[Any],
    outputs: list[Any],
) -> None:
    """At every click, show the handler's values, or a message that says why there are none.

    A change of an input marks the results as old.

    Args:
        tab: name of the tab, with which the ids of its elements begin.
        button: the button to click.
        handler: called with the values of ``inputs``.
        inputs: input components.
        outputs: the box of the message, the column of the results, and a component for every value
            of the handler.
    """
    scoring = button.click(
        for_page(handler, len(outputs) - 2, tab),
        inputs,
        outputs,
        js=f"(...values) => page.start('{tab}', values)",
        # A click during an earlier request counts: it is answered next.
        trigger_mode="always_last",
        api_visibility="private",
        **WORKERS,
    )
    follow(tab, scoring, scrolls=True)
    watch(tab, inputs)


def answer_live(
    tab: str,
    page: gr.Blocks,
    handler: Callable[..., tuple[Any, ...]],
    inputs: list[Any],
    outputs: list[Any],
    *,
    start: Any = None,
) -> None:
    """Show the handler's values when the tab is opened and at every change of an input.

    The other arguments are those of ``answer``.

    Args:
        tab: as in ``answer``.
        page: the whole page.
        handler: as in ``answer``.
        inputs: as in ``answer``.
        outputs: as in ``answer``.
        start: the event of opening the tab; None for that of the page.
    """
    make_settable(tab, page, inputs)
    # A paste is a change but no input event; of many changes only the last one counts.
    scoring = gr.on(
        [start or page.load, *watch(tab, inputs)],
        for_page(handler, len(outputs) - 2, tab),
        inputs,
        outputs,
        js=f"(...values) => page.start('{tab}', values)",
        trigger_mode="always_last",
        show_progress="hidden",
        api_visibility="private",
        **WORKERS,
    )
    follow(tab, scoring)


def make_settable(tab: str, page: gr.Blocks, inputs: list[Any], columns: Sequence[Any] = ()) -> Any:
    """Let links to the page and buttons in HTML set inputs of a tab, by the ends of their ids.

    Args:
        tab: as in ``answer``.
        page: as in ``answer``.
        inputs: what can be set.
        columns: those of them that a file fills; a link sets them when its file is there.

    Returns:
        The event of a button that sets inputs.
    """
    own = json.dumps([_describe_input(tab, component) for component in inputs])
    later = json.dumps([_describe_input(tab, component)["name"] for component in columns])
    js = f"(...values) => page.restore('{tab}', {own}, {later}, values)"
    page.load(None, inputs, inputs, js=js)
    return gr.Button(visible="hidden", elem_id=f"{tab}-set").click(
        None, inputs, inputs, js=f"(...values) => page.take('{tab}', values)"
    )


def _describe_input(tab: str, component: Any) -> dict[str, Any]:
    """Return the end of the id of an input, and its values if it has no others."""
    choices = None
    if isinstance(component, gr.Dropdown) and not component.allow_custom_value:
        choices = [value for _, value in component.choices]
    return {"name": component.elem_id.removeprefix(f"{tab}-"), "choices": choices}


def answer_upload(
    tab: str,
    reader: Callable[[Any], list[Any]],
    inputs: list[Any],
    outputs: list[Any],
    load_example: Any,
) -> None:
    """Show what an upload is, and offer its columns, before it can be scored.

    Args:
        tab: as in ``answer``.
        reader: called with the upload.
        inputs: the inputs of the tab that a link contains: the box of the upload, that of the
            references, and the others.
        outputs: components for the values of the reader.
        load_example: the event that puts the example file into the box.
    """
    box = inputs[0]
    # Not box.change, which is also triggered when the page opens and there is no panel yet.
    for listen in (partial(gr.on, [box.upload, box.clear, box.delete]), load_example.success):
        listen(
            reader,
            box,
            outputs,
            js=f"(...values) => page.startReading('{tab}', values)",
            api_visibility="private",
        ).then(None, inputs, inputs[2:], js=f"(...values) => page.finishReading('{tab}', values)")


def watch(tab: str, inputs: list[Any]) -> list[Any]:
    """Mark the results as old at every change of an input; return the events of the changes."""
    changes = [component.change for component in inputs]
    gr.on(changes, None, inputs, None, js=f"(...values) => page.change('{tab}', values)")
    return changes


def follow(tab: str, scoring: Any, *, scrolls: bool = False) -> None:
    """Mark the results of a request as new, or say that there is no answer."""
    scrolls_too = ", true" * scrolls
    scoring.success(None, None, None, js=f"() => page.finish('{tab}'{scrolls_too})")
    scoring.failure(None, None, None, js=f"() => page.fail('{tab}')")


def for_page(
    handler: Callable[..., tuple[Any, ...]], shown: int, tab: str
) -> Callable[..., list[Any]]:
    """Wrap a handler: put its message and the column of its results before its values.

    Args:
        handler: the handler to call.
        shown: how many values it returns; after an error they stay unchanged and hidden.
        tab: name of the tab.
    """

    def respond(*values: Any) -> list[Any]:
        try:
            outputs = handler(*values)
        except Exception as reason:  # noqa: BLE001 - the page shows any error
            message = show_error(reason, tab)
            return [message, gr.Column(visible=False), *([gr.skip()] * shown)]
        return [gr.HTML("", visible=False), gr.Column(visible=True), *outputs]

    return respond


def show_error(reason: Exception, tab: str) -> gr.HTML:
    """Return the box of the message about an error."""
    return gr.HTML(write_message(explain_error(reason), tab, "message", "alert"), visible=True)


def write_note(text: str) -> gr.HTML:
    """Return the box of messages with a note; hidden if there is none."""
    shown = write_message(text, "", "message note", "status") if text else ""
    return gr.HTML(shown, visible=bool(text))


def explain_error(reason: Exception) -> str:
    """Return the message about an error; log the error if it is unexpected."""
    if isinstance(reason, InputError):
        return get_message(reason)
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
            raise gr.Error(explain_error(reason), print_exception=False) from reason

    return respond


def build_uploads(
    tab: str, label: str, reference_label: str, *, reference_types: list[str], **options: Any
) -> tuple[gr.File, gr.File]:
    """Build the boxes for uploads; their element ids begin with ``tab``.

    Args:
        tab: name of the tab.
        label: of the first box, for tables and text files.
        reference_label: of the second box, for files of references.
        reference_types: the endings of files of references.
        **options: of the first box.
    """
    first = gr.File(
        label=label, file_types=list(SUFFIXES), height=140, elem_id=f"{tab}-upload", **options
    )
    references = gr.File(
        label=reference_label,
        file_types=reference_types,
        file_count="multiple",
        height=140,
        elem_id=f"{tab}-references",
    )
    return first, references


def build_profile(tab: str) -> gr.Dropdown:
    """Build the choice of the profile."""
    return gr.Dropdown(
        list(OFFERED["profile"]),
        value=Choices().profile,
        label=LABELS["profile"],
        elem_classes="inline",
        elem_id=f"{tab}-profile",
    )


def build_language(tab: str) -> gr.Dropdown:
    """Build the choice of the language."""
    return gr.Dropdown(
        [("any", ""), *((title, code) for code, title in PAGE_LANGUAGES.items())],
        value="",
        label=LABELS["language"],
        elem_classes="inline",
        elem_id=f"{tab}-language",
    )


def build_bar(tab: str, end: str = "") -> list[gr.components.Component]:
    """Build the row of the controls of ``Choices``; most are behind "More options".

    Args:
        tab: name of the tab, with which the ids of its elements begin.
        end: what the row ends with, as HTML.

    Returns:
        The controls, in the order of ``Choices``.
    """

    def name(option: str) -> dict[str, Any]:
        return {"label": LABELS[option], "elem_id": f"{tab}-{option.replace('_', '-')}"}

    def offer(option: str, first: str = "as in the profile") -> gr.Dropdown:
        choices = [(value or first, value) for value in OFFERED[option]]
        return gr.Dropdown(choices, value=choices[0][1], **name(option))

    with gr.Row(elem_classes="bar"):
        profile, language = build_profile(tab), build_language(tab)
        with gr.Accordion("More options", open=False, elem_id=f"{tab}-options"):
            with gr.Row():
                orders = range(1, MAX_ORDER + 1)
                max_order = gr.Dropdown(list(orders), value=4, **name("max_order"))
                smooth, bleu_tokenizer = offer("smooth"), offer("bleu_tokenizer")
                effective_order = gr.Checkbox(info="Of BLEU.", **name("effective_order"))
            with gr.Row():
                rouge_types = gr.Dropdown(
                    ROUGE_TYPES, value=DEFAULT_TYPES, multiselect=True, **name("rouge_types")
                )
                rouge_tokenizer = offer("rouge_tokenizer")
                use_stemmer = offer("use_stemmer")
                sentence_splitter = offer("sentence_splitter")
        if end:
            gr.HTML(end, elem_classes="end")
    return [
        max_order,
        smooth,
        bleu_tokenizer,
        rouge_types,
        rouge_tokenizer,
        use_stemmer,
        effective_order,
        sentence_splitter,
        profile,
        language,
    ]

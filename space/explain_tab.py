"""The tab EXPLAIN A PAIR: the scores of one prediction, at every change of an input."""

from typing import Any, Final

import gradio as gr

from .handlers import score_pair, score_texts
from .scores import Choices
from .views import show_scores
from .widgets import WORKERS, answer_live, build_options, build_panel, build_results, for_programs

REFERENCE_BOXES: Final = 5

# By lesson: a prediction, and its references.
EXAMPLES: Final[dict[str, tuple[str, list[str]]]] = {
    "word order": (
        "At noon the ferry leaves the island for the mainland.",
        [
            "The ferry leaves the island for the mainland at noon.",
            "The boat leaves the island at twelve.",
        ],
    ),
    "too short": (
        "The ferry leaves the island.",
        ["The ferry leaves the island at noon for the mainland."],
    ),
    "synonyms": (
        "The boat departs from the isle at twelve.",
        ["The ferry leaves the island at noon."],
    ),
    "Russian": ("Паром уходит с острова в полдень.", ["Паром покидает остров в полдень."]),
    "no 4-gram": (
        "The ferry goes at noon.",
        ["The ferry leaves the island at noon."],
    ),
}
_FIRST: Final = "word order"


def build(page: gr.Blocks) -> None:
    """Build the tab; it opens with the first example."""
    first, references = EXAMPLES[_FIRST]
    with build_panel("explain"):
        with gr.Row():
            with gr.Column():
                prediction = gr.Textbox(
                    first, label="Prediction", lines=3, elem_id="explain-prediction"
                )
                count = gr.Radio(
                    list(range(1, REFERENCE_BOXES + 1)),
                    value=len(references),
                    label="Number of references",
                    elem_id="explain-count",
                )
            with gr.Column():
                boxes = [
                    gr.Textbox(
                        references[place] if place < len(references) else "",
                        label=f"Reference {place + 1}",
                        lines=2,
                        visible=place < len(references),
                        elem_id=f"explain-reference-{place + 1}",
                    )
                    for place in range(REFERENCE_BOXES)
                ]
        with gr.Row(elem_id="explain-examples"):
            for name, (text, others) in EXAMPLES.items():
                button = gr.Button(f"Example: {name}", size="sm", min_width=80)
                values = [text, len(others), *others, *[""] * (REFERENCE_BOXES - len(others))]
                button.click(
                    lambda values=values: values,
                    None,
                    [prediction, count, *boxes],
                    show_progress="hidden",
                    api_visibility="private",
                )
        options = build_options("explain")
        with build_results("explain") as outputs:
            scores = gr.HTML(elem_id="explain-scores")
    show = f"Array.from({{length: {REFERENCE_BOXES}}}, (_, place) => place < count)"
    count.change(
        None,
        count,
        boxes,
        js=f"(count) => {show}.map((visible) => ({{__type__: 'update', visible}}))",
    )
    inputs = [prediction, count, *boxes, *options]
    answer_live("explain", page, show_pair, inputs, [*outputs, scores])
    gr.events.api(for_programs(score_pair), api_name="score_pair", **WORKERS)


def show_pair(prediction: str, reference_count: int, *inputs: Any) -> tuple[Any, ...]:
    """Show every score of one prediction.

    Args:
        prediction: a text; an empty text scores 0.
        reference_count: how many reference boxes are used.
        *inputs: the texts of all reference boxes, then the options.

    Raises:
        InputError: a reference is empty, a text is too long, or the options do not fit together.
    """
    references = list(inputs[:reference_count])
    scored = score_texts(prediction, references, Choices(*inputs[REFERENCE_BOXES:]))
    return (show_scores(scored, f"One prediction, {reference_count} references"),)

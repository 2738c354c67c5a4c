"""The tab EXPLAIN: scores of one prediction and why, at every change of an input."""

from typing import Any, Final

import gradio as gr

from bleu_rouge_metric import explain

from .explain_inputs import REFERENCE_BOXES, fill
from .handlers import score_pair, score_texts
from .labels import write_setter
from .pair_views import show_explanation
from .scores import Choices, score_each
from .tiles import list_views, write_tiles, write_view_choice
from .widgets import (
    COPY_LINK,
    WORKERS,
    answer_live,
    build_bar,
    build_heading,
    build_panel,
    build_results,
    for_programs,
)

MAX_EXPLAINED: Final = 6_000  # characters of a prediction and its references

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


def build(page: gr.Blocks, _: gr.Tab) -> None:
    """Build the tab; it opens with the first example."""
    first, references = EXAMPLES[_FIRST]
    with build_panel("explain"):
        links = " · ".join(
            write_setter("explain", fill(*pair), name) for name, pair in EXAMPLES.items()
        )
        options = build_bar("explain", f"Try {links}")
        with gr.Row(elem_classes="texts", equal_height=True):
            prediction = gr.Textbox(
                first, label="Prediction", lines=2, max_lines=8, elem_id="explain-prediction"
            )
            with gr.Column(elem_id="explain-references", elem_classes="references"):
                boxes = [
                    gr.Textbox(
                        references[place] if place < len(references) else "",
                        label=f"Reference {place + 1}",
                        lines=2,
                        max_lines=8,
                        placeholder="Type a reference" if not place else "Type another reference",
                        elem_id=f"explain-reference-{place + 1}",
                    )
                    for place in range(REFERENCE_BOXES)
                ]
                gr.HTML('<button type="button" class="link add">+ add reference</button>')
        # Buttons in HTML set these.
        view = gr.Textbox("BLEU n-grams", visible="hidden", elem_id="explain-view")
        shown = gr.Textbox("", visible="hidden", elem_id="explain-shown")
        with build_results("explain") as outputs:
            tiles = gr.HTML(elem_id="explain-tiles")
            with build_heading("What matched"):
                choice = gr.HTML(elem_id="explain-choice")
                gr.HTML(COPY_LINK, elem_classes="end")
            scores = gr.HTML(elem_id="explain-scores")
    inputs = [prediction, view, shown, *boxes, *options]
    answer_live("explain", page, show_pair, inputs, [*outputs, tiles, choice, scores])
    gr.events.api(for_programs(score_pair), api_name="score_pair", **WORKERS)


def show_pair(prediction: str, view: str, shown: str, *inputs: Any) -> tuple[Any, ...]:
    """Show every score of one prediction, and why it is what it is.

    Args:
        prediction: a text; an empty text scores 0.
        view: a value of ``list_views``; another one stands for the first.
        shown: the number of the reference that is compared; empty for the one that a score uses.
        *inputs: the texts of all reference boxes, then the options.

    Returns:
        The tiles, the choice of the view, and the explanation, as HTML.

    Raises:
        InputError: a reference is empty, a text is too long, or the options do not fit together.
    """
    boxes = dict(enumerate(inputs[:REFERENCE_BOXES], start=1))
    used = [place for place, text in boxes.items() if place == 1 or text.strip()]
    references = [boxes[place] for place in used]
    choices = Choices(*inputs[REFERENCE_BOXES:])
    scored = score_texts(prediction, references, choices)
    views = list_views(choices)
    score = next((name for name, label in views.items() if label == view), next(iter(views)))
    each = score_each(scored.scorer, **choices.smoothing).get("sentence_bleu", [None])
    size = len(prediction) + sum(map(len, references))
    tiles = write_tiles(scored.together, choices, score, each[0])
    buttons = write_view_choice(choices, score)
    if size > MAX_EXPLAINED:
        note = (
            f'<div class="ours"><p class="note">The texts have {size:,} characters, so they are '
            f"only scored; texts of up to {MAX_EXPLAINED:,} characters are also explained.</p>"
            "</div>"
        )
        return tiles, buttons, note
    explanation = explain(prediction, references, **choices.make_keywords())
    place = int(shown) - 1 if shown.isdecimal() else None
    if place is not None and not 0 <= place < len(references):
        place = None
    shown_as = "".join(
        f'<p class="note">Reference {number} below is the text of the box Reference {box}.</p>'
        for number, box in enumerate(used, start=1)
        if number != box
    )
    how = show_explanation(explanation, scored, score, place)
    return tiles, buttons, f'<div class="ours">{shown_as}</div>{how}' if shown_as else how

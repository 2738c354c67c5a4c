"""The tab EXPLAIN A PAIR: scores of one prediction and why, at every change of an input."""

from typing import Any, Final

import gradio as gr

from bleu_rouge_metric import explain

from .handlers import score_pair, score_texts
from .pair_views import VIEWS, describe_pair, show_explanation
from .scores import Choices
from .views import show_scores
from .widgets import WORKERS, answer_live, build_options, build_panel, build_results, for_programs

REFERENCE_BOXES: Final = 5
MAX_EXPLAINED: Final = 6_000  # characters of a prediction and its references
_CHOSEN: Final = "the one that the score uses"
_REMEDY: Final = "rouge_tokenizer='unicode'"

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
        with gr.Row():
            view = gr.Radio(
                list(VIEWS), value="n-grams", label="Marks show", elem_id="explain-view"
            )
            shown = gr.Dropdown(
                [_CHOSEN, *map(str, range(1, REFERENCE_BOXES + 1))],
                value=_CHOSEN,
                label="Reference that ROUGE and LCS compare",
                elem_id="explain-reference",
            )
        with build_results("explain") as outputs:
            offer = gr.Button(
                "Use the tokenizer unicode", size="sm", visible=False, elem_id="explain-unicode"
            )
            scores = gr.HTML(elem_id="explain-scores")
    tokenizer = options[Choices._fields.index("rouge_tokenizer")]
    offer.click(None, None, tokenizer, js="() => 'unicode'")
    show = f"Array.from({{length: {REFERENCE_BOXES}}}, (_, place) => place < count)"
    count.change(
        None,
        count,
        boxes,
        js=f"(count) => {show}.map((visible) => ({{__type__: 'update', visible}}))",
    )
    inputs = [prediction, count, view, shown, *boxes, *options]
    answer_live("explain", page, show_pair, inputs, [*outputs, scores, offer])
    gr.events.api(for_programs(score_pair), api_name="score_pair", **WORKERS)


def show_pair(
    prediction: str, reference_count: int, view: str, reference: str, *inputs: Any
) -> tuple[Any, ...]:
    """Show every score of one prediction, and why it is what it is.

    Args:
        prediction: a text; an empty text scores 0.
        reference_count: how many reference boxes are used.
        view: a key of ``VIEWS``.
        reference: the number of the reference that is compared, or ``_CHOSEN``.
        *inputs: the texts of all reference boxes, then the options.

    Returns:
        The explanation as HTML, and the button that offers the tokenizer ``unicode``.

    Raises:
        InputError: a reference is empty, a text is too long, or the options do not fit together.
    """
    references = list(inputs[:reference_count])
    choices = Choices(*inputs[REFERENCE_BOXES:])
    scored = score_texts(prediction, references, choices)
    offer = gr.Button(visible=any(_REMEDY in text for text in scored.warnings))
    size = len(prediction) + sum(map(len, references))
    if size > MAX_EXPLAINED:
        said = (
            f"{describe_pair(reference_count)}. They have {size:,} characters together, so they "
            f"are only scored; texts of up to {MAX_EXPLAINED:,} characters are also explained."
        )
        return show_scores(scored, said), offer
    types = list(dict.fromkeys(choices.rouge_types))
    wanted = VIEWS[view]
    every = types if wanted == "bleu" else list(dict.fromkeys([*types, wanted]))
    explanation = explain(prediction, references, **choices._replace(rouge_types=every)._asdict())
    place = int(reference) - 1 if reference != _CHOSEN else None
    if place is not None and place >= reference_count:
        place = None
    return show_explanation(explanation, scored, types, wanted, place), offer

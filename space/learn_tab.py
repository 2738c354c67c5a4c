"""The tab LEARN: how BLEU and ROUGE count, in six steps with an example to change."""

from collections.abc import Callable, Sequence
from html import escape
from typing import Any, Final, NamedTuple

import gradio as gr

from bleu_rouge_metric import Explanation, explain
from bleu_rouge_metric.matching.lcs import UnionLcs
from bleu_rouge_metric.messages import get_message
from bleu_rouge_metric.tables import write_html

from .explain_inputs import fill
from .handlers import check_pair
from .labels import LABELS, write_message, write_setter
from .limits import InputError
from .pair_views import get_bleu, write_bleu, write_pair, write_tokens, write_types
from .scores import Choices, check_choices, drop_missing_stemmer
from .views import show_text, write_score
from .widgets import answer_live, build_language, build_panel, build_profile, build_results

MAX_CHARACTERS: Final = 2_000  # of the texts of a step


def show_pair(found: Explanation, view: str) -> str:
    """Show what matches; the names of references are no buttons."""
    return write_pair(found, view, tab="")


def show_brevity(found: Explanation, choices: Choices) -> str:
    """Show the precision of words, and the brevity penalty."""
    return write_bleu(get_bleu(found), choices.scale)


def show_clipping(found: Explanation, choices: Choices) -> str:
    """Show which words count."""
    first = get_bleu(found).orders[0]
    return (
        f"{show_pair(found, 'bleu')}<p>{first.matches} of {first.total} words count: "
        f"precision {write_score(first.precision, choices.scale)}.</p>"
    )


def show_mean(found: Explanation, choices: Choices) -> str:
    """Show the precisions of all orders, and their geometric mean."""
    zeros = "".join(f"<p>{escape(note)}</p>" for note in found.notes if note.startswith("BLEU is"))
    return f"{show_pair(found, 'bleu')}{write_bleu(get_bleu(found), choices.scale)}{zeros}"


def show_rouge(found: Explanation, _: Choices) -> str:
    """Show precision, recall and F-measure."""
    return f"{show_pair(found, 'rouge1')}{write_types(found, ['rouge1', 'rouge2'])}"


def show_lcs(found: Explanation, _: Choices) -> str:
    """Show the longest common subsequence of the texts, and that of their lines."""
    lines = []
    for lcs in found.lcs["rougeLsum"]:
        if not isinstance(lcs, UnionLcs):
            continue
        for sentence in lcs.sentences:
            tokens = found.references[lcs.reference].sentences[sentence.sentence]
            words = " ".join(tokens[place].form for place in sentence.counted)
            lines.append([f"Line {sentence.sentence + 1} of the reference", show_text(words)])
    table = write_html(["ROUGE-Lsum", "words in an LCS with a line of the prediction"], lines)
    return (
        f"{show_pair(found, 'rougeL')}{write_types(found, ['rougeL', 'rougeLsum'])}"
        f'<div class="wide words">{table}</div>'
    )


class Step(NamedTuple):
    """One lesson.

    Attributes:
        title: what it is about.
        text: what to learn, in Markdown.
        prediction: the example.
        reference: the example; None if the lesson needs none.
        options: of ``Choices``.
        show: writes the explanation as HTML.
        family: what the profile must have; empty for either.
        view: the score whose matches the tab Explain shows.
    """

    title: str
    text: str
    prediction: str
    reference: str | None
    options: dict[str, Any]
    show: Callable[[Explanation, Choices], str]
    family: str = "bleu"
    view: str = "bleu"


STEPS: Final = (
    Step(
        "Tokens",
        "Scores compare **tokens**, not texts. The tokenizer of BLEU splits punctuation off and "
        "keeps capital letters. The tokenizer of ROUGE changes them to lower case and keeps "
        "only the letters a to z and digits, so it cuts words of other languages into pieces.",
        "Müller's café opens at 9.30, doesn't it?",
        None,
        {},
        write_tokens,
        "",
    ),
    Step(
        "Clipping",
        "Precision asks: how many words of the prediction are in the reference? Repeating a word "
        "must not help, so a word counts at most as often as the reference has it. Further "
        "copies of the word are **clipped**.",
        "tea tea tea tea",
        "More tea, please: tea without milk.",
        {"max_order": 1},
        show_clipping,
    ),
    Step(
        "Brevity penalty",
        "A short prediction can have a high precision, because it says only what is safe. BLEU has "
        "no recall to lower its score. Instead, the score of a prediction that is shorter than "
        "the reference is multiplied by a **brevity penalty**.",
        "The ferry leaves.",
        "The ferry leaves the island at noon.",
        {"max_order": 1},
        show_brevity,
    ),
    Step(
        "Geometric mean",
        "BLEU is the **geometric mean** of the precisions of 1-grams to 4-grams, times the brevity "
        "penalty. One precision of 0 makes BLEU 0. This is why BLEU is made for whole test sets, "
        "and why the BLEU of a sentence is smoothed.",
        "The ferry goes at noon.",
        "The ferry leaves the island at noon.",
        {},
        show_mean,
    ),
    Step(
        "Precision, recall, F",
        "ROUGE counts n-grams too, but gives three numbers. **Recall** (R) is the part of the "
        "reference that is in the prediction. **Precision** (P) is the part of the prediction "
        "that is in the reference. **F** is their harmonic mean; it is near the smaller one.",
        "At noon the ferry leaves.",
        "The ferry leaves the island for the mainland at noon.",
        {"rouge_types": ["rouge1", "rouge2"]},
        show_rouge,
        "rouge",
        "rouge1",
    ),
    Step(
        "LCS, and Lsum",
        "ROUGE-L looks for the **longest common subsequence** (LCS): the most words that both "
        "texts have in the same order; other words may stand between them. It takes a text as one "
        "line. ROUGE-Lsum, for summaries, compares every line of the reference with every line of "
        "the prediction, so sentences may change places. Put each sentence on its own line.",
        "Rain stopped the match.\nIt goes on tomorrow.",
        "The match goes on tomorrow.\nHeavy rain had stopped it.",
        {"rouge_types": ["rougeL", "rougeLsum"]},
        show_lcs,
        "rouge",
        "rougeL",
    ),
)

# Two pairs that no count of words tells apart as a reader does.
_LIMITS: Final = (
    ("The new bridge over the river is safe.", "The new bridge over the river is not safe."),
    ("The vessel departs at twelve.", "The ferry leaves at noon."),
)


def build(page: gr.Blocks, own_tab: gr.Tab) -> None:
    """Build the tab."""
    index = "".join(
        f'<li><a href="#learn-{number}" data-go>{step.title}</a></li>'
        for number, step in enumerate(STEPS, start=1)
    )
    with build_panel("learn"):
        with gr.Row(elem_classes="bar"):
            inputs: list[Any] = [build_profile("learn"), build_language("learn")]
        gr.HTML(
            f'<nav class="ours" aria-label="Lessons"><ol class="index">{index}</ol></nav>',
            elem_id="learn-index",
        )
        with build_results("learn") as outputs:
            pass  # Each lesson has its own results.
        for number, step in enumerate(STEPS, start=1):
            gr.Markdown(f"## {number}. {step.title}\n{step.text}", elem_id=f"learn-{number}")
            texts = {"Prediction": step.prediction, "Reference": step.reference}
            with gr.Row():
                inputs += [
                    gr.Textbox(text, label=name, elem_id=f"learn-{number}-{name.lower()}")
                    for name, text in texts.items()
                    if text is not None
                ]
            outputs.append(gr.HTML(elem_id=f"learn-{number}-shown"))
    answer_live("learn", page, show_steps, inputs, outputs, start=own_tab.select)
    gr.Markdown(
        "## What scores cannot tell\nBLEU and ROUGE count words that are the same. They do not "
        "know what words mean: the word *not* hardly changes a score, and a synonym costs as much "
        "as a wrong word. They do not see whether a summary is true. And a difference between two "
        "systems may be chance: the tab **Compare** tests whether it is."
    )
    gr.HTML(write_limits(_LIMITS), elem_id="learn-limits")


def show_steps(profile: str, language: str, *texts: str) -> tuple[Any, ...]:
    """Show what the texts of every step are an example of.

    Args:
        profile: one of ``PAGE_PROFILES``.
        language: one of ``PAGE_LANGUAGES``; empty for any.
        *texts: the prediction of each step, and its reference if it has one.

    Returns:
        The HTML of each step; where a text cannot be scored, the message.
    """
    rest = iter(texts)
    shown = []
    for step in STEPS:
        chosen = Choices(profile=profile, language=language)._replace(**step.options)
        prediction = next(rest)
        # A step without a reference looks only at the prediction.
        reference = prediction if step.reference is None else next(rest)
        try:
            check_choices(chosen)
            own, missing = drop_missing_stemmer(chosen)
            note = write_message(missing, "", "warning", "note") if missing else ""
            shown.append(note + _show_step(step, prediction, reference, own))
        except (ImportError, TypeError, ValueError) as reason:
            shown.append(write_message(get_message(reason), "learn", "message", "alert"))
    return tuple(shown)


def _show_step(step: Step, prediction: str, reference: str, choices: Choices) -> str:
    if step.family and not choices.has(step.family):
        return (
            f'<p class="ours note">{choices.profile} has no {step.family.upper()}; choose another '
            f"under {LABELS['profile']}.</p>"
        )
    if step.reference is not None:
        check_pair(prediction, [reference])
    size = len(prediction) + len(reference)
    if size > MAX_CHARACTERS:
        raise InputError(
            f"The texts have {size:,} characters; this lesson takes up to {MAX_CHARACTERS:,}."
        )
    found = explain(prediction, reference, **choices.make_keywords())
    inputs = fill(prediction, [reference], choices, step.view)
    link = write_setter("explain", inputs, "Try it in Explain")
    return f'<div class="ours">{step.show(found, choices)}<p>{link}</p></div>'


def write_limits(pairs: Sequence[tuple[str, str]]) -> str:
    """Return a table of pairs with their scores."""
    rows = []
    for prediction, reference in pairs:
        found = explain(prediction, reference, rouge_types=["rougeL"])
        scores = get_bleu(found).score, found.rouge["rougeL"].fmeasure
        rows.append([prediction, reference, *scores])
    table = write_html(["Prediction", "Reference", "BLEU", "ROUGE-L"], rows)
    return f'<div class="ours wide words">{table}</div>'

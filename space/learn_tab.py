"""The tab LEARN: how BLEU and ROUGE count, in six steps with an example to change."""

from collections.abc import Callable, Sequence
from html import escape
from typing import Any, Final, NamedTuple

import gradio as gr

from bleu_rouge_metric import Explanation, explain
from bleu_rouge_metric.matching.lcs import UnionLcs
from bleu_rouge_metric.tables import write_html

from .explain_inputs import fill
from .handlers import check_pair
from .labels import write_setter
from .limits import InputError
from .pair_views import get_bleu, write_bleu, write_pair, write_types
from .scores import Choices
from .tiles import list_views
from .views import show_text
from .widgets import answer_live, build_panel, build_results

VIEW_NAMES: Final = list_views(Choices())
MAX_CHARACTERS: Final = 2_000  # of both texts of a step


def show_pair(found: Explanation, view: str) -> str:
    """Show what matches; the names of references are no buttons."""
    return write_pair(found, view, tab="")


def show_tokens(found: Explanation) -> str:
    """Show the tokens of the prediction, as BLEU and as ROUGE see them."""
    rows = []
    for name, tokens in (
        ("BLEU", found.prediction.bleu_tokens),
        ("ROUGE", found.prediction.tokens),
    ):
        items = "".join(f"<li>{escape(show_text(token.form))}</li>" for token in tokens)
        rows.append(f'<p>{name}: {len(tokens)} tokens</p><ul class="chips tokens">{items}</ul>')
    return "".join(rows)


def show_brevity(found: Explanation) -> str:
    """Show the precision of words, and the brevity penalty."""
    return write_bleu(get_bleu(found), 1)


def show_clipping(found: Explanation) -> str:
    """Show which words count."""
    first = get_bleu(found).orders[0]
    return (
        f"{show_pair(found, 'bleu')}<p>{first.matches} of {first.total} words count: "
        f"precision {first.precision:.4f}.</p>"
    )


def show_mean(found: Explanation) -> str:
    """Show the precisions of all orders, and their geometric mean."""
    zeros = "".join(f"<p>{escape(note)}</p>" for note in found.notes if note.startswith("BLEU is"))
    return f"{show_pair(found, 'bleu')}{write_bleu(get_bleu(found), 1)}{zeros}"


def show_rouge(found: Explanation) -> str:
    """Show precision, recall and F-measure."""
    return f"{show_pair(found, 'rouge1')}{write_types(found, ['rouge1', 'rouge2'])}"


def show_lcs(found: Explanation) -> str:
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
        options: of ``explain``.
        show: writes the explanation as HTML.
        view: the score whose matches the tab Explain shows.
    """

    title: str
    text: str
    prediction: str
    reference: str | None
    options: dict[str, Any]
    show: Callable[[Explanation], str]
    view: str = "bleu"


STEPS: Final = (
    Step(
        "Tokens",
        "Scores compare **tokens**, not texts. The tokenizer of BLEU splits punctuation off and "
        "keeps capital letters. The tokenizer of ROUGE changes them to small letters and keeps "
        "only the letters a to z and digits, so it cuts words of other languages into pieces.",
        "Müller's café opens at 9.30, doesn't it?",
        None,
        {},
        show_tokens,
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
        f'<li><a href="#learn-{number}-panel" data-go>{step.title}</a></li>'
        for number, step in enumerate(STEPS, start=1)
    )
    gr.HTML(
        f'<nav class="ours" aria-label="Lessons"><ol class="index">{index}</ol></nav>',
        elem_id="learn-index",
    )
    for number, step in enumerate(STEPS, start=1):
        tab = f"learn-{number}"
        with build_panel(tab):
            gr.Markdown(f"## {number}. {step.title}\n{step.text}")
            pair = fill(step.prediction, [step.reference or step.prediction])
            options = {
                "view": VIEW_NAMES[step.view],
                "max-order": step.options.get("max_order", 4),
                "profile": Choices().profile,
                "language": "",
            }
            gr.HTML(write_setter("explain", {**pair, **options}, "Try it in Explain"))
            with gr.Row():
                inputs = [
                    gr.Textbox(step.prediction, label="Prediction", elem_id=f"{tab}-prediction")
                ]
                if step.reference is not None:
                    inputs.append(
                        gr.Textbox(step.reference, label="Reference", elem_id=f"{tab}-reference")
                    )
            with build_results(tab) as outputs:
                shown = gr.HTML(elem_id=f"{tab}-shown")
        answer_live(tab, page, make_handler(step), inputs, [*outputs, shown], start=own_tab.select)
    gr.Markdown(
        "## What scores cannot tell\nBLEU and ROUGE count words that are the same. They do not "
        "know what words mean: the word *not* hardly changes a score, and a synonym costs as much "
        "as a wrong word. They do not see whether a summary is true. And a difference between two "
        "systems may be chance: the tab **Compare** tests whether it is."
    )
    gr.HTML(write_limits(_LIMITS), elem_id="learn-limits")


def make_handler(step: Step) -> Callable[..., tuple[Any, ...]]:
    """Make the handler of a step: from its texts to its HTML."""

    def respond(*texts: str) -> tuple[Any, ...]:
        # A step without a reference looks only at the prediction.
        prediction, reference = texts[0], texts[-1]
        if step.reference is not None:
            check_pair(prediction, [reference])
        size = sum(map(len, texts))
        if size > MAX_CHARACTERS:
            raise InputError(
                f"The texts have {size:,} characters; this lesson takes up to {MAX_CHARACTERS:,}."
            )
        found = explain(prediction, reference, **step.options)
        return (f'<div class="ours">{step.show(found)}</div>',)

    return respond


def write_limits(pairs: Sequence[tuple[str, str]]) -> str:
    """Return a table of pairs with their scores."""
    rows = []
    for prediction, reference in pairs:
        found = explain(prediction, reference, rouge_types=["rougeL"])
        scores = get_bleu(found).score, found.rouge["rougeL"].fmeasure
        rows.append([prediction, reference, *scores])
    table = write_html(["Prediction", "Reference", "BLEU", "ROUGE-L"], rows)
    return f'<div class="ours wide words">{table}</div>'

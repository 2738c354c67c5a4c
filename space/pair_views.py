"""Convert the explanation of a pair to what the page shows."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final, cast

from bleu_rouge_metric import Explanation
from bleu_rouge_metric.analysis.highlights import choose_reference
from bleu_rouge_metric.analysis.system_words import name_score
from bleu_rouge_metric.families.bleu.explanation import BleuExplanation
from bleu_rouge_metric.families.rouge.explanation import RougeExplanation
from bleu_rouge_metric.tables import write_html

from .labels import LABELS, write_labels
from .marks import draw_lcs, write_text
from .scores import Scored
from .views import show_text, show_warnings, write_digits

VIEWS: Final = {"n-grams": "bleu", "ROUGE-1": "rouge1", "ROUGE-2": "rouge2", "LCS": "rougeL"}


def show_explanation(
    explanation: Explanation, scored: Scored, types: Sequence[str], view: str, reference: int | None
) -> str:
    """Return the whole explanation as HTML.

    Args:
        explanation: of the pair; it may have more ROUGE types than were asked for.
        scored: the scores of the metric.
        types: the ROUGE types to show.
        view: ``bleu`` or a ROUGE type, by which tokens are marked.
        reference: index of the reference that is compared; None for the one that the type chose.
    """
    notes = [note for note in explanation.notes if note not in scored.warnings]
    # A warning that goes on after a note names options of Python.
    starts = tuple(note.removesuffix(".") for note in notes)
    warnings = [warning for warning in scored.warnings if not warning.startswith(starts)]
    boxes = {f"references[{i}]": f"reference {i + 1}" for i in range(len(explanation.references))}
    written = (escape(write_labels(note, {**LABELS, **boxes})) for note in notes)
    lines = "".join(f'<li dir="auto">{note}</li>' for note in written)
    inputs = describe_pair(len(explanation.references))
    return (
        f'{show_warnings(warnings)}<div class="ours">'
        f"{_write_chips(explanation, types)}"
        f"{write_pair(explanation, view, reference)}"
        f'<ul class="notes">{lines}</ul>'
        f'<div class="scores">{write_orders(explanation)}{write_types(explanation, types)}</div>'
        f"{write_lengths(explanation)}"
        f'<p class="inputs">{inputs}. {escape(scored.scorer.signature())}</p>'
        f"{write_digits(scored.together)}</div>"
    )


def describe_pair(references: int) -> str:
    """Say how many references the prediction has.

    >>> describe_pair(1), describe_pair(2)
    ('One prediction, 1 reference', 'One prediction, 2 references')
    """
    return f"One prediction, {references} reference{'s' * (references > 1)}"


def get_bleu(explanation: Explanation) -> BleuExplanation:
    """Return the explanation of BLEU; the page scores BLEU always, and GLEU never."""
    return cast("BleuExplanation", explanation.bleu)


def _write_chips(explanation: Explanation, types: Sequence[str]) -> str:
    chips = {"BLEU": get_bleu(explanation).score}
    chips |= {name_score(name): explanation.rouge[name].fmeasure for name in types}
    shown = "".join(f"<li>{name} <b>{value:.4f}</b></li>" for name, value in chips.items())
    return f'<ul class="chips">{shown}</ul>'


def write_pair(explanation: Explanation, view: str, reference: int | None = None) -> str:
    """Return the prediction and its references with marks, and the drawing of an LCS."""
    drawing = draw_lcs(explanation, view, reference) if view == "rougeL" else ""
    legend = {
        "bleu": "A digit is the length of the longest matching n-gram that contains the word. × "
        "means clipped: the word matches, but no reference has it that often.",
        "rougeL": "Marked words are in the longest common subsequence.",
    }.get(view, "Marked n-grams count. × means clipped: the other text has them less often.")
    return (
        f'<div class="pair">{drawing}{write_marked(explanation, view, reference)}'
        f'<p class="note">{legend} Point at a mark, or move to it with the Tab key, to see what '
        "it matches.</p></div>"
    )


def write_marked(
    explanation: Explanation, view: str, reference: int | None = None, name: str = "Prediction"
) -> str:
    """Return the prediction and the references that it is compared with, with marks."""
    chosen = choose_reference(explanation, view, reference)
    shown = range(len(explanation.references)) if view == "bleu" else [chosen]
    rows = [(name, write_text(explanation, "prediction", view, reference))]
    rows += [(f"Reference {place + 1}", write_text(explanation, place, view)) for place in shown]
    return write_texts(rows)


def write_texts(rows: Iterable[tuple[str, str]]) -> str:
    """Return texts below their names: ``rows`` has names as they are, and texts as HTML."""
    texts = "".join(
        f'<dt>{escape(show_text(name))}</dt><dd class="text" dir="auto">{text}</dd>'
        for name, text in rows
    )
    return f"<dl>{texts}</dl>"


def write_orders(explanation: Explanation) -> str:
    """Return BLEU as a product: a row for each order."""
    bleu = get_bleu(explanation)
    rows = [
        [
            str(order.order),
            str(order.matches),
            str(order.total),
            order.precision,
            "−∞" if order.contribution is None else f"{order.contribution:.4f}",
        ]
        for order in bleu.orders
    ]
    smoothed = any(order.smoothed != order.precision for order in bleu.orders)
    if smoothed:
        for row, order in zip(rows, bleu.orders, strict=True):
            row.insert(4, order.smoothed)
    head = ["n", "matched", "of", "p", *["smoothed p"] * smoothed, "w log p"]
    return f'<div class="wide bleu">{write_html(head, rows, caption="BLEU")}</div>'


def write_types(explanation: Explanation, types: Sequence[str]) -> str:
    """Return what each ROUGE type counts, in the reference that it uses."""
    rows = [[name_score(name), *_list_counts(explanation.rouge[name])] for name in types]
    head = ["type", "match", "pred", "ref", "P", "R", "F", "reference"]
    return f'<div class="wide rouge">{write_html(head, rows, caption="ROUGE")}</div>'


def _list_counts(rouge: RougeExplanation) -> list[object]:
    parts: list[object] = [rouge.precision, rouge.recall, rouge.fmeasure]
    if rouge.reference is None:
        return ["", "", "", *parts, rouge.multi_reference]
    pair = rouge.references[rouge.reference]
    counts = (pair.hits, pair.prediction_total, pair.reference_total)
    return [*(f"{count:g}" for count in counts), *parts, str(rouge.reference + 1)]


def write_lengths(explanation: Explanation) -> str:
    """Return the brevity penalty: both lengths as bars, and the formula."""
    bleu = get_bleu(explanation)
    lengths = {"prediction": bleu.prediction_length, "reference": bleu.reference_length}
    most = max([1, *lengths.values()])
    bars = "".join(
        f'<div><span>{name}</span><span class="length" style="width: {60 * length / most:.1f}%">'
        f"</span><span>{length:g}</span></div>"
        for name, length in lengths.items()
    )
    if bleu.prediction_length >= bleu.reference_length:
        formula = "1, because the prediction is not shorter than the reference"
    elif bleu.prediction_length:
        ratio = f"{bleu.reference_length:g}/{bleu.prediction_length}"
        formula = f"exp(1 − {ratio}) = {bleu.brevity_penalty:.4f}"
    else:
        formula = "0, because the prediction has no token"
    product = "0, because one of its factors is 0"
    if bleu.logarithm is not None:
        exponent = " + ".join(f"{order.contribution:.4f}" for order in bleu.orders)
        product = f"{bleu.brevity_penalty:.4f} × exp({exponent}) = {bleu.score:.4f}"
    return (
        f'<div class="lengths" aria-label="Lengths in tokens" role="group">{bars}</div>'
        f"<p>Brevity penalty = {formula}</p><p>BLEU = {product}</p>"
    )

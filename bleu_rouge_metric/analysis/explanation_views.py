"""Show an explanation: as tables in plain text, and as HTML that needs nothing from elsewhere."""

import re
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Final

from ..tables import show, write_html, write_text
from .explanation_scores import BleuExplanation, GleuExplanation
from .highlights import CLIPPED, LCS, list_spans, split_text

if TYPE_CHECKING:
    from .explanation import Explanation

_ORDERS: Final = ("n", "matched", "of", "precision", "smoothed", "weight", "w log p")
_TYPES: Final = ("type", "reference", "matched", "prediction", "reference has", "P", "R", "F")

_SURROGATES: Final = re.compile("[\ud800-\udfff]")

# Dark text on light marks, which has enough contrast in a light and in a dark page.
_STYLE: Final = (
    ".explained{white-space:pre-wrap;overflow-wrap:anywhere}"
    ".explained mark{color:#111;background:#cfe3ff;border-radius:.2em;padding:0 .1em}"
    ".explained mark.lcs{background:#c9f0d0}"
    ".explained mark.clipped{background:#ffe0b3;text-decoration:line-through}"
)


def write_explanation(explanation: "Explanation") -> str:
    """Return the scores in tables, the marked prediction by score, and the notes."""
    parts: list[str] = []
    for view in _list_views(explanation):
        marked = "".join(
            f"[{piece}]{_sign(label)}" if label else piece
            for piece, label in split_text(
                explanation.prediction.text, list_spans(explanation, view=view)
            )
        )
        parts.append(f"{view}: {marked}")
    if bleu := explanation.bleu:
        parts.append(_describe_bleu(bleu))
        if isinstance(bleu, BleuExplanation):
            rows = [list(map(show, row)) for row in _list_orders(bleu)]
            parts.append(write_text(_ORDERS, rows))
    if explanation.rouge:
        parts.append(write_text(_TYPES, (list(map(show, row)) for row in _list_types(explanation))))
    if explanation.notes:
        parts.append("\n".join(explanation.notes))
    return _replace_surrogates("\n\n".join(parts))


def write_explanation_html(explanation: "Explanation") -> str:
    """Return marked texts, tables and notes as one escaped element."""
    parts: list[str] = [f"<style>{_STYLE}</style>"]
    for view in _list_views(explanation):
        parts.append(f"<h4>{escape(view)}</h4>")
        names = ["prediction", *range(len(explanation.references))]
        texts = [explanation.prediction, *explanation.references]
        for name, text in zip(names, texts, strict=True):
            spans = list_spans(explanation, name, view)
            marked = "".join(_mark(*piece) for piece in split_text(text.text, spans))
            title = name if name == "prediction" else f"reference {name}"
            parts.append(f'<p dir="auto"><b>{title}</b>: {marked}</p>')
    if bleu := explanation.bleu:
        parts.append(f"<p>{escape(_describe_bleu(bleu))}</p>")
        if isinstance(bleu, BleuExplanation):
            parts.append(write_html(_ORDERS, _list_orders(bleu)))
    if explanation.rouge:
        parts.append(write_html(_TYPES, _list_types(explanation)))
    parts += [f"<p>{escape(note)}</p>" for note in explanation.notes]
    return f'<div class="explained">{_replace_surrogates("".join(parts))}</div>'


def _list_views(explanation: "Explanation") -> list[str]:
    """Return the scores that have marks: BLEU first, then the ROUGE types."""
    return [*dict.fromkeys([*explanation.matches, *explanation.lcs])]


def _sign(label: str) -> str:
    """Write the label of a piece as a sign behind it: the order of an n-gram, × for clipped."""
    return {CLIPPED: "×", LCS: "", "skip-bigram": "s"}.get(label, label.partition("-")[0])


def _mark(piece: str, label: str) -> str:
    """Return a piece of a text in HTML."""
    if not label:
        return escape(piece)
    kind = {CLIPPED: ' class="clipped"', LCS: ' class="lcs"'}.get(label, "")
    sign = _sign(label)
    sup = f"<sup>{sign}</sup>" if sign else ""
    return f'<mark{kind} title="{label}">{escape(piece)}{sup}</mark>'


def _describe_bleu(bleu: BleuExplanation | GleuExplanation) -> str:
    """Write BLEU as a product in a line."""
    if isinstance(bleu, BleuExplanation):
        exponent = "minus infinity" if bleu.exponent is None else show(bleu.exponent)
        return (
            f"BLEU {show(bleu.score)} (of the sentence {show(bleu.sentence_score)}); brevity "
            f"penalty {show(bleu.brevity_penalty)} = exp({exponent}): {bleu.prediction_length} "
            f"tokens, reference length {show(bleu.reference_length)}"
        )
    return (
        f"Google BLEU {show(bleu.score)} = {bleu.matches} / {bleu.total}, "
        f"reference {bleu.reference}"
    )


def _list_orders(bleu: BleuExplanation) -> Iterator[list[object]]:
    """Iterate over a row for each order."""
    for order in bleu.orders:
        contribution = "-inf" if order.contribution is None else order.contribution
        yield [*order[:-1], contribution]


def _list_types(explanation: "Explanation") -> Iterator[list[object]]:
    """Iterate over a row for each type and reference, and one for the score of several."""
    for name, rouge in explanation.rouge.items():
        for index, pair in enumerate(rouge.references):
            chosen = " *" if index == rouge.reference else ""
            numbers = (pair.hits, pair.prediction_total, pair.reference_total)
            scores = (pair.precision, pair.recall, pair.fmeasure)
            yield [name, f"{index}{chosen}", *numbers, *scores]
        if rouge.reference is None:
            scores = (rouge.precision, rouge.recall, rouge.fmeasure)
            yield [name, rouge.multi_reference, "", "", "", *scores]


def _replace_surrogates(text: str) -> str:
    """Return a text that can be written as UTF-8."""
    return _SURROGATES.sub("\ufffd", text)

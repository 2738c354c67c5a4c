"""Show an explanation: as tables in plain text, and as HTML that needs nothing from elsewhere."""

from collections.abc import Callable, Iterator
from html import escape
from typing import TYPE_CHECKING, Final

from ..tables import make_printable, show, write_html, write_text
from .highlights import CLIPPED, LCS, list_spans, list_views, split_text

if TYPE_CHECKING:
    from .explanation import Explanation

# Pieces of a text with their labels; and from both to a marked piece.
Pieces = Iterator[tuple[str, str]]
Mark = Callable[[str, str], str]

_ORDERS: Final = ("n", "matched", "of", "precision", "smoothed", "weight", "w log p")
_TYPES: Final = ("type", "reference", "matched", "prediction", "reference has", "P", "R", "F")

# Dark text on light marks, which has enough contrast in a light and in a dark page.
_STYLE: Final = (
    ".explained{white-space:pre-wrap;overflow-wrap:anywhere}"
    ".explained mark{color:#111;background:#cfe3ff;border-radius:.2em;padding:0 .1em}"
    ".explained mark.lcs{background:#c9f0d0}"
    ".explained mark.clipped{background:#ffe0b3;text-decoration:line-through}"
)


def bracket(piece: str, label: str) -> str:
    """Return a marked piece of a text in plain text.

    >>> bracket("a cat", "2-gram"), bracket("the", "clipped")
    ('[a cat]2', '[the]×')
    """
    return f"[{piece}]{_sign(label)}"


def write_explanation(explanation: "Explanation", mark: Mark = bracket) -> str:
    """Return the marked texts by score, the scores in tables, and the notes.

    Args:
        explanation: of a pair.
        mark: from a piece of a text and its label to the piece with its mark.
    """
    parts: list[str] = []
    for view in list_views(explanation):
        lines = [
            f"  {title}: {_mark_pieces(pieces, mark)}"
            for title, pieces in _list_texts(explanation, view)
        ]
        parts.append("\n".join([view, *lines]))
    if bleu := explanation.bleu:
        parts.append(bleu.describe())
        if rows := [list(map(show, row)) for row in bleu.list_factors()]:
            parts.append(write_text(_ORDERS, rows))
    if explanation.rouge:
        parts.append(write_text(_TYPES, (list(map(show, row)) for row in _list_types(explanation))))
    if explanation.notes:
        parts.append(make_printable("\n".join(explanation.notes)))
    return "\n\n".join(parts)


def write_explanation_html(explanation: "Explanation") -> str:
    """Return marked texts, tables and notes as one escaped element."""
    parts: list[str] = [f"<style>{_STYLE}</style>"]
    for view in list_views(explanation):
        parts.append(f"<h4>{escape(view)}</h4>")
        for title, pieces in _list_texts(explanation, view):
            marked = "".join(_mark(*piece) for piece in pieces)
            parts.append(f'<p dir="auto"><b>{title}</b>: {marked}</p>')
    if bleu := explanation.bleu:
        parts.append(f"<p>{escape(bleu.describe())}</p>")
        if factors := [*bleu.list_factors()]:
            parts.append(write_html(_ORDERS, factors))
    if explanation.rouge:
        parts.append(write_html(_TYPES, _list_types(explanation)))
    parts += [f"<p>{escape(note)}</p>" for note in explanation.notes]
    return f'<div class="explained">{make_printable("".join(parts))}</div>'


def _list_texts(explanation: "Explanation", view: str) -> Iterator[tuple[str, Pieces]]:
    """Iterate over the prediction and the references, each with its pieces and their labels."""
    spans = list_spans(explanation, view=view)
    yield "prediction", split_text(explanation.prediction.text, spans)
    for index, reference in enumerate(explanation.references):
        spans = list_spans(explanation, index, view)
        yield f"reference {index}", split_text(reference.text, spans)


def _mark_pieces(pieces: Pieces, mark: Mark) -> str:
    return "".join(
        mark(make_printable(piece), label) if label else make_printable(piece)
        for piece, label in pieces
    )


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

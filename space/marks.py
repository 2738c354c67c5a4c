"""Write explained texts as HTML in which matching tokens are marked and linked.

Every piece of a text is escaped. A mark has the ids of the n-grams around it; a pointer or the
focus on a mark lights the marks that share its longest n-gram: ``page.js`` does that.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import chain
from typing import Final
from unicodedata import east_asian_width

from bleu_rouge_metric.analysis.explanation import Explanation
from bleu_rouge_metric.analysis.highlights import (
    CLIPPED,
    Span,
    choose_reference,
    list_spans,
    split_text,
)
from bleu_rouge_metric.matching.lcs import Lcs

from .views import show_text

_MOST_DRAWN: Final = 60  # tokens in a row of the drawing of an LCS
# Of this drawing, in pixels.
_CELL: Final = 8.4
_GAP: Final = 10.0
_ROW: Final = 70

# From the position of a token to the ids of the n-grams around it, by order.
_Ids = dict[int, dict[int, list[str]]]


def write_text(
    explanation: Explanation, text: str | int, view: str, reference: int | None = None
) -> str:
    """Return one text as HTML, with a mark for every span of ``list_spans``.

    Args:
        explanation: of a pair.
        text: as in ``list_spans``.
        view: as in ``list_spans``.
        reference: as in ``list_spans``.
    """
    is_prediction = text == "prediction"
    whole = explanation.prediction if is_prediction else explanation.references[int(text)]
    spans = list_spans(explanation, text, view, reference)
    ids = _find_ids(explanation, text, view, reference)
    tokens = whole.bleu_tokens if view == "bleu" else whole.tokens
    starts = {token.start: place for place, token in reversed(list(enumerate(tokens)))}
    marked = {span.start: span for span in spans}
    at, pieces = 0, []
    for piece, label in split_text(whole.text, spans):
        shown = escape(show_text(piece))
        if label:
            shown = _write_mark(shown, marked[at], ids.get(starts.get(at, -1), {}))
        pieces.append(shown)
        at += len(piece)
    return "".join(pieces)


def _write_mark(shown: str, span: Span, ids: Mapping[int, Sequence[str]]) -> str:
    """Return a mark: a digit says the longest n-gram, a cross that it is clipped."""
    every = " ".join(name for names in ids.values() for name in names)
    longest = " ".join(ids[max(ids)]) if ids else ""
    label, style, sign = span.label, "", ""
    if label == CLIPPED:
        style, sign = ' class="clipped"', "<sub>×</sub>"
    elif label.endswith("-gram"):
        sign = f"<sub>{label.removesuffix('-gram')}</sub>"
    return (
        f'<mark{style} tabindex="0" title="{label}" data-ids="{every}" '
        f'data-links="{longest}">{shown}{sign}</mark>'
    )


def _find_ids(explanation: Explanation, text: str | int, view: str, reference: int | None) -> _Ids:
    """Return the ids of all matches around each token of a text."""
    found: _Ids = defaultdict(lambda: defaultdict(list))
    index = None if text == "prediction" else int(text)
    other = index if index is not None else choose_reference(explanation, view, reference)
    if view in explanation.lcs:
        lcs = explanation.lcs[view][other]
        if isinstance(lcs, Lcs):
            for number, pair in enumerate(lcs.pairs):
                found[pair[0 if index is None else 1]][1].append(f"l{number}")
        return found
    compared = None if view == "bleu" else other
    for item in explanation.matches[view]:
        if item.reference != compared:
            continue
        for number, match in enumerate(item.matched):
            where = match.list_positions(index)
            for position in set(chain(*where.counted, *where.clipped)):
                found[position][item.order].append(f"n{item.order}-{number}")
    return found


def draw_lcs(explanation: Explanation, view: str, reference: int | None) -> str:
    """Draw the tokens of both texts in two rows, joined by a line for each pair of the LCS.

    Returns:
        The drawing as HTML; empty if a text has too many tokens to draw.
    """
    other = choose_reference(explanation, view, reference)
    lcs = explanation.lcs[view][other]
    rows = [
        [show_text(token.form) for token in whole.tokens]
        for whole in (explanation.prediction, explanation.references[other])
    ]
    if not isinstance(lcs, Lcs) or max(map(len, rows)) > _MOST_DRAWN:
        return ""
    places = [list(_place_tokens(row)) for row in rows]
    width = max([1.0, *(start + size for row in places for start, size in row)])
    parts = []
    for number, (here, there) in enumerate(lcs.pairs):
        (x, first), (y, second) = places[0][here], places[1][there]
        parts.append(
            f'<path class="line" data-ids="l{number}" d="M{x + first / 2:.1f} 24'
            f'L{y + second / 2:.1f} {_ROW - 4}"/>'
        )
    for side, (row, row_places) in enumerate(zip(rows, places, strict=True)):
        matched = {pair[side] for pair in lcs.pairs}
        for place, (form, (start, size)) in enumerate(zip(row, row_places, strict=True)):
            style = ' class="in"' if place in matched else ""
            parts.append(
                f'<text{style} x="{start:.1f}" '
                f'y="{18 if side == 0 else _ROW + 14}" textLength="{size:.1f}" '
                f'lengthAdjust="spacingAndGlyphs">{escape(form)}</text>'
            )
    title = f"The longest common subsequence has {len(lcs.pairs)} tokens"
    height = _ROW + 26
    return (
        f'<div class="lcs" tabindex="0" role="group" aria-label="{title}"><svg role="img" '
        f'aria-label="{title}" width="{width:.0f}" height="{height}" '
        f'viewBox="0 0 {width:.0f} {height}">{"".join(parts)}</svg></div>'
    )


def _place_tokens(row: Sequence[str]) -> Iterator[tuple[float, float]]:
    """Iterate over the left end and the width of each token; wide characters take two cells."""
    at = 0.0
    for form in row:
        size = _CELL * sum(2 if east_asian_width(one) in "WF" else 1 for one in form)
        yield at, max(size, _CELL)
        at += max(size, _CELL) + _GAP

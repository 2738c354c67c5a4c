"""Mark the tokens of an explained text: spans for Gradio, displaCy and HTML.

A mark says for a token the longest n-gram around it that counts, that it is in the LCS, or that it
is clipped: it matches, but more often than the other side has it. Tokens that match nothing have no
mark.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from ..checks import check_choice
from ..matching.lcs import Lcs, UnionLcs
from ..matching.ngrams import Matches, Positions
from ..text.alignment import Token

if TYPE_CHECKING:
    from .explanation import ExplainedText, Explanation

CLIPPED: Final = "clipped"
LCS: Final = "LCS"

# From the position of a token to its label.
_Labels = dict[int, str]


@dataclass(frozen=True)
class Span:
    """A marked piece of a text.

    Attributes:
        start: index of its first character.
        end: index behind its last character.
        label: ``1-gram`` and so on, ``skip-bigram``, ``LCS`` or ``clipped``.
    """

    start: int
    end: int
    label: str


def list_views(explanation: "Explanation") -> list[str]:
    """List the scores that have marks: BLEU first, then the ROUGE types."""
    return [*explanation.matches, *explanation.lcs]


def list_spans(
    explanation: "Explanation",
    text: str | int = "prediction",
    view: str | None = None,
    reference: int | None = None,
) -> list[Span]:
    """List the marks of one text.

    Args:
        explanation: of a pair.
        text: ``prediction``, or the index of a reference.
        view: ``bleu``, ``google_bleu`` or a ROUGE type that is explained; None for the first one.
        reference: index of the reference that the prediction is compared with; None for the one
            that the type chooses, or the first one. BLEU compares with all of them.

    Returns:
        The marks in order; none is empty, and none overlaps the one before.

    Raises:
        TypeError: the view is not a str.
        ValueError: the view, the text or the reference is not there.
    """
    views = list_views(explanation)
    chosen = views[0] if view is None else check_choice("view", view, views)
    index = _check_text(explanation, text)
    other = index if index is not None else choose_reference(explanation, chosen, reference)
    whole = explanation.prediction if index is None else explanation.references[index]
    marks: list[tuple[Token, str]]
    if chosen in explanation.matches:
        tokens = whole.tokens if chosen in explanation.rouge else whole.bleu_tokens
        # BLEU clips by all references together.
        matches = [item for item in explanation.matches[chosen] if item.reference in (None, other)]
        labels = _label_ngrams(matches, index)
        marks = [(tokens[position], label) for position, label in sorted(labels.items())]
    else:
        marks = list(_mark_lcs(explanation.lcs[chosen][other], whole, is_prediction=index is None))
    return list(_join_marks(marks))


def _check_text(explanation: "Explanation", text: str | int) -> int | None:
    """Return the index of a reference; None for the prediction."""
    if text == "prediction":
        return None
    return _check_index("text", text, explanation, "'prediction' or ")


def choose_reference(explanation: "Explanation", view: str, reference: int | None) -> int:
    """Return the reference that a prediction is compared with; the arguments are of ``list_spans``.

    Raises:
        ValueError: the reference is not there.
    """
    if reference is not None:
        return _check_index("reference", reference, explanation, "")
    scores = explanation.rouge.get(view) or explanation.bleu
    return (scores and scores.reference) or 0


def _check_index(name: str, index: object, explanation: "Explanation", other: str) -> int:
    count = len(explanation.references)
    if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < count:
        raise ValueError(
            f"{name} is {index!r}; expected {other}the index of a reference, from 0 to {count - 1}."
        )
    return index


def _label_ngrams(matches: Sequence[Matches], index: int | None) -> _Labels:
    """Label the tokens in n-grams that match; ``index`` is that of a reference."""
    labels: _Labels = {}
    for item in sorted(matches, key=lambda item: item.order):
        label = "skip-bigram" if item.kind == "skip-bigrams" else f"{item.order}-gram"
        clipped = list[Positions]()
        for match in item.matched:
            found = match.list_positions(index)
            labels.update(dict.fromkeys(chain.from_iterable(found.counted), label))
            clipped += found.clipped
        for position in chain.from_iterable(clipped):
            labels.setdefault(position, CLIPPED)
    return labels


def _mark_lcs(
    lcs: Lcs | UnionLcs, whole: "ExplainedText", *, is_prediction: bool
) -> Iterator[tuple[Token, str]]:
    """Iterate over the tokens of a text that are in the LCS, with their labels."""
    side = 0 if is_prediction else 1
    if isinstance(lcs, Lcs):
        yield from ((whole.tokens[pair[side]], LCS) for pair in lcs.pairs)
        return
    labels: dict[tuple[int, int], str] = {}
    for sentence in lcs.sentences:
        counted = set(sentence.counted)
        for found in sentence.lcs:
            for here, there in found.pairs:
                place = (found.sentence, here) if is_prediction else (sentence.sentence, there)
                if there in counted:
                    labels[place] = LCS
                else:
                    labels.setdefault(place, CLIPPED)
    for (number, position), label in sorted(labels.items()):
        yield whole.sentences[number][position], label


def _join_marks(marks: Sequence[tuple[Token, str]]) -> Iterator[Span]:
    """Iterate over spans; tokens that share a character make one, with the first one's label."""
    last: Span | None = None
    for token, label in marks:
        if not token.text:
            continue
        if last is not None and token.start < last.end:
            last = Span(last.start, token.end, last.label)
            continue
        if last is not None:
            yield last
        last = Span(token.start, token.end, label)
    if last is not None:
        yield last


def to_entities(text: str, spans: Sequence[Span]) -> dict[str, Any]:
    """Return the value of Gradio's ``HighlightedText``.

    >>> to_entities("a cat", [Span(2, 5, "1-gram")])
    {'text': 'a cat', 'entities': [{'entity': '1-gram', 'start': 2, 'end': 5}]}
    """
    entities = [{"entity": span.label, "start": span.start, "end": span.end} for span in spans]
    return {"text": text, "entities": entities}


def to_ents(text: str, spans: Sequence[Span]) -> dict[str, Any]:
    """Return a document of displaCy: ``displacy.render(..., style="ent", manual=True)``.

    >>> to_ents("a cat", [Span(2, 5, "1-gram")])
    {'text': 'a cat', 'ents': [{'start': 2, 'end': 5, 'label': '1-gram'}], 'title': None}
    """
    ents = [{"start": span.start, "end": span.end, "label": span.label} for span in spans]
    return {"text": text, "ents": ents, "title": None}


def split_text(text: str, spans: Sequence[Span]) -> Iterator[tuple[str, str]]:
    """Iterate over all pieces of a text, each with its label; empty for none.

    >>> list(split_text("a cat.", [Span(2, 5, "1-gram")]))
    [('a ', ''), ('cat', '1-gram'), ('.', '')]
    """
    at = 0
    for span in spans:
        if span.start > at:
            yield text[at : span.start], ""
        yield text[span.start : span.end], span.label
        at = span.end
    if at < len(text):
        yield text[at:], ""

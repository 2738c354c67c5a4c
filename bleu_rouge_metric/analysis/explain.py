"""Explain the scores of one prediction: matching n-grams, the LCS, and why a score is 0.

Spans mark the texts. A label says for a token the longest n-gram around it that counts, that it is
in the LCS, or that it is clipped: it matches, but more often than the other side has it. Tokens
that match nothing have no mark.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from ..checks import check_choice
from ..families.bleu.explanation import BleuExplanation
from ..families.coco_bleu import CocoBleuExplanation
from ..families.gleu import GleuExplanation
from ..families.registry import find_family
from ..families.rouge.explanation import RougeExplanation
from ..matching.lcs import Lcs, UnionLcs
from ..matching.ngrams import Matches
from ..matching.texts import FoundTokens, list_losses, name_text
from ..messages import Argument
from ..options.errors import name_arguments, refuse_options
from ..options.options import Options
from ..options.plans import Plan
from ..options.profiles import Family, check_family
from ..options.table import option_names
from ..samples.inputs import check_pair
from ..scoring.counting import count_samples
from ..scoring.text_warnings import warn_of_texts
from ..tables import Report, Result, Table, make_printable, show
from ..text.align import Token
from ..text.warnings import collect_warnings

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options.keywords import ExplainKeywords

Tokens = tuple[Token, ...]

# Pieces of a text, each with its label.
_Pieces = Iterator[tuple[str, str]]

_LEGEND: Final = (
    "Brackets mark matches: [the]2 is part of a 2-gram, [the]s of a skip-bigram, and [the]× is "
    "clipped."
)
_CLIPPED: Final = "clipped"
_LCS: Final = "LCS"

_ORDERS: Final = ("n", "matched", "of", "precision", "smoothed", "weight", "w log p")
_TYPES: Final = ("type", "reference", "matched", "prediction", "reference has", "P", "R", "F")

# Dark text on light marks, which has enough contrast in a light and in a dark page.
_STYLE: Final = (
    "<style>.explained{white-space:pre-wrap;overflow-wrap:anywhere}"
    ".explained mark{color:#111;background:#cfe3ff;border-radius:.2em;padding:0 .1em}"
    ".explained mark.lcs{background:#c9f0d0}"
    ".explained mark.clipped{background:#ffe0b3;text-decoration:line-through}</style>"
)


@dataclass(frozen=True)
class Span:
    """A marked piece of a text.

    Attributes:
        start: index of its first character.
        end: index after its last character.
        label: ``1-gram`` and so on, ``skip-bigram``, ``LCS`` or ``clipped``.
    """

    start: int
    end: int
    label: str


@dataclass(frozen=True)
class ExplainedText:
    """A text and its tokens.

    BLEU and ROUGE may have different tokenizers and options, so each has tokens of its own.

    Attributes:
        text: as it was given.
        tokens: those of ROUGE; those of BLEU if ROUGE is not scored.
        bleu_tokens: those of BLEU; empty if BLEU is not scored.
        sentences: the tokens of each sentence, as ``rougeLsum`` and ``rougeW`` compare them; empty
            if no type looks at sentences.
    """

    text: str
    tokens: Tokens
    bleu_tokens: Tokens = ()
    sentences: tuple[Tokens, ...] = ()


@dataclass(frozen=True)
class Explanation(Result):
    """How the scores of a prediction are computed, as plain data.

    Attributes:
        prediction: the text and its tokens.
        references: each text and its tokens.
        matches: by score, which n-grams match. ``bleu``: one item for each order, of
            ``bleu_tokens``. A ROUGE type: one item for each reference, of ``tokens``; ``rougeSU``
            has two, skip-bigrams and unigrams. ``google_bleu``: one for each reference and order.
        lcs: by type (``rougeL``, ``rougeLsum``, ``rougeW``), the LCS with each reference.
        bleu: BLEU as a product; None if it is not scored.
        rouge: by type, the scores of each reference.
        notes: one sentence each: why a score is 0, what the tokenizer drops, and the warnings that
            the library gives for these texts and options.
    """

    prediction: ExplainedText
    references: tuple[ExplainedText, ...]
    matches: dict[str, tuple[Matches, ...]]
    lcs: dict[str, tuple[Lcs | UnionLcs, ...]]
    bleu: BleuExplanation | CocoBleuExplanation | GleuExplanation | None
    rouge: dict[str, RougeExplanation]
    notes: tuple[str, ...]

    def spans(
        self, text: str | int = "prediction", view: str | None = None, reference: int | None = None
    ) -> list[Span]:
        """Return the marks of a text.

        Args:
            text: ``prediction``, or the index of a reference.
            view: ``bleu``, ``google_bleu`` or a ROUGE type that is explained; None for the first.
            reference: index of the reference that the prediction is compared with; None for the one
                that the type chooses, or the first one. BLEU compares with all of them.

        Returns:
            The marks in order; none is empty, and none overlaps the one before.

        Raises:
            TypeError: the view is not a str.
            ValueError: there is no such view, text or reference.

        >>> explain("a cat sat", "the cat sat", rouge_types=["rouge1"]).spans(0, "rouge1")[0]
        Span(start=4, end=7, label='1-gram')
        """
        views = [*self.matches, *self.lcs]
        chosen = views[0] if view is None else check_choice("view", view, views)
        index = None
        if text != "prediction":
            index = _check_index("text", text, self, "'prediction' or ")
        other = choose_reference(self, chosen, reference) if index is None else index
        whole = self.prediction if index is None else self.references[index]
        if chosen in self.lcs:
            lcs = self.lcs[chosen][other]
            return _join_marks(_mark_lcs(lcs, whole, is_prediction=index is None))
        family = find_family(chosen)
        is_bleu = family is not None and family.group == "bleu"
        tokens = whole.bleu_tokens if is_bleu else whole.tokens
        # BLEU clips by all references together.
        matches = [item for item in self.matches[chosen] if item.reference in (None, other)]
        labels = sorted(_label_ngrams(matches, index).items())
        return _join_marks((tokens[position], label) for position, label in labels)

    def report(self) -> Report:
        """Return tables of what counts, BLEU in one line, and the notes."""
        tables = [
            Table(head, [list(map(show, row)) for row in rows])
            for head, rows in self._list_tables()
        ]
        return Report(tables, [self.bleu.describe()] if self.bleu else [], self.notes)

    def to_table(self) -> tuple[list[str], list[list[Any]]]:
        """Return the table of ROUGE types, or else that of the orders of BLEU, with every digit."""
        return next(reversed(self._list_tables()), ([], []))

    def to_html(self) -> str:
        """Return marked texts, tables and notes as escaped HTML, without scripts."""
        parts = [_STYLE]
        for view in (*self.matches, *self.lcs):
            parts.append(f"<h4>{escape(view)}</h4>")
            for title, pieces in _list_texts(self, view):
                marked = "".join(_mark_html(*piece) for piece in pieces)
                parts.append(f'<p dir="auto"><b>{title}</b>: {marked}</p>')
        report = self.report()
        parts += [f"<p>{escape(note)}</p>" for note in report.notes]
        parts.append(report._replace(notes=()).to_html())
        return f'<div class="explained">{make_printable("".join(parts))}</div>'

    def __str__(self) -> str:
        """Return the marked texts by score, tables and notes in plain text."""
        return write_explanation(self)

    def _list_tables(self) -> list[tuple[list[str], list[list[Any]]]]:
        """List heads and rows: the orders of BLEU; the types of ROUGE with each reference."""
        orders = [] if self.bleu is None else list(self.bleu.list_factors())
        types = list(_list_types(self.rouge))
        return [(list(head), rows) for head, rows in ((_ORDERS, orders), (_TYPES, types)) if rows]


def bracket(piece: str, label: str) -> str:
    """Return a marked piece of a text in plain text, such as ``[a cat]2`` or ``[the]×``."""
    return f"[{piece}]{_sign(label)}"


def write_explanation(explanation: Explanation, mark: Callable[[str, str], str] = bracket) -> str:
    """Return an explanation in plain text; ``mark`` marks a piece of a text by its label."""
    parts = []
    for view in (*explanation.matches, *explanation.lcs):
        lines = [view]
        for title, pieces in _list_texts(explanation, view):
            printable = ((make_printable(piece), label) for piece, label in pieces)
            marked = (mark(piece, label) if label else piece for piece, label in printable)
            lines.append(f"  {title}: {''.join(marked)}")
        parts.append("\n".join(lines))
    report = explanation.report()
    parts += [_LEGEND if parts else "", *report.notes, report._replace(notes=()).to_text()]
    return "\n\n".join(filter(None, parts))


def _list_texts(explanation: Explanation, view: str) -> Iterator[tuple[str, _Pieces]]:
    """Iterate over the prediction and the references, each with its pieces and their labels."""
    yield "prediction", split_text(explanation.prediction.text, explanation.spans(view=view))
    for index, reference in enumerate(explanation.references):
        yield f"reference {index}", split_text(reference.text, explanation.spans(index, view))


def _sign(label: str) -> str:
    """Write the label of a piece as a sign: the order of an n-gram, × for clipped."""
    return {_CLIPPED: "×", _LCS: "", "skip-bigram": "s"}.get(label, label.partition("-")[0])


def _mark_html(piece: str, label: str) -> str:
    """Return a piece of a text in HTML."""
    if not label:
        return escape(piece)
    kind = f' class="{label.lower()}"' if label in (_CLIPPED, _LCS) else ""
    sign = _sign(label)
    sup = f"<sup>{sign}</sup>" if sign else ""
    return f'<mark{kind} title="{label}">{escape(piece)}{sup}</mark>'


def _list_types(types: Mapping[str, RougeExplanation]) -> Iterator[list[object]]:
    """Iterate over a row for each type and reference, and one for the score of several."""
    for name, rouge in types.items():
        for index, pair in enumerate(rouge.references):
            chosen = " *" if index == rouge.reference else ""
            numbers = (pair.hits, pair.prediction_total, pair.reference_total)
            yield [name, f"{index}{chosen}", *numbers, pair.precision, pair.recall, pair.fmeasure]
        if rouge.reference is None:
            scores = (rouge.precision, rouge.recall, rouge.fmeasure)
            yield [name, rouge.multi_reference, "", "", "", *scores]


def choose_reference(explanation: Explanation, view: str, reference: int | None) -> int:
    """Return the checked index of the reference that a prediction is compared with."""
    if reference is not None:
        return _check_index("reference", reference, explanation)
    scores = explanation.rouge.get(view) or explanation.bleu
    return (scores and scores.reference) or 0


def _check_index(name: str, index: object, explanation: Explanation, other: str = "") -> int:
    """Return the checked index of a reference."""
    count = len(explanation.references)
    if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < count:
        raise ValueError(
            f"{name} is {index!r}; expected {other}the index of a reference, from 0 to {count - 1}."
        )
    return index


def _label_ngrams(matches: Sequence[Matches], index: int | None) -> dict[int, str]:
    """Return labels by the place of a token; ``index`` is a reference, None the prediction."""
    labels: dict[int, str] = {}
    for item in sorted(matches, key=lambda item: item.order):
        label = "skip-bigram" if item.kind == "skip-bigrams" else f"{item.order}-gram"
        clipped: list[int] = []
        for match in item.matched:
            sides = match.counted, match.clipped
            if index is not None:
                sides = match.reference_counted, match.reference_clipped
            if index in (None, match.reference):
                labels.update(dict.fromkeys(chain.from_iterable(sides[0]), label))
                clipped += chain.from_iterable(sides[1])
        for position in clipped:
            labels.setdefault(position, _CLIPPED)
    return labels


def _mark_lcs(
    lcs: Lcs | UnionLcs, text: ExplainedText, *, is_prediction: bool
) -> Iterator[tuple[Token, str]]:
    """Iterate over the tokens of a text that are in the LCS, with their labels."""
    if isinstance(lcs, Lcs):
        yield from ((text.tokens[pair[0 if is_prediction else 1]], _LCS) for pair in lcs.pairs)
        return
    labels: dict[tuple[int, int], str] = {}
    for sentence in lcs.sentences:
        counted = set(sentence.counted)
        for found in sentence.lcs:
            for here, there in found.pairs:
                place = (found.sentence, here) if is_prediction else (sentence.sentence, there)
                if there in counted:
                    labels[place] = _LCS
                else:
                    labels.setdefault(place, _CLIPPED)
    for (number, position), label in sorted(labels.items()):
        yield text.sentences[number][position], label


def _join_marks(marks: Iterable[tuple[Token, str]]) -> list[Span]:
    """Return spans; tokens that share a character make one, with the first one's label."""
    spans: list[Span] = []
    for token, label in marks:
        if not token.text:
            continue
        if spans and token.start < spans[-1].end:
            spans[-1] = replace(spans[-1], end=token.end)
        else:
            spans.append(Span(token.start, token.end, label))
    return spans


def split_text(text: str, spans: Sequence[Span]) -> _Pieces:
    """Iterate over all pieces of a text, each with its label; empty for none."""
    at = 0
    for span in spans:
        yield text[at : span.start], ""
        yield text[span.start : span.end], span.label
        at = span.end
    yield text[at:], ""


@name_arguments
def explain(
    prediction: str,
    references: str | Sequence[str],
    *,
    family: Family | None = None,
    **options: "Unpack[ExplainKeywords]",
) -> Explanation:
    """Explain the scores of one prediction with its references.

    Args:
        prediction: a text.
        references: a text, or a sequence of one or more.
        family: ``bleu`` or ``rouge`` for one alone; None for all that the profile has.
        **options: options of ``metric.compute`` that change scores, such as ``profile``,
            ``rouge_types``, ``tokenizer`` and ``use_stemmer``.

    Returns:
        Tokens with their places in the texts, matches, LCS, scores and notes. The scores are those
        of ``metric.compute`` for this sample alone, for ROUGE with ``use_aggregator=False``.
        Warnings are among the notes; none is shown.

    Raises:
        TypeError: a text is not a str, or an option is unknown or asks for another output.
        ValueError: a value is out of range, there is no reference, or a text is too long: more than
            10,000 tokens, for ``rougeS`` and ``rougeSU`` 200,000 skip-bigrams, or for ``rougeLsum``
            and ``rougeW`` 200,000 pairs of its sentences with those of a reference.

    >>> explanation = explain("the cat sat", ["a cat sat down", "the dog"], rouge_types=["rougeL"])
    >>> [token.form for token in explanation.prediction.tokens]
    ['the', 'cat', 'sat']
    >>> explanation.rouge["rougeL"].reference, explanation.lcs["rougeL"][0].pairs
    (0, ((1, 1), (2, 2)))
    >>> explanation.notes[0]
    'BLEU is 0: no 3-gram of the prediction occurs in a reference.'
    """
    families = check_family(family)
    with collect_warnings() as warnings:
        asked = option_names("output", "aggregation")
        refuse_options(options, asked, "explain", "explains one sample")
        plan = Options.from_keywords(options, families).plan(families)
        for scoring in plan.scores.values():
            scoring.check_one_score("explain explains one BLEU")
        samples = check_pair(prediction, references)
        if samples.are_ids:
            raise TypeError(
                "prediction is a sequence of token ids, but explain is for texts; decode the ids."
            )
        ((first, others),) = samples.by_sample()
        texts = [first, *others]
        for counting in plan.scores.values():
            counting.check_explained(texts)
        counts = count_samples(samples, plan)
        warn_of_texts(samples, counts, plan)
    found = {
        name: [counting.find_tokens(text) for text in texts]
        for name, counting in plan.scores.items()
    }
    parts = [score.explain(found[name], counts) for name, score in plan.scores.items()]
    scores = {name: score for part in parts for name, score in part.scores.items()}
    zeros = (note for part in parts for note in part.notes)
    losses = (note for name in found for note in _list_losses(name, found[name], plan))
    # The last family has the tokens of ROUGE, if it is scored.
    bleu = next((found[name] for name, score in plan.scores.items() if score.group == "bleu"), None)
    explained = [
        ExplainedText(
            text.text,
            tuple(text.tokens),
            tuple(bleu[index].tokens) if bleu else (),
            tuple(map(tuple, text.sentences)),
        )
        for index, text in enumerate([*found.values()][-1])
    ]
    return Explanation(
        explained[0],
        tuple(explained[1:]),
        matches={name: item for part in parts for name, item in part.matches.items()},
        lcs={name: item for part in parts for name, item in part.lcs.items()},
        bleu=scores.get("bleu"),
        rouge=scores.get("rouge", {}),
        notes=(*dict.fromkeys([*zeros, *losses]), *warnings),
    )


def _list_losses(name: str, texts: Sequence[FoundTokens], plan: Plan) -> Iterator[str]:
    """Iterate over what the options of a family leave out of the texts."""
    score = plan.scores[name]
    choice, option = score.choice, Argument(score.tokenizer_option)
    tokenizer = f"{choice!r} tokenizer" if isinstance(choice, str) else option
    for index, text in enumerate(texts):
        place = Argument(name_text(index)) if index else "the prediction"
        yield from list_losses(text, place, tokenizer, score.group.upper())

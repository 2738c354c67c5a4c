"""Convert the explanation of a pair to what the page shows: tiles, marked texts, arithmetic."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from bleu_rouge_metric import Explanation
from bleu_rouge_metric.analysis.explain import choose_reference
from bleu_rouge_metric.analysis.wording import name_score
from bleu_rouge_metric.families.bleu.explanation import BleuExplanation
from bleu_rouge_metric.families.rouge.explanation import RougeExplanation
from bleu_rouge_metric.messages import Message
from bleu_rouge_metric.tables import write_html
from bleu_rouge_metric.text.align import Token

from .labels import write_setter
from .marks import GRADES, count_tokens, mark_texts, write_marked
from .scores import Choices, Scored
from .tiles import list_views
from .views import show_text, show_warnings, write_copy, write_digits, write_score

_MOST_DROPPED: Final = 12  # pieces of texts that a note names
_LEGEND: Final = {
    "cl": '<span class="cl">word</span> matched, but not counted: the other text has it less often',
    "no": '<span class="no">word</span> no match',
}
# How several references make one score under rouge-1.5.5 and lin2004, which choose none of them.
_COMBINED: Final = {
    "micro": "The score is that of the counts of all references together.",
    "jackknife": "Each reference is left out in turn, and the best score with the others is taken; "
    "the score is the mean of these.",
}
_GRADES: Final = " ".join(
    f'<span class="g g{size}">{size}{" token" * (size == 1)}{" or more" * (size == GRADES)}</span>'
    for size in range(1, GRADES + 1)
)


def get_bleu(explanation: Explanation) -> BleuExplanation:
    """Return the explanation of BLEU by the formula of the paper."""
    assert isinstance(explanation.bleu, BleuExplanation)
    return explanation.bleu


def show_explanation(
    explanation: Explanation, scored: Scored, view: str, reference: int | None
) -> str:
    """Return what matched, how the score comes about, and all details, as HTML.

    Args:
        explanation: of the pair; it may have more ROUGE types than were asked for.
        scored: the scores of the metric.
        view: ``bleu`` or a ROUGE type, by which tokens are marked.
        reference: index of the reference that is compared; None for the one that the type chose.
    """
    zeros = [note for note in explanation.notes if not isinstance(note, Message)]
    # A warning that goes on after a note is that note with a remedy.
    starts = [note.removesuffix(".") for note in zeros]
    zeros = [
        note
        for note, start in zip(zeros, starts, strict=True)
        if not any(warning.startswith(start) for warning in scored.warnings)
    ]
    zero_notes, dropped = (
        "".join(f"<p>{escape(show_text(note))}</p>" for note in notes)
        for notes in (zeros, list_dropped(explanation))
    )
    types = [name for name in list_views(scored.choices) if name != "bleu"]
    how = write_bleu(get_bleu(explanation), scored.choices.scale) if view == "bleu" else ""
    if view != "bleu":
        how = write_rouge(view, explanation.rouge[view])
    return (
        f'{show_warnings(scored.warnings, "explain")}<div class="ours">'
        f"{write_pair(explanation, view, reference)}"
        f"<h2>How {name_score(view)} is computed</h2>{how}{zero_notes}"
        "<details><summary>Every digit, tokens, signature, and the same in Python</summary>"
        f"{write_tokens(explanation, scored.choices)}{dropped}"
        f"{write_types(explanation, types) if types else ''}"
        f"{write_copy(scored.scorer.signature(), 'signature')}"
        f"{write_copy(_write_python(explanation, scored.choices), 'code')}"
        f"{write_digits(scored.together)}</details></div>"
    )


def write_tokens(found: Explanation, choices: Choices) -> str:
    """Return the tokens of the prediction, as BLEU and as ROUGE see them."""
    rows = []
    for name, tokens in (
        ("BLEU", found.prediction.bleu_tokens),
        ("ROUGE", found.prediction.tokens),
    ):
        if choices.has(name.lower()):
            items = "".join(f"<li>{escape(show_text(token.form))}</li>" for token in tokens)
            size = count_tokens(len(tokens))
            rows.append(f'<p>{name}: {size}</p><ul class="chips tokens">{items}</ul>')
    return "".join(rows)


def list_dropped(explanation: Explanation) -> list[str]:
    """Say, once for each tokenizer, which characters of the texts it drops."""
    texts = (explanation.prediction, *explanation.references)
    notes = []
    for family, all_tokens in {
        "BLEU": [text.bleu_tokens for text in texts] if explanation.bleu else [],
        "ROUGE": [text.tokens for text in texts] if explanation.rouge else [],
    }.items():
        dropped: dict[str, None] = {}
        for text, tokens in zip(texts, all_tokens, strict=False):
            dropped |= dict.fromkeys(_list_dropped(text.text, tokens))
        if dropped:
            pieces = " ".join(map(show_text, [*dropped][:_MOST_DROPPED]))
            more = " and others" * (len(dropped) > _MOST_DROPPED)
            notes.append(f"The tokenizer of {family} drops: {pieces}{more}")
    return notes


def _list_dropped(text: str, tokens: Sequence[Token]) -> list[str]:
    """Return the characters of a text that are in no token, without white space."""
    covered = {index for token in tokens for index in range(token.start, token.end)}
    return [sign for index, sign in enumerate(text) if not sign.isspace() and index not in covered]


def _write_python(explanation: Explanation, choices: Choices) -> str:
    given = "".join(f"    {name}={value!r},\n" for name, value in choices.list_changes().items())
    references = [text.text for text in explanation.references]
    return (
        "import bleu_rouge_metric\n\nmetric = bleu_rouge_metric.load()\nmetric.compute(\n"
        f"    predictions=[{explanation.prediction.text!r}],\n    references=[{references!r}],\n"
        f"{given})\n"
    )


def describe_pair(references: int) -> str:
    """Say how many references the prediction has.

    >>> describe_pair(1), describe_pair(2)
    ('One prediction, 1 reference', 'One prediction, 2 references')
    """
    return f"One prediction, {references} reference{'s' * (references > 1)}"


def write_pair(
    explanation: Explanation, view: str, reference: int | None = None, *, tab: str = "explain"
) -> str:
    """Return the prediction and its references with marks, and what the marks mean.

    Args:
        explanation: of the pair.
        view: as in ``show_explanation``.
        reference: as in ``show_explanation``.
        tab: ``explain`` for names of references that can be clicked.
    """
    chosen = choose_reference(explanation, view, reference)
    texts = explanation.prediction, *explanation.references
    rows = []
    marked = mark_texts(explanation, view, chosen)
    used = {mark.run.reference for mark in marked[0][1].values()} or {chosen}
    for index, (text, (tokens, marks)) in enumerate(zip(texts, marked, strict=True), start=-1):
        number = None if index < 0 else index
        name = label = "Prediction" if number is None else f"Reference {index + 1}"
        if index >= 0 and len(texts) > 2 and view != "bleu" and tab == "explain":
            label = write_setter(tab, {"shown": str(index + 1)}, name)
        body = write_marked(text.text, tokens, marks, number)
        rows.append(_write_row(name, label, body, number, pale=index >= 0 and index not in used))
    texts_html = "".join(rows)
    others = "".join(
        f"<span>{line}{' (BLEU is case-sensitive)' * (style == 'no' and view == 'bleu')}</span>"
        for style, line in _LEGEND.items()
        if f'class="{style}"' in texts_html
    )
    return (
        f'<div class="pair">{texts_html}</div>'
        f'<div class="legend"><span>Longest match: {_GRADES}</span>{others}</div>'
    )


def _write_row(name: str, label: str, body: str, index: int | None, *, pale: bool) -> str:
    text = "p" if index is None else str(index)
    return (
        f'<div class="name">{label}</div><div class="body{" pale" * pale}" role="group" '
        f'aria-label="{escape(show_text(name))}" data-text="{text}" dir="auto">{body}</div>'
    )


def write_texts(rows: Iterable[tuple[str, str]]) -> str:
    """Return texts beside their names: ``rows`` has names as they are, and texts as HTML."""
    return "".join(
        f'<div class="name"><bdi>{escape(show_text(name))}</bdi></div>'
        f'<div class="body" dir="auto">{text}</div>'
        for name, text in rows
    )


def _write_factor(name: str, part: float, shown: str, note: str, style: str = "") -> str:
    """Return one column of a product: a number from 0 to 1 as a bar."""
    return (
        f'<div class="p {style}"><small>{name}</small><div class="col">'
        f'<i style="height: {100 * min(1, max(0, part)):.1f}%"></i></div><b>{shown}</b>'
        f"<small>{note or '&nbsp;'}</small></div>"
    )


def write_bleu(bleu: BleuExplanation, scale: int) -> str:
    """Return BLEU as a product: a column for each order, the brevity penalty, and the result."""
    columns = []
    for order in bleu.orders:
        note = f"{order.matches:,} of {order.total:,}"
        # The precision of sacrebleu is a percentage, as its score.
        part = order.smoothed
        if part != order.precision:
            note += f", smoothed from {write_score(order.precision, scale)}"
        columns.append(
            _write_factor(f"{order.order}-grams", part / scale, write_score(part, scale), note)
        )
    lengths = f"{count_tokens(bleu.prediction_length)}, reference {bleu.reference_length:g}"
    penalty = _write_factor(
        "brevity penalty", bleu.brevity_penalty, write_score(bleu.brevity_penalty, 1), lengths
    )
    result = _write_factor(
        "BLEU", bleu.score / scale, write_score(bleu.score, scale), "", style="result"
    )
    sign = '<span class="op">{}</span>'.format
    product = sign("×").join(columns)
    if len(columns) > 1:
        product = f"{sign('(')}{product}{sign(f')<sup>1/{len(columns)}</sup>')}"
    return (
        f'<div class="product">{product}{sign("×")}{penalty}'
        f"{sign('=')}{result}</div>{write_penalty(bleu)}"
    )


def write_penalty(bleu: BleuExplanation) -> str:
    """Return the brevity penalty as a formula."""
    if bleu.prediction_length >= bleu.reference_length:
        formula = "1, because the prediction is not shorter than the reference"
    elif bleu.prediction_length:
        ratio = f"{bleu.reference_length:g}/{bleu.prediction_length}"
        formula = f"exp(1 - {ratio}) = {write_score(bleu.brevity_penalty, 1)}"
    else:
        formula = "0, because the prediction has no token"
    return f'<p class="note">Brevity penalty = {formula}</p>'


def write_rouge(name: str, rouge: RougeExplanation) -> str:
    """Return how precision, recall and F of a ROUGE type come about."""
    notes = ["", ""]
    if rouge.reference is not None:
        pair = rouge.references[rouge.reference]
        notes = [
            f"{pair.hits:g} of {total:g} in the {text}"
            for total, text in (
                (pair.prediction_total, "prediction"),
                (pair.reference_total, "reference"),
            )
        ]
    parts = [
        _write_factor("precision", rouge.precision, write_score(rouge.precision, 1), notes[0]),
        _write_factor("recall", rouge.recall, write_score(rouge.recall, 1), notes[1]),
        '<span class="op">→</span>',
        _write_factor(
            f"{name_score(name)} (F)",
            rouge.fmeasure,
            write_score(rouge.fmeasure, 1),
            "harmonic mean of both" if rouge.reference is not None else "of all references",
            style="result",
        ),
    ]
    product = f'<div class="product">{"".join(parts)}</div>'
    if rouge.reference is not None:
        return product
    return f'{product}<p class="note">{_COMBINED[rouge.multi_reference]}</p>'


def write_types(explanation: Explanation, types: Sequence[str]) -> str:
    """Return what each ROUGE type counts, in the reference that it uses."""
    rows = [[name_score(name), *_list_counts(explanation.rouge[name])] for name in types]
    head = ["type", "match", "pred", "ref", "P", "R", "F", "reference"]
    return f'<div class="wide rouge">{write_html(head, rows)}</div>'


def _list_counts(rouge: RougeExplanation) -> list[object]:
    parts = [write_score(part, 1) for part in (rouge.precision, rouge.recall, rouge.fmeasure)]
    if rouge.reference is None:
        return ["", "", "", *parts, rouge.multi_reference]
    pair = rouge.references[rouge.reference]
    counts = (pair.hits, pair.prediction_total, pair.reference_total)
    return [*(f"{count:g}" for count in counts), *parts, str(rouge.reference + 1)]

"""The tabs EXPLAIN and PROFILES: the scores of one pair, why, and under each profile."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

from bleu_rouge_metric import (
    Explanation,
    ProfileDifference,
    Scorer,
    compare_profiles,
    explain,
)
from bleu_rouge_metric.analysis.explain import Span, choose_reference
from bleu_rouge_metric.analysis.wording import name_score
from bleu_rouge_metric.families.bleu.explanation import BleuExplanation
from bleu_rouge_metric.families.rouge.explanation import RougeExplanation
from bleu_rouge_metric.families.rouge.rules import DEFAULT_ROUGE_TYPES
from bleu_rouge_metric.messages import Message, count_noun, get_message
from bleu_rouge_metric.options.profiles import DEFAULT, PROFILES
from bleu_rouge_metric.tables import show
from bleu_rouge_metric.text.warnings import collect_warnings

from .html import (
    link_explain,
    show_text,
    write_copy,
    write_digits,
    write_score,
    write_table,
    write_tiles,
    write_warnings,
)
from .options import OFFERED, PAGE_PROFILES, Choices, InputError, write_setter
from .samples import check_pair

MAX_EXPLAINED: Final = 6_000  # characters of a prediction and its references
# Matches of up to this many tokens have marks of their own.
_GRADES: Final = ("1 token", "2", "3", "4 or more")
# How several references make one score under rouge-1.5.5 and lin2004, which choose none of them.
_COMBINED: Final = {
    "micro": "The score is that of the counts of all references together.",
    "jackknife": "Each reference is left out in turn, and the best score with the others is taken; "
    "the score is the mean of these.",
}


def read_choices(values: Mapping[str, Any]) -> Choices:
    """Return the options among the inputs of a tab."""
    return Choices.read({name: values[name] for name in OFFERED if name in values})


def read_pair(values: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Return the texts among the inputs of a tab; after the first, an empty reference is none."""
    references = values.get("references")
    if isinstance(references, list):
        references = [
            text for place, text in enumerate(references) if not place or str(text).strip()
        ]
    return check_pair(values.get("prediction"), references)


def score_pair(
    prediction: object, references: object, choices: Choices
) -> tuple[Scorer, list[str]]:
    """Score one pair; return the scorer and the warnings of the library."""
    text, texts = check_pair(prediction, references)
    with collect_warnings() as warnings:
        scorer = count_samples([text], [texts], choices)
        scorer.result()
    return scorer, [*choices.warnings, *warnings]


def count_samples(predictions: list[str], references: list[list[str]], choices: Choices) -> Scorer:
    """Return a scorer that has counted samples."""
    scorer = Scorer.from_options(choices.options, choices.families)
    try:
        scorer.update(predictions, references)
    except (ImportError, TypeError, ValueError) as reason:
        raise InputError(get_message(reason)) from reason
    return scorer


def score_together(scorer: Scorer) -> dict[str, Any]:
    """Return the scores of all samples together, with details."""
    details: dict[str, Any] = {"detailed": True} if "rouge" in scorer.families else {}
    scores: dict[str, Any] = scorer.result(**details)
    return scores


def show_pair(values: Mapping[str, Any]) -> dict[str, str]:
    """Show every score of one prediction, and why it is what it is."""
    choices = read_choices(values)
    prediction, references = read_pair(values)
    scorer, warnings = score_pair(prediction, references, choices)
    views = choices.views
    view = values.get("view") if values.get("view") in views else next(iter(views))
    together = score_together(scorer)
    sentence = None
    if "bleu" in views:
        smoothed: Any = scorer.result(sentence_bleu=True, **choices.smoothing)
        sentence = smoothed["sentence_bleu"][0]
    tiles = write_tiles(together, choices, str(view), sentence)
    size = len(prediction) + sum(map(len, references))
    if size > MAX_EXPLAINED:
        how = (
            f'<p class="note">The texts have {size:,} characters, so they are only scored; texts '
            f"of up to {MAX_EXPLAINED:,} characters are also explained.</p>"
        )
    else:
        family = choices.families[0] if len(choices.families) == 1 else None
        found = explain(prediction, references, family=family, **choices.keywords)
        shown = str(values.get("shown", ""))
        place = int(shown) - 1 if shown.isdecimal() and 0 < int(shown) <= len(references) else None
        how = show_explanation(found, choices, str(view), place)
    code = write_code(prediction, references, choices)
    return {
        "explain-results": f"{tiles}{write_warnings(warnings)}{how}"
        '<details data-key="digits"><summary>Every digit, signature, and the same in Python'
        f"</summary>{write_copy(scorer.signature(), 'signature')}{write_copy(code, 'code')}"
        f"{write_digits(together)}</details>"
    }


def write_code(prediction: str, references: list[str], choices: Choices) -> str:
    """Return Python that makes the scores of a pair."""
    given = "".join(f"    {name}={value!r},\n" for name, value in choices.changes.items())
    return (
        "import bleu_rouge_metric\n\nmetric = bleu_rouge_metric.load()\nmetric.compute(\n"
        f"    predictions=[{prediction!r}],\n    references=[{references!r}],\n{given})\n"
    )


def show_explanation(found: Explanation, choices: Choices, view: str, reference: int | None) -> str:
    """Return what matched, and how the score comes about, as HTML."""
    how = (
        write_bleu(found, choices.scale) if view == "bleu" else write_rouge(view, found.rouge[view])
    )
    buttons = "".join(
        write_setter(
            {"view": score},
            name,
            "segment",
            aria_pressed=str(score == view).lower(),
            data_key=f"segment-{score}",
        )
        for score, name in choices.views.items()
    )
    # Messages with parts are warnings, which are shown above.
    notes = "".join(
        f"<p>{show_text(note)}</p>" for note in found.notes if not isinstance(note, Message)
    )
    return (
        f'<div class="heading"><h2>What matched</h2><div class="segments" role="group" '
        f'aria-label="Show matches of">{buttons}</div>'
        '<button type="button" class="act end" data-copy-link>Copy link</button></div>'
        f"{write_pair(found, view, reference)}"
        f"<h2>How {name_score(view)} is computed</h2>{how}{notes}"
        '<details data-key="tokens"><summary>Tokens and counts</summary>'
        f"{write_tokens(found, choices)}"
        f'<div class="wide" tabindex="0">{found.report()._replace(notes=()).to_html()}</div>'
        "</details>"
    )


def write_pair(found: Explanation, view: str, reference: int | None) -> str:
    """Return the prediction and its references with the marks of ``explain``, and a legend."""
    chosen = choose_reference(found, view, reference)
    several = len(found.references) > 1
    rows = []
    for index, text in enumerate((found.prediction, *found.references), start=-1):
        whole: Any = "prediction" if index < 0 else index
        spans = found.spans(whole, view, None if index >= 0 else chosen)
        name = "Prediction" if index < 0 else f"Reference {index + 1}"
        is_pale = several and view != "bleu" and index >= 0 and index != chosen
        label = name
        if several and view != "bleu" and index >= 0:
            label = write_setter(
                {"shown": index + 1},
                name,
                "link",
                aria_pressed=str(index == chosen).lower(),
                data_key=f"shown-{index}",
            )
        rows.append(
            f'<div class="name">{label}</div><div class="body{" pale" * is_pale}" role="group" '
            f'aria-label="{name}" dir="auto">{mark_text(text.text, spans)}</div>'
        )
    texts = "".join(rows)
    grades = "".join(
        f' <span class="g g{grade}">{words}</span>' for grade, words in enumerate(_GRADES, start=1)
    )
    legend = f"<span>Longest match:{grades}</span>"
    if view in found.lcs:
        legend = '<span><span class="g g3">word</span> in the longest common subsequence</span>'
    if 'class="cl"' in texts:
        legend += (
            '<span><span class="cl">word</span> matched, but not counted: the other text has it '
            "less often</span>"
        )
    if view == "bleu":
        legend += "<span>BLEU is case-sensitive.</span>"
    return f'<div class="pair">{texts}</div><div class="legend">{legend}</div>'


def mark_text(text: str, spans: Sequence[Span]) -> str:
    """Return a text as HTML with its marks; neighbours of one kind are one mark.

    >>> mark_text("a b c", [Span(0, 1, "2-gram"), Span(2, 3, "2-gram")])
    '<span class="g g2" title="2-gram">a b</span><span class="no"> c</span>'
    """
    joined: list[Span] = []
    for span in spans:
        last = joined[-1] if joined else None
        if last and last.label == span.label and not text[last.end : span.start].strip():
            joined[-1] = Span(last.start, span.end, span.label)
        else:
            joined.append(span)
    at, parts = 0, []
    for span in [*joined, Span(len(text), len(text), "")]:
        between = text[at : span.start]
        parts.append(
            f'<span class="no">{show_text(between)}</span>' if between.strip() else between
        )
        if span.label:
            order = span.label.partition("-")[0]
            grade = min(int(order), len(_GRADES)) if order.isdecimal() else 3
            style = "cl" if span.label == "clipped" else f"g g{grade}"
            shown = show_text(text[span.start : span.end])
            parts.append(f'<span class="{style}" title="{span.label}">{shown}</span>')
        at = span.end
    return "".join(parts)


def write_tokens(found: Explanation, choices: Choices) -> str:
    """Return the tokens of the prediction, as BLEU and as ROUGE see them."""
    rows = []
    tokens = {"bleu": found.prediction.bleu_tokens, "rouge": found.prediction.tokens}
    for family in choices.families:
        items = "".join(f"<li>{show_text(token.form)}</li>" for token in tokens[family])
        size = count_noun(len(tokens[family]), "token")
        rows.append(f'<p>{family.upper()}: {size}</p><ul class="chips">{items}</ul>')
    return "".join(rows)


def _write_factor(name: str, part: float, shown: str, note: str, style: str = "") -> str:
    """Return one column of a product: a number from 0 to 1 as a bar."""
    return (
        f'<div class="p {style}"><small>{name}</small><div class="col">'
        f'<i style="height: {100 * min(1, max(0, part)):.1f}%"></i></div><b>{shown}</b>'
        f"<small>{note or '&nbsp;'}</small></div>"
    )


def write_bleu(found: Explanation, scale: int) -> str:
    """Return BLEU as a product: a column for each order, the brevity penalty, and the result."""
    bleu = found.bleu
    assert isinstance(bleu, BleuExplanation)
    columns = []
    for order in bleu.orders:
        note, part = f"{order.matches:,} of {order.total:,}", order.smoothed
        if part != order.precision:
            note += f", smoothed from {write_score(order.precision, scale)}"
        columns.append(
            _write_factor(f"{order.order}-grams", part / scale, write_score(part, scale), note)
        )
    size, penalty = count_noun(bleu.prediction_length, "token"), write_score(bleu.brevity_penalty)
    if bleu.prediction_length >= bleu.reference_length:
        formula = "1, because the prediction is not shorter than the reference"
    elif bleu.prediction_length:
        formula = f"exp(1 - {bleu.reference_length:g}/{bleu.prediction_length}) = {penalty}"
    else:
        formula = "0, because the prediction has no token"
    parts = [
        _write_factor(
            "brevity penalty",
            bleu.brevity_penalty,
            penalty,
            f"{size}, reference {bleu.reference_length:g}",
        ),
        '<span class="op">=</span>',
        _write_factor("BLEU", bleu.score / scale, write_score(bleu.score, scale), "", "result"),
    ]
    sign = '<span class="op">{}</span>'.format
    product = sign("×").join(columns)
    if len(columns) > 1:
        product = f"{sign('(')}{product}{sign(f')<sup>1/{len(columns)}</sup>')}"
    return (
        f'<div class="product">{product}{sign("×")}{"".join(parts)}</div>'
        f'<p class="note">Brevity penalty = {formula}</p>'
    )


def write_rouge(name: str, rouge: RougeExplanation) -> str:
    """Return how precision, recall and F of a ROUGE type come about."""
    notes, end, below = ["", ""], "of all references", _COMBINED.get(rouge.multi_reference, "")
    if rouge.reference is not None:
        pair, end, below = rouge.references[rouge.reference], "harmonic mean of both", ""
        notes = [
            f"{pair.hits:g} of {pair.prediction_total:g} in the prediction",
            f"{pair.hits:g} of {pair.reference_total:g} in the reference",
        ]
    parts = [
        _write_factor("precision", rouge.precision, write_score(rouge.precision), notes[0]),
        _write_factor("recall", rouge.recall, write_score(rouge.recall), notes[1]),
        '<span class="op">→</span>',
        _write_factor(
            f"{name_score(name)} (F)", rouge.fmeasure, write_score(rouge.fmeasure), end, "result"
        ),
    ]
    return f'<div class="product">{"".join(parts)}</div><p class="note">{below}</p>'


def show_profiles(values: Mapping[str, Any]) -> dict[str, str]:
    """Show the scores of one prediction under each profile, and the steps from that of ``hf``."""
    choices = read_choices(values)
    prediction, references = read_pair(values)
    size = len(prediction) + sum(map(len, references))
    if size > MAX_EXPLAINED:
        raise InputError(
            f"The texts have {size:,} characters; this tab compares up to {MAX_EXPLAINED:,}."
        )
    given: dict[str, Any] = {
        "language": choices.keywords.get("language"),
        "rouge_types": [*DEFAULT_ROUGE_TYPES],
    }
    try:
        with collect_warnings() as warnings:
            # XL-Sum's stemmer of a language may be missing.
            if "rouge" not in choices.families:
                given["use_stemmer"] = False
                warnings.append(f"{choices.warnings[0]} The numbers here are without the stemmer.")
            found = compare_profiles([prediction], [references], **given)
    except (ImportError, TypeError, ValueError) as reason:
        raise InputError(get_message(reason)) from reason
    names = list(dict.fromkeys(name for row in found.scores.values() for name in row))
    own = {name: write_score(value) for name, value in found.scores[DEFAULT].items()}
    rows, details = [], ""
    for profile, scores in found.scores.items():
        shown = {name: write_score(scores[name] / _find_scale(profile, name)) for name in scores}
        cells = []
        for name in names:
            cell = shown.get(name, "")
            is_other = cell and name in own and own[name] != cell
            cells.append(f"<mark>{cell}</mark>" if is_other else cell)
        head = escape(profile)
        if profile in PAGE_PROFILES:
            link = choices._replace(keywords={**choices.keywords, "profile": profile})
            head += f" {link_explain(prediction, references, link, '', 'explain')}"
        rows.append([head, *cells])
        steps = _list_steps([step for step in found.differences if step.profile == profile])
        if steps:
            items = "".join(f"<li>{escape(step)}</li>" for step in steps)
            details += (
                f'<details data-key="steps-{escape(profile)}"><summary>From hf to '
                f"{escape(profile)}: {count_noun(len(steps), 'step')}</summary><ol>{items}</ol>"
                "</details>"
            )
    note = "Marked scores differ from those of hf. Every BLEU is shown from 0 to 1."
    table = write_table(["Profile", *map(name_score, names)], rows, "scores")
    return {
        "profiles-results": f'{table}<p class="note">{note}</p><h2>Why scores differ</h2>{details}'
        f"{write_warnings(warnings)}"
    }


def _list_steps(differences: Sequence[ProfileDifference]) -> list[str]:
    """Return the steps from hf to a profile in words, with every BLEU from 0 to 1."""
    scale, steps = 1, []
    for step in differences:
        change = show(step.new)
        if step.score == "bleu" and change.startswith("percentages"):
            scale = 100
            continue
        if step.option != "arithmetic":
            change = f"{step.option}: {show(step.old)} → {change}"
        divisor = scale if step.score == "bleu" else 1
        before, after = step.before / divisor, step.after / divisor
        # Every digit if the first four are the same.
        form = ".4f" if f"{before:.4f}" != f"{after:.4f}" else ""
        steps.append(f"{name_score(step.score)}: {change}: {before:{form}} → {after:{form}}")
    return steps


def _find_scale(profile: str, score: str) -> int:
    return 100 if PROFILES[profile].percentages and score == "bleu" else 1

"""The tab PROFILES: the same texts under each profile, and the steps behind every difference."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

import gradio as gr

from bleu_rouge_metric import ProfileComparison, ProfileDifference, compare_profiles
from bleu_rouge_metric.analysis.wording import name_score
from bleu_rouge_metric.matching.texts import join_names
from bleu_rouge_metric.messages import get_message
from bleu_rouge_metric.options.profiles import PROFILES
from bleu_rouge_metric.tables import show
from bleu_rouge_metric.text.warnings import collect_warnings

from .explain_inputs import fill
from .handlers import check_pair
from .labels import write_setter
from .limits import InputError
from .scores import PAGE_PROFILES, Choices, drop_missing_stemmer
from .views import show_warnings
from .widgets import COPY_LINK, answer_live, build_language, build_panel, build_results

_PERCENTAGES: Final = [name for name, profile in PROFILES.items() if profile.percentages]
MAX_CHARACTERS: Final = 6_000  # of a prediction and its references
_PREDICTION: Final = "The ferry goes at noon, and it returns at 5.30 p.m."
_REFERENCE: Final = "The ferry leaves the island at noon and returns at half past five."


def build(page: gr.Blocks, own_tab: gr.Tab) -> None:
    """Build the tab."""
    with build_panel("profiles"):
        gr.Markdown(
            "Libraries compute different scores for the same texts, because their defaults and "
            "rules differ. A **profile** returns exactly the scores of one library. Click a score "
            "to see the steps that lead to it from the profile `hf` (Hugging Face evaluate)."
        )
        with gr.Row(elem_classes="bar"):
            language = build_language("profiles")
            gr.HTML(COPY_LINK, elem_classes="end")
        with gr.Row():
            prediction = gr.Textbox(
                _PREDICTION, label="Prediction", lines=3, elem_id="profiles-prediction"
            )
            first = gr.Textbox(_REFERENCE, label="Reference", lines=3, elem_id="profiles-reference")
            second = gr.Textbox(
                "", label="Second reference (may be empty)", lines=3, elem_id="profiles-reference-2"
            )
        with build_results("profiles") as outputs:
            table = gr.HTML(elem_id="profiles-table")
    answer_live(
        "profiles",
        page,
        show_profiles,
        [language, prediction, first, second],
        [*outputs, table],
        start=own_tab.select,
    )


def show_profiles(language: str, prediction: str, *references: str) -> tuple[Any, ...]:
    """Show the scores of one prediction under each profile.

    Args:
        language: one of ``PAGE_LANGUAGES``; empty for any.
        prediction: a text.
        *references: texts; after the first, an empty text does not count.

    Returns:
        The table as HTML.

    Raises:
        InputError: a text is too long, or there is no reference.
    """
    first, *others = references
    texts = [first, *(text for text in others if text.strip())]
    check_pair(prediction, texts)
    size = len(prediction) + sum(map(len, texts))
    if size > MAX_CHARACTERS:
        raise InputError(
            f"The texts have {size:,} characters; this tab compares up to {MAX_CHARACTERS:,}."
        )
    choices, note = drop_missing_stemmer(Choices(language=language))
    keywords = choices.make_keywords()
    options = {name: keywords.get(name) for name in ("language", "use_stemmer", "rouge_types")}
    try:
        with collect_warnings() as warnings:
            comparison = compare_profiles([prediction], [texts], **options)
    except (ImportError, TypeError, ValueError) as reason:
        raise InputError(get_message(reason)) from reason
    inputs = fill(prediction, texts, choices)
    notes = [*filter(None, [note]), *dict.fromkeys(warnings)]
    return (write_comparison(comparison, notes, inputs),)


def write_comparison(
    comparison: ProfileComparison, warnings: Sequence[str], inputs: Mapping[str, object]
) -> str:
    """Return a table with a row for each profile; a click on a number names its steps.

    Args:
        comparison: of one pair.
        warnings: of the library.
        inputs: those of the tab Explain for the pair.
    """
    names = list(dict.fromkeys(name for row in comparison.scores.values() for name in row))
    steps: dict[tuple[str, str], list[ProfileDifference]] = {}
    for step in comparison.differences:
        steps.setdefault((step.profile, step.score), []).append(step)
    heads = "".join(f'<th scope="col">{name_score(name)}</th>' for name in names)
    rows, details = [], []
    for place, (profile, scores) in enumerate(comparison.scores.items()):
        cells = []
        for number, name in enumerate(names):
            found = steps.get((profile, name), [])
            opened = f"steps-{place}-{number}"
            cells.append(f"<td>{_write_cell(scores.get(name), opened, found)}</td>")
            if found:
                details.append(_write_steps(profile, name, opened, found))
        name = escape(profile)
        if profile in PAGE_PROFILES:
            name += f" {write_setter('explain', {**inputs, 'profile': profile}, 'explain')}"
        rows.append(f'<tr><th scope="row">{name}</th>{"".join(cells)}</tr>')
    return (
        f'{show_warnings(warnings, "")}<div class="ours openers"><div class="wide"><table>'
        f'<caption>One pair under each profile</caption><thead><tr><th scope="col">Profile</th>'
        f"{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
        f'<div aria-live="polite">{"".join(details)}</div>'
        f'<p class="note">The BLEU of {join_names(_PERCENTAGES)} is from 0 to 100.</p></div>'
    )


def _write_cell(value: float | None, opened: str, steps: Sequence[ProfileDifference]) -> str:
    """Return a number, which is a button if there are steps to show."""
    if value is None:
        return ""
    if not steps:
        return f"{value:.4f}"
    return (
        f'<button type="button" aria-expanded="false" aria-controls="{opened}">{value:.4f}</button>'
    )


def _write_steps(profile: str, score: str, opened: str, steps: Sequence[ProfileDifference]) -> str:
    lines = "".join(f"<li>{escape(_write_step(step))}</li>" for step in steps)
    return (
        f'<div id="{opened}" class="steps" hidden><p class="lead">From hf to {escape(profile)}: '
        f"{name_score(score)}</p><ol>{lines}</ol></div>"
    )


def _write_step(step: ProfileDifference) -> str:
    """Write a step in one line.

    >>> _write_step(ProfileDifference("nltk", "bleu", "smooth", "none", "exp", 0.0, 0.32468))
    'smooth: none → exp: 0.0000 → 0.3247'
    >>> step = ProfileDifference("coco", "bleu", "arithmetic", "", "adds 1e-15", 0.0, 3.06e-06)
    >>> _write_step(step)
    'adds 1e-15: 0.0 → 3.06e-06'
    """
    change = show(step.new)
    if step.option != "arithmetic":
        change = f"{step.option}: {show(step.old)} → {change}"
    # Every digit if the first four are the same.
    form = ".4f" if f"{step.before:.4f}" != f"{step.after:.4f}" else ""
    return f"{change}: {step.before:{form}} → {step.after:{form}}"

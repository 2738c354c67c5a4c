"""Show the samples in which two systems differ most, with what one output has and the other not."""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from html import escape
from typing import Final, NamedTuple

from .explain_inputs import fill
from .labels import write_setter
from .pair_views import write_texts
from .systems import ScoredSystems
from .views import show_text, write_score

STEP: Final = 10  # samples that are shown at first, and with each further click
_MOST_SHOWN: Final = 2_000  # characters of a text
_PIECE: Final = re.compile(r"\s+|\w+|[^\w\s]")
_LEGEND: Final = '<span class="g g3">word</span> in only one of the two outputs'
WINNERS: Final = ("all", "baseline", "system", "ties")


class Rows(NamedTuple):
    """Samples as HTML, and how many of them each system wins; see ``WINNERS``."""

    html: str
    counts: dict[str, int]


class Difference(NamedTuple):
    """The scores of one sample in two systems; ``place`` is its index."""

    place: int
    delta: float
    before: float
    after: float


def list_differences(before: Sequence[float], after: Sequence[float]) -> list[Difference]:
    """Return all samples, the largest difference first.

    >>> list_differences([0.5, 0.5, 0.5], [0.5, 0.25, 1.0])[:2]
    [Difference(place=2, delta=0.5, before=0.5, after=1.0), \
Difference(place=1, delta=-0.25, before=0.5, after=0.25)]
    """
    rows = [
        Difference(place, new - old, old, new)
        for place, (old, new) in enumerate(zip(before, after, strict=True))
    ]
    return sorted(rows, key=lambda row: -abs(row.delta))


def split_by_winner(rows: Sequence[Difference]) -> dict[str, list[Difference]]:
    """Return the samples by ``WINNERS``."""
    return {
        "all": [*rows],
        "baseline": [row for row in rows if row.delta < 0],
        "system": [row for row in rows if row.delta > 0],
        "ties": [row for row in rows if row.delta == 0],
    }


def write_rows(
    systems: ScoredSystems,
    score: str,
    system: str,
    *,
    winner: str = "all",
    search: str = "",
    most: int = STEP,
    links: bool = True,
) -> Rows:
    """Return samples with both outputs and the references.

    Args:
        systems: two or more.
        score: name of the score.
        system: the system that is compared with the baseline.
        winner: one of ``WINNERS``.
        search: what a text of a sample contains, in any case; empty for all.
        most: how many samples are shown.
        links: whether each output has a link to the tab Explain.
    """
    baseline = systems.baseline
    rows = list_differences(
        systems.list_scores(score, baseline), systems.list_scores(score, system)
    )
    chosen = split_by_winner(rows)
    counts = {name: len(some) for name, some in chosen.items()}
    wanted = search.strip().casefold()
    found = [
        row
        for row in chosen.get(winner, rows)
        if not wanted or wanted in _join_texts(systems, row.place).casefold()
    ]
    shown = "".join(_write_row(systems, score, system, row, links=links) for row in found[:most])
    shown = f'<p class="note">{_LEGEND if found else "No sample."}</p>{shown}'
    if len(found) > most and links:
        more = write_setter("compare", {"most": most + STEP}, f"Show {STEP} more", "act")
        shown += f'<p class="note">{most:,} of {len(found):,} samples. {more}</p>'
    return Rows(shown, counts)


def _join_texts(systems: ScoredSystems, place: int) -> str:
    outputs = (texts[place] for texts in systems.texts.predictions.values())
    return "\n".join([*outputs, *systems.texts.references[place]])


def _write_row(
    systems: ScoredSystems, score: str, system: str, row: Difference, *, links: bool
) -> str:
    baseline, scale = systems.baseline, systems.choices.scale
    texts = systems.texts.predictions
    outputs = texts[baseline][row.place][:_MOST_SHOWN], texts[system][row.place][:_MOST_SHOWN]
    marked = mark_differences(*outputs)
    references = systems.texts.references[row.place]
    delta = write_score(row.delta, scale)
    lines = []
    for name, value, html in zip((baseline, system), (row.before, row.after), marked, strict=True):
        label = f"{name} {write_score(value, scale)}"
        link = ""
        if links:
            inputs = fill(texts[name][row.place], references, systems.choices, score)
            link = f" {write_setter('explain', inputs, 'explain')}"
        lines.append((label, f"{html}{link}"))
    for number, text in enumerate(references, start=1):
        label = "reference" if len(references) == 1 else f"reference {number}"
        lines.append((label, escape(show_text(text[:_MOST_SHOWN]))))
    return (
        f'<div class="pair sample"><p class="row">row {row.place + 1} · {delta}</p>'
        f"{write_texts(lines)}</div>"
    )


def mark_differences(first: str, second: str) -> tuple[str, str]:
    """Return two texts as HTML; what one has and the other has not is strong.

    >>> mark_differences("a red cat", "a cat")
    ('a <b class="g g3">red </b>cat', 'a cat')
    """
    ours, theirs = _PIECE.findall(first), _PIECE.findall(second)
    blocks = SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes()
    return (
        "".join(_mark(ours, [(kind, a, b) for kind, a, b, _, _ in blocks])),
        "".join(_mark(theirs, [(kind, a, b) for kind, _, _, a, b in blocks])),
    )


def _mark(pieces: Sequence[str], parts: Sequence[tuple[str, int, int]]) -> Iterator[str]:
    for kind, start, end in parts:
        text = escape(show_text("".join(pieces[start:end])))
        if text:
            yield text if kind == "equal" else f'<b class="g g3">{text}</b>'

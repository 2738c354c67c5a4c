"""Write scores, texts and reports as HTML; every text is escaped."""

import json
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from bleu_rouge_metric.analysis.wording import name_score

from .options import Choices, write_message, write_setter

_STYLE: Final = Path(__file__).resolve().parent / "page.css"


def write_score(value: float, scale: int = 1) -> str:
    """Return a score as the command writes it: with four decimals, or in points with two.

    >>> write_score(0.60766), write_score(60.766, 100)
    ('0.6077', '60.77')
    """
    return f"{value:.{2 if scale > 1 else 4}f}"


def show_text(text: str) -> str:
    """Return an escaped text; a question mark stands for a lone surrogate."""
    return escape(text.encode("utf-8", "replace").decode("utf-8"))


def name_text(text: str) -> str:
    """Return a name that is isolated from the direction of the text around it."""
    return f"<bdi>{show_text(text)}</bdi>"


def shorten(text: str, most: int = 80) -> str:
    """Return some characters of a text, in one line."""
    line = " ".join(text[: 5 * most].split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def write_copy(text: str, name: str) -> str:
    """Return a text with a button that copies it; ``name`` says what it is."""
    button = f'<button type="button" class="act" data-copy>Copy {name}</button>'
    return f'<div class="copy"><pre>{show_text(text)}</pre>{button}</div>'


def write_digits(scores: Mapping[str, Any]) -> str:
    """Return every digit as JSON."""
    return f"<pre>{show_text(json.dumps(scores, indent=2))}</pre>"


def write_warnings(warnings: Sequence[str]) -> str:
    """Return warnings of the library, each once."""
    return "".join(map(write_message, dict.fromkeys(warnings)))


def write_table(head: Sequence[str], rows: Iterable[Sequence[str]], style: str = "") -> str:
    """Return a table; cells are HTML, and the first of each row is its head."""
    names = "".join(f'<th scope="col">{name}</th>' for name in head)
    # On a phone each row of a matrix is a card, in which cells name their columns.
    labels = [f' data-label="{name}"' * (style == "matrix") for name in head[1:]]
    lines = ""
    for first, *cells in rows:
        shown = "".join(
            f"<td{label}>{cell}</td>" for label, cell in zip(labels, cells, strict=True)
        )
        lines += f'<tr><th scope="row">{first}</th>{shown}</tr>'
    return (
        f'<div class="wide" tabindex="0"><table class="{style}"><thead><tr>{names}</tr></thead>'
        f"<tbody>{lines}</tbody></table></div>"
    )


def link_explain(
    prediction: str, references: Sequence[str], choices: Choices, view: str, text: str
) -> str:
    """Return a link to the tab Explain with these inputs; ``text`` is HTML."""
    values = {
        "prediction": prediction,
        "references": [*references],
        **choices.changes,
        "view": view,
    }
    return f'<a href="#explain={quote(json.dumps(values))}">{text}</a>'


def write_tiles(
    scores: Mapping[str, Any],
    choices: Choices,
    view: str = "",
    sentence: float | None = None,
) -> str:
    """Return one tile per score: value, bar, and parts."""
    tiles = []
    for score in choices.views:
        scale = 1
        if score == "bleu":
            value, scale = scores["score" if "score" in scores else "bleu"], choices.scale
            penalty = scores["bp" if "bp" in scores else "brevity_penalty"]
            parts = [f"brevity penalty {write_score(penalty)}"]
            if sentence is not None:
                smoothed = "smoothed " * bool(choices.smoothing)
                parts.append(f"{smoothed}sentence {write_score(sentence, scale)}")
        else:
            value = scores[score]["fmeasure"]
            parts = [
                f"{part[0].upper()} {write_score(scores[score][part])}"
                for part in ("precision", "recall")
            ]
        inside = (
            f'<b>{name_score(score)}</b><span class="n">{write_score(value, scale)}</span>'
            f'<span class="m"><i style="width: {100 * min(1, value / scale):.1f}%"></i></span>'
            f"<small>{' · '.join(parts)}</small>"
        )
        if view:
            pressed = str(score == view).lower()
            tile = write_setter(
                {"view": score}, inside, "tile", aria_pressed=pressed, data_key=f"tile-{score}"
            )
        else:
            tile = f'<div class="tile">{inside}</div>'
        tiles.append(tile)
    return f'<div class="tiles">{"".join(tiles)}</div>'


def write_report(title: str, parts: Iterable[str]) -> str:
    """Return a whole HTML file, which needs neither the page nor scripts."""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE.read_text('utf-8')}</style></head>"
        f'<body class="report"><h1>{escape(title)}</h1>{"".join(parts)}</body></html>'
    )

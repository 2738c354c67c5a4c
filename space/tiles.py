"""Show scores as tiles: value, bar, and what the value is made of."""

from html import escape
from typing import Final

from bleu_rouge_metric.analysis.wording import name_score

from .labels import write_setter
from .scores import Choices, Scored, Scores
from .views import show_warnings, write_copy, write_digits, write_score

_VIEWS: Final = {
    "bleu": "BLEU n-grams",
    "rougeL": "Longest subsequence",
    "rougeLsum": "Subsequence by line",
}


def list_views(choices: Choices) -> dict[str, str]:
    """Return the scores that the options ask for, each with the name of what marks show for it."""
    scores = ["bleu"] * choices.has("bleu") + choices.rouge_types * choices.has("rouge")
    return {score: _VIEWS.get(score) or name_score(score) for score in dict.fromkeys(scores)}


def write_tiles(scores: Scores, choices: Choices, view: str, sentence: float | None = None) -> str:
    """Return one tile per score: value, bar, and parts; a click shows what matches.

    Args:
        scores: of the metric, with details.
        choices: the options.
        view: the score that is shown below; empty if nothing is.
        sentence: the sentence BLEU with ``choices.smoothing``, if there is a single sample.
    """
    tiles = []
    for score, name in list_views(choices).items():
        if score == "bleu":
            value = scores["score" if "score" in scores else "bleu"]
            penalty, scale = scores["bp" if "bp" in scores else "brevity_penalty"], choices.scale
            parts = [f"brevity penalty {write_score(penalty, 1)}"]
            if sentence is not None:
                smoothed = "smoothed " * bool(choices.smoothing)
                parts.append(f"{smoothed}sentence {write_score(sentence, scale)}")
        else:
            value, scale = scores[score]["fmeasure"], 1
            parts = [
                f"P {write_score(scores[score]['precision'], 1)}",
                f"R {write_score(scores[score]['recall'], 1)}",
            ]
        inside = (
            f'<b>{name_score(score)}</b><span class="n">{write_score(value, scale)}</span>'
            f'<span class="m"><i style="width: {100 * min(1, value / scale):.1f}%"></i></span>'
            f"<small>{' · '.join(parts)}</small>"
        )
        if not view:
            tiles.append(f'<div class="tile">{inside}</div>')
            continue
        values, is_on = {"view": name}, score == view
        tiles.append(write_setter("explain", values, inside, "tile", pressed=is_on))
    return f'<div class="tiles">{"".join(tiles)}</div>'


def write_view_choice(choices: Choices, view: str) -> str:
    """Return the buttons that choose which matches are shown; ``view`` is the chosen score."""
    buttons = "".join(
        write_setter("explain", {"view": name}, name, "segment", pressed=score == view)
        for score, name in list_views(choices).items()
    )
    return f'<div class="ours choice" role="group" aria-label="Show matches of">{buttons}</div>'


def show_scores(scored: Scored, inputs: str, tab: str) -> str:
    """Return the scores of all samples together: warnings, tiles, and every digit.

    Args:
        scored: the scores.
        inputs: what was scored, in words.
        tab: name of the tab.
    """
    return (
        f'{show_warnings(scored.warnings, tab)}<div class="ours">'
        f"{write_tiles(scored.together, scored.choices, '')}"
        f'<p class="note" dir="auto">{escape(inputs)}</p>'
        "<details><summary>Every digit, and the signature</summary>"
        f"{write_copy(scored.scorer.signature(), 'signature')}"
        f"{write_digits(scored.together)}</details></div>"
    )

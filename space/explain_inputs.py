"""The inputs of the tab EXPLAIN, which other tabs fill too."""

from collections.abc import Sequence
from typing import Any, Final

from .limits import MAX_REFERENCES
from .scores import Choices
from .tiles import list_views

REFERENCE_BOXES: Final = MAX_REFERENCES


def fill(
    prediction: str, references: Sequence[str], choices: Choices | None = None, score: str = ""
) -> dict[str, Any]:
    """Return all inputs of a pair by the ends of their ids, so that none of an earlier pair stays.

    Args:
        prediction: a text.
        references: up to ``REFERENCE_BOXES`` texts.
        choices: the options; None for those of a fresh page.
        score: the score whose matches are shown; empty for the first.

    >>> inputs = fill("a", ["b"])
    >>> inputs["reference-1"], inputs["reference-2"], inputs["smooth"], inputs["view"]
    ('b', '', '', 'BLEU n-grams')
    """
    choices = choices or Choices()
    boxes = [*references, *[""] * REFERENCE_BOXES][:REFERENCE_BOXES]
    named = {f"reference-{place}": text for place, text in enumerate(boxes, start=1)}
    options = {name.replace("_", "-"): value for name, value in choices._asdict().items()}
    views = list_views(choices)
    view = views.get(score) or next(iter(views.values()))
    return {"prediction": prediction, "view": view, "shown": "", **named, **options}

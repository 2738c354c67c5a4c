"""The inputs of the tab EXPLAIN, which other tabs fill too."""

from collections.abc import Sequence
from typing import Final

REFERENCE_BOXES: Final = 5


def fill(prediction: str, references: Sequence[str]) -> dict[str, str]:
    """Return the inputs of a pair, by the ends of their ids; the other boxes are empty.

    >>> fill("a", ["b"])["reference-1"], fill("a", ["b"])["reference-2"]
    ('b', '')
    """
    boxes = [*references, *[""] * REFERENCE_BOXES][:REFERENCE_BOXES]
    named = {f"reference-{place}": text for place, text in enumerate(boxes, start=1)}
    return {"prediction": prediction, "shown": "", **named}

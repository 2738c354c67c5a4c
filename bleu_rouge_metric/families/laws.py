"""Laws that the counts of all texts obey, for counts that come from outside."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def find_first(is_bad: NDArray[np.bool_]) -> int | None:
    """Return the first row with anything bad in it; None if there is none."""
    rows = is_bad.any(axis=tuple(range(1, is_bad.ndim)))
    return int(rows.argmax()) if rows.any() else None


def check_hits(name: str, what: str, triples: Any, totals: tuple[int, ...] = (1, 2)) -> None:
    """Raise ValueError if hits exceed one of their totals.

    Args:
        name: of the array.
        what: is hit.
        triples: shape (pairs, 3): hits, total of the prediction, total of the reference.
        totals: indices of the totals that limit the hits.
    """
    row = find_first(triples[:, :1] > triples[:, totals])
    if row is not None:
        hits, prediction, reference = triples[row].tolist()
        raise ValueError(
            f"{name}[{row}] has {hits} hits of {what}, but totals of {prediction} in the "
            f"prediction and {reference} in the reference; expected no more hits."
        )

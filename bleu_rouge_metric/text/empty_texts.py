"""Warn about empty texts in files, such as cells of a table that were not filled in.

A null in a table is an error, but an empty cell of CSV and an empty text look alike. Nothing
matches an empty text, so it lowers the scores.
"""

import numpy as np

from ..samples.arrow_texts import list_texts
from ..samples.inputs import Samples, Texts
from .warnings import warn_caller


def warn_of_empty_texts(
    samples: Samples, system: str = "", *, check_references: bool = True
) -> None:
    """Warn if predictions or references are empty, or only white space; name the first row.

    Args:
        samples: samples of texts.
        system: name of the system that predicted them.
        check_references: whether references are checked; systems share them.
    """
    count = len(samples.predictions)
    predictions = _find_empty(samples.predictions)
    if predictions:
        warn_of_empty_predictions(len(predictions), count, predictions[0], system)
    references = _find_empty(samples.references) if check_references else []
    if references:
        rows = np.unique(samples.offsets.searchsorted(references, side="right") - 1)
        warn_of_empty_references(len(rows), count, int(rows[0]))


def warn_of_empty_predictions(
    empty: int, count: int, first: int | None = None, system: str = ""
) -> None:
    """Warn that some of ``count`` predictions are empty; ``first`` is the row of the first one."""
    whose = f" of {system!r}" if system else ""
    have = f"predictions{whose} {'is' if empty == 1 else 'are'} empty"
    _warn(f"{empty:,} of {count:,} {have}", empty, first)


def warn_of_empty_references(empty: int, count: int, first: int | None = None) -> None:
    """Warn that some of ``count`` rows have an empty reference; ``first`` is the first row."""
    have = "has" if empty == 1 else "have"
    _warn(f"{empty:,} of {count:,} rows {have} an empty reference", empty, first)


def _warn(what: str, empty: int, first: int | None) -> None:
    place = "" if first is None else f", {'first in ' if empty > 1 else ''}row {first + 1}"
    warn_caller(f"{what}{place}; nothing matches an empty text.")


def _find_empty(texts: Texts) -> list[int]:
    """Return the indices of texts that are empty, or only white space."""
    return [index for index, text in enumerate(list_texts(texts)) if not text or text.isspace()]

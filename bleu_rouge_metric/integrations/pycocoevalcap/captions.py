"""Check the captions that the two scorers get; the types of errors are pycocoevalcap's."""

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from ...arrays import to_offsets
from ...samples.inputs import Samples


def check_keys(gts: Mapping[Any, Any], res: Mapping[Any, Any]) -> None:
    """Raise AssertionError unless both have the same ids, in any order."""
    if gts.keys() != res.keys():
        refuse("gts and res have different ids; expected the same ones")


def check_caption(place: str, caption: object) -> None:
    """Raise an error unless a caption is a str.

    Args:
        place: where it is, for the error.
        caption: what is split into tokens.
    """
    if isinstance(caption, str):
        return
    kind = type(caption).__name__
    if isinstance(caption, bytes):
        raise TypeError(f"{place} is of type bytes; expected a str (a bytes-like object).")
    # Parity: pycocoevalcap fails at the method that the object lacks.
    raise AttributeError(
        f"{place} is of type {kind}; expected a str ({kind!r} object has no attribute 'split')."
    )


def refuse(message: str) -> NoReturn:
    """Raise AssertionError."""
    # Parity: pycocoevalcap asserts, so that callers may expect this type.
    raise AssertionError(f"{message}.")


def make_samples(predictions: list[str], references: Sequence[Sequence[str]]) -> Samples:
    """Make samples of checked captions."""
    counts = np.array([len(own) for own in references], dtype=np.int64)
    return Samples(predictions, [text for own in references for text in own], to_offsets(counts))

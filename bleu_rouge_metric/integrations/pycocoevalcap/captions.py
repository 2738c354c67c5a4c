"""Captions by id → samples."""

from collections.abc import Mapping, Sequence
from typing import Any

from ...samples.inputs import Samples, check_samples


def read_captions(
    gts: Mapping[Any, Sequence[str]], res: Mapping[Any, Sequence[str]]
) -> Samples | None:
    """Return the samples in the order of ``gts``; None without captions."""
    if gts.keys() != res.keys():
        raise ValueError("gts and res have different ids; expected the same ones.")
    for key, references in gts.items():
        if type(res[key]) is not list or len(res[key]) != 1:
            raise ValueError(f"res[{key!r}] is {res[key]!r}; expected a list of one caption.")
        if type(references) is not list or not references:
            raise ValueError(f"gts[{key!r}] is {references!r}; expected a list of captions.")
    return check_samples([res[key][0] for key in gts], list(gts.values())) if gts else None

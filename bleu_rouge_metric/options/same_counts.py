"""Whether samples were counted alike, so that their counts can be merged.

Counts are alike if the options that decide what is counted have the same values, functions among
them are equal, and the arrays fit (``families/counts.py``). How counts become scores, the receiver
decides.
"""

import pickle
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..schema import NAME_OR_FUNCTION
from .options import Options, find_defaults
from .profiles import Family
from .signature import FACTS
from .table import OPTIONS


class Counted(NamedTuple):
    """Who counted samples, for errors, with the signature and the families of the counts."""

    name: str
    signature: str
    families: Sequence[str] = ()


def check_same_counts(ours: Counted, theirs: Counted, *, every_option: bool = False) -> None:
    """Raise ValueError if an option that decides what is counted, or any one, differs."""
    here, there = _split_signature(ours.signature), _split_signature(theirs.signature)
    # A signature leaves out what the profile sets, which is compared first.
    presets = find_defaults(here["profile"])
    values = {
        "families": tuple(" and ".join(each.families) for each in (ours, theirs)),
        "profile": (here["profile"], there.get("profile", "")),
    }
    for name, option in OPTIONS.items():
        is_compared = every_option or option.effect == "counts"
        if is_compared and (name in here or name in there):
            preset = "none" if presets[name] is None else option.kind.write(presets[name])
            values.setdefault(name, (here.get(name, preset), there.get(name, preset)))
    which = "all options" if every_option else "the options that decide what is counted"
    for name, (own, other) in values.items():
        if own != other:
            raise ValueError(
                f"{theirs.name} has {name} {other}, but {ours.name} has {own}; counts can be "
                f"merged only if {which} are the same."
            )


def _split_signature(text: str) -> dict[str, str]:
    """Return the options of a signature by name, as they are written."""
    pairs = (item.partition(":")[::2] for item in text.split("|"))
    return {name: value for name, value in pairs if name not in FACTS}


def check_same_functions(ours: Options, theirs: Options, families: Sequence[Family]) -> None:
    """Raise ValueError if two sets of options count with different functions of the same name."""
    others = theirs.values()
    for name, here in list_functions(ours, families):
        there = others[name]
        try:
            is_same = here == there or pickle.dumps(here) == pickle.dumps(there)
        except (pickle.PicklingError, AttributeError, TypeError):
            is_same = False
        if not is_same:
            raise ValueError(
                f"{name} is another function of the same name in the other scorer; counts can be "
                "merged only if the options that decide what is counted are the same."
            )


def list_functions(options: Options, families: Sequence[Family]) -> list[tuple[str, Any]]:
    """List the functions among the options that decide what is counted, by name."""
    used = _split_signature(options.counting_signature(families))
    return [
        (name, value)
        for name, value in options.values().items()
        if name in used and OPTIONS[name].kind is NAME_OR_FUNCTION and callable(value)
    ]


def hash_counts(options: Options, families: Sequence[Family]) -> bytes:
    """Return eight bytes that tables and tensors have, to show how their samples were counted."""
    # Imported on demand, as it takes 3 ms.
    from hashlib import blake2b

    return blake2b(options.counting_signature(families).encode(), digest_size=8).digest()

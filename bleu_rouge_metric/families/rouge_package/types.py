"""The names of the scores of ``rouge``: ``rouge-1`` to ``rouge-5`` and ``rouge-l``."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from ...checks import hint_at
from ...counting.rouge_types import RougePlan, parse_rouge_type

# From the names of the types in the other profiles to those of the libraries.
NAMES: Final = {**{f"rouge{order}": f"rouge-{order}" for order in range(1, 6)}, "rougeL": "rouge-l"}

_TYPES: Final = {name: rouge_type for rouge_type, name in NAMES.items()}


def to_type(name: str) -> str | None:
    """Return the type that is called so here or in the libraries; None if they do not have it.

    >>> to_type("rouge-l"), to_type("rouge2"), to_type("rougeLsum")
    ('rougeL', 'rouge2', None)
    """
    return name if name in NAMES else _TYPES.get(name)


def to_types(names: Sequence[str]) -> tuple[str, ...]:
    """Return the types, each once, in the order of their first occurrence.

    Raises:
        ValueError: the libraries do not have one of them.
    """
    types: dict[str, None] = {}
    for name in names:
        found = to_type(name)
        if found is None:
            kind = parse_rouge_type(name).kind
            meant = NAMES["rougeL"] if kind == "lsum" else None
            expected = f"expected {', '.join(map(repr, NAMES.values()))}."
            raise ValueError(f"This profile has no rouge type {name!r}; {expected}{hint_at(meant)}")
        types[found] = None
    return tuple(types)


# As for plans of the other ROUGE types: a program uses few lists of types.
@lru_cache(maxsize=16)
def plan_types(
    types: tuple[str, ...], *, once: bool, pairs: bool
) -> tuple[RougePlan, tuple[int, ...]]:
    """Plan what is counted, and return the column of each type.

    Args:
        types: distinct types.
        once: whether each n-gram counts once.
        pairs: whether ``rougeL`` is counted by pairs of sentences; else it is the LCS of the texts.

    >>> plan_types(("rougeL", "rouge2"), once=True, pairs=False)[1]
    (1, 0)
    """
    kinds = {name: parse_rouge_type(name) for name in types}
    orders = tuple(sorted(item.order for item in kinds.values() if item.kind == "n"))
    has_lcs = len(orders) < len(types)
    plan = RougePlan(orders, lcs=has_lcs and not pairs, once=once, pairs=has_lcs and pairs)
    columns = (
        orders.index(item.order) if item.kind == "n" else len(orders) for item in kinds.values()
    )
    return plan, tuple(columns)

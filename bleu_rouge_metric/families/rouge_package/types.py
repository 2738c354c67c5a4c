"""The types of ``rouge``, ``rouge-1`` to ``rouge-5`` and ``rouge-l``: names, plans and formulas."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np

from ...checks import hint_at
from ...counting.rouge_types import CountPlan, parse_rouge_type
from ...messages import format_message
from ...samples.inputs import Samples
from ...text.sentences import Split
from ...text.warnings import warn_caller
from ..parts import Parts, RougeScores
from ..score import Floats

# From the names of the types in the other profiles to those of the libraries.
NAMES: Final = {**{f"rouge{order}": f"rouge-{order}" for order in range(1, 6)}, "rougeL": "rouge-l"}

_LIBRARIES: Final = {"rouge": "rouge 1.0.1", "rouge-chinese": "rouge-chinese 1.0.3"}

_TYPES: Final = {name: rouge_type for rouge_type, name in NAMES.items()}


def to_type(name: str) -> str | None:
    """Return the type that is called so here or in the libraries; None if they do not have it.

    >>> to_type("rouge-l"), to_type("rouge2"), to_type("rougeLsum")
    ('rougeL', 'rouge2', None)
    """
    return name if name in NAMES else _TYPES.get(name)


def to_types(names: Sequence[str]) -> tuple[str, ...]:
    """Return the types, each once, in the order of their first occurrence."""
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
) -> tuple[CountPlan, tuple[int, ...]]:
    """Plan what is counted of distinct types, and return the column of each.

    >>> plan_types(("rougeL", "rouge2"), once=True, pairs=False)[1]
    (1, 0)
    """
    kinds = {name: parse_rouge_type(name) for name in types}
    orders = tuple(sorted(item.order for item in kinds.values() if item.kind == "n"))
    has_lcs = len(orders) < len(types)
    plan = CountPlan(orders, lcs=has_lcs and not pairs, once=once, pairs=has_lcs and pairs)
    columns = (
        orders.index(item.order) if item.kind == "n" else len(orders) for item in kinds.values()
    )
    return plan, tuple(columns)


def score_triples(triples: Any) -> RougeScores:
    """Compute the scores of pairs from hits and both totals, shape (pairs, 3).

    >>> score_triples(np.array([[1, 1, 2]])).fmeasure.tolist()
    [0.6666666622222223]
    """
    hits, predicted, referred = triples.T
    # Parity: f_r_p_rouge_n of rouge 1.0.1. Without a total, precision or recall is 0.
    precision = hits / np.maximum(predicted, 1)
    recall = hits / np.maximum(referred, 1)
    return RougeScores(precision, recall, measure(precision, recall))


def score_triple(hits: int, predicted: int, referred: int) -> Parts:
    """Compute precision, recall and F-measure, as ``score_triples`` does for many."""
    precision = hits / predicted if predicted else 0.0
    recall = hits / referred if referred else 0.0
    return precision, recall, measure(precision, recall)


def measure(precision: Any, recall: Any) -> Any:
    """Compute the F-measure of one precision and recall, or of arrays of them."""
    # Parity: the 1e-8 of the library, and the order of its operations.
    return 2.0 * ((precision * recall) / ((precision + recall) + 1e-8))


def average(values: Floats, count: int | None = None) -> float:
    """Return the mean of at least one score, or their sum divided by a number.

    >>> average(np.array([0.1, 0.2, 0.3]))
    0.20000000000000004
    """
    # Parity: Rouge._get_avg_scores adds from the left. np.sum adds pairwise, and Python's sum
    # carries the rounding errors along since 3.12.
    return float(np.add.accumulate(values)[-1]) / (len(values) if count is None else count)


def has_no_sentence(text: str, split: Split) -> bool:
    """Return whether a text has no sentence, so that the libraries raise ValueError.

    >>> [has_no_sentence(text, str.split) for text in ("", " ", "..", "a")]
    [True, True, False, False]
    """
    # Fast path: only texts of full stops and white space need to be split.
    return not text.strip().strip(".") and not split(text)


def warn_of_empty_texts(samples: Samples, split: Split, profile: str) -> None:
    """Warn, once, of samples for which a library raises ValueError; here they score 0."""
    empty = sum(
        has_no_sentence(prediction, split) or has_no_sentence(references[0], split)
        for prediction, references in samples.by_sample()
    )
    if empty:
        warn_caller(
            format_message(
                "{} raises an error for {:,} of {:,} {}. Here, texts without a sentence (in {:,}) "
                "score 0.",
                *(_LIBRARIES[profile], empty, len(samples.predictions), samples.noun, empty),
            )
        )

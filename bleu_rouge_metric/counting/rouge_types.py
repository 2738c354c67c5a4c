"""Parse the names of ROUGE types, and plan what must be counted for them.

``rouge1`` to ``rouge9`` are n-gram overlap, ``rougeL`` is one LCS of the whole texts, ``rougeLsum``
the union LCS of their sentences, ``rougeW`` the LCS that favours consecutive matches, ``rougeS``
skip-bigrams and ``rougeSU`` skip-bigrams with unigrams (Lin 2004, sections 2 to 5). The name of W
may have a weight (``rougeW-1.2``), and the names of S and SU a gap (``rougeS4``): how many tokens
may be between the two tokens of a skip-bigram. The default weight is 1.2. The default gap is any
number of tokens, also written ``*``.
"""

import math
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from ..checks import hint_at

# n-gram overlap of order 1 to 9. Parity: rouge_score has no "rouge10" either.
ROUGE_N: Final = tuple(f"rouge{order}" for order in range(1, 10))
ROUGE_L: Final = "rougeL"
ROUGE_LSUM: Final = "rougeLsum"

DEFAULT_WEIGHT: Final = 1.2

# Up to this weight, f(k) = k ** weight does not overflow for any text; usual weights are between 1
# and 2.
LARGEST_WEIGHT: Final = 5.0

# A distance that no two tokens of a text reach.
ANY_DISTANCE: Final = 1 << 31

_EXPECTED: Final = (
    f"expected {ROUGE_N[0]!r} to {ROUGE_N[-1]!r}, {ROUGE_L!r}, {ROUGE_LSUM!r}, 'rougeW' (or with a "
    "weight, 'rougeW-1.2'), 'rougeS' or 'rougeSU' (or with a gap, 'rougeS4', 'rougeSU4')."
)

_NGRAMS: Final = re.compile(r"rouge([1-9])", re.ASCII)
_SKIP_BIGRAMS: Final = re.compile(r"rouge(SU?)(\*|-?[0-9]+)?", re.ASCII)
_WEIGHTED: Final = re.compile(r"rougeW(?:-(.*))?", re.ASCII | re.DOTALL)
# "ROUGE-1", "rouge_l" and the like.
_SPELLED: Final = re.compile(
    r"rouge[-_ ]?(lsum|l|w|su|s|)[-_ ]?(\*|[0-9.]*)", re.ASCII | re.IGNORECASE
)
_NUMBER: Final = re.compile(r"[0-9]+(\.[0-9]+)?", re.ASCII)

Kind = Literal["n", "l", "lsum", "w", "s", "su"]


class RougeType(NamedTuple):
    """A ROUGE type with the parameter of its kind; its other parameters have no meaning.

    Attributes:
        kind: n-grams, LCS, union LCS, weighted LCS, skip-bigrams, skip-bigrams with unigrams.
        order: order of the n-grams, from 1 to 9.
        weight: w of f(k) = k ** w, from 1 to 5.
        gap: how many tokens may be between the two tokens of a skip-bigram; None for any number.
    """

    kind: Kind
    order: int = 0
    weight: float = DEFAULT_WEIGHT
    gap: int | None = None

    @property
    def name(self) -> str:
        """Return the canonical name, the same for all spellings of a type.

        >>> parse_rouge_type("rougeW").name, parse_rouge_type("rougeSU").name
        ('rougeW-1.2', 'rougeSU*')
        """
        match self.kind:
            case "n":
                return f"rouge{self.order}"
            case "l":
                return ROUGE_L
            case "lsum":
                return ROUGE_LSUM
            case "w":
                return f"rougeW-{str(self.weight).removesuffix('.0')}"
            case "s" | "su":
                return f"rouge{self.kind.upper()}{'*' if self.gap is None else self.gap}"


# At most 100 types are scored together, and few programs score others than the usual ones.
@lru_cache(maxsize=256)
def parse_rouge_type(name: str) -> RougeType:
    """Parse the name of a type, such as ``rouge2``, ``rougeW-1.2`` or ``rougeSU*``.

    >>> parse_rouge_type("rougeSU4").gap
    4
    """
    if name == ROUGE_L:
        return RougeType("l")
    if name == ROUGE_LSUM:
        return RougeType("lsum")
    if ngrams := _NGRAMS.fullmatch(name):
        return RougeType("n", order=int(ngrams[1]))
    if weighted := _WEIGHTED.fullmatch(name):
        return RougeType("w", weight=_parse_weight(name, weighted[1]))
    if skip_bigrams := _SKIP_BIGRAMS.fullmatch(name):
        kind: Kind = "s" if skip_bigrams[1] == "S" else "su"
        return RougeType(kind, gap=_parse_gap(name, f"rouge{skip_bigrams[1]}", skip_bigrams[2]))
    raise ValueError(f"Unknown rouge type {name!r}; {_EXPECTED}{hint_at(_find_meant(name))}")


def _find_meant(name: str) -> str | None:
    """The type that is spelled in another way, as other libraries do; None if there is none.

    >>> _find_meant("rouge-l"), _find_meant("ROUGE-SU4"), _find_meant("rouge0")
    ('rougeL', 'rougeSU4', None)
    """
    found = _SPELLED.fullmatch(name)
    if found is None:
        return None
    kind = {"lsum": "Lsum"}.get(found[1].lower(), found[1].upper())
    meant = f"rouge{kind}{'-' if kind == 'W' and found[2] else ''}{found[2]}"
    try:
        return parse_rouge_type(meant).name if meant != name else None
    except ValueError:
        return None


def _parse_weight(name: str, digits: str | None) -> float:
    """Parse the weight of ``rougeW-...``."""
    if digits is None:
        return DEFAULT_WEIGHT
    weight = float(digits) if _NUMBER.fullmatch(digits) else math.nan
    if not 1 <= weight <= LARGEST_WEIGHT:
        raise ValueError(
            f"Rouge type {name!r} has the weight {digits!r}; expected a number from 1 to "
            f"{LARGEST_WEIGHT:g}, such as 'rougeW-{DEFAULT_WEIGHT}'."
        )
    return weight


def _parse_gap(name: str, family: str, digits: str | None) -> int | None:
    """Parse the gap of ``rougeS...`` and ``rougeSU...``."""
    if digits is None or digits == "*":
        return None
    if digits.startswith("-"):
        # ROUGE-1.5.5 writes any gap as -1.
        raise ValueError(
            f"Rouge type {name!r} has the gap {digits}; expected an int of at least 0, such as "
            f"'{family}4'. For any gap write '{family}*'."
        )
    # int() raises an error of its own for very many digits.
    return int(digits) if len(digits) < len(str(ANY_DISTANCE)) else ANY_DISTANCE


class CountPlan(NamedTuple):
    """What a kernel counts; each order, distance and flag is a column of integers, in this order.

    Attributes:
        orders: orders of n-grams, ascending.
        lcs: whether to count the LCS of the whole texts.
        summary: whether to count the union LCS of the sentences.
        skip_distances: largest distances between the two tokens of a skip-bigram, at least 1,
            ascending; ``ANY_DISTANCE`` for no limit.
        unigrams_but_last: whether to count the unigrams of each text without its last token.
        weights: weights of the weighted LCS, ascending; they are columns of a second array.
        lin2004: whether the union LCS is not clipped and the weighted LCS is that of the whole
            texts, as in Lin (2004).
        once: whether each distinct n-gram of a text counts once, and each distinct word of
            ``pairs``.
        pairs: whether to count the LCS of each sentence of the prediction with each of the
            reference: the sum of their lengths or, with ``once``, the distinct words of all.
        clipped: whether all references of a sample match together, as for BLEU: an n-gram of the
            prediction counts at most as often as it occurs in the reference that has it most often.
            The hits are those of the first reference, and the others have none.
    """

    orders: tuple[int, ...] = ()
    lcs: bool = False
    summary: bool = False
    skip_distances: tuple[int, ...] = ()
    unigrams_but_last: bool = False
    weights: tuple[float, ...] = ()
    lin2004: bool = False
    once: bool = False
    pairs: bool = False
    clipped: bool = False

    @property
    def columns(self) -> int:
        """Return the number of columns of integers."""
        first = len(self.orders) + self.lcs + self.summary
        return first + len(self.skip_distances) + self.unigrams_but_last + self.pairs

    @property
    def needs_sentences(self) -> bool:
        """Whether the kernel needs the sentences of the texts."""
        return self.summary or self.pairs or (bool(self.weights) and not self.lin2004)


def plan_bleu(max_order: int, *, clipped: bool = True) -> CountPlan:
    """Plan the n-grams of BLEU."""
    return CountPlan(tuple(range(1, max_order + 1)), clipped=clipped)


def skip_distance_of(gap: int | None) -> int:
    """Return the largest distance of two tokens with at most ``gap`` tokens between them.

    >>> skip_distance_of(4), skip_distance_of(None) == ANY_DISTANCE
    (5, True)
    """
    return ANY_DISTANCE if gap is None else min(gap + 1, ANY_DISTANCE)


def plan_counts(
    types: Sequence[RougeType], *, lin2004: bool
) -> tuple[CountPlan, list[tuple[int, ...]]]:
    """Plan what must be counted for all the types.

    Args:
        types: types in any order, which may repeat.
        lin2004: as in ``CountPlan``.

    Returns:
        The plan, and for each type the columns whose sum are its counts; a weighted type has one
        column of the second array.

    >>> types = [RougeType("su", gap=4), RougeType("n", order=2)]
    >>> plan, columns = plan_counts(types, lin2004=False)
    >>> plan.orders, plan.skip_distances, plan.unigrams_but_last, columns
    ((2,), (5,), True, [(1, 2), (0,)])
    """
    kinds = {item.kind for item in types}
    orders = {item.order for item in types if item.kind == "n"}
    if "su" in kinds and lin2004:
        orders.add(1)
    plan = CountPlan(
        orders=tuple(sorted(orders)),
        lcs="l" in kinds,
        summary="lsum" in kinds,
        skip_distances=tuple(
            sorted({skip_distance_of(item.gap) for item in types if item.kind in ("s", "su")})
        ),
        unigrams_but_last="su" in kinds and not lin2004,
        weights=tuple(sorted({item.weight for item in types if item.kind == "w"})),
        lin2004=lin2004,
    )
    return plan, [_columns_of(item, plan) for item in types]


def _columns_of(item: RougeType, plan: CountPlan) -> tuple[int, ...]:
    """Return the columns whose sum are the counts of a type."""
    after_orders = len(plan.orders)
    match item.kind:
        case "n":
            return (plan.orders.index(item.order),)
        case "l":
            return (after_orders,)
        case "lsum":
            return (after_orders + plan.lcs,)
        case "w":
            return (plan.weights.index(item.weight),)
        case "s" | "su":
            first = after_orders + plan.lcs + plan.summary
            skip_bigrams = first + plan.skip_distances.index(skip_distance_of(item.gap))
            if item.kind == "s":
                return (skip_bigrams,)
            # Parity: ROUGE-1.5.5 does not count the unigram of the last token. In the paper all
            # unigrams count, as skip-bigrams that begin with a marker before the first token.
            return (skip_bigrams, first + len(plan.skip_distances) if plan.unigrams_but_last else 0)

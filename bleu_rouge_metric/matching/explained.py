"""What a family says of the scores of one sample."""

from typing import Any, NamedTuple

from .lcs import Lcs, UnionLcs
from .ngrams import Matches


class Explained(NamedTuple):
    """The scores of one family, explained.

    Attributes:
        matches: by score, which n-grams match.
        lcs: by score, the LCS with each reference.
        scores: what ``Explanation`` has of the family, by the names of its attributes.
        notes: one sentence each: why a score is 0.
    """

    matches: dict[str, tuple[Matches, ...]]
    lcs: dict[str, tuple[Lcs | UnionLcs, ...]]
    scores: dict[str, Any]
    notes: list[str]

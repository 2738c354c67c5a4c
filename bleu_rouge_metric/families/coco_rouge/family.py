"""ROUGE-L of captions as the rest of the package sees it.

Callers ask for it as ROUGE with ``profile="coco"``. What is counted is what ROUGE counts for
rougeL.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar, Final

import numpy as np

from ...samples.token_ids import IdRules
from ..arithmetic import OTHER_ORDER, is_last_digits
from ..base import Counting, Scoring, Values
from ..counts import SampleCounts
from ..family import Change, Family, Pair
from ..rouge.family import Rouge
from ..rouge.formulas import RougeScores
from ..rouge.rules import RougeRules
from .formula import BETA
from .scoring import NAME, TYPES, CocoRougeScoring

_NO_EFFECT: Final = "beta and multi_reference have no effect"
_BETA: Final = "the F-measure has beta = 1.2, which weighs the recall more than the precision"
_LARGEST: Final = "the largest precision and the largest recall, each of any reference"
_EMPTY: Final = "two texts without tokens are equal"

_ROUGE: Final = Rouge()


class CocoRouge(Family):
    """ROUGE-L of captions; its only convention is that of pycocoevalcap."""

    name: ClassVar[str] = "coco_rouge"
    group: ClassVar[str] = "rouge"
    tokenizer: ClassVar[str] = "rouge_tokenizer"
    title: ClassVar[str] = "ROUGE-L"
    scores: ClassVar[tuple[str, ...]] = (NAME,)
    parts: ClassVar[tuple[str, ...]] = RougeScores._fields

    def plan(
        self, values: Values, rules: Any, ids: IdRules, convention: str
    ) -> tuple[Counting, Scoring[Any]]:
        """Return what is counted, and how it is computed."""
        del rules, convention
        counted = {**values, "rouge_types": TYPES}
        counting, _ = _ROUGE.plan(counted, RougeRules(), ids, "exact")
        return counting, CocoRougeScoring(names=(NAME,))

    def warn(self, values: Values, counting: Any) -> None:
        """Warn of a stemmer and of stop words that have no effect."""
        _ROUGE.warn(values, counting)

    def write_name(self, score: str) -> str:
        """Return the score with a hyphen."""
        return self.title if score == NAME else score

    def split_arithmetic(self, before: Change, after: Change) -> Iterator[Change]:
        """Iterate over the parts of the arithmetic of pycocoevalcap."""
        scoring: Any = before.scoring
        yield Change(before.counting, replace(scoring, rules=RougeRules()), _NO_EFFECT)
        weighed = replace(scoring, rules=RougeRules(beta=BETA))
        yield Change(before.counting, weighed, _BETA)
        yield after

    def explain_change(
        self, name: str, before: Change, after: Change, counts: SampleCounts, values: Pair
    ) -> str:
        """Describe how the maxima over the references change ROUGE-L."""
        del name, before, after
        if is_last_digits(*values):
            return OTHER_ORDER
        reasons = [_LARGEST] if (counts.reference_counts > 1).any() else []
        lacks_tokens = (counts["rouge"][..., 1:] == 0).all(axis=-1)
        return "; ".join([*reasons, _EMPTY] if np.any(lacks_tokens) else reasons)

"""Describe how the arithmetic of ``rouge`` and ``rouge-chinese`` differs from ``rouge_score``'s."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from ...counting.pools import TextsT
from ..base import Floats
from ..counts import SampleCounts
from ..family import Change
from ..rouge.counting import RougeCounting
from ..rouge.formulas import RougeScores
from ..rouge.scoring import RougeScoring
from .counting import PltrdyCounting
from .formula import average, measure

_FORMULA: Final = (
    "the F-measure has 1e-8 in its denominator, and the mean is summed from left to right"
)
_WORDS: Final = (
    "the marks at which sentences end separate words, and a blank sentence counts as one word"
)
_ONCE: Final = "each distinct n-gram counts once"
_UNION: Final = "the distinct words of the LCS of all pairs of sentences"
_SUM: Final = "the LCS of all pairs of sentences, whose lengths are summed"


@dataclass(frozen=True, kw_only=True)
class _Measured(RougeScoring):
    """ROUGE with the F-measure and the mean of ``rouge``."""

    def score_parts(self, counts: SampleCounts) -> Iterator[tuple[str, RougeScores]]:
        for name, (precision, recall, _) in super().score_parts(counts):
            yield name, RougeScores(precision, recall, measure(precision, recall))

    def average(self, values: Floats) -> float:
        return average(values)


@dataclass(frozen=True, kw_only=True)
class _Lines(RougeCounting):
    """What ROUGE counts in the sentences of ``rouge``."""

    source: PltrdyCounting

    def prepare(self, samples: TextsT) -> TextsT:
        return self.source.prepare(samples)


def split_arithmetic(before: Change, after: Change) -> Iterator[Change]:
    """Iterate over the parts of an arithmetic, one changed after the other.

    Args:
        before: with the options of the profile and the arithmetic of ``rouge_score``.
        after: of the profile.
    """
    theirs: Any = before.counting
    scoring: Any = before.scoring
    counting: Any = after.counting
    if not isinstance(theirs, RougeCounting) or not isinstance(scoring, RougeScoring):
        yield after
        return
    types = {name: name for name in counting.types}
    shared = replace(theirs, types=counting.types, sentence_types=())
    measured = _Measured(names=counting.types, rules=scoring.rules, types=types)
    yield Change(shared, measured, _FORMULA)
    parts = vars(shared) | {"tokenizer": counting.tokenizer, "source": counting}
    yield Change(_Lines(**parts), measured, _WORDS)
    yield after


def explain_counts(name: str, counting: PltrdyCounting) -> str:
    """Describe how what is counted changes one type.

    Args:
        name: of the type in the other profiles.
        counting: of the profile.
    """
    if name != "rougeL":
        return _ONCE
    return _UNION if counting.exclusive else _SUM

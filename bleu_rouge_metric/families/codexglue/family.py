"""CodeXGLUE's BLEU as the rest of the package sees it.

Callers ask for it as BLEU with ``profile="codexglue"``. What is counted is what BLEU counts.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

from ...samples.token_ids import IdRules
from ..base import Counting, Scoring, Values
from ..bleu.counting import BleuCounting, make_tokenizer
from ..bleu.rules import BleuRules, check_bleu_rules
from ..family import Change, Family
from .formula import ORDERS, RULES
from .reasons import MEAN, PERCENTAGES, PLAIN, SMOOTHED, MeanOfSentences
from .scoring import NAME, CodexglueScoring


class Codexglue(Family):
    """CodeXGLUE's BLEU; its only convention is that of CodeXGLUE."""

    name: ClassVar[str] = "codexglue"
    group: ClassVar[str] = "bleu"
    tokenizer: ClassVar[str] = "bleu_tokenizer"
    title: ClassVar[str] = "CodeXGLUE's BLEU"
    scores: ClassVar[tuple[str, ...]] = (NAME,)

    def make_rules(self, values: Values, convention: str) -> BleuRules:
        """Normalise the options of BLEU, which this family does not use."""
        del convention
        return check_bleu_rules(values, "hf")

    def plan(
        self, values: Values, rules: BleuRules, ids: IdRules, convention: str
    ) -> tuple[Counting, Scoring[Any]]:
        """Return what is counted, and how it is computed."""
        del rules, convention
        counting = BleuCounting(
            choice=values["bleu_tokenizer"],
            tokenizer=make_tokenizer(values, ids),
            max_order=ORDERS,
        )
        return counting, CodexglueScoring()

    def owns(self, key: str) -> bool:
        """Return False: the keys of a result are those of BLEU."""
        del key
        return False

    def split_arithmetic(self, before: Change, after: Change) -> Iterator[Change]:
        """Iterate over the parts of the arithmetic of CodeXGLUE."""
        plain = replace(before.scoring, rules=RULES)  # type: ignore[call-arg]
        yield Change(after.counting, plain, PLAIN)
        yield Change(after.counting, MeanOfSentences(names=(NAME,), bleu=plain), MEAN)
        yield Change(after.counting, replace(after.scoring, scale=1), SMOOTHED)
        yield Change(after.counting, after.scoring, PERCENTAGES)

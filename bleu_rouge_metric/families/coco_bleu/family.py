"""BLEU of captions as the rest of the package sees it.

Callers ask for it as BLEU with ``profile="coco"``. What is counted is what BLEU counts.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, ClassVar, Final

from ...messages import value_error
from ...samples.token_ids import IdRules
from ...text.tokenizer import Tokenizer
from ..base import Counting, Scoring, Values
from ..bleu.counting import BleuCounting, make_tokenizer
from ..bleu.rules import BleuRules, check_bleu_rules
from ..counts import SampleCounts
from ..family import Change, Family, Pair
from .formula import MOST_ORDERS, RULES
from .scoring import CocoBleuScoring

NAMES: Final = tuple(f"Bleu_{order}" for order in range(1, MOST_ORDERS + 1))

_CLOSEST: Final = "the length of the closest reference, and of two the shorter one"
_PLAIN: Final = "smoothing, weights and effective_order have no effect"
_CONSTANTS: Final = (
    "1e-15 is added to the numerator and 1e-9 to the denominator of each precision and of the "
    "ratio of the lengths, so that no precision is 0 and equal lengths are penalised a little"
)


# The same function for the same tokenizer, so that equal options make equal plans.
@cache
def _split_again(tokenizer: Tokenizer) -> Tokenizer:
    """Return a tokenizer of the package whose tokens contain no white space."""
    return Tokenizer(tokenizer.name, lambda text: " ".join(tokenizer(text)).split())


class CocoBleu(Family):
    """BLEU of captions; its only convention is that of pycocoevalcap."""

    name: ClassVar[str] = "coco_bleu"
    group: ClassVar[str] = "bleu"
    tokenizer: ClassVar[str] = "bleu_tokenizer"
    title: ClassVar[str] = "BLEU"
    scores: ClassVar[tuple[str, ...]] = NAMES

    def make_rules(self, values: Values, convention: str) -> BleuRules:
        """Check the options of BLEU together, and normalise them."""
        del convention
        rules = check_bleu_rules(values, "hf")
        # Parity: pycocoevalcap counts n-grams up to 4 of a reference, so that Bleu(5) fails.
        if rules.max_order > MOST_ORDERS:
            expected = f"expected an int from 1 to {MOST_ORDERS}, as for pycocoevalcap's Bleu."
            raise value_error("{max_order} is {}", rules.max_order, expected=expected)
        return rules

    def plan(
        self, values: Values, rules: BleuRules, ids: IdRules, convention: str
    ) -> tuple[Counting, Scoring[Any]]:
        """Return what is counted, and how it is computed."""
        del convention
        choice, tokenizer = values["bleu_tokenizer"], make_tokenizer(values, ids)
        # Parity: some tokens of PTBTokenizer, such as "1 1/2", contain no-break spaces, at which
        # the BLEU of pycocoevalcap splits them again; its ROUGE-L does not.
        counting = BleuCounting(
            choice=choice,
            tokenizer=_split_again(tokenizer) if choice == "ptb" else tokenizer,
            max_order=rules.max_order,
        )
        return counting, CocoBleuScoring(names=NAMES[: rules.max_order])

    def write_name(self, score: str) -> str:
        """Return a score with a hyphen."""
        return score.replace("Bleu_", "BLEU-", 1)

    def narrow(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return values without a highest order that pycocoevalcap does not count."""
        order = values.get("max_order")
        too_high = isinstance(order, int) and order > MOST_ORDERS
        return {**values, "max_order": MOST_ORDERS} if too_high else values

    def split_arithmetic(self, before: Change, after: Change) -> Iterator[Change]:
        """Iterate over the parts of the arithmetic of pycocoevalcap."""
        scoring: Any = before.scoring
        closest = replace(scoring, rules=scoring.rules._replace(reference_length="closest"))
        yield Change(before.counting, closest, _CLOSEST)
        orders = len(after.scoring.names)
        plain = replace(scoring, rules=RULES._replace(max_order=orders))
        yield Change(after.counting, plain, _PLAIN)
        yield after

    def explain_change(
        self, name: str, before: Change, after: Change, counts: SampleCounts, values: Pair
    ) -> str:
        """Describe how the constants change BLEU."""
        del name, before, after, counts, values
        return _CONSTANTS

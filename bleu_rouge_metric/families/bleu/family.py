"""BLEU as the rest of the package sees it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from ...samples.token_ids import IDS, IdRules
from ...schema.option import Option
from ...text.warnings import warn_of_smoothing
from ..base import Counting, Scoring, Values
from ..counts import SampleCounts
from ..family import Change, Family, Pair
from .counting import BleuCounting, make_tokenizer
from .formula import SCALES
from .options import OPTIONS
from .reasons import STRIPPED, explain_arithmetic
from .rules import BleuRules, check_bleu_rules
from .scoring import BleuScoring


class Bleu(Family):
    """BLEU; the convention is the library that it follows: ``hf``, ``sacrebleu`` or ``nltk``."""

    name: ClassVar[str] = "bleu"
    group: ClassVar[str] = "bleu"
    tokenizer: ClassVar[str] = "bleu_tokenizer"
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    title: ClassVar[str] = "BLEU"
    # Parity: sacrebleu calls BLEU "score".
    aliases: ClassVar[Mapping[str, str]] = {"score": "bleu"}
    facts: ClassVar[frozenset[str]] = frozenset(
        {
            *("brevity_penalty", "length_ratio", "translation_length", "reference_length"),
            *("counts", "totals", "bp", "sys_len", "ref_len"),
        }
    )

    def make_rules(self, values: Values, convention: str) -> BleuRules:
        """Check the options of BLEU together, and normalise them."""
        return check_bleu_rules(values, convention)

    def plan(
        self, values: Values, rules: BleuRules, ids: IdRules, convention: str
    ) -> tuple[Counting, Scoring[Any]]:
        """Return what BLEU counts, and how it is computed."""
        counting = BleuCounting(
            choice=values["bleu_tokenizer"],
            tokenizer=make_tokenizer(values, ids),
            max_order=rules.counted_order,
            # Parity: sacrebleu, BLEU._preprocess_segment.
            strips_end=convention == "sacrebleu" and values["bleu_tokenizer"] != IDS,
        )
        scale = int(SCALES[rules.arithmetic])
        return counting, BleuScoring(names=("bleu",), scale=scale, rules=rules)

    def warn(self, values: Values, counting: Counting) -> None:
        """Warn of an NLTK smoothing that most of the corpus does not use."""
        del counting
        warn_of_smoothing(values["smooth"], values["max_order"])

    def split_arithmetic(self, before: Change, after: Change) -> Iterator[Change]:
        """Iterate over the parts of a library's arithmetic."""
        counting: Any = before.counting
        stripped: Any = after.counting
        if stripped.strips_end:
            yield Change(replace(counting, strips_end=True), before.scoring, STRIPPED)
        yield after

    def explain_change(
        self, name: str, before: Change, after: Change, counts: SampleCounts, values: Pair
    ) -> str:
        """Describe how the arithmetic of a library changes BLEU."""
        del name, before, counts
        scoring: Any = after.scoring
        return explain_arithmetic(scoring.rules.arithmetic, *values)

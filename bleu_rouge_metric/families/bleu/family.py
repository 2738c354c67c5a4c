"""BLEU by the rules of a library: of all samples, of each, of resamples, and of single pairs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from ...counting.kernels import BleuCounts
from ...messages import value_error
from ...resampling.draws import Statistic
from ...samples.token_ids import IDS, IdRules
from ...schema import Option
from ...text.warnings import warn_of_smoothing
from ..counts import SampleCounts, shrink
from ..score import (
    Floats,
    Output,
    PairScore,
    Score,
    ScoreWarning,
    Value,
    Values,
    is_last_digits,
)
from ..sums import Sums
from .counts import LengthScore, read_bleu
from .formula import SCALES, prepare_sentence_score, score_rows, score_sentences
from .options import OPTIONS
from .rules import LAST_SAMPLE_SMOOTHINGS, check_bleu_rules, check_one_set
from .score import describe_statistics, score_corpus
from .statistics import PARTS, choose_reference_lengths, make_columns, make_statistics

if TYPE_CHECKING:
    from typing_extensions import Self

_PERCENTAGES: Final = "percentages, from 0 to 100"
_STRIPPED: Final = "white space at the end of a text is removed"
_NLTK: Final = (
    "a prediction too short for an order adds one n-gram to it, an order without a match counts as "
    "the smallest float or is left out instead of making the score 0, and without any match the "
    "score is 0 with any smoothing"
)


@dataclass(frozen=True, kw_only=True)
class Bleu(LengthScore):
    """BLEU; the convention is the library that it follows: ``hf``, ``sacrebleu`` or ``nltk``."""

    name: ClassVar[str] = "bleu"
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

    @classmethod
    def plan(cls, values: Values, convention: str, ids: IdRules) -> "Self":
        rules, choice = check_bleu_rules(values, convention), values["bleu_tokenizer"]
        return cls(
            choice=choice,
            tokenizer=cls.make_tokenizer(values, ids),
            names=("bleu",),
            scale=int(SCALES[rules.arithmetic]),
            # Parity: sacrebleu, BLEU._preprocess_segment.
            strips_end=convention == "sacrebleu" and choice != IDS,
            rules=rules,
        )

    def warn(self, values: Values) -> None:
        warn_of_smoothing(values["smooth"], values["max_order"])

    def score(self, counts: SampleCounts, output: Output, seed: int) -> dict[str, Value]:
        arrays = read_bleu(counts)
        scores = score_corpus(arrays, counts.offsets, self.rules)
        scores = self.add_intervals(scores, counts, output, seed)
        if output.per_sample:
            scores["sentence_bleu"] = self.score_samples(counts)["bleu"].tolist()
        return scores

    def find_key(self, score: str) -> str:
        return "score" if self.rules.arithmetic == "sacrebleu" else score

    def score_samples(self, counts: SampleCounts) -> Mapping[str, Floats]:
        return {"bleu": score_sentences(read_bleu(counts), counts.offsets, self.rules)}

    def list_sample_scores(
        self, counts: SampleCounts, *, detailed: bool
    ) -> Mapping[str, Sequence[float]]:
        """Return ``sentence_bleu``; ``sentence_bleu_1`` and so on for several sets of weights."""
        scores = self.score_samples(counts)["bleu"]
        if scores.ndim == 1:
            return {"sentence_bleu": scores.tolist()}
        return {f"sentence_bleu_{at}": each for at, each in enumerate(scores.T.tolist(), 1)}

    def score_system(
        self, counts: SampleCounts, output: Output, seed: int
    ) -> tuple[dict[str, float], Mapping[str, Floats]]:
        """Return BLEU, and sacrebleu's ``sentence_bleu``: smoothed, with effective orders."""
        # Without smoothing most sentences score 0, and most samples would be ties.
        rules = self.rules._replace(
            arithmetic="sacrebleu",
            smooth="exp",
            smooth_value=None,
            effective_order=True,
            auto_reweigh=False,
        )
        samples = replace(self, rules=rules).score_samples(counts)
        return self.score_plainly(counts, output, seed), samples

    def sums(self, counts: SampleCounts) -> Mapping[str, Sums]:
        self.check_sums()
        arrays, rules = read_bleu(counts), self.rules
        exact = {}
        if rules.reference_length == "average":
            lengths = choose_reference_lengths(arrays, counts.offsets, rules)
            exact[0] = lengths.astype(np.float64), float(PARTS)
        columns = shrink(make_columns(arrays, counts.offsets, rules))
        return {"bleu": Sums(Statistic(columns, partial(score_rows, rules=rules)), exact)}

    def check_sums(self) -> None:
        """Raise ValueError if BLEU is not a function of summed counts, or has several values."""
        smooth = self.rules.smooth
        if smooth in LAST_SAMPLE_SMOOTHINGS:
            raise value_error(
                "{smooth} {!r} uses counts of the last sample, so resampling would change what is "
                "measured",
                smooth,
                remedy=f"use {smooth + '-corrected'!r}.",
            )
        check_one_set(self.rules, "one score is resampled")

    def check_one_score(self, reason: str) -> None:
        check_one_set(self.rules, reason)

    def check_counted(self, counted: "Self", values: Any) -> None:
        """Raise ValueError if a smoothing needs an order that was not counted."""
        if self.max_order > counted.max_order:
            raise value_error(
                "{smooth} {!r} looks at n-grams up to {}, but they are counted up to {}",
                *(values.smooth, self.max_order, counted.max_order),
                remedy="give it to Scorer(...), not to result.",
            )

    def prepare_score_warning(self) -> ScoreWarning:
        """Return what finds a BLEU of 0 of all samples although a token matches.

        Scores of single sentences, of groups and of resamples do not warn: there it is ordinary.
        """
        return ScoreWarning("bleu", is_unexpected_zero, self._warn_of_zero)

    def _warn_of_zero(self, counts: SampleCounts) -> bool:
        from .explanation import warn_of_zero_bleu

        return warn_of_zero_bleu(read_bleu(counts), counts.offsets, self.rules)

    def score_one(
        self, matches: Sequence[int], length: int, reference_length: float
    ) -> tuple[float]:
        return (prepare_sentence_score(self.rules)(matches, length, reference_length),)

    def describe_one(
        self, matches: Sequence[int], length: int, reference_length: float
    ) -> dict[str, Value]:
        statistics = make_statistics(matches, length, reference_length, self.rules)
        return describe_statistics(statistics, self.rules)

    def pair(self) -> PairScore | None:
        return None if self.uses_ids else self.prepare_counted(prepare_sentence_score(self.rules))

    def explain_product(self, counts: BleuCounts) -> tuple[Any, list[str]]:
        from .explanation import explain_bleu

        product = explain_bleu(counts, self.rules)
        return product, [] if product.score else [f"BLEU is 0: {product.find_reason()}."]

    def steps(self, baseline: Score) -> Iterator[tuple[Score, str]]:
        if self.strips_end:
            yield replace(baseline, strips_end=True), _STRIPPED  # type: ignore[call-arg]
        yield self, ""

    def explain_change(
        self, name: str, before: Score, counts: SampleCounts, values: tuple[float, float]
    ) -> str:
        old, new = values
        if self.rules.arithmetic == "nltk":
            return _NLTK
        if is_last_digits(100 * old, new):
            return _PERCENTAGES
        if new:
            return f"{_PERCENTAGES}, and references without tokens do not make the score 0"
        return f"{_PERCENTAGES}, and without any match the score is 0 with any smoothing"


def is_unexpected_zero(scores: Mapping[str, Any]) -> bool:
    """Return whether BLEU of all samples is 0 although a token matches.

    >>> is_unexpected_zero({"bleu": 0.0, "precisions": [0.5, 0.0]}), is_unexpected_zero({})
    (True, False)
    """
    # Fast path: without it nothing changes. A call with most scores takes 50 ns.
    if scores.get("bleu"):
        return False
    return bool(scores.get("bleu", scores.get("score")) == 0 and scores["precisions"][0] > 0)

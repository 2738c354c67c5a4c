"""How BLEU's counts become scores: of all samples, of each, of resamples, and of single pairs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ...counting.pairs import BleuPairs
from ...messages import value_error
from ...resampling.draws import Statistic
from ..base import Floats, Output, PairResult, PairScore, ScoreWarning, Scoring, Value
from ..counts import SampleCounts, shrink
from ..sums import Sums
from .counting import BleuCounting, read_bleu
from .formula import make_statistics, prepare_sentence_score
from .rows import (
    PARTS,
    bleu_columns,
    check_resampled,
    has_rows,
    score_rows,
    score_sentence_rows,
)
from .rules import BleuRules, check_one_set
from .score import describe_statistics, score_corpus, score_sentences
from .statistics import choose_reference_lengths, prepare_reference_length
from .zero_bleu import is_unexpected_zero, warn_of_zero_bleu

if TYPE_CHECKING:
    from ...matching.texts import Explained, FoundTokens


@dataclass(frozen=True, kw_only=True)
class LengthScoring(Scoring[BleuCounting]):
    """Scores of which those of a sample depend on its matches and on two lengths.

    Attributes:
        rules: how counts become scores, and which reference counts.
    """

    rules: BleuRules

    def score_one(
        self, matches: Sequence[int], length: int, reference_length: float
    ) -> Sequence[float]:
        """Return the scores of a sample, in the order of the names."""
        raise NotImplementedError

    def describe_one(
        self, matches: Sequence[int], length: int, reference_length: float
    ) -> dict[str, Value]:
        """Return what ``score`` returns for a sample."""
        return dict(zip(self.names, self.score_one(matches, length, reference_length), strict=True))

    def prepare_pair(self, counting: BleuCounting) -> PairScore | None:
        """Prepare the scores of single pairs of texts."""
        if counting.uses_ids:
            return None
        score_pair = prepare_counted(counting, self.rules, self.score_one)

        def score(prediction: str, references: list[str]) -> tuple[Sequence[float], bool]:
            (scores,), has_tokens = score_pair(prediction, references)
            return scores, has_tokens

        return score

    def prepare_result(self, counting: BleuCounting, output: Output) -> PairResult | None:
        """Prepare the result of single pairs of texts, without ``sentence_bleu``."""
        if counting.uses_ids or output.per_sample:
            return None
        score_pair = prepare_counted(counting, self.rules, self.describe_one)

        def score(prediction: str, references: list[str]) -> dict[str, Value] | None:
            (scores,), has_tokens = score_pair(prediction, references)
            return scores if has_tokens else None

        return score


@dataclass(frozen=True, kw_only=True)
class BleuScoring(LengthScoring):
    """BLEU by the rules of a library."""

    def score(self, counts: SampleCounts, output: Output, seed: int) -> dict[str, Value]:
        """Return BLEU of all samples with the other keys of the library."""
        arrays = read_bleu(counts)
        scores = score_corpus(arrays, counts.offsets, self.rules)
        scores = self.add_intervals(scores, counts, output, seed)
        if output.per_sample:
            scores["sentence_bleu"] = score_sentences(arrays, counts.offsets, self.rules)
        return scores

    def score_plainly(self, counts: SampleCounts, output: Output, seed: int) -> dict[str, float]:
        """Return BLEU as ``bleu``, whatever the library calls it."""
        return {"bleu": self.score(counts, output.plain, seed)[self.find_key("bleu")]}

    def find_key(self, score: str) -> str:
        """Return ``score`` for sacrebleu, whose name of BLEU it is."""
        return "score" if self.rules.arithmetic == "sacrebleu" else score

    def score_samples(self, counts: SampleCounts) -> Mapping[str, Floats]:
        """Return the sentence BLEU of every sample."""
        arrays, rules = read_bleu(counts), self.rules
        if has_rows(rules):
            return {"bleu": score_sentence_rows(arrays, counts.offsets, rules)}
        return {"bleu": np.array(score_sentences(arrays, counts.offsets, rules))}

    def list_sample_scores(
        self, counts: SampleCounts, *, detailed: bool
    ) -> Mapping[str, Sequence[float]]:
        """Return ``sentence_bleu``; ``sentence_bleu_1`` and so on for several sets of weights."""
        del detailed
        scores: list[Any] = score_sentences(read_bleu(counts), counts.offsets, self.rules)
        if not isinstance(scores[0], list):
            return {"sentence_bleu": scores}
        columns = enumerate(zip(*scores, strict=True), start=1)
        return {f"sentence_bleu_{number}": column for number, column in columns}

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
        return (
            self.score_plainly(counts, output, seed),
            replace(self, rules=rules).score_samples(counts),
        )

    def sum(self, counts: SampleCounts) -> Mapping[str, Sums]:
        """Return BLEU of summed counts."""
        self.check_sums()
        arrays, rules = read_bleu(counts), self.rules
        exact = {}
        if rules.reference_length == "average":
            lengths = choose_reference_lengths(arrays, counts.offsets, rules)
            exact[1] = lengths.astype(np.float64), float(PARTS)
        columns = shrink(bleu_columns(arrays, counts.offsets, rules))
        return {"bleu": Sums(Statistic(columns, partial(score_rows, rules=rules)), exact)}

    def check_sums(self) -> None:
        """Raise ValueError if BLEU is not a function of summed counts, or has several values."""
        check_resampled(self.rules)

    def check_counted(self, counting: BleuCounting, values: Any) -> None:
        """Raise ValueError if a smoothing needs an order that was not counted."""
        needed, counted = self.rules.counted_order, counting.max_order
        if needed > counted:
            raise value_error(
                "{smooth} {!r} looks at n-grams up to {}, but they are counted up to {}",
                *(values.smooth, needed, counted),
                remedy="give it to Scorer(...), not to result.",
            )

    def prepare_score_warning(self) -> ScoreWarning:
        """Return what finds a BLEU of 0 although a token matches."""

        def warn(counts: SampleCounts) -> bool:
            return warn_of_zero_bleu(read_bleu(counts), counts.offsets, self.rules)

        return ScoreWarning("bleu", is_unexpected_zero, warn)

    def check_one_score(self, reason: str) -> None:
        """Raise ValueError if there are several sets of weights."""
        check_one_set(self.rules, reason)

    def explain(
        self, counting: BleuCounting, texts: Sequence["FoundTokens"], counts: SampleCounts
    ) -> "Explained":
        """Explain BLEU as a product."""
        from ...matching.texts import Explained
        from .explanation import explain_bleu, match_bleu

        product = explain_bleu(read_bleu(counts), self.rules)
        notes = [] if product.score else [f"BLEU is 0: {product.find_reason()}."]
        matches = match_bleu(texts, counting.max_order)
        return Explained({"bleu": matches}, {}, {"bleu": product}, notes)

    def describe_one(
        self, matches: Sequence[int], length: int, reference_length: float
    ) -> dict[str, Value]:
        """Return BLEU of a sample with the other keys of the library."""
        statistics = make_statistics(matches, length, reference_length, self.rules)
        return describe_statistics(statistics, self.rules)

    def prepare_pair(self, counting: BleuCounting) -> PairScore | None:
        """Prepare sentence BLEU of single pairs of texts."""
        if counting.uses_ids:
            return None
        return prepare_counted(counting, self.rules, prepare_sentence_score(self.rules))


def prepare_counted(
    counting: BleuCounting, rules: BleuRules, score: Callable[[Sequence[int], int, float], Any]
) -> Callable[[str, list[str]], tuple[tuple[Any], bool]]:
    """Prepare the scores of single pairs.

    Args:
        counting: what is counted.
        rules: how counts become BLEU.
        score: from matches, prediction length and reference length to the score.
    """
    count = BleuPairs(counting.tokenizer, counting.max_order).count
    order, counted = rules.counted_order, counting.max_order
    choose = prepare_reference_length(rules)
    strips_end, first = counting.strips_end, counted + 1

    def score_pair(prediction: str, references: list[str]) -> tuple[tuple[Any], bool]:
        if strips_end:
            # As BleuCounting.prepare.
            prediction, references = prediction.rstrip(), [text.rstrip() for text in references]
        numbers = count(prediction, references)
        length, lengths = numbers[counted], numbers[first:]
        reference_length = lengths[0] if len(lengths) == 1 else choose(length, lengths)
        result = score(numbers[:order], length, reference_length)
        return (result,), 0 not in lengths and length > 0

    return score_pair

"""BLEU as the rest of the package sees it."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np

from ...bleu.formula import SCALES
from ...bleu.rows import _PARTS, bleu_columns, check_resampled, score_rows
from ...bleu.rules import make_bleu_rules
from ...bleu.score import describe_statistics, score_corpus, score_sentences
from ...bleu.sentence import make_statistics, prepare_sentence_score
from ...bleu.statistics import choose_reference_lengths
from ...counting.kernels import BleuCounts, count_bleu
from ...counting.pairs import BleuPairs
from ...resampling.paired import Statistic
from ...samples.token_ids import IDS
from ...text.id_tokens import make_id_tokenizer
from ...text.tokenizers import Tokenizer, resolve_tokenizer, uses_segmenter
from ...text.warnings import warn_of_smoothing
from ..base import (
    Base,
    Choice,
    Layout,
    Output,
    SampleCounts,
    Sums,
    add_interval,
    find_first,
    register,
    shrink,
)
from .zero_bleu import is_unexpected_zero, warn_of_zero_bleu


class BleuCountPlan(NamedTuple):
    """What is counted for BLEU."""

    choice: Choice
    tokenizer: Tokenizer
    max_order: int
    lowercase: bool
    strips_end: bool

    @property
    def bare_tokenizer(self) -> Tokenizer:
        return self.tokenizer


def make_tokenizer(values: Any, ids: Any) -> Tokenizer:
    choice = values["bleu_tokenizer"]
    if choice == IDS:
        return make_id_tokenizer(ids.separator)
    segmenter = values["segmenter"] if uses_segmenter(choice) else None
    return resolve_tokenizer("bleu_tokenizer", choice, segmenter=segmenter)


def make_rules(values: Any, arithmetic: str) -> Any:
    rules = make_bleu_rules(
        arithmetic=arithmetic,
        max_order=values["max_order"],
        weights=values["weights"],
        smooth=values["smooth"],
        smooth_value=values["smooth_value"],
        reference_length=values["reference_length"],
        effective_order=values["effective_order"],
        auto_reweigh=values["auto_reweigh"],
    )
    for name in ("max_order", "smooth", "smooth_value", "effective_order"):
        values[name] = getattr(rules, name)
    if rules.weights is not None:
        values["weights"] = rules.weights if len(rules.weights) > 1 else rules.weights[0]
    return rules


def check_min_order(values: Any, rules: Any) -> None:
    from ...checks import check_range

    check_range("min_order", values["min_order"], 1, rules.max_order)


def read_bleu(counts: SampleCounts) -> BleuCounts | None:
    """Return the arrays of BLEU; None if it was not counted."""
    if "bleu_matches" not in counts.samples:
        return None
    return BleuCounts(
        counts.samples["bleu_matches"],
        counts.samples["bleu_prediction_lengths"],
        counts.references["bleu_reference_lengths"],
    )


def prepare_texts(samples: Any, plan: Any) -> Any:
    if plan.lowercase:
        samples = samples.map_texts(str.lower)
    if plan.strips_end:
        # Parity: sacrebleu, BLEU._preprocess_segment: lower case first, then no white space at the
        # end, so that 13a keeps the hyphen of "-\n" there.
        samples = samples.map_texts(str.rstrip)
    return samples


class Bleu(Base):
    """BLEU of three libraries."""

    name = "bleu"
    no_scores = frozenset(
        {
            *("brevity_penalty", "length_ratio", "translation_length", "reference_length"),
            *("counts", "totals", "bp", "sys_len", "ref_len"),
        }
    )

    def rules(self, values: Any, convention: str) -> Any:
        rules = make_rules(values, convention)
        check_min_order(values, rules)
        return rules

    def check_interval(self, values: Any, rules: Any) -> None:
        try:
            check_resampled(rules)
        except ValueError as error:
            raise ValueError(f"confidence is {values['confidence']}, but {error}") from error

    def plan(self, values: Any, rules: Any, ids: Any, convention: str) -> Any:
        counting = BleuCountPlan(
            choice=values["bleu_tokenizer"],
            tokenizer=make_tokenizer(values, ids),
            max_order=rules.counted_order,
            lowercase=values["lowercase"],
            # Parity: sacrebleu, BLEU._preprocess_segment.
            strips_end=convention == "sacrebleu" and values["bleu_tokenizer"] != IDS,
        )
        return counting, rules

    def warn(self, values: Any, counting: Any) -> None:
        warn_of_smoothing(values["smooth"], values["max_order"])

    def scale(self, scoring: Any) -> int:
        return int(SCALES[scoring.arithmetic])

    def find_surprise(self, scores: Any) -> str | None:
        return "bleu" if is_unexpected_zero(scores) else None

    def warn_of_scores(self, scores: Any, counts: SampleCounts, scoring: Any, warned: set[str]) -> None:
        if "bleu" in warned or not is_unexpected_zero(scores):
            return
        if warn_of_zero_bleu(read_bleu(counts), counts.offsets, scoring):
            warned.add("bleu")

    def layout(self, counting: BleuCountPlan) -> Any:
        return {
            "bleu_matches": Layout(
                ("i4",), (counting.max_order,), "sample", ("bleu_matches",), may_be_wider=True
            ),
            "bleu_prediction_lengths": Layout(("i4",), (), "sample", ("bleu_prediction_length",)),
            "bleu_reference_lengths": Layout(("i4",), (), "reference", ("bleu_reference_lengths",)),
        }

    def count(self, samples: Any, counting: BleuCountPlan) -> Any:
        counts = count_bleu(
            prepare_texts(samples, counting), counting.max_order, counting.tokenizer
        )
        return {f"bleu_{name}": array.astype(np.int32) for name, array in counts._asdict().items()}

    def check(self, counts: SampleCounts, counting: Any) -> None:
        matches = counts["bleu_matches"]
        lengths = counts["bleu_prediction_lengths"][:, np.newaxis].astype(np.int64)
        most = np.maximum(lengths - np.arange(matches.shape[1]), 0)
        row = find_first(matches > most)
        if row is not None:
            raise ValueError(
                f"bleu_matches[{row}] is {matches[row].tolist()}, but a prediction of "
                f"{lengths[row, 0]} tokens has {most[row].tolist()} n-grams; expected no more "
                "matches."
            )

    def totals(self, counts: SampleCounts, counting: Any) -> Any:
        return counts["bleu_prediction_lengths"], counts["bleu_reference_lengths"]

    def of_references(self, counts: SampleCounts) -> Any:
        return [counts["bleu_reference_lengths"]]

    def names(self, scoring: Any) -> tuple[str, ...]:
        return ("bleu",)

    def score(self, counts: SampleCounts, scoring: Any, output: Output, seed: int) -> Any:
        arrays = read_bleu(counts)
        result = score_corpus(arrays, counts.offsets, scoring)
        if output.confidence is not None:
            result = add_interval(result, self.sums(counts, scoring)["bleu"], output, seed)
        if output.samples:
            result["sentence_bleu"] = score_sentences(arrays, counts.offsets, scoring)
        return result

    def values(self, counts: SampleCounts, scoring: Any, output: Output, seed: int) -> Any:
        # sacrebleu calls it "score".
        return {"bleu": next(iter(self.score(counts, scoring, output.plain, seed).values()))}

    def score_samples(self, counts: SampleCounts, scoring: Any) -> Any:
        return {"bleu": np.array(score_sentences(read_bleu(counts), counts.offsets, scoring))}

    def score_wins(self, counts: SampleCounts, scoring: Any) -> Any:
        # Without smoothing most sentences score 0, and most samples would be ties.
        rules = scoring._replace(
            arithmetic="sacrebleu",
            smooth="exp",
            smooth_value=None,
            effective_order=True,
            auto_reweigh=False,
        )
        return self.score_samples(counts, rules)

    def check_sums(self, scoring: Any) -> None:
        check_resampled(scoring)

    def sums(self, counts: SampleCounts, scoring: Any) -> Any:
        check_resampled(scoring)
        arrays = read_bleu(counts)
        columns = shrink(bleu_columns(arrays, counts.offsets, scoring))
        exact = {}
        if scoring.reference_length == "average":
            exact[1] = choose_reference_lengths(arrays, counts.offsets, scoring), float(_PARTS)
        return {"bleu": Sums(Statistic(columns, partial(score_sums, rules=scoring)), exact)}

    def check_enough(self, counting: Any, scoring: Any, values: Any) -> None:
        needed, counted = scoring.counted_order, counting.max_order
        if needed > counted:
            raise ValueError(
                f"smooth {values.smooth!r} looks at n-grams up to {needed}, but they are counted "
                f"up to {counted}; give it to Scorer(...), not to result."
            )

    def check_pair(self, names: Sequence[str], scoring: Any) -> None:
        sets = scoring.weights
        if sets is not None and len(sets) > 1:
            raise ValueError(
                f"weights has {len(sets)} sets; expected one, because a pair has one BLEU here."
            )

    def prepare_pair(self, counting: Any, scoring: Any) -> Any:
        if counting.choice == IDS:
            return None
        return prepare_counts(counting, scoring, prepare_sentence_score(scoring), is_alone=True)

    def prepare_result(self, counting: Any, scoring: Any, output: Output) -> Any:
        if counting.choice == IDS or output.samples:
            return None

        def describe(matches: Any, length: int, reference_length: float) -> Any:
            statistics = make_statistics(matches, length, reference_length, scoring)
            return describe_statistics(statistics, scoring)

        score_pair = prepare_counts(counting, scoring, describe)

        def score(prediction: str, references: list[str]) -> Any:
            result, has_tokens = score_pair(prediction, references)
            return result if has_tokens else None

        return score

    def option_of(self, column: str) -> str | None:
        names = ("bleu_matches", "bleu_prediction_length", "bleu_reference_lengths")
        return "family or profile" if column in names else None


def score_sums(sums: Any, rules: Any) -> Any:
    return score_rows(sums, rules)


def prepare_counts(
    plan: Any, rules: Any, make_result: Callable[..., Any], *, is_alone: bool = False
) -> Any:
    """Prepare BLEU of single pairs; see the former ``pair_families.prepare_bleu``."""
    count = BleuPairs(plan.tokenizer, plan.max_order).count
    order, counted, choose = rules.counted_order, plan.max_order, _choose_length(rules)
    lowercase, strips_end = plan.lowercase, plan.strips_end

    def score(prediction: str, references: list[str]) -> Any:
        if lowercase:
            prediction, references = prediction.lower(), [text.lower() for text in references]
        if strips_end:
            prediction, references = prediction.rstrip(), [text.rstrip() for text in references]
        numbers = count(prediction, references)
        length, lengths = numbers[counted], numbers[counted + 1 :]
        reference_length = lengths[0] if len(lengths) == 1 else choose(length, lengths)
        result = make_result(numbers[:order], length, reference_length)
        return (result,) if is_alone else result, 0 not in lengths and length > 0

    return score


def _choose_length(rules: Any) -> Callable[[int, Sequence[int]], float]:
    """Return how the reference length is chosen, as ``choose_reference_lengths`` does."""
    if rules.reference_length == "shortest":
        return lambda _, lengths: min(lengths)
    if rules.reference_length == "longest":
        return lambda _, lengths: max(lengths)
    if rules.reference_length == "average":
        return lambda _, lengths: sum(lengths) / len(lengths)
    return lambda length, lengths: min(lengths, key=lambda other: (abs(other - length), other))


BLEU: Final = register(Bleu())

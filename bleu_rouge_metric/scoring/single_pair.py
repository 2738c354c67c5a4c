"""Score a batch of one sample by the fast path of ``PairScorer``.

The results are those of ``results.py``. Samples that may trigger a warning use the slow path.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..bleu.rules import BleuRules
from ..bleu.score import describe_statistics
from ..bleu.sentence import make_statistics
from ..options.options import Options
from ..options.plans import BleuCountPlan, Plan, RougeCountPlan, ScorePlan
from ..options.profiles import Family
from ..options.table import OPTIONS
from ..rouge.formulas import RougeScores
from .pair_families import (
    Parts,
    can_count_pairs,
    count_rouge_pairs,
    prepare_best,
    prepare_bleu,
)
from .results import Value

# From a prediction and its references to results; None if the slow path is required.
BleuResult = Callable[[str, list[str]], dict[str, Any] | None]
RougeResult = Callable[[str, list[str]], list[Parts] | None]


class SinglePair(NamedTuple):
    """The fast path of each family; None for a family that is not scored."""

    bleu: BleuResult | None
    rouge: RougeResult | None
    rouge_types: tuple[str, ...]
    detailed: bool

    def score(self, prediction: str, references: list[str]) -> dict[str, Value] | None:
        """Return what ``score_counts`` does for one sample; None for the slow path."""
        result: dict[str, Value] = {}
        if self.bleu is not None:
            values = self.bleu(prediction, references)
            if values is None:
                return None
            result.update(values)
        if self.rouge is not None:
            parts = self.rouge(prediction, references)
            if parts is None:
                return None
            for name, part in zip(self.rouge_types, parts, strict=True):
                result[name] = (
                    dict(zip(RougeScores._fields, part, strict=True)) if self.detailed else part[2]
                )
        return result


def find_single_pair(options: Options, families: Sequence[Family]) -> SinglePair | None:
    """Return the fast path for some options, prepared once; None if there is none."""
    key = "single pair", *families
    found: SinglePair | None = options.keep(key, lambda: _prepare(options.plan(families)))
    return found


def read_pair(predictions: object, references: object) -> tuple[str, list[str]] | None:
    """Return the only sample of lists of plain texts; None if there are others.

    Texts beyond ASCII may be of scripts that the options do not suit, which is warned of.
    """
    if type(predictions) is not list or type(references) is not list:
        return None
    if len(predictions) != 1 or len(references) != 1:
        return None
    prediction, reference = predictions[0], references[0]
    texts = reference if type(reference) is list else [reference]
    for text in (prediction, *texts):
        if type(text) is not str or not text.isascii():
            return None
    return (prediction, texts) if texts else None


def _prepare(plan: Plan) -> SinglePair | None:
    scoring, counting = plan.scoring, plan.counting
    # A number of resamples without resampling is warned of.
    default = OPTIONS["n_resamples"].default
    if plan.is_resampled or scoring.n_resamples != default or not scoring.use_aggregator:
        return None
    if scoring.sentence_bleu or scoring.signature:
        return None
    if not can_count_pairs(counting):
        return None
    bleu = rouge = None
    if counting.bleu is not None:
        bleu = _prepare_bleu(counting.bleu, scoring.bleu)
    if counting.rouge is not None:
        rules = scoring.rouge
        is_plain = rules.formula == "exact" and rules.multi_reference == "best"
        if not is_plain or rules.beta == float("inf"):
            return None
        rouge = _prepare_rouge(counting.rouge, scoring)
    return SinglePair(bleu, rouge, tuple(scoring.rouge_types), scoring.detailed)


def _prepare_bleu(plan: BleuCountPlan, rules: BleuRules) -> BleuResult:
    def describe(matches: Sequence[int], length: int, reference_length: float) -> dict[str, Any]:
        statistics = make_statistics(matches, length, reference_length, rules)
        return describe_statistics(statistics, rules)

    score_pair = prepare_bleu(plan, rules, describe)

    def score(prediction: str, references: list[str]) -> dict[str, Any] | None:
        result, has_tokens = score_pair(prediction, references)
        return result if has_tokens else None

    return score


def _prepare_rouge(plan: RougeCountPlan, scoring: ScorePlan) -> RougeResult:
    pairs, columns = count_rouge_pairs(plan, tuple(scoring.rouge_types.values()))
    squared = scoring.rouge.beta * scoring.rouge.beta
    score_best = prepare_best(columns, pairs.width, squared)

    def score(prediction: str, references: list[str]) -> list[Parts] | None:
        numbers = pairs.count(prediction, references)
        # A text without tokens has no total. Nor has one that is too short for an order; it uses
        # the slow path needlessly.
        if not (all(numbers[1::3]) and all(numbers[2::3])):
            return None
        return score_best(numbers)

    return score

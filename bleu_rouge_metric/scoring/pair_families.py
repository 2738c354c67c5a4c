"""The scores of one pair from its counts: BLEU and ROUGE each with a prepared path.

They equal what ``results.py`` makes of a batch of one sample, bit for bit.
"""

from collections.abc import Callable, Sequence

import numpy as np

from ..bleu.rules import BleuRules
from ..bleu.sentence import prepare_sentence_score
from ..counting.pairs import BleuPairs, RougePairs
from ..options.plans import BleuCountPlan, RougeCountPlan
from ..rouge.formulas import RougeRules
from ..rouge.references import score_samples

# From a prediction and its references to scores; and whether all texts have tokens.
PairScore = Callable[[str, list[str]], tuple[list[float], bool]]


def prepare_bleu(plan: BleuCountPlan, rules: BleuRules) -> PairScore:
    """Prepare sentence BLEU of single pairs, but not that of several sets of weights."""
    pairs = BleuPairs(plan.tokenizer, plan.max_order)
    order, counted = rules.counted_order, plan.max_order
    choose, score_counts = _choose_length(rules), prepare_sentence_score(rules)
    lowercase, strips_end = plan.lowercase, plan.strips_end

    def score(prediction: str, references: list[str]) -> tuple[list[float], bool]:
        if lowercase:
            prediction, references = prediction.lower(), [text.lower() for text in references]
        if strips_end:
            prediction, references = prediction.rstrip(), [text.rstrip() for text in references]
        numbers = pairs.count(prediction, references)
        length, lengths = numbers[counted], numbers[counted + 1 :]
        reference_length = lengths[0] if len(lengths) == 1 else choose(length, lengths)
        value = score_counts(numbers[:order], length, reference_length)
        return [value], bool(length and all(lengths))

    return score


def _choose_length(rules: BleuRules) -> Callable[[int, Sequence[int]], float]:
    """Return how the reference length is chosen, as ``choose_reference_lengths`` does."""
    if rules.reference_length == "shortest":
        return lambda _, lengths: min(lengths)
    if rules.reference_length == "longest":
        return lambda _, lengths: max(lengths)
    if rules.reference_length == "average":
        return lambda _, lengths: sum(lengths) / len(lengths)
    return lambda length, lengths: min(lengths, key=lambda other: (abs(other - length), other))


def prepare_rouge(plan: RougeCountPlan, rules: RougeRules, counted: Sequence[str]) -> PairScore:
    """Prepare the F-measures of single pairs; not for ROUGE-W and a limit of bytes.

    Args:
        plan: what is counted.
        rules: formula, beta and policy.
        counted: what is counted for each type that is asked for; a type may repeat.
    """
    pairs = RougePairs(plan.types, plan.tokenizer, plan.split_sentences, lin2004=plan.lin2004)
    width = pairs.width
    columns = [pairs.columns[plan.types.index(name)] for name in counted]
    squared = rules.beta * rules.beta
    is_plain = rules.formula != "rouge-1.5.5" and squared != float("inf")
    is_best = is_plain and rules.multi_reference == "best"

    def score(prediction: str, references: list[str]) -> tuple[list[float], bool]:
        numbers = pairs.count(prediction, references)
        is_single = len(references) == 1
        if not (is_best or (is_plain and is_single)):
            return _score_by_batch(numbers)
        scores = []
        for places in columns:
            best = -1.0
            for start in range(0, len(numbers), width):
                hits = prediction_total = reference_total = 0
                for place in places:
                    at = start + place
                    hits += numbers[at]
                    prediction_total += numbers[at + 1]
                    reference_total += numbers[at + 2]
                # Fast path: equals score_pairs and the choice of the first best F-measure.
                precision = hits / (prediction_total or 1)
                recall = hits / (reference_total or 1)
                total = squared * precision + recall
                fmeasure = (1 + squared) * precision * recall / total if total > 0 else 0.0
                best = max(best, fmeasure)
            scores.append(best)
        return scores, all(numbers[1::3]) and all(numbers[2::3])

    def _score_by_batch(numbers: list[int]) -> tuple[list[float], bool]:
        table = np.array(numbers, dtype=np.int64).reshape(-1, width // 3, 3)
        offsets = np.array([0, len(table)])
        scores = [
            float(
                score_samples(
                    table[:, [place // 3 for place in places]].sum(axis=1), offsets, rules, name
                ).fmeasure[0]
            )
            for places, name in zip(columns, counted, strict=True)
        ]
        return scores, bool(table[..., 1:].all())

    return score

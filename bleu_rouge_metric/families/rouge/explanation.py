"""Explain ROUGE of one sample: the scores of each reference, and why a type is 0."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...counting.kernels import RougeCounts
from ...counting.rouge_types import parse_rouge_type
from ...matching.texts import describe_missing, join_names
from .formulas import score_pairs, weigh_totals, weight_of
from .references import choose_references, score_samples
from .rules import RougeRules


@dataclass(frozen=True)
class RougePair:
    """ROUGE of the prediction with one reference.

    Attributes:
        hits: what matches; a float for ``rougeW``.
        prediction_total: what the prediction has.
        reference_total: what the reference has.
        precision: as the formula of the profile gives it; in [0, 1].
        recall: likewise.
        fmeasure: likewise.
    """

    hits: float
    prediction_total: float
    reference_total: float
    precision: float
    recall: float
    fmeasure: float


@dataclass(frozen=True)
class RougeExplanation:
    """ROUGE of one type.

    Attributes:
        precision: of the sample, as ``metric.compute`` gives it; in [0, 1].
        recall: likewise.
        fmeasure: likewise.
        multi_reference: how several references make one score.
        reference: index of the reference that is chosen; None if the score is made of all.
        references: one for each reference.
    """

    precision: float
    recall: float
    fmeasure: float
    multi_reference: str
    reference: int | None
    references: tuple[RougePair, ...]


def explain_rouge(
    counts: RougeCounts, rules: RougeRules, types: Mapping[str, str]
) -> dict[str, RougeExplanation]:
    """Explain ROUGE of one sample, by type.

    Args:
        counts: of the sample.
        rules: how counts become scores.
        types: what is counted for each type that is requested.
    """
    found: dict[str, RougeExplanation] = {}
    for name, counted in types.items():
        numbers = counts.of(counted)
        offsets = np.array([0, len(numbers)])
        weight = weight_of(counted)
        weighed = numbers if weight is None else weigh_totals(numbers, weight)
        pairs = score_pairs(weighed, rules, weight)
        chosen = choose_references(pairs, numbers, offsets, rules, weight)
        reference = 0 if len(numbers) == 1 else None if chosen is None else int(chosen[0])
        # Of the chosen reference, or of all references.
        whole = pairs if reference is not None else score_samples(numbers, offsets, rules, counted)
        place = reference or 0
        rows = zip(numbers.tolist(), *(part.tolist() for part in pairs), strict=True)
        found[name] = RougeExplanation(
            precision=float(whole.precision[place]),
            recall=float(whole.recall[place]),
            fmeasure=float(whole.fmeasure[place]),
            multi_reference=rules.multi_reference,
            reference=reference,
            references=tuple(RougePair(*row, *parts) for row, *parts in rows),
        )
    return found


def list_zeros(scores: Mapping[str, RougeExplanation], *, keeps_words: bool = False) -> list[str]:
    """List why types are 0, one sentence for all types with the same reason.

    Args:
        scores: by type.
        keeps_words: whether the tokenizer does not split the words of single sentences.
    """
    # Where tokens of the whole texts do not match either, pieces of sentences need no mention.
    keeps_words = keeps_words and not any(
        parse_rouge_type(name).kind == "l" and not explained.fmeasure
        for name, explained in scores.items()
    )
    reasons: dict[str, list[str]] = {}
    for name, explained in scores.items():
        if not explained.fmeasure:
            reason = _find_reason(name, explained, keeps_words=keeps_words)
            reasons.setdefault(reason, []).append(name)
    return [
        f"{join_names(names)} {'is' if len(names) == 1 else 'are'} 0: {reason}."
        for reason, names in reasons.items()
    ]


def _find_reason(name: str, scores: RougeExplanation, *, keeps_words: bool) -> str:
    """Say why a ROUGE type is 0."""
    item = parse_rouge_type(name)
    if any(pair.hits for pair in scores.references):
        return "the five digits of the score are 0"
    total = int(max(pair.prediction_total for pair in scores.references))
    if item.kind == "n":
        return describe_missing(item.order, total)
    if item.kind == "s":
        what = "skip-bigram"
    elif item.kind == "su":
        what = "skip-bigram and no token"
    elif total and keeps_words and item.kind == "lsum":
        # Parity: multilingual-rouge 0.0.1 (text/xlsum.py).
        return (
            "this tokenizer splits a sentence only at spaces and punctuation, and no such piece of "
            "the prediction occurs in a reference"
        )
    else:
        return describe_missing(1, total)
    if not total:
        return "the prediction has fewer than two tokens"
    return f"no {what} of the prediction occurs in a reference"

"""What the scores of one sample are made of: BLEU as a product, ROUGE of each reference."""

from dataclasses import dataclass
from typing import cast

import numpy as np

from ..counting.kernels import BleuCounts, Integers, RougeCounts
from ..families.bleu.decomposition import BleuFactor, decompose_score
from ..families.bleu.rules import BleuRules
from ..families.bleu.score import describe_statistics, score_sentences
from ..families.bleu.statistics import gather_corpus
from ..families.gleu.formula import choose_references as choose_gleu_reference
from ..families.gleu.formula import score_gleu
from ..families.rouge.formulas import score_pairs, weigh_totals, weight_of
from ..families.rouge.references import choose_references, score_samples
from ..families.rouge.scoring import RougeScoring


@dataclass(frozen=True)
class BleuExplanation:
    """BLEU as a product.

    Attributes:
        score: as ``metric.compute`` gives it for this sample alone; in [0, 1], with the profile
            ``sacrebleu`` in [0, 100]. NLTK's ``method5`` to ``method7`` may exceed 1.
        sentence_score: as ``metric.compute(..., sentence_bleu=True)`` gives it; in the same range.
        brevity_penalty: in [0, 1].
        exponent: its logarithm, min(0, 1 - r / c); None if the penalty is 0.
        prediction_length: c, tokens of the prediction.
        reference_length: r, tokens of a reference, as the option ``reference_length`` chooses.
        reference: index of that reference, the first one of that length; None for the average.
        reference_lengths: tokens of each reference.
        orders: what each order contributes.
        logarithm: of the score, as a fraction: ``exponent`` and all contributions; None if it is 0.
    """

    score: float
    sentence_score: float
    brevity_penalty: float
    exponent: float | None
    prediction_length: int
    reference_length: float
    reference: int | None
    reference_lengths: tuple[int, ...]
    orders: tuple[BleuFactor, ...]
    logarithm: float | None


@dataclass(frozen=True)
class GleuExplanation:
    """Google's BLEU of one sample.

    Attributes:
        score: as ``metric.compute`` gives it; in [0, 1].
        reference: index of the reference that it chooses.
        matches: n-grams of all orders that match.
        total: n-grams of all orders of the prediction or of that reference, of the longer one.
    """

    score: float
    reference: int
    matches: int
    total: int


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


def explain_bleu(counts: BleuCounts, rules: BleuRules) -> BleuExplanation:
    """Explain BLEU of one sample; ``rules`` have at most one set of weights."""
    offsets = np.array([0, len(counts.reference_lengths)])
    statistics = gather_corpus(counts, offsets, rules)
    values = describe_statistics(statistics, rules)
    factors = decompose_score(statistics, rules)
    lengths = tuple(counts.reference_lengths.tolist())
    is_average = rules.reference_length == "average"
    return BleuExplanation(
        score=cast("float", values["score" if "score" in values else "bleu"]),
        sentence_score=cast("float", score_sentences(counts, offsets, rules)[0]),
        brevity_penalty=cast("float", values["bp" if "bp" in values else "brevity_penalty"]),
        exponent=factors.exponent,
        prediction_length=statistics.prediction_length,
        reference_length=statistics.reference_length,
        reference=None if is_average else lengths.index(statistics.reference_length),
        reference_lengths=lengths,
        orders=tuple(factors.orders),
        logarithm=factors.logarithm,
    )


def explain_gleu(overlaps: Integers, min_order: int) -> GleuExplanation:
    """Explain Google's BLEU of one sample."""
    offsets = np.array([0, len(overlaps)])
    matches, totals, chosen = choose_gleu_reference(overlaps, offsets, min_order)
    score = score_gleu(overlaps, offsets, min_order=min_order)["google_bleu"]
    return GleuExplanation(score, int(chosen[0]), int(matches[0]), int(totals[0]))


def explain_rouge(counts: RougeCounts, plan: RougeScoring) -> dict[str, RougeExplanation]:
    """Explain ROUGE of one sample, by type."""
    rules = plan.rules
    found: dict[str, RougeExplanation] = {}
    for name, counted in plan.types.items():
        numbers = counts.of(counted)
        offsets = np.array([0, len(numbers)])
        weight = weight_of(counted)
        pairs = score_pairs(weigh_totals(numbers, weight), rules, weight)
        chosen = choose_references(pairs, numbers, offsets, rules, weight)
        reference = 0 if len(numbers) == 1 else None if chosen is None else int(chosen[0])
        whole = score_samples(numbers, offsets, rules, counted)
        rows = zip(numbers.tolist(), *(part.tolist() for part in pairs), strict=True)
        found[name] = RougeExplanation(
            precision=float(whole.precision[0]),
            recall=float(whole.recall[0]),
            fmeasure=float(whole.fmeasure[0]),
            multi_reference=rules.multi_reference,
            reference=reference,
            references=tuple(RougePair(*row, *parts) for row, *parts in rows),
        )
    return found

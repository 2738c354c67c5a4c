"""ROUGE-L of captions, bit-identical to pycocoevalcap 1.2.

Callers ask for it as ROUGE with ``profile="coco"``, and what is counted is what ROUGE counts for
``rougeL``. Of several references, the precision is the largest and the recall is the largest, each
of any reference. The order of the floating-point operations is part of the contract.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from ..counting.rouge_types import ROUGE_L
from ..samples.token_ids import IdRules
from .counts import Offsets, SampleCounts
from .parts import Parts, RougeScores
from .rouge.counts import TypeScore, read_rouge
from .rouge.family import Rouge
from .rouge.formulas import Numbers
from .rouge.rules import RougeRules
from .score import Floats, PairScore, Score, Values

if TYPE_CHECKING:
    from typing_extensions import Self

    from ..matching.texts import Explained, FoundTokens
    from .rouge.explanation import RougeExplanation

NAME: Final = "ROUGE_L"

# The weight of the recall.
BETA: Final = 1.2


def score_pairs(counts: Numbers) -> tuple[Floats, Floats]:
    """Compute precision and recall of pairs from the LCS and both lengths, shape (pairs, 3).

    >>> precision, recall = score_pairs(np.array([[1, 2, 4], [0, 0, 0]]))
    >>> precision.tolist(), recall.tolist()
    ([0.5, 1.0], [0.25, 1.0])
    """
    lengths, predictions, references = counts.T
    # Parity: pycocoevalcap's text.split(" ") finds one token in an empty text, the empty token.
    # Two texts without tokens are therefore equal, whatever the tokenizer.
    lengths = np.where((predictions == 0) & (references == 0), 1, lengths)
    return lengths / np.maximum(predictions, 1), lengths / np.maximum(references, 1)


def score_samples(counts: Numbers, offsets: Offsets, beta: float = BETA) -> RougeScores:
    """Compute precision, recall and F-measure of each sample, arrays of shape (samples,).

    >>> score_samples(np.array([[2, 4, 3], [3, 4, 6]]), np.array([0, 2])).recall
    array([0.66666667])
    """
    # Parity: pycocoevalcap, Rouge.calc_score: both maxima are independent of each other.
    precision, recall = (np.maximum.reduceat(part, offsets[:-1]) for part in score_pairs(counts))
    return RougeScores(precision, recall, measure(precision, recall, beta))


def measure(precision: Floats, recall: Floats, beta: float = BETA) -> Floats:
    """Compute the F-measure, 0 if one of the two is 0; the order of operations is fixed."""
    total = recall + beta**2 * precision
    fmeasure = (1 + beta**2) * precision * recall / np.where(total > 0, total, 1.0)
    return np.where((precision > 0) & (recall > 0), fmeasure, 0.0)


def score_numbers(numbers: Sequence[int], beta: float = BETA) -> Parts:
    """Compute the scores of one sample, three numbers for each reference.

    >>> score_numbers([2, 4, 3, 3, 4, 6])
    (0.75, 0.6666666666666666, 0.6...)
    """
    # Fast path: equals score_samples of one sample.
    precision = recall = 0.0
    for at in range(0, len(numbers), 3):
        length, prediction, reference = numbers[at : at + 3]
        if not (prediction or reference):
            length = 1
        precision = max(precision, length / (prediction or 1))
        recall = max(recall, length / (reference or 1))
    if not (precision and recall):
        return precision, recall, 0.0
    squared = beta**2
    return precision, recall, (1 + squared) * precision * recall / (recall + squared * precision)


@dataclass(frozen=True, kw_only=True)
class CocoRouge(TypeScore):
    """ROUGE-L of captions: the largest precision and the largest recall of any reference."""

    name: ClassVar[str] = "coco_rouge"
    title: ClassVar[str] = "ROUGE-L"
    usual: ClassVar[tuple[str, ...]] = (NAME,)

    @classmethod
    def plan(cls, values: Values, convention: str, ids: IdRules) -> "Self":
        types = {NAME: ROUGE_L}
        return cls(**cls.plan_texts(values, ids), names=(NAME,), types=types, counted=(ROUGE_L,))

    @classmethod
    def write_name(cls, score: str) -> str:
        return cls.title if score == NAME else score

    def score_parts(self, counts: SampleCounts) -> Iterator[tuple[str, RougeScores]]:
        yield NAME, score_samples(read_rouge(counts, self.counted).of(ROUGE_L), counts.offsets)

    def average(self, values: Floats) -> float:
        # Parity: np.mean adds pairwise, unlike Python's sum and math.fsum.
        return float(np.mean(values))

    def name_compared(self, score: str) -> str:
        return ROUGE_L if score == NAME else score

    def pair(self) -> PairScore | None:
        if not self.counts_pairs:
            return None
        count = self.count_pairs()[0].count

        def score(prediction: str, references: list[str]) -> tuple[tuple[float], bool]:
            numbers = count(prediction, references)
            return score_numbers(numbers)[2:], all(numbers[1::3]) and all(numbers[2::3])

        return score

    def explain(self, texts: Sequence["FoundTokens"], counts: SampleCounts) -> "Explained":
        from ..matching.texts import Explained, describe_missing
        from .rouge.explanation import list_lcs

        explained = _explain(read_rouge(counts, self.counted).of(ROUGE_L))
        missing = describe_missing(1, int(explained.references[0].prediction_total))
        notes = [] if explained.fmeasure else [f"{NAME} is 0: {missing}."]
        lcs = {NAME: tuple(list_lcs(ROUGE_L, texts, self))}
        return Explained({}, lcs, {"rouge": {NAME: explained}}, notes)

    def steps(self, baseline: Score) -> Iterator[tuple[Score, str]]:
        if isinstance(baseline, Rouge):
            plain = replace(baseline, rules=RougeRules())
            yield plain, "beta and multi_reference have no effect"
            yield (
                replace(plain, rules=RougeRules(beta=BETA)),
                "the F-measure has beta = 1.2, which weighs the recall more than the precision",
            )
        yield self, ""

    def explain_change(
        self, name: str, before: Score, counts: SampleCounts, values: tuple[float, float]
    ) -> str:
        reasons = []
        if (counts.reference_counts > 1).any():
            reasons.append("the largest precision and the largest recall, each of any reference")
        if (counts["rouge"][..., 1:] == 0).all(axis=-1).any():
            reasons.append("two texts without tokens are equal")
        return "; ".join(reasons)


def _explain(counts: Numbers) -> "RougeExplanation":
    """Explain the score of one sample."""
    from .rouge.explanation import RougeExplanation, RougePair

    precisions, recalls = score_pairs(counts)
    precision, recall, fmeasure = score_numbers([*map(int, counts.ravel())])
    # The first reference that has both, if there is one.
    has_both = np.flatnonzero((precisions == precision) & (recalls == recall))
    columns = *counts.T, precisions, recalls, measure(precisions, recalls)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return RougeExplanation(
        precision=precision,
        recall=recall,
        fmeasure=fmeasure,
        multi_reference="largest P, largest R",
        reference=int(has_both[0]) if len(has_both) else None,
        references=tuple(RougePair(*row) for row in rows),
    )

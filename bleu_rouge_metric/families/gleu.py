"""GLEU, bit-identical to evaluate 0.4.6's ``google_bleu``, which is NLTK 3.10's ``corpus_gleu``.

The matches of all orders, divided by the number of n-grams of the prediction or of the reference,
whichever is larger. Callers ask for it as BLEU with ``profile="google_bleu"``, and prepare texts by
BLEU's options; the n-grams are counted as those of ROUGE-N.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from ..arrays import first_best
from ..counting.kernels import Integers, count_rouge
from ..counting.pairs import RougePairs
from ..counting.pools import Batch
from ..counting.rouge_types import ROUGE_N
from ..samples.token_ids import IdRules
from ..tables import show
from ..text.sentences import NEWLINE
from ..text.warnings import warn_of_smoothing
from .bleu.counts import NgramScore
from .bleu.rules import check_bleu_rules
from .counts import Array, Layout, Offsets, SampleCounts, check_hits, shrink
from .rows import RowScore
from .score import Floats, PairScore, Score, Values

if TYPE_CHECKING:
    from typing_extensions import Self

    from ..matching.texts import Explained, FoundTokens

NAME: Final = "google_bleu"

_Integers = NDArray[np.int64]


def choose_references(
    overlaps: Integers, offsets: Offsets, min_order: int
) -> tuple[_Integers, _Integers, _Integers]:
    """Return matches and n-grams of each sample with its best reference, and the index of the pair.

    The overlaps have the shape (pairs, orders, 3): matches, and n-grams of both texts.

    >>> choose_references(np.array([[[2, 3, 2], [1, 2, 1]]]), np.array([0, 1]), min_order=1)[:2]
    (array([3]), array([5]))
    """
    sums = overlaps[:, min_order - 1 :].sum(axis=1, dtype=np.int64)
    matches, totals = sums[:, 0], sums[:, 1:].max(axis=1)
    # Parity: NLTK's corpus_gleu takes the first reference with the largest quotient, and skips
    # pairs without n-grams. Here such a pair is chosen only if the sample has no other, and adds 0
    # to both sums.
    quotients = np.where(totals, matches / np.maximum(totals, 1), -1.0)
    chosen = first_best(quotients, offsets)
    return matches[chosen], totals[chosen], chosen


@dataclass(frozen=True, kw_only=True)
class Gleu(NgramScore, RowScore):
    """GLEU; its only convention is that of evaluate.

    Attributes:
        min_order: the shortest n-gram that counts.
        max_order: the longest one.
    """

    name: ClassVar[str] = NAME
    columns: ClassVar[Mapping[str, str]] = {NAME: "sentence_bleu"}
    title: ClassVar[str] = "Google BLEU"

    min_order: int
    max_order: int

    @classmethod
    def plan(cls, values: Values, convention: str, ids: IdRules) -> "Self":
        rules = check_bleu_rules(values, "hf", most=len(ROUGE_N))
        return cls(
            choice=values["bleu_tokenizer"],
            tokenizer=cls.make_tokenizer(values, ids),
            names=(NAME,),
            min_order=values["min_order"],
            max_order=rules.max_order,
        )

    def warn(self, values: Values) -> None:
        warn_of_smoothing(values["smooth"], values["max_order"])

    def layout(self) -> Mapping[str, Layout]:
        columns = tuple(f"{NAME}_{order}" for order in range(1, self.max_order + 1))
        return {"overlap": Layout(("i4", "i8"), (self.max_order, 3), "reference", columns)}

    def count(self, samples: Batch) -> Mapping[str, Array]:
        counts = count_rouge(samples, ROUGE_N[: self.max_order], self.tokenizer, NEWLINE)
        return {"overlap": shrink(counts.integers)}

    def count_tokens(self, counts: SampleCounts) -> tuple[Array, Array]:
        overlap = counts["overlap"]
        return overlap[counts.offsets[:-1], 0, 1], overlap[:, 0, 2]

    def list_reference_counts(self, counts: SampleCounts) -> list[Array]:
        return [counts["overlap"][..., 2]]

    def check(self, counts: SampleCounts) -> None:
        for place, triples in enumerate(counts["overlap"].swapaxes(0, 1), 1):
            check_hits("overlap", f"n-grams of {place}", triples)

    def make_rows(self, counts: SampleCounts) -> _Integers:
        chosen = choose_references(counts["overlap"], counts.offsets, self.min_order)
        return np.stack(chosen[:2], axis=1)

    def score_row(self, row: Sequence[int]) -> tuple[float]:
        matches, total = row
        return (matches / total if total else 0.0,)

    def score_rows(self, rows: Any) -> Floats:
        scores: Floats = rows[:, 0] / np.maximum(rows[:, 1], 1)
        return scores

    def name_compared(self, score: str) -> str:
        return "bleu" if score == NAME else score

    def pair(self) -> PairScore | None:
        if self.uses_ids:
            return None
        types = ROUGE_N[: self.max_order]
        count = RougePairs(types, self.tokenizer, NEWLINE, lin2004=False).count
        first, width = 3 * (self.min_order - 1), 3 * self.max_order

        def score(prediction: str, references: list[str]) -> tuple[tuple[float], bool]:
            numbers = count(prediction, references)
            # Fast path: equals score_row of choose_references; a pair takes 2 µs instead of 50.
            # Without n-grams the score is 0, so that such a reference need not be left out.
            best, has_tokens = 0.0, numbers[1] > 0
            for start in range(0, len(numbers), width):
                end = start + width
                ours = sum(numbers[start + first + 1 : end : 3])
                theirs = sum(numbers[start + first + 2 : end : 3])
                best = max(best, sum(numbers[start + first : end : 3]) / (max(ours, theirs) or 1))
                has_tokens = has_tokens and numbers[start + 2] > 0
            return (best,), has_tokens

        return score

    def explain(self, texts: Sequence["FoundTokens"], counts: SampleCounts) -> "Explained":
        from ..matching.ngrams import match_ngrams
        from ..matching.texts import Explained

        chosen = choose_references(counts["overlap"], counts.offsets, self.min_order)
        matches, total, reference = (int(array[0]) for array in chosen)
        (score,) = self.score_row((matches, total))
        quotient = GleuExplanation(score, reference, matches, total)
        zero = "Google BLEU is 0: no n-gram of the prediction occurs in a reference."
        prediction, *references = [text.forms for text in texts]
        found = tuple(
            match_ngrams(prediction, forms, index, order)
            for index, forms in enumerate(references)
            for order in range(1, self.max_order + 1)
        )
        return Explained({NAME: found}, {}, {"bleu": quotient}, [] if score else [zero])

    def explain_change(
        self, name: str, before: Score, counts: SampleCounts, values: tuple[float, float]
    ) -> str:
        return (
            "GLEU, another score: the smaller one of precision and recall over the n-grams of all "
            "orders together, without smoothing, weights and brevity penalty"
        )


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

    def describe(self) -> str:
        """Return GLEU as a quotient, in one line."""
        return (
            f"Google BLEU {show(self.score)} = {self.matches} / {self.total}, "
            f"reference {self.reference}"
        )

    def list_factors(self) -> Iterator[list[object]]:
        """Iterate over table rows; there are none."""
        return iter(())

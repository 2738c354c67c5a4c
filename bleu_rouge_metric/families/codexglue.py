"""CodeXGLUE's smoothed BLEU-4 of code, bit-identical to CodeT5's ``smooth_bleu.py``.

Callers ask for it as BLEU with ``profile="codexglue"``, and what is counted is what BLEU counts. 1
is added to the matches and n-grams of the orders above 1 and, unlike in Lin and Och (2004), to both
lengths of the brevity penalty. The score of several samples is their mean, a percentage. The order
of the floating-point operations is part of the contract.
"""

import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from ..counting.kernels import BleuCounts
from ..resampling.draws import Statistic, average_sums, split_scores
from ..samples.token_ids import IdRules
from .bleu.counts import LengthScore, read_bleu
from .bleu.family import Bleu
from .bleu.rules import BleuRules, check_bleu_rules
from .bleu.statistics import choose_reference_lengths
from .counts import SampleCounts
from .score import Floats, Output, Score, Value, Values
from .sums import Sums

if TYPE_CHECKING:
    from typing_extensions import Self

    from .bleu.explanation import BleuExplanation

NAME: Final = "bleu"
ORDERS: Final = 4
SCALE: Final = 100

# Parity: CodeXGLUE takes the shortest reference.
RULES: Final = BleuRules(reference_length="shortest")

# Parity: CodeXGLUE adds the smallest normal float to every count, which changes only those of 0.
_LOGARITHM_OF_ZERO: Final = math.log(sys.float_info.min)


def score_lengths(matches: Sequence[int], length: int, reference_length: float) -> float:
    """Compute the score of a sample from matches and lengths, in [0, 1].

    >>> score_lengths([2, 1, 0, 0], 2, 2), score_lengths([0, 0, 0, 0], 3, 3) < 1e-76
    (1.0, True)
    """
    logarithm = 0.0
    for index, match in enumerate(matches):
        logarithm += take_logarithm(match, max(0, length - index), index + 1)
    logarithm /= ORDERS
    logarithm += find_exponent(length, reference_length)
    return math.exp(logarithm)


def take_logarithm(match: int, total: int, order: int) -> float:
    """Return the logarithm of a smoothed precision."""
    # Parity: a difference of logarithms, not the logarithm of a quotient.
    added = 0 if order == 1 else 1
    return _log(match + added) - _log(total + added)


def find_exponent(length: int, reference_length: float) -> float:
    """Return the logarithm of the brevity penalty, 0 or less."""
    return min(0, 1 - (reference_length + 1) / (length + 1))


def list_precisions(matches: Sequence[int], length: int) -> list[float]:
    """Return the precision of each order, without smoothing.

    >>> list_precisions([1, 1, 0, 0], 2)[1:], list_precisions([0], 1)[0] < 1e-307
    ([1.0, 0.0, 0.0], True)
    """
    # Parity: an order without n-grams is 0, and one without a match is not quite.
    return [
        math.exp(_log(match) - _log(length - index)) if length > index else 0.0
        for index, match in enumerate(matches)
    ]


def average(scores: Iterable[float], samples: int, scale: float) -> float:
    """Return the mean of the scores of samples, multiplied by the scale."""
    # Parity: summed from left to right, without the compensation of sum() since Python 3.12, and
    # multiplied before it is divided.
    total = 0.0
    for score in scores:
        total += score
    return total * scale / samples


def _log(count: int) -> float:
    return math.log(count) if count else _LOGARITHM_OF_ZERO


@dataclass(frozen=True, kw_only=True)
class Codexglue(LengthScore):
    """CodeXGLUE's BLEU: the mean of samples, a percentage; it has one convention."""

    name: ClassVar[str] = "codexglue"
    columns: ClassVar[Mapping[str, str]] = {NAME: "sentence_bleu"}
    title: ClassVar[str] = "CodeXGLUE's BLEU"
    usual: ClassVar[tuple[str, ...]] = (NAME,)

    @classmethod
    def plan(cls, values: Values, convention: str, ids: IdRules) -> "Self":
        check_bleu_rules(values, "hf")
        choice, tokenizer = values["bleu_tokenizer"], cls.make_tokenizer(values, ids)
        return cls(choice=choice, tokenizer=tokenizer, names=(NAME,), scale=SCALE, rules=RULES)

    @classmethod
    def owns(cls, key: str) -> bool:
        """Return False: the keys of a result are those of BLEU."""
        return False

    def score(self, counts: SampleCounts, output: Output, seed: int) -> dict[str, Value]:
        arrays, samples = read_bleu(counts), len(counts.reference_counts)
        found = self._score_each(counts)
        rows = map(list_precisions, arrays.matches.tolist(), arrays.prediction_lengths.tolist())
        scores: dict[str, Value] = {
            NAME: average(found, samples, self.scale),
            "precisions": [average(each, samples, self.scale) for each in zip(*rows, strict=True)],
        }
        scores = self.add_intervals(scores, counts, output, seed)
        if output.per_sample:
            scores["sentence_bleu"] = [score * self.scale for score in found]
        return scores

    def resampled(self, counts: SampleCounts) -> Mapping[str, Sums]:
        scores = self.score_samples(counts)[NAME]
        mean = partial(average_sums, largest=self.scale, samples=len(scores))
        return {NAME: Sums(Statistic(split_scores(scores, self.scale), mean))}

    def _score_each(self, counts: SampleCounts) -> list[float]:
        arrays = read_bleu(counts)
        lengths = choose_reference_lengths(arrays, counts.offsets, RULES).tolist()
        columns = arrays.matches.tolist(), arrays.prediction_lengths.tolist(), lengths
        return [*map(score_lengths, *columns)]

    def score_samples(self, counts: SampleCounts) -> Mapping[str, Floats]:
        return {NAME: np.array([score * self.scale for score in self._score_each(counts)])}

    def score_one(
        self, matches: Sequence[int], length: int, reference_length: float
    ) -> tuple[float]:
        return (score_lengths(matches, length, reference_length) * self.scale,)

    def describe_one(
        self, matches: Sequence[int], length: int, reference_length: float
    ) -> dict[str, Value]:
        (score,) = self.score_one(matches, length, reference_length)
        precisions = [value * self.scale for value in list_precisions(matches, length)]
        return {NAME: score, "precisions": precisions}

    def explain_product(self, counts: BleuCounts) -> tuple[Any, list[str]]:
        product = _explain(counts)
        return product, list(_list_notes(product))

    def steps(self, baseline: Score) -> Iterator[tuple[Score, str]]:
        if isinstance(baseline, Bleu):
            plain = replace(
                baseline, choice=self.choice, tokenizer=self.tokenizer, rules=RULES, scale=1
            )
            yield (
                plain,
                "max_order, smoothing, weights, reference_length and effective_order have no "
                "effect",
            )
            yield (
                _MeanOfSentences(**vars(plain)),
                "the mean of the BLEU of each sample, not the BLEU of all counts together",
            )
            yield (
                replace(self, scale=1),
                "1 is added to the matches and the n-grams of each order above 1, and to both "
                "lengths of the brevity penalty; without a match of a single token the score is "
                "close to 0 but not 0",
            )
        yield self, "percentages, from 0 to 100"


def _explain(counts: BleuCounts) -> "BleuExplanation":
    """Explain BLEU of one sample."""
    from .bleu.explanation import BleuExplanation, BleuFactor

    (matches,), (length,) = counts.matches.tolist(), counts.prediction_lengths.tolist()
    lengths = counts.reference_lengths.tolist()
    shortest = min(lengths)
    score = score_lengths(matches, length, shortest) * SCALE
    exponent, orders = find_exponent(length, shortest), []
    precisions = list_precisions(matches, length)
    for order, (match, precision) in enumerate(zip(matches, precisions, strict=True), 1):
        total = max(0, length - order + 1)
        logarithm = take_logarithm(match, total, order)
        smoothed, share = math.exp(logarithm) * SCALE, logarithm / ORDERS
        shares = precision * SCALE, smoothed, 1 / ORDERS, share
        orders.append(BleuFactor(order, match, total, *shares))
    penalty = math.exp(exponent)
    logarithms = exponent, *(order.contribution or 0.0 for order in orders)
    return BleuExplanation(
        score=score,
        sentence_score=score,
        brevity_penalty=penalty,
        exponent=exponent if penalty else None,
        prediction_length=length,
        reference_length=shortest,
        reference=lengths.index(shortest),
        reference_lengths=tuple(lengths),
        orders=tuple(orders),
        logarithm=math.fsum(logarithms) if score else None,
    )


def _list_notes(product: "BleuExplanation") -> Iterator[str]:
    """List why a score is 0, or as good as 0."""
    from ..matching.texts import describe_missing

    first = product.orders[0]
    if not product.score:
        yield "BLEU is 0: the prediction is too short for its references."
    elif first.total and not first.matches:
        yield f"BLEU is close to 0: {describe_missing(first.order, first.total)}."


class _MeanOfSentences(Bleu):
    """The mean of evaluate's BLEU of each sample, a step of a comparison."""

    def score(self, counts: SampleCounts, output: Output, seed: int) -> dict[str, Value]:
        samples = self.score_samples(counts)[NAME]
        return {NAME: average(samples.tolist(), len(samples), self.scale)}

"""Compute precision, recall and F-measure from ROUGE's hits and totals, of pairs and of samples.

There are three formulas: ``exact`` equals ``rouge_score`` 0.1.2 bit for bit, ``rouge-1.5.5`` gives
the five digits that ROUGE-1.5.5 prints, and ``lin2004`` uses the equations of Lin (2004). With
beta = 1, ``exact`` and ``lin2004`` are the same here; the paper also counts differently, which
``counting.kernels.count_rouge`` does.

The F-measure is computed of arrays, for batches, and of floats, for single pairs: both do the same
operations in the same order, and a law compares them (``tests/scoring/test_pair_scorer.py``).

There are five policies for several references. Each can be used with every formula, and is applied
to each ROUGE type separately:

* ``best``: the reference with the highest F-measure (``rouge_score``);
* ``best_recall``: the reference with the highest recall (ROUGE-1.5.5 ``-f B``);
* ``micro``: hits and totals summed over the references (ROUGE-1.5.5 ``-f A``, its default);
* ``mean``: the arithmetic mean of each of the three numbers;
* ``jackknife``: the mean of ``best`` over the sets that leave one reference out (Lin 2004).

If several references are equally good, the first one counts. For a sample with one reference, all
policies give the same score.
"""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import repeat
from operator import itemgetter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...arrays import first_best
from ...counting.rouge_types import RougeType, parse_rouge_type
from ...rounding import round_as_printed
from ..parts import Parts, RougeScores
from ..score import Floats
from .rules import RougeRules

Numbers = NDArray[np.int64] | NDArray[np.int32] | Floats

_DEFAULT_RULES: Final = RougeRules()
_NOTHING: Final = (0.0, 0.0, 0.0)
_FMEASURE: Final = itemgetter(2)

_PAIRS_PER_BLOCK: Final = 4096

# Smaller than any total that is not 0: hits and totals are integers.
_LEAST_TOTAL: Final = float(np.finfo(np.float64).tiny)


# The weight of a type never changes; as for ``parse_rouge_type``, few types are used.
@lru_cache(maxsize=256)
def weight_of(rouge_type: RougeType | str) -> float | None:
    """Return the weight of a ROUGE-W type; None for any other type."""
    parsed = parse_rouge_type(rouge_type) if isinstance(rouge_type, str) else rouge_type
    return parsed.weight if parsed.kind == "w" else None


def weigh_totals(counts: Numbers, weight: float | None) -> Numbers:
    """Return counts of shape (pairs, 3) with f(total) = total ** w as the totals of ROUGE-W.

    >>> weigh_totals(np.array([[5.0, 2.0, 3.0]]), 2.0)
    array([[5., 4., 9.]])
    """
    if weight is None:
        return counts
    # Source: Lin (2004), section 4: f(m) and f(n) of both lengths.
    # Parity: instead of m, ROUGE-1.5.5 uses the sum of f(length) over the reference sentences, and
    # applies f again to this sum. So the recall of identical texts of n tokens is n ** (1 - w).
    totals = (_power(total, weight) for total in counts[:, 1:].T)
    weighed: Floats = np.stack([counts[:, 0], *totals], axis=1)
    return weighed


def _power(values: Numbers, exponent: float) -> Floats:
    # Python's power is used because the last digits of NumPy's power depend on the processor.
    return np.fromiter(map(pow, values.tolist(), repeat(exponent)), np.float64, len(values))


def score_pairs(counts: Numbers, rules: RougeRules, weight: float | None = None) -> RougeScores:
    """Compute the scores of pairs, shape (pairs,), from what ``weigh_totals`` returns."""
    scores = RougeScores(*(np.empty(len(counts)) for _ in range(3)))
    # Fast path: equals one block of all pairs, in half the time for 10,000 pairs: the memory of
    # small temporary arrays is reused instead of being returned to the system each time.
    for start in range(0, len(counts), _PAIRS_PER_BLOCK):
        block = slice(start, start + _PAIRS_PER_BLOCK)
        precision, recall, fmeasure = (part[block] for part in scores)
        # Fast path: equals a division of integers, which NumPy converts one by one.
        hits, *totals = counts[block].T.astype(np.float64, order="C")
        # Parity: rouge_score divides by max(total, 1); if a total is 0, there is no hit.
        for part, total in zip((precision, recall), totals, strict=True):
            np.divide(hits, np.maximum(total, 1, out=total), out=part)
        if weight is not None:
            precision[:] = _power(precision, 1 / weight)
            recall[:] = _power(recall, 1 / weight)
        if rules.formula == "rouge-1.5.5":
            precision[:], recall[:] = round_as_printed(np.stack([precision, recall]))
            # The F-measure of the program, from the printed precision and recall.
            total = (1 - rules.alpha) * precision + rules.alpha * recall
            product = precision * recall
            fmeasure[:] = round_as_printed(product / np.where(total > 0, total, 1.0))
        else:
            fmeasure[:] = measure(precision, recall, rules.beta)
    return scores


def measure(precision: Floats, recall: Floats, beta: float) -> Floats:
    """Compute F_beta of the paper; with beta = 1 it equals ``rouge_score``."""
    squared = beta * beta
    if math.isinf(squared):
        return recall
    # Source: Lin (2004), equation 4.
    # Parity: rouge_score.scoring.fmeasure is (2 * precision * recall) / (precision + recall), or
    # 0 if both are 0. In that case the denominator is the smallest normal float here, to avoid a
    # division by zero.
    total = squared * precision + recall
    product = (1 + squared) * precision
    product *= recall
    product /= np.maximum(total, _LEAST_TOTAL, out=total)
    return product


def prepare_best(
    columns: Sequence[tuple[int, ...]], width: int, squared: float = 1.0
) -> Callable[[list[int]], list[Parts]]:
    """Prepare the scores of a pair by the first reference with the highest F-measure of each type.

    Args:
        columns: for each type, the places of its hits in the numbers of ``RougePairs.count``.
        width: how many numbers a reference has.
        squared: the square of beta, finite.

    >>> prepare_best([(0,)], 3)([2, 3, 4])
    [(0.6666666666666666, 0.5, 0.5714285714285715)]
    """
    last = max((place for places in columns for place in places), default=-3)
    if last + 3 > width:
        raise ValueError(
            f"A type has the place {last}, but a reference has {width} numbers; expected a plan "
            "with a column for each type."
        )
    is_sum = any(len(places) > 1 for places in columns)
    # With sums, the numbers of a reference are those of the types, in their order.
    firsts = [3 * at if is_sum else places[0] for at, places in enumerate(columns)]
    step = 3 * len(columns) if is_sum else width
    factor = 1 + squared

    def score(numbers: list[int]) -> list[Parts]:
        if is_sum:
            numbers = [
                sum(numbers[start + place + part] for place in places)
                for start in range(0, len(numbers), width)
                for places in columns
                for part in range(3)
            ]
        end = len(numbers)
        # Fast path: equals score_pairs. Without a hit all three are 0; with one, no total is 0.
        found: list[Parts] = []
        places = firsts
        if end != step:
            places = [start + first for start in range(0, end, step) for first in firsts]
        for at in places:
            if hits := numbers[at]:
                precision = hits / numbers[at + 1]
                recall = hits / numbers[at + 2]
                fmeasure = factor * precision * recall / (squared * precision + recall)
                found.append((precision, recall, fmeasure))
            else:
                found.append(_NOTHING)
        if end == step:
            return found
        # The first one, if several references are the best.
        return [max(found[kind :: len(firsts)], key=_FMEASURE) for kind in range(len(firsts))]

    return score


def score_samples(
    counts: Numbers,
    offsets: NDArray[np.int64],
    rules: RougeRules = _DEFAULT_RULES,
    rouge_type: RougeType | str = "rouge1",
) -> RougeScores:
    """Compute the scores of each sample for one type, of which only the weight matters.

    >>> counts = np.array([[1, 1, 2], [1, 1, 4]])
    >>> score_samples(counts, np.array([0, 2]), RougeRules(multi_reference="micro")).recall
    array([0.33333333])
    """
    weight = weight_of(rouge_type)
    unweighted, counts = counts, weigh_totals(counts, weight)
    if len(counts) == len(offsets) - 1:
        return score_pairs(counts, rules, weight)
    if rules.multi_reference == "micro":
        return score_pairs(_sum_by_sample(counts, offsets), rules, weight)
    scores = score_pairs(counts, rules, weight)
    chosen = choose_references(scores, unweighted, offsets, rules, weight)
    if chosen is not None:
        return RougeScores(*(part[chosen] for part in scores))
    if rules.multi_reference == "jackknife":
        return _leave_one_out(scores, offsets)
    sums = _sum_by_sample(np.stack(scores, axis=1), offsets)
    return RougeScores(*(sums / np.diff(offsets)[:, None]).T)


def choose_references(
    scores: RougeScores,
    counts: Numbers,
    offsets: NDArray[np.int64],
    rules: RougeRules,
    weight: float | None,
) -> NDArray[np.int64] | None:
    """Return the pair that is the score of each sample; None if the policy makes it of all."""
    if rules.multi_reference == "best":
        # Parity: rouge_score.RougeScorer.score_multi chooses for each type separately, with
        # np.argmax: the first one if several are the best.
        return first_best(scores.fmeasure, offsets)
    if rules.multi_reference == "best_recall":
        # Parity: ROUGE-1.5.5 -f B compares recalls of five digits, as the formula
        # "rouge-1.5.5" computes them. But for ROUGE-W it compares hits divided by the sum of
        # f(length) over the reference sentences, without applying f or its inverse to them.
        recall = scores.recall
        if weight is not None and rules.formula != "lin2004":
            recall = score_pairs(counts, rules).recall
        return first_best(recall, offsets)
    return None


def _sum_by_sample(values: Numbers, offsets: NDArray[np.int64]) -> Floats:
    """Sum over the pairs of each sample, from the first to the last; shape (samples, 3)."""
    samples = len(offsets) - 1
    sample = np.repeat(np.arange(samples), np.diff(offsets))
    # np.bincount adds one value after the other; np.add.reduceat would add floats pairwise.
    return np.stack([np.bincount(sample, part, samples) for part in values.T], axis=1)


def _leave_one_out(scores: RougeScores, offsets: NDArray[np.int64]) -> RougeScores:
    """Compute the mean of the best scores over the sets that leave one reference out."""
    # Source: Lin (2004), section 2.1.
    # All sets except one contain the best reference; in that one the second best reference is the
    # best. For a sample with one reference, the second best has the weight 0.
    references = np.diff(offsets)
    best = first_best(scores.fmeasure, offsets)
    others = scores.fmeasure.copy()
    others[best] = -1.0
    second = first_best(others, offsets)
    sets_with_best = np.maximum(references - 1, 1)
    sets_without = np.where(references > 1, 1, 0)
    sums = (sets_with_best * part[best] + sets_without * part[second] for part in scores)
    return RougeScores(*(part / references for part in sums))

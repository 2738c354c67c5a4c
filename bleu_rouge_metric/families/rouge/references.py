"""Combine the counts of several references into one score per sample.

There are five policies. Each can be used with every formula, and is applied to each ROUGE type
separately:

* ``best``: the reference with the highest F-measure (``rouge_score``);
* ``best_recall``: the reference with the highest recall (ROUGE-1.5.5 ``-f B``);
* ``micro``: hits and totals summed over the references (ROUGE-1.5.5 ``-f A``, its default);
* ``mean``: the arithmetic mean of each of the three numbers;
* ``jackknife``: the mean of ``best`` over the sets that leave one reference out (Lin 2004).

If several references are equally good, the first one counts. For a sample with one reference, all
policies give the same score.
"""

import numpy as np
from numpy.typing import NDArray

from ...arrays import first_best
from ...counting.rouge_types import RougeType
from ..parts import RougeScores
from ..score import Floats
from .formulas import Numbers, score_pairs, weigh_totals, weight_of
from .rules import RougeRules

_DEFAULT_RULES = RougeRules()


def score_samples(
    counts: Numbers,
    offsets: NDArray[np.int64],
    rules: RougeRules = _DEFAULT_RULES,
    rouge_type: RougeType | str = "rouge1",
) -> RougeScores:
    """Compute the scores of each sample for one type.

    Args:
        counts: shape (pairs, 3): hits, totals of the prediction and of the reference, from
            ``count_rouge``.
        offsets: int64, shape (samples + 1,); index at which the pairs of each sample start.
        rules: formula, beta and policy.
        rouge_type: the counted type; only the weight of ``rougeW`` matters.

    Returns:
        Three arrays of shape (samples,).

    >>> counts = np.array([[1, 1, 2], [1, 1, 4]])
    >>> score_samples(counts, np.array([0, 2]), RougeRules(multi_reference="micro")).recall
    array([0.33333333])
    """
    weight = weight_of(rouge_type)
    unweighted = counts
    if weight is not None:
        counts = weigh_totals(counts, weight)
    if len(counts) == len(offsets) - 1:
        return score_pairs(counts, rules, weight)
    if rules.multi_reference == "micro":
        return score_pairs(_sum_by_sample(counts, offsets), rules, weight)
    scores = score_pairs(counts, rules, weight)
    chosen = choose_references(scores, unweighted, offsets, rules, weight)
    if chosen is not None:
        return _pick(scores, chosen)
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
    """Return the pair that is the score of each sample, shape (samples,).

    Args:
        scores: of all pairs.
        counts: of all pairs, as ``score_samples`` gets them.
        offsets: int64, shape (samples + 1,); index at which the pairs of each sample start.
        rules: formula and policy.
        weight: w of ROUGE-W; None for any other type.

    Returns:
        None if the policy makes the score of all references.
    """
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


def _pick(scores: RougeScores, pairs: NDArray[np.int64]) -> RougeScores:
    return RougeScores(*(part[pairs] for part in scores))


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
    return RougeScores(
        *(
            (sets_with_best * part[best] + sets_without * part[second]) / references
            for part in scores
        )
    )

"""Describe why the arithmetic of a profile gives another score than the arithmetic of ``hf``.

Options explain most differences between profiles (``profiles.py``). Here are the differences that
remain if all options are the same: scales, rounding, and rules that a library has no option for.
Each part of the arithmetic is changed alone, so that a reason is what was computed.
"""

import math
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import to_offsets
from ..options.plans import Plan, ScorePlan
from ..rouge.formulas import score_pairs, weigh_totals, weight_of
from ..rouge.references import choose_references
from ..scoring.sample_counts import SampleCounts

# The largest relative difference of the same operations in another order.
_LAST_DIGITS: Final = 1e-12

_OTHER_ORDER: Final = "the same operations in another order, which changes only the last digits"
_PERCENTAGES: Final = "percentages, from 0 to 100"

_NO_MATCH: Final = "without any match the score is 0 with any smoothing"
_NO_TOKENS: Final = "references without tokens do not make the score 0"
_UNION: Final = "the union LCS of the sentences, which the other profiles call rougeLsum"
_ROUNDED: Final = "precision and recall are rounded to five digits, then the F-measure"

_BLEU: Final = {
    "nltk": (
        "a prediction too short for an order adds one n-gram to it, an order without a match "
        "counts as the smallest float or is left out instead of making the score 0, and without "
        "any match the score is 0 with any smoothing"
    ),
    "google_bleu": (
        "GLEU, another score: the smaller one of precision and recall over the n-grams of all "
        "orders together, without smoothing, weights and brevity penalty"
    ),
}
_PAPER: Final = {
    "rougeLsum": "the union LCS is not clipped: a token of the prediction counts each time",
    "rougeW": "one weighted LCS of the whole texts, not a union over sentences",
    "rougeSU": "the unigram of the last token counts too",
}


class Change(NamedTuple):
    """One part of the arithmetic that is changed.

    Attributes:
        reason: what it does; empty for the rest of the arithmetic, of which the scores say more.
        plan: of one family, after the change.
    """

    reason: str
    plan: Plan


def split_arithmetic(before: Plan, after: Plan) -> Iterator[Change]:
    """Iterate over the parts of the arithmetic of a profile, one changed after the other.

    Args:
        before: the plan of one family with the options of the profile and the arithmetic of ``hf``.
        after: the plan of the profile.
    """
    bleu, rouge = after.counting.bleu, after.counting.rouge
    if before.counting.bleu is not None and bleu is not None and bleu.strips_end:
        stripped = before.counting.bleu._replace(strips_end=True)
        counting = before.counting._replace(bleu=stripped)
        yield Change(
            "white space at the end of a text is removed", before._replace(counting=counting)
        )
    if rouge is not None and after.scoring.rouge.formula == "rouge-1.5.5":
        scoring = before.scoring._replace(rouge_types=after.scoring.rouge_types)
        uncut = after.counting._replace(rouge=rouge._replace(byte_limit=None))
        yield Change(_UNION, Plan(after.families, uncut, scoring))
        yield Change(
            "byte_limit cuts the sentences of rougeL and rougeW separately",
            Plan(after.families, after.counting, scoring),
        )
        scoring = scoring._replace(rouge=after.scoring.rouge)
        yield Change(_ROUNDED, Plan(after.families, after.counting, scoring))
        yield Change("the bootstrap of ROUGE-1.5.5: other resamples, and the mean of them", after)
    else:
        yield Change("", after)


def explain_rounding(counts: SampleCounts, score: str, before: ScorePlan, after: ScorePlan) -> str:
    """Describe how five digits change one score: of the chosen references, or also the choice.

    Args:
        counts: of all samples.
        score: a ROUGE type.
        before: scores with all digits.
        after: scores with five digits.
    """
    chosen, rounded = _choose(counts, score, before), _choose(counts, score, after)
    is_same = chosen is None or rounded is None or np.array_equal(chosen, rounded)
    return _ROUNDED if is_same else f"{_ROUNDED}; they choose other references"


def _choose(counts: SampleCounts, score: str, plan: ScorePlan) -> NDArray[np.int64] | None:
    """Return the pair that is chosen for each sample; None if no reference is chosen."""
    assert counts.rouge is not None
    name = plan.rouge_types[score]
    # The mean of best scores depends on the best reference too.
    is_mean_of_best = plan.rouge.multi_reference == "jackknife"
    rules = plan.rouge._replace(multi_reference="best") if is_mean_of_best else plan.rouge
    numbers, weight = counts.rouge.of(name), weight_of(name)
    scores = score_pairs(weigh_totals(numbers, weight), rules, weight)
    return choose_references(scores, numbers, to_offsets(counts.reference_counts), rules, weight)


def explain_arithmetic(profile: str, score: str, before: float, after: float) -> str:
    """Describe how the rest of the arithmetic of a profile changes one score.

    Args:
        profile: name of the profile, not ``hf`` and not ``rouge-1.5.5``.
        score: ``bleu``, or a ROUGE type.
        before: the score with the options of the profile and the arithmetic of ``hf``.
        after: the score of the profile.

    >>> explain_arithmetic("sacrebleu", "bleu", 0.25, 25.000000000000004)
    'percentages, from 0 to 100'
    """
    if math.isclose(before, after, rel_tol=_LAST_DIGITS):
        return _OTHER_ORDER
    if profile == "sacrebleu":
        if math.isclose(100 * before, after, rel_tol=_LAST_DIGITS):
            return _PERCENTAGES
        return f"{_PERCENTAGES}, and {_NO_TOKENS if after else _NO_MATCH}"
    if score == "bleu":
        return _BLEU[profile]
    return next(reason for prefix, reason in _PAPER.items() if score.startswith(prefix))

"""Describe how the arithmetic of ROUGE's programs differs from ``rouge_score``'s."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from ..arithmetic import OTHER_ORDER, is_last_digits
from ..counts import Offsets, SampleCounts
from ..family import Change
from .counting import RougeCounting, read_rouge
from .formulas import score_pairs, weigh_totals, weight_of
from .references import choose_references
from .scoring import RougeScoring

_UNION: Final = "the union LCS of the sentences, which the other profiles call rougeLsum"
_CUT: Final = "byte_limit cuts the sentences of rougeL and rougeW separately"
_ROUNDED: Final = "precision and recall are rounded to five digits, then the F-measure"
_BOOTSTRAP: Final = "the bootstrap of ROUGE-1.5.5: other resamples, and the mean of them"
_PAPER: Final = {
    "rougeLsum": "the union LCS is not clipped: a token of the prediction counts each time",
    "rougeW": "one weighted LCS of the whole texts, not a union over sentences",
    "rougeSU": "the unigram of the last token counts too",
}


def split_arithmetic(
    before: RougeScoring, counting: RougeCounting, after: RougeScoring
) -> Iterator[Change]:
    """Iterate over the parts of an arithmetic, one changed after the other.

    Args:
        before: with the options of the profile and the arithmetic of ``rouge_score``.
        counting: of the profile.
        after: of the profile.
    """
    if after.rules.formula != "rouge-1.5.5":
        yield Change(counting, after)
        return
    union = replace(before, types=after.types)
    yield Change(replace(counting, byte_limit=None), union, _UNION)
    yield Change(counting, union, _CUT)
    yield Change(counting, replace(union, rules=after.rules))
    yield Change(counting, after, _BOOTSTRAP)


def explain_formula(
    name: str,
    before: RougeScoring,
    after: RougeScoring,
    counts: SampleCounts,
    values: tuple[float, float],
) -> str:
    """Describe how a formula changes one type.

    Args:
        name: of the type.
        before: with the formula of ``rouge_score``.
        after: with another formula.
        counts: of all samples, by the counting of ``after``.
        values: the score before and after.
    """
    if after.rules.formula == "rouge-1.5.5":
        return _explain_rounding(name, before, after, counts)
    if is_last_digits(*values):
        return OTHER_ORDER
    return explain_paper(name)


def explain_paper(name: str) -> str:
    """Describe how counting by the paper changes one type.

    >>> explain_paper("rougeSU*")
    'the unigram of the last token counts too'
    """
    return next(reason for prefix, reason in _PAPER.items() if name.startswith(prefix))


def _explain_rounding(
    name: str, before: RougeScoring, after: RougeScoring, counts: SampleCounts
) -> str:
    """Describe how five digits change one type: the chosen references, or also the choice."""
    chosen, rounded = _choose(counts, name, before), _choose(counts, name, after)
    is_same = chosen is None or rounded is None or np.array_equal(chosen, rounded)
    return _ROUNDED if is_same else f"{_ROUNDED}; they choose other references"


def _choose(counts: SampleCounts, name: str, scoring: RougeScoring) -> Offsets | None:
    """Return the pair that is chosen for each sample; None if no reference is chosen."""
    counted, rules = scoring.types[name], scoring.rules
    # The mean of best scores depends on the best reference too.
    if rules.multi_reference == "jackknife":
        rules = rules._replace(multi_reference="best")
    numbers, weight = read_rouge(counts, scoring.counted).of(counted), weight_of(counted)
    scores = score_pairs(weigh_totals(numbers, weight), rules, weight)
    return choose_references(scores, numbers, counts.offsets, rules, weight)

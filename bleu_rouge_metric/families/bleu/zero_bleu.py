"""Warn if BLEU of a corpus is 0 although tokens match, because n-grams of one order do not.

It is the score of all samples together: a BLEU of 0 is ordinary for a single sentence, so lists of
sentence scores and ``PairScorer`` do not warn. Scores of groups and of resamples do not either.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...counting.kernels import BleuCounts
from ...messages import Argument, Message, format_message
from ...text.warnings import warn_caller
from .decomposition import BleuFactor, decompose_score, find_missing
from .rules import BleuRules
from .statistics import gather_corpus

Offsets = NDArray[np.int64]


def is_unexpected_zero(scores: Mapping[str, Any]) -> bool:
    """Return whether BLEU is 0 although a token matches.

    Args:
        scores: of all samples, by name.

    >>> is_unexpected_zero({"bleu": 0.0, "precisions": [0.5, 0.0]})
    True
    >>> is_unexpected_zero({"bleu": 0.0, "precisions": [0.0, 0.0]}), is_unexpected_zero({})
    (False, False)
    """
    # Fast path: without it nothing changes. A call with most scores takes 50 ns.
    if scores.get("bleu"):
        return False
    return bool(scores.get("bleu", scores.get("score")) == 0 and scores["precisions"][0] > 0)


def warn_of_zero_bleu(counts: BleuCounts, offsets: Offsets, rules: BleuRules) -> bool:
    """Warn that BLEU is 0 although a token matches; name the order and what to do.

    Args:
        counts: of all samples.
        offsets: int64, shape (samples + 1,); where the references of each sample start.
        rules: how the counts become BLEU.

    Returns:
        Whether it warned.
    """
    statistics = gather_corpus(counts, offsets, rules)
    orders = decompose_score(statistics, rules).orders
    missing = find_missing(orders)
    # Else a reference is empty, or a smoothing is not defined for the counts.
    if missing is None or not statistics.matches[0] or not statistics.reference_length:
        return False
    from ...matching.texts import describe_missing

    subject = "the prediction" if len(counts.matches) == 1 else "the predictions"
    reason = describe_missing(missing.order, missing.total, subject)
    remedy = format_message("use {}.", _name_remedy(orders, missing, rules))
    warn_caller(format_message("BLEU is 0: {}", reason, remedy=remedy))
    return True


def _name_remedy(orders: list[BleuFactor], missing: BleuFactor, rules: BleuRules) -> Message:
    """Name the options that give a score above 0."""
    if not any(factor.weight and factor.total for factor in orders):
        return format_message("{weights} of shorter n-grams")
    remedies: list[object] = []
    # NLTK's method6 does not smooth the first two orders, so that fewer orders do not help.
    is_method6 = rules.smooth.startswith("method6")
    if missing.total or is_method6:
        remedies.append(Argument("smooth", "=", "exp"))
    if any(factor.weight and not factor.total for factor in orders):
        # No smoothing of sacrebleu helps there.
        remedies += [" and "] * bool(remedies) + [Argument("effective_order", "=", value=True)]
    has_shorter = rules.weights is None and not is_method6
    if has_shorter:
        remedies += [", or ", Argument("max_order", "=", missing.order - 1)]
    return Message(remedies)

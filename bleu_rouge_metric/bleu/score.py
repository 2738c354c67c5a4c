"""BLEU: integer counts in, precisions, brevity penalty and score out.

Papineni et al. (2002) with the floating-point operations of three libraries, each in its order, so
that the scores are their doubles: evaluate 0.4.6's ``bleu`` (the ``compute_bleu`` of
tensorflow/nmt), sacrebleu 2.6, NLTK 3.10's ``corpus_bleu`` and ``sentence_bleu``. Whatever divides
by zero there is 0 here: an empty text is a text.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..counting.kernels import BleuCounts
from .formula import SCALES, penalise, score_statistics
from .rules import BleuRules
from .smoothing import smooth_precisions
from .statistics import gather_corpus, gather_sentences

BleuValue = float | int | list[float]


class BleuScore(NamedTuple):
    """Outputs of evaluate's ``bleu``, in its order; of NLTK's BLEU too, under these names.

    Attributes:
        bleu: in [0, 1]; NLTK's ``method5`` to ``method7`` may exceed 1. A list of one score per set
            where there are several sets of weights.
        precisions: n-gram precisions for orders 1 to ``max_order``, each in [0, 1]; smoothed, but
            for NLTK, whose are those before smoothing.
        brevity_penalty: in [0, 1]; 1 where the predictions are not shorter than the references.
        length_ratio: prediction tokens per reference token; 0 where the references have none.
        translation_length: tokens of all predictions.
        reference_length: tokens of the references, one per sample, summed over the samples: of the
            shortest, the closest or the longest, as the option says; for ``average`` the sum of
            the means, a float.
    """

    bleu: float
    precisions: list[float]
    brevity_penalty: float
    length_ratio: float
    translation_length: int
    reference_length: int


class SacrebleuScore(NamedTuple):
    """Outputs of sacrebleu, in its order.

    Attributes:
        score: in [0, 100]; a list of one score per set where there are several sets of weights.
        counts: n-gram matches for orders 1 to ``max_order``; the integers that were counted,
            whatever the smoothing.
        totals: n-grams of the predictions, likewise.
        precisions: in [0, 100] each, smoothed; before smoothing where no token matches.
        bp: brevity penalty, in [0, 1].
        sys_len: tokens of all predictions.
        ref_len: tokens of the references, one per sample: the closest, or as the option
            ``reference_length`` says; for ``average`` a float.
    """

    score: float
    counts: list[int]
    totals: list[int]
    precisions: list[float]
    bp: float
    sys_len: int
    ref_len: int


def score_corpus(
    counts: BleuCounts, offsets: NDArray[np.int64], rules: BleuRules
) -> dict[str, BleuValue]:
    """BLEU of all samples together, with what the library of the arithmetic gives beside it.

    Args:
        counts: of all samples, for ``rules.counted_order`` orders or more.
        offsets: int64, shape (samples + 1,); where the references of each sample start.
        rules: how the counts become a score.

    Returns:
        For evaluate and NLTK the fields of :class:`BleuScore`, NLTK's precisions being those
        before smoothing. For sacrebleu ``score`` in [0, 100], ``counts``, ``totals``,
        ``precisions`` in [0, 100], ``bp``, ``sys_len``, ``ref_len``. The score is a list where
        there are several sets of weights; the reference length is a float for their average.
    """
    statistics = gather_corpus(counts, offsets, rules)
    prediction_length, reference_length = statistics.prediction_length, statistics.reference_length
    scale = SCALES[rules.arithmetic]
    smoothed = smooth_precisions(statistics, rules, scale)
    penalty = penalise(prediction_length, reference_length, rules.arithmetic)
    scores = score_statistics(
        statistics,
        smoothed,
        penalty,
        rules,
        leaves_out_orders=rules.leaves_out_orders(is_sentence=False),
    )
    score = scores if len(scores) > 1 else scores[0]
    # Parity: sacrebleu, compute_bleu returns before it smooths where nothing matches.
    is_smoothed = rules.arithmetic == "hf" or (
        rules.arithmetic == "sacrebleu" and statistics.matches[0]
    )
    precisions = smoothed if is_smoothed else None
    if precisions is None:
        unsmoothed = rules._replace(smooth="none", smooth_value=None)
        precisions = smooth_precisions(statistics, unsmoothed, scale) or []
    if rules.arithmetic == "sacrebleu":
        return {
            "score": score,
            # Parity: sacrebleu, compute_bleu gives back counts to which add-k has been added;
            # these are what was counted.
            "counts": [*statistics.matches[: rules.max_order]],
            "totals": [*statistics.totals[: rules.max_order]],
            "precisions": precisions,
            "bp": penalty,
            "sys_len": prediction_length,
            "ref_len": reference_length,
        }
    return {
        "bleu": score,
        "precisions": precisions,
        "brevity_penalty": penalty,
        "length_ratio": prediction_length / reference_length if reference_length else 0.0,
        "translation_length": prediction_length,
        "reference_length": reference_length,
    }


def score_sentences(
    counts: BleuCounts, offsets: NDArray[np.int64], rules: BleuRules
) -> list[float] | list[list[float]]:
    """BLEU of each sample alone; arguments as in :func:`score_corpus`.

    Returns:
        One score per sample, or one list per sample where there are several sets of weights.
    """
    leaves_out_orders = rules.leaves_out_orders(is_sentence=True)
    scale = SCALES[rules.arithmetic]
    scores = [
        score_statistics(
            statistics,
            smooth_precisions(statistics, rules, scale),
            penalise(statistics.prediction_length, statistics.reference_length, rules.arithmetic),
            rules,
            leaves_out_orders=leaves_out_orders,
        )
        for statistics in gather_sentences(counts, offsets, rules)
    ]
    if rules.weights is not None and len(rules.weights) > 1:
        return scores
    return [score for (score,) in scores]

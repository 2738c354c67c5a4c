"""BLEU: integer counts in, precisions, brevity penalty and score out.

Papineni et al. (2002) with the floating-point operations of three libraries, each in its order, so
that the scores are their doubles: evaluate 0.4.6's ``bleu`` (the ``compute_bleu`` of
tensorflow/nmt), sacrebleu 2.6, NLTK 3.10's ``corpus_bleu`` and ``sentence_bleu``. Whatever divides
by zero there is 0 here: an empty text is a text.
"""

import math
import sys
from collections.abc import Sequence
from numbers import Real
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .bleu_rules import Arithmetic, BleuRules
from .bleu_statistics import BleuStatistics, gather_corpus, gather_sentences
from .counts import BleuCounts, count_bleu
from .inputs import check_samples
from .options import Options
from .smoothing import added_to_totals, smooth_precisions
from .tokenization import Tokenizer

BleuValue = float | int | list[float]

_SCALES: Final[dict[Arithmetic, float]] = {"hf": 1.0, "sacrebleu": 100.0, "nltk": 1.0}


class BleuScore(NamedTuple):
    """Outputs of evaluate's ``bleu``, in its order.

    Attributes:
        bleu: in [0, 1].
        precisions: n-gram precisions for orders 1 to ``max_order``, each in [0, 1].
        brevity_penalty: in [0, 1]; 1 where the predictions are not shorter than the references.
        length_ratio: prediction tokens per reference token; 0 where the references have none.
        translation_length: tokens of all predictions.
        reference_length: tokens of the shortest references, summed over the samples.
    """

    bleu: float
    precisions: list[float]
    brevity_penalty: float
    length_ratio: float
    translation_length: int
    reference_length: int


def bleu_score(
    predictions: object,
    references: object,
    *,
    max_order: int = 4,
    smooth: bool = False,
    tokenizer: str | Tokenizer = "13a",
) -> BleuScore:
    """Corpus BLEU, equal to evaluate's ``bleu``.

    Args:
        predictions: sequence of str, one per sample.
        references: sequence of the same length; each item one str or a sequence of str.
        max_order: the longest n-gram, at least 1.
        smooth: add one to the matches and totals of every order (Lin and Och 2004, but for
            unigrams too, as evaluate does).
        tokenizer: ``13a``, ``rouge``, ``whitespace``, ``char``, or a callable ``str -> list[str]``.

    Returns:
        The score and what it is made of.

    Raises:
        TypeError: an argument or an item is of a wrong type.
        ValueError: an argument is out of range, or the samples do not fit together.

    >>> score = bleu_score(["Paris is the capital of France"],
    ...                    ["Paris is the biggest French city"], max_order=1)
    >>> score.bleu, score.precisions
    (0.5, [0.5])
    """
    options = Options(max_order=max_order, smooth=smooth, tokenizer=tokenizer)
    samples = check_samples(predictions, references)
    rules = BleuRules(max_order=max_order, smooth="add-one" if smooth else "none")
    counts = count_bleu(samples, rules.counted_order, options.bleu_tokenize)
    return BleuScore._make(score_corpus(counts, samples.offsets, rules).values())


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
    scale = _SCALES[rules.arithmetic]
    smoothed = smooth_precisions(statistics, rules, scale)
    penalty = _penalise(prediction_length, reference_length, rules.arithmetic)
    scores = _score(
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
    scale = _SCALES[rules.arithmetic]
    scores = [
        _score(
            statistics,
            smooth_precisions(statistics, rules, scale),
            _penalise(statistics.prediction_length, statistics.reference_length, rules.arithmetic),
            rules,
            leaves_out_orders=leaves_out_orders,
        )
        for statistics in gather_sentences(counts, offsets, rules)
    ]
    if rules.weights is not None and len(rules.weights) > 1:
        return scores
    return [score for (score,) in scores]


def brevity_penalty(
    prediction_length: float, reference_length: float, *, arithmetic: Arithmetic = "hf"
) -> float:
    """What a prediction loses for being shorter than its reference.

    Papineni et al. (2002), section 2.2.2.

    Args:
        prediction_length: tokens, at least 0.
        reference_length: tokens, at least 0; not whole where it is a mean.
        arithmetic: ``hf`` computes by way of the ratio of the lengths, ``sacrebleu`` and ``nltk``
            do not; results differ in the last bit.

    Returns:
        A float in [0, 1]: 1 where the prediction is not shorter, 0 where it alone is empty.

    Raises:
        TypeError: a length is no number.
        ValueError: a length is negative or not finite.

    >>> brevity_penalty(12, 12), brevity_penalty(0, 0), brevity_penalty(0, 3)
    (1.0, 1.0, 0.0)
    """
    lengths = {"prediction_length": prediction_length, "reference_length": reference_length}
    for name, length in lengths.items():
        if isinstance(length, bool) or not isinstance(length, Real):
            raise TypeError(f"{name} is {length!r}; expected a number of tokens.")
        if not 0 <= length < math.inf:
            raise ValueError(f"{name} is {length}; expected a number of tokens, 0 or more.")
    return _penalise(prediction_length, reference_length, arithmetic)


def _penalise(prediction_length: float, reference_length: float, arithmetic: Arithmetic) -> float:
    """The brevity penalty of checked lengths."""
    if prediction_length >= reference_length:
        return 1.0
    if not prediction_length:
        return 0.0
    if arithmetic == "hf":
        # Parity: compute_bleu goes by way of the ratio; exp(1 - r / c) often differs in its last
        # bit.
        return math.exp(1 - 1.0 / (prediction_length / reference_length))
    return math.exp(1 - reference_length / prediction_length)


def _score(
    statistics: BleuStatistics,
    precisions: Sequence[float] | None,
    penalty: float,
    rules: BleuRules,
    *,
    leaves_out_orders: bool,
) -> list[float]:
    """One score per set of weights, from smoothed precisions; None for undefined ones."""
    weight_sets = rules.weights or (None,)
    if rules.arithmetic == "hf":
        # Parity: compute_bleu raises ZeroDivisionError here; an empty text is a text, worth 0.
        has_score = statistics.prediction_length and statistics.reference_length
    else:
        # Parity: sacrebleu and NLTK score 0 without any match, however it would be smoothed.
        has_score = statistics.matches[0]
    if not has_score or precisions is None:
        return [0.0] * len(weight_sets)
    if rules.arithmetic == "nltk" and rules.smooth in ("none", "method0"):
        # Parity: NLTK, method0, its default: an order without a match makes the score tiny, not 0.
        precisions = [precision or sys.float_info.min for precision in precisions]
    orders = rules.max_order
    if leaves_out_orders and not added_to_totals(rules):
        # Parity: sacrebleu, compute_bleu: what add-k adds makes up for n-grams.
        orders -= statistics.totals[:orders].count(0)
    scores: list[float] = []
    for weights in weight_sets:
        adapted = _adapt_weights(weights, orders, statistics.prediction_length, rules)
        scores.append(penalty * _geometric_mean(precisions, adapted, rules.arithmetic))
    return scores


def _adapt_weights(
    weights: Sequence[float] | None, orders: int, prediction_length: int, rules: BleuRules
) -> Sequence[float] | int:
    """The weights of the first orders; a number of orders stands for equal ones.

    Args:
        weights: of one set; None for equal ones.
        orders: how many the predictions are long enough for, at least 1.
        prediction_length: tokens of the predictions.
        rules: say whether short predictions get other weights.
    """
    if (
        rules.auto_reweigh
        and prediction_length < 4
        and (rules.max_order == 4 if weights is None else weights == (0.25,) * 4)
    ):
        # Parity: NLTK, corpus_bleu, looks at the tokens of the whole corpus.
        weights, orders = None, min(orders, prediction_length)
    if weights is None:
        return orders
    if orders >= len(weights):
        return weights
    first = weights[:orders]
    total = math.fsum(first)
    return [weight / total for weight in first] if total else []


def _geometric_mean(
    precisions: Sequence[float], weights: Sequence[float] | int, arithmetic: Arithmetic
) -> float:
    """The weighted geometric mean; the order of its operations is part of the contract.

    Args:
        precisions: of orders from 1 up.
        weights: of the first orders, or how many of them have equal weights. None at all: 0.
        arithmetic: in whose order of operations.
    """
    if not weights:
        return 0.0
    if arithmetic == "sacrebleu" and isinstance(weights, int):
        # Parity: sacrebleu, compute_bleu: the logarithms are added first, then divided.
        logarithm, orders = 0.0, weights
        for precision in precisions[:orders]:
            if not precision:
                return 0.0
            logarithm += math.log(precision)
        return math.exp(logarithm / orders)
    if isinstance(weights, int):
        weights = (1.0 / weights,) * weights
    if arithmetic == "nltk":
        # Parity: NLTK, corpus_bleu: rounded once, and precisions of 0 are left out.
        return math.exp(
            math.fsum(
                weight * math.log(precision)
                for weight, precision in zip(weights, precisions, strict=False)
                if precision > 0
            )
        )
    # Parity: compute_bleu, sum((1. / max_order) * math.log(p)), from left to right. A loop, since
    # sum() of floats is compensated from Python 3.12 on and would round otherwise; so above.
    logarithm = 0.0
    for weight, precision in zip(weights, precisions, strict=False):
        if weight:
            if not precision:
                return 0.0
            logarithm += weight * math.log(precision)
    return math.exp(logarithm)

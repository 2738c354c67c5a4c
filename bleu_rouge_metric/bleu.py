"""BLEU: integer counts in, precisions, brevity penalty and score out.

Papineni et al. (2002) with the floating-point operations of three libraries, each in its order, so
that the scores are their doubles: evaluate 0.4.6's ``bleu`` (the ``compute_bleu`` of
tensorflow/nmt), sacrebleu 2.6, NLTK 3.10's ``corpus_bleu`` and ``sentence_bleu``. Whatever divides
by zero there is 0 here: an empty text is a text.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .bleu_formula import SCALES, penalise, score_statistics
from .bleu_rules import BleuRules
from .bleu_statistics import gather_corpus, gather_sentences
from .counts import BleuCounts, count_bleu
from .inputs import check_samples
from .options import Options
from .smoothing import smooth_precisions
from .tokenization import Tokenizer

BleuValue = float | int | list[float]


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

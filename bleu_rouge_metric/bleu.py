"""BLEU: integer counts in, precisions, brevity penalty and score out.

Equals evaluate 0.4.6's ``bleu`` (the ``compute_bleu`` of tensorflow/nmt): corpus-level BLEU of
Papineni et al. (2002) with the shortest reference of each sample as its reference length, on the
scale 0 to 1. Where that one divides by zero (no token in the predictions or in the shortest
references) the score is 0.0.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .counts import BleuCounts, Integers, count_bleu
from .inputs import check_samples
from .options import Options
from .tokenization import Tokenizer


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
    counts = count_bleu(samples, max_order, options.bleu_tokenize)
    return score_corpus(counts, samples.offsets, smooth=smooth)


def score_corpus(
    counts: BleuCounts, offsets: NDArray[np.int64], *, smooth: bool = False
) -> BleuScore:
    """BLEU of all samples together.

    Args:
        counts: of all samples.
        offsets: int64, shape (samples + 1,); where the references of each sample start.
        smooth: add one to the matches and totals of every order.
    """
    lengths = counts.prediction_lengths
    return _score(
        [int(matches.sum(dtype=np.int64)) for matches in counts.matches.T],
        [
            int(np.maximum(lengths - start, 0).sum(dtype=np.int64))
            for start in range(counts.matches.shape[1])
        ],
        int(lengths.sum(dtype=np.int64)),
        int(_shortest_references(counts, offsets).sum(dtype=np.int64)),
        smooth=smooth,
    )


def score_sentences(
    counts: BleuCounts, offsets: NDArray[np.int64], *, smooth: bool = False
) -> list[float]:
    """BLEU of each sample alone, in [0, 1]; arguments as in :func:`score_corpus`."""
    return [
        _score(
            matches,
            [max(prediction_length - start, 0) for start in range(len(matches))],
            prediction_length,
            reference_length,
            smooth=smooth,
        ).bleu
        for matches, prediction_length, reference_length in zip(
            counts.matches.tolist(),
            counts.prediction_lengths.tolist(),
            _shortest_references(counts, offsets).tolist(),
            strict=True,
        )
    ]


def _shortest_references(counts: BleuCounts, offsets: NDArray[np.int64]) -> Integers:
    """Length of the shortest reference of each sample, shape (samples,)."""
    # Parity: tensorflow/nmt, compute_bleu: min(len(r) for r in references). The paper (section
    # 2.2.2) takes the best match length, that of the closest reference.
    shortest: Integers = np.minimum.reduceat(counts.reference_lengths, offsets[:-1])
    return shortest


def _score(
    matches: Sequence[int],
    totals: Sequence[int],
    prediction_length: int,
    reference_length: int,
    *,
    smooth: bool,
) -> BleuScore:
    """BLEU of one set of counts. The order of its operations is part of the contract."""
    precisions = [
        _precision(match, total, smooth=smooth)
        for match, total in zip(matches, totals, strict=True)
    ]
    length_ratio = prediction_length / reference_length if reference_length else 0.0
    brevity_penalty = _brevity_penalty(prediction_length, reference_length)
    if not prediction_length or not reference_length:
        # Parity: compute_bleu raises ZeroDivisionError here; an empty text is a text, worth 0.
        bleu = 0.0
    elif min(precisions) > 0:
        # Parity: compute_bleu, sum((1. / max_order) * math.log(p)), from left to right. A loop,
        # since sum() of floats is compensated from Python 3.12 on and would round otherwise.
        log_mean = 0.0
        for precision in precisions:
            log_mean += (1.0 / len(precisions)) * math.log(precision)
        bleu = math.exp(log_mean) * brevity_penalty
    else:
        bleu = 0.0
    return BleuScore(
        bleu, precisions, brevity_penalty, length_ratio, prediction_length, reference_length
    )


def _precision(matches: int, total: int, *, smooth: bool) -> float:
    """Modified n-gram precision of one order, in [0, 1]."""
    if smooth:
        # Parity: compute_bleu smooths unigrams as well; Lin and Och (2004) only longer n-grams.
        return (matches + 1.0) / (total + 1.0)
    return matches / total if total else 0.0


def _brevity_penalty(prediction_length: int, reference_length: int) -> float:
    """Papineni et al. (2002), section 2.2.2, in [0, 1]."""
    if prediction_length >= reference_length:
        return 1.0
    if not prediction_length:
        return 0.0
    # Parity: compute_bleu goes by way of the ratio; exp(1 - r / c) often differs in its last bit.
    return math.exp(1 - 1.0 / (prediction_length / reference_length))

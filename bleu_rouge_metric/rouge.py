"""ROUGE: integer counts in, precision, recall and F-measure out.

Equals ``rouge_score`` 0.1.2, which evaluate's ``rouge`` wraps: ROUGE-N, ROUGE-L (one LCS of the
whole texts) and ROUGE-Lsum (union LCS of their sentences; what ROUGE-1.5.5 calls ROUGE-L), each
for the reference with the best F-measure. Every score is in [0, 1].
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .counts import Integers, count_rouge
from .inputs import check_samples
from .options import DEFAULT_ROUGE_TYPES, Options
from .sentences import SentenceSplitter
from .tokenization import Tokenizer

Floats = NDArray[np.float64]


_PAIRS_PER_BLOCK: Final = 4096


class Score(NamedTuple):
    """Precision, recall and F-measure: three float64 arrays of the same shape, in [0, 1]."""

    precision: Floats
    recall: Floats
    fmeasure: Floats


def rouge_scores(
    predictions: object,
    references: object,
    *,
    rouge_types: Sequence[str] = DEFAULT_ROUGE_TYPES,
    use_stemmer: bool = False,
    tokenizer: str | Tokenizer = "rouge",
    sentence_splitter: str | SentenceSplitter = "newline",
) -> dict[str, Score]:
    """ROUGE of every sample, equal to ``rouge_score``.

    Args:
        predictions: sequence of str, one per sample.
        references: sequence of the same length; each item one str or a sequence of str. Of
            several references the one with the best F-measure counts, for each type by itself.
        rouge_types: from ``rouge1`` to ``rouge9``, ``rougeL``, ``rougeLsum``.
        use_stemmer: stem the tokens of the ``rouge`` tokenizer (Porter).
        tokenizer: ``rouge``, ``13a``, ``whitespace``, ``char``, or a callable
            ``str -> list[str]``.
        sentence_splitter: for ``rougeLsum``: ``newline`` or a callable ``str -> list[str]``.

    Returns:
        For each type a ``Score`` of arrays of shape (samples,).

    Raises:
        TypeError: an argument or an item is of a wrong type.
        ValueError: an argument is out of range, or the samples do not fit together.

    >>> scores = rouge_scores(["The quick brown fox jumps on the log."],
    ...                       ["The quick brown fox jumps over the lazy dog."],
    ...                       rouge_types=["rouge1", "rouge2"])
    >>> scores["rouge1"].precision, scores["rouge2"].recall
    (array([0.75]), array([0.5]))
    """
    options = Options(
        rouge_types=rouge_types,
        use_stemmer=use_stemmer,
        tokenizer=tokenizer,
        sentence_splitter=sentence_splitter,
    )
    samples = check_samples(predictions, references)
    types = options.rouge_types
    counts = count_rouge(samples, types, options.rouge_tokenize, options.split_sentences)
    return {
        name: score_samples(counts.integers[:, column], samples.offsets)
        for column, name in enumerate(types)
    }


def score_samples(counts: Integers, offsets: NDArray[np.int64]) -> Score:
    """Scores of each sample for one type, against the reference with the best F-measure.

    Args:
        counts: shape (pairs, 3): hits, totals of the prediction and of the reference.
        offsets: int64, shape (samples + 1,); where the pairs of each sample start.

    Returns:
        Three arrays of shape (samples,).
    """
    scores = _score_pairs(counts)
    pairs, samples = len(counts), len(offsets) - 1
    if pairs == samples:
        return scores
    # Parity: rouge_score.RougeScorer.score_multi chooses for each type by itself, by np.argmax:
    # the first of several best.
    best = np.maximum.reduceat(scores.fmeasure, offsets[:-1])
    is_best = scores.fmeasure == np.repeat(best, np.diff(offsets))
    first_best = np.minimum.reduceat(np.where(is_best, np.arange(pairs), pairs), offsets[:-1])
    return Score(*(part[first_best] for part in scores))


def _score_pairs(counts: Integers) -> Score:
    """Precision, recall and F1, each of shape (pairs,).

    The order of the operations is part of the contract.
    """
    scores = Score(*(np.empty(len(counts)) for _ in range(3)))
    # Fast path: equals one block of all pairs, in half the time for 10,000 of them: temporary
    # arrays this small are not given back to the system, and asked for again, each time.
    for start in range(0, len(counts), _PAIRS_PER_BLOCK):
        block = slice(start, start + _PAIRS_PER_BLOCK)
        precision, recall, fmeasure = (part[block] for part in scores)
        hits, prediction_totals, reference_totals = counts[block].T
        # Parity: rouge_score divides by max(total, 1); without a total there is no hit either.
        np.divide(hits, np.maximum(prediction_totals, 1), out=precision)
        np.divide(hits, np.maximum(reference_totals, 1), out=recall)
        # Parity: rouge_score.scoring.fmeasure, (2 * precision * recall) / (precision + recall), or
        # 0 where both are 0; there the denominator is 1 only to be no division by zero.
        total = precision + recall
        np.divide(2 * precision * recall, np.where(total > 0, total, 1.0), out=fmeasure)
    return scores


# A float64 of at least 2 ** -20 is a multiple of 2 ** -72, the last place of its 53 bits.
_SMALLEST_FAST: Final = 2.0**-20
_HIGH_BITS: Final = 40
_LOW_BITS: Final = 32
_MOST_FAST: Final = (1 << 23) - 1


def exact_mean(values: Floats) -> float:
    """The correctly rounded sum of the values, divided by their number.

    Args:
        values: shape (samples,), in [0, 1]; at least one sample.

    Returns:
        A float in [0, 1]; the same for any order of the samples.

    >>> exact_mean(np.array([1.0, 1e-17, 0.0]))
    0.3333333333333333
    """
    samples = len(values)
    is_fast = (values == 0) | (values >= _SMALLEST_FAST)
    if samples > _MOST_FAST or not is_fast.all():
        return math.fsum(values.tolist()) / samples
    # Fast path: equals math.fsum(values) / samples, in a tenth of the time. Each value is split
    # into a multiple of 2 ** -40 and the rest, a multiple of 2 ** -72. Both parts are summed as
    # integers, below 2 ** 63 for so many samples, and only the whole sum is rounded.
    scaled = values * 2.0**_HIGH_BITS
    high = np.floor(scaled)
    low = (scaled - high) * 2.0**_LOW_BITS
    total = (int(high.astype(np.int64).sum()) << _LOW_BITS) + int(low.astype(np.int64).sum())
    return total / (1 << (_HIGH_BITS + _LOW_BITS)) / samples

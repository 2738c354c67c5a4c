"""ROUGE: integer counts in, precision, recall and F-measure out.

Equals ``rouge_score`` 0.1.2, which evaluate's ``rouge`` wraps: ROUGE-N, ROUGE-L (one LCS of the
whole texts) and ROUGE-Lsum (union LCS of their sentences; what ROUGE-1.5.5 calls ROUGE-L), each
for the reference with the best F-measure. Every score is in [0, 1].
"""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from .counts import count_rouge
from .inputs import check_samples
from .options import DEFAULT_ROUGE_TYPES, Options
from .rouge_formulas import Floats, Score
from .rouge_policies import score_samples
from .sentences import SentenceSplitter
from .tokenization import Tokenizer


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

"""The functions of ``nltk.translate.gleu_score``, on lists of any hashable tokens."""

from collections.abc import Sequence
from itertools import islice

import numpy as np

from ....counting.kernels import count_bleu
from .bleu_score import WORDS, Tokens, make_samples, pair_samples, write_texts

__all__ = ["corpus_gleu", "sentence_gleu"]


def sentence_gleu(
    references: Sequence[Tokens], hypothesis: Tokens, min_len: int = 1, max_len: int = 4
) -> float:
    """Compute GLEU of one sample; the arguments are those of :func:`corpus_gleu`.

    >>> sentence_gleu([["the", "cat", "sat"], ["a", "cat"]], ["the", "cat"])
    0.5
    """
    return corpus_gleu([references], [hypothesis], min_len, max_len)


def corpus_gleu(
    list_of_references: Sequence[Sequence[Tokens]],
    hypotheses: Sequence[Tokens],
    min_len: int = 1,
    max_len: int = 4,
) -> float:
    """Compute GLEU of all samples together.

    Args:
        list_of_references: the references of each sample, each a sequence of hashable tokens.
        hypotheses: a sequence of tokens per sample.
        min_len: the shortest n-gram that counts.
        max_len: the longest one.

    Returns:
        A float in [0, 1]; 0.0 without n-grams.

    Raises:
        AssertionError: the numbers of samples differ.
        TypeError: a token is not hashable.
    """
    samples = pair_samples(list_of_references, hypotheses)
    texts = [write_texts(*sample) for sample in samples if len(sample[0])]
    orders = range(max(min_len, 1), max_len + 1)
    if not texts or not orders:
        return 0.0
    own_pairs = make_samples([(text, one) for text, *own in texts for one in own])
    counts = count_bleu(own_pairs, max_len, WORDS)
    matches = counts.matches[:, orders.start - 1 :].sum(axis=1).tolist()
    # The longer text of a pair has more n-grams.
    lengths = np.maximum(counts.prediction_lengths, counts.reference_lengths).tolist()
    totals = [sum(max(0, length - order + 1) for order in orders) for length in lengths]
    pairs, hits, total = iter(zip(matches, totals, strict=True)), 0, 0
    for _, *own in texts:
        # Parity: pairs without n-grams are left out; of equal quotients, the first one counts.
        scored = [pair for pair in islice(pairs, len(own)) if pair[1]]
        best = max(scored, key=lambda pair: pair[0] / pair[1], default=(0, 0))
        hits, total = hits + best[0], total + best[1]
    return hits / total if total else 0.0

"""Compute Google's BLEU (GLEU) of sentences and corpora, from the n-gram overlap of ROUGE.

Equals evaluate 0.4.6's ``google_bleu``, which is NLTK 3.10's ``corpus_gleu``: the matches of all
orders, divided by the number of n-grams of the prediction or of the reference, whichever is larger.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...arrays import first_best
from ...counting.kernels import Integers
from ...messages import describe_value


def score_gleu(
    overlaps: Integers, offsets: NDArray[np.int64], *, min_order: int
) -> dict[str, float]:
    """Compute GLEU of all samples together.

    Args:
        overlaps: shape (pairs, max_order, 3); matches, n-grams of the prediction and n-grams of
            the reference for orders 1 to ``max_order``, as ``count_rouge`` returns them for rouge1,
            rouge2, …
        offsets: int64, shape (samples + 1,); index at which the pairs of each sample start.
        min_order: the shortest n-gram that counts, from 1 to ``max_order``.

    Returns:
        ``google_bleu`` in [0, 1]; 0 if there is no n-gram.

    Raises:
        ValueError: ``min_order`` is out of range.

    >>> score_gleu(np.array([[[2, 3, 2], [1, 2, 1]]]), np.array([0, 1]), min_order=1)
    {'google_bleu': 0.6}
    """
    matches, totals, _ = choose_references(overlaps, offsets, min_order)
    total = int(totals.sum())
    return {"google_bleu": int(matches.sum()) / total if total else 0.0}


def score_gleu_sentences(
    overlaps: Integers, offsets: NDArray[np.int64], *, min_order: int
) -> list[float]:
    """Compute GLEU of each sample, in [0, 1]; the arguments are those of :func:`score_gleu`."""
    rows = np.stack(choose_references(overlaps, offsets, min_order)[:2], axis=1)
    scores: list[float] = score_gleu_rows(rows).tolist()
    return scores


def score_gleu_rows(rows: Any) -> NDArray[np.float64]:
    """Compute GLEU of each row: matches and n-grams, or sums of them; 0 without n-grams."""
    matches, totals = rows.T
    scores: NDArray[np.float64] = matches / np.maximum(totals, 1)
    return scores


def choose_references(
    overlaps: Integers, offsets: NDArray[np.int64], min_order: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Choose the best reference of each sample.

    Returns:
        Matches and n-grams of each sample with it, and the index of the pair; shape (samples,).
    """
    max_order = overlaps.shape[1]
    if not 1 <= min_order <= max_order:
        expected = f"expected an int from 1 to {max_order}."
        raise ValueError(describe_value("min_order", str(min_order), expected))
    sums = overlaps[:, min_order - 1 :].sum(axis=1, dtype=np.int64)
    matches, totals = sums[:, 0], sums[:, 1:].max(axis=1)
    # Parity: NLTK's corpus_gleu takes the first reference with the largest quotient, and skips
    # pairs without n-grams. Here such a pair is chosen only if the sample has no other, and adds 0
    # to both sums.
    quotients = np.where(totals, matches / np.maximum(totals, 1), -1.0)
    chosen = first_best(quotients, offsets)
    return matches[chosen], totals[chosen], chosen

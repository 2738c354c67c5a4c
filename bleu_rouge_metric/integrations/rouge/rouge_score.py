"""ROUGE of lists of sentences, words with single spaces between them: ``rouge.rouge_score``."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

from ...counting.lcs import count_pair_words, sum_pair_lcs
from ...counting.ngrams import count_distinct, count_overlap, list_ngrams
from ...families.rouge_package.types import score_triple

__all__ = ["f_r_p_rouge_n", "multi_rouge_n", "rouge_l_summary_level", "rouge_n"]


def rouge_n(
    evaluated_sentences: Sequence[str],
    reference_sentences: Sequence[str],
    n: int = 2,
    raw_results: bool = False,
    exclusive: bool = True,
) -> dict[str, Any]:
    """Compute ROUGE-N; with ``exclusive``, each distinct n-gram of a side counts once.

    >>> rouge_n(["the cat sat"], ["the cat"], 1)
    {'f': 0.7999999952000001, 'p': 0.6666666666666666, 'r': 1.0}
    """
    for name, side in (("Hypothesis", evaluated_sentences), ("Reference", reference_sentences)):
        if not len(side):
            raise ValueError(f"{name} is empty.")
    sides = split(evaluated_sentences), split(reference_sentences)
    ours, theirs = (list_ngrams([*chain(*side)], n) for side in sides)
    counts = count_distinct(ours, theirs)
    if not exclusive:
        counts = count_overlap(ours, theirs), len(ours), len(theirs)
    return pack(*counts, raw_results=raw_results)


def multi_rouge_n(
    sequences: Sequence[Sequence[str]],
    scores_ids: Sequence[tuple[int, int]],
    n: int = 2,
    exclusive: bool = True,
) -> list[dict[str, float]]:
    """Compute ROUGE-N of pairs of indices, of a hypothesis and of a reference."""
    pairs = [(sequences[ours], sequences[theirs]) for ours, theirs in scores_ids]
    return [rouge_n(*pair, n, exclusive=exclusive) for pair in pairs]


def f_r_p_rouge_n(
    evaluated_count: int, reference_count: int, overlapping_count: int
) -> dict[str, float]:
    """Compute the scores of counts."""
    return pack(overlapping_count, evaluated_count, reference_count, raw_results=False)


def rouge_l_summary_level(
    evaluated_sentences: Sequence[str],
    reference_sentences: Sequence[str],
    raw_results: bool = False,
    exclusive: bool = True,
    **_: Any,
) -> dict[str, Any]:
    """Compute ROUGE-L of all pairs of sentences; ``exclusive`` as for :func:`rouge_n`."""
    ours, theirs = split(evaluated_sentences), split(reference_sentences)
    if not (ours and theirs):
        raise ValueError("Collections must contain at least 1 sentence.")
    hits = (count_pair_words if exclusive else sum_pair_lcs)(theirs, ours)
    kind: Any = set if exclusive else list
    totals = (len(kind(chain(*side))) for side in (ours, theirs))
    return pack(hits, *totals, raw_results=raw_results)


def split(sentences: Sequence[str]) -> list[list[str]]:
    """Return the words of each sentence."""
    return [sentence.split(" ") for sentence in sentences]


def pack(hits: int, ours: int, theirs: int, *, raw_results: bool) -> dict[str, Any]:
    """Return the scores of counts, or the counts."""
    if raw_results:
        return {"hyp": ours, "ref": theirs, "overlap": hits}
    precision, recall, fmeasure = score_triple(hits, ours, theirs)
    return {"f": fmeasure, "p": precision, "r": recall}

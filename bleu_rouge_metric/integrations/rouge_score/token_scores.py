"""ROUGE of lists of tokens: the functions of ``rouge_score.rouge_scorer`` besides its class.

Programs import them although their names begin with an underscore. The counts are those of the
Python kernel.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from ...counting.lcs import count_union_lcs, lcs_length, list_lcs_pairs
from ...counting.ngrams import list_ngrams
from . import scoring

Tokens = Sequence[Hashable]


def _create_ngrams(tokens: Tokens, n: int) -> Counter[Any]:
    """Count the n-grams of an order of at least 1, each a tuple.

    >>> _create_ngrams(["a", "b", "a"], 1)
    Counter({('a',): 2, ('b',): 1})
    """
    # Parity: unigrams are tuples too.
    return Counter([(token,) for token in tokens] if n == 1 else list_ngrams(tokens, n))


def _score_ngrams(target_ngrams: Mapping[Any, int], prediction_ngrams: Any) -> scoring.Score:
    """Score ROUGE-N.

    Args:
        target_ngrams: how often each n-gram occurs in the reference.
        prediction_ngrams: likewise for the prediction, 0 for other n-grams.

    >>> _score_ngrams(Counter("aab"), Counter("abbb"))
    Score(precision=0.5, recall=0.6666666666666666, fmeasure=0.5714285714285715)
    """
    hits = sum(min(count, prediction_ngrams[ngram]) for ngram, count in target_ngrams.items())
    return _score_hits(hits, sum(prediction_ngrams.values()), sum(target_ngrams.values()))


def _score_hits(hits: int, prediction_total: int, target_total: int) -> scoring.Score:
    # Parity: 0.0 if a total is 0.
    precision, recall = hits / max(prediction_total, 1), hits / max(target_total, 1)
    return scoring.Score(precision, recall, scoring.fmeasure(precision, recall))


def _score_lcs(target_tokens: Tokens, prediction_tokens: Tokens) -> scoring.Score:
    """Score ROUGE-L.

    >>> _score_lcs(["a", "b", "c", "d"], ["b", "d"])
    Score(precision=1.0, recall=0.5, fmeasure=0.6666666666666666)
    """
    if not target_tokens or not prediction_tokens:
        return scoring.NO_TOKENS
    hits = lcs_length(target_tokens, prediction_tokens)
    return _score_hits(hits, len(prediction_tokens), len(target_tokens))


def _summary_level_lcs(ref_sent: Sequence[Tokens], can_sent: Sequence[Tokens]) -> scoring.Score:
    """Score ROUGE-Lsum of the tokens of sentences.

    >>> _summary_level_lcs([["a", "b"], ["c"]], [["c", "a", "b"]]).recall
    1.0
    """
    target_total, prediction_total = sum(map(len, ref_sent)), sum(map(len, can_sent))
    if not target_total or not prediction_total:
        return scoring.NO_TOKENS
    return _score_hits(count_union_lcs(ref_sent, can_sent), prediction_total, target_total)


def _lcs_table(ref: Sequence[Any], can: Sequence[Any]) -> list[list[int]]:
    """Return the LCS length of each prefix of the reference with each of the prediction.

    >>> _lcs_table("ab", "b")
    [[0, 0], [0, 0], [0, 1]]
    """
    table = [[0] * (len(can) + 1)]
    for token in ref:
        above, row = table[-1], [0]
        for column, other in enumerate(can):
            best = above[column] + 1 if token == other else max(above[column + 1], row[column])
            row.append(best)
        table.append(row)
    return table


def _backtrack_norec(t: object, ref: Tokens, can: Tokens) -> list[int]:  # noqa: ARG001 - as there
    """Return the positions of the LCS in the reference; ``t`` is its table, which is not read."""
    return lcs_ind(ref, can)


def lcs_ind(ref: Tokens, can: Tokens) -> list[int]:
    """Return the positions of the LCS in the reference.

    >>> lcs_ind(["a", "b", "a"], ["b", "a", "b"])
    [0, 1]
    """
    return [place for _, place in list_lcs_pairs(ref, can)]


def _union_lcs(ref: Tokens, c_list: Iterable[Tokens]) -> list[Hashable]:
    """Return the tokens of the reference that are in its LCS with any of the sentences."""
    return [ref[place] for place in _find_union([lcs_ind(ref, can) for can in c_list])]


def _find_union(lcs_list: Iterable[Iterable[int]]) -> list[int]:
    """Return the positions that any of the lists has, ascending."""
    return sorted(set().union(*lcs_list))

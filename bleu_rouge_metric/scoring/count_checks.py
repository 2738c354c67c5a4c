"""Checks of counts that come from outside: a saved state, or tables of another process.

Counts obey laws that no text breaks: none is negative, matches are at most the n-grams of the
prediction, hits at most both totals. Whatever breaks one was damaged or belongs to other samples,
and its scores would be wrong without a word.

Not checked here: whether any text has these counts.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..counting.kernels import BleuCounts, RougeCounts, is_weighted
from ..counting.rouge_types import ROUGE_LSUM, parse_rouge_type
from ..options.plans import CountPlan
from .sample_counts import Array, SampleCounts

# The sum of the numbers of an array is smaller, so that no sum of counts exceeds int64. Half of
# that range is left to the rounding of the sum here.
_LARGEST_SUM: Final = 1 << 62


def check_counts(counts: SampleCounts, plan: CountPlan) -> None:
    """Raise ValueError unless the counts obey their laws; name the array and the first bad row.

    Args:
        counts: arrays of the right shapes, but of any number of rows.
        plan: that the samples were counted by.
    """
    _check_least("reference_counts", counts.reference_counts, 1)
    _check_sum("reference_counts", counts.reference_counts)
    samples, references = len(counts.reference_counts), int(counts.reference_counts.sum())
    for name, array, rows in _list_rows(counts, samples, references):
        if len(array) != rows:
            per = "sample" if rows is samples else "reference"
            raise ValueError(
                f"{name} has {len(array)} rows, but reference_counts says {samples} samples with "
                f"{references} references; expected one row for every {per}."
            )
        _check_least(name, array, 0)
        _check_sum(name, array)
    if counts.bleu is not None:
        _check_matches(counts.bleu)
    if counts.overlap is not None:
        for place in range(counts.overlap.shape[1]):
            _check_hits("overlap", f"n-grams of {place + 1}", counts.overlap[:, place])
    if counts.rouge is not None:
        _check_rouge(counts.rouge, lin2004=plan.rouge is not None and plan.rouge.lin2004)


def _list_rows(
    counts: SampleCounts, samples: int, references: int
) -> Iterator[tuple[str, Array, int]]:
    """Every array but the numbers of references: its name, and how many rows it has to have."""
    if counts.bleu is not None:
        yield "bleu_matches", counts.bleu.matches, samples
        yield "bleu_prediction_lengths", counts.bleu.prediction_lengths, samples
        yield "bleu_reference_lengths", counts.bleu.reference_lengths, references
    if counts.overlap is not None:
        yield "overlap", counts.overlap, references
    if counts.rouge is not None:
        yield "rouge", counts.rouge.integers, references
        yield "rouge_weighted", counts.rouge.weighted, references


def _find_first(is_bad: NDArray[np.bool_]) -> int | None:
    """Return the first row with anything bad in it."""
    rows = is_bad.any(axis=tuple(range(1, is_bad.ndim)))
    return int(rows.argmax()) if rows.any() else None


def _check_least(name: str, array: Array, least: int) -> None:
    # The comparison is False for NaN.
    row = _find_first(~((array >= least) & (array < np.inf)))
    if row is not None:
        kind = "finite numbers" if array.dtype.kind == "f" else "ints"
        raise ValueError(
            f"{name}[{row}] is {array[row].tolist()}; expected {kind} of at least {least}."
        )


def _check_sum(name: str, array: Array) -> None:
    """Raise ValueError if a sum of these numbers may exceed int64."""
    if array.dtype.kind == "i" and (total := array.sum(dtype=np.float64)) >= _LARGEST_SUM:
        raise ValueError(
            f"The sum of {name} is {total:.3g}; expected less than 2 ** 62, as for counts of texts."
        )


def _check_matches(counts: BleuCounts) -> None:
    """Raise ValueError if a prediction has more matches than n-grams."""
    lengths = counts.prediction_lengths[:, np.newaxis].astype(np.int64)
    most = np.maximum(lengths - np.arange(counts.matches.shape[1]), 0)
    row = _find_first(counts.matches > most)
    if row is not None:
        raise ValueError(
            f"bleu_matches[{row}] is {counts.matches[row].tolist()}, but a prediction of "
            f"{lengths[row, 0]} tokens has {most[row].tolist()} n-grams; expected no more matches."
        )


def _check_rouge(counts: RougeCounts, *, lin2004: bool) -> None:
    """Raise ValueError if there are more hits than anything that could be hit."""
    for name in counts.types:
        if is_weighted(name):
            _check_weighted(name, counts.of(name), lin2004=lin2004)
        else:
            # The paper does not clip the union LCS by the prediction; see count_union_lcs.
            totals = (2,) if lin2004 and name == ROUGE_LSUM else (1, 2)
            _check_hits("rouge", name, counts.of(name), totals)


def _check_weighted(name: str, triples: Array, *, lin2004: bool) -> None:
    """Raise ValueError if ROUGE-W has more hits than a text compared with itself."""
    # f(k) = k ** weight, with a weight of at least 1: runs count at most what they would in one
    # piece. The paper's totals are tokens; the program's are f of the reference's sentences.
    weight = parse_rouge_type(name).weight
    most = triples[:, 1:].min(axis=1) ** weight if lin2004 else triples[:, 2]
    # The sums are rounded, each in its own order.
    row = _find_first((triples[:, 0] > most * (1 + 1e-9))[:, np.newaxis])
    if row is not None:
        raise ValueError(
            f"rouge_weighted[{row}] has weighted hits of {triples[row, 0]} of {name}; expected at "
            f"most {most[row]}, with which the texts would be equal."
        )


def _check_hits(name: str, what: str, triples: Array, totals: tuple[int, ...] = (1, 2)) -> None:
    """Raise ValueError if hits are above one of these totals."""
    row = _find_first(triples[:, :1] > triples[:, totals])
    if row is not None:
        hits, prediction, reference = triples[row].tolist()
        raise ValueError(
            f"{name}[{row}] has {hits} hits of {what}, but totals of {prediction} in the "
            f"prediction and {reference} in the reference; expected no more hits."
        )

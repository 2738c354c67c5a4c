"""Test whether two systems differ, from the counts of the same samples.

Two tests. *Approximate randomization* (Noreen 1989; for BLEU: Riezler and Maxwell 2005): if the
systems were equally good, each output could as well be the other system's, so outputs are swapped
at random, and the p-value is the share of the swaps that differ at least as much as the systems do.
*Paired bootstrap* (for BLEU: Koehn 2004): samples are drawn with replacement, and the resampled
differences, less the difference of the systems, are compared with that difference.

A statistic is a table of whole numbers, one row per unit, and the score of their sum. A unit is a
sample, or a cluster of samples that depend on each other, such as the sentences of a document
(Miller 2024). One row of weights resamples all systems and scores, so that they stay comparable.
"""

from collections.abc import Callable, Sequence
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .draws import (
    Floats,
    Integers,
    Progress,
    all_swaps,
    bootstrap_weights,
    sum_columns,
    swap_weights,
)

Alternative = Literal["two-sided", "greater"]
Correction = Literal["holm", "bonferroni", "fdr_bh"]

# Two differences that are equal in exact arithmetic differ by less than this share of the scores.
_TOLERANCE: Final = 1e-12


Score = Callable[[Floats], Floats]


class Statistic(NamedTuple):
    """The counts of each unit for one score of one system.

    Attributes:
        columns: whole numbers, shape (units, columns).
        score: from sums of rows, shape (rows, columns), to their scores, shape (rows,).
    """

    columns: Integers
    score: Score


class System(NamedTuple):
    """The statistics of all scores of one system, side by side.

    Attributes:
        columns: whole numbers, shape (units, all columns).
        stops: where the columns of each score end.
        scores: from the sums of its columns to each score.
    """

    columns: Integers
    stops: tuple[int, ...]
    scores: tuple[Score, ...]

    def score(self, sums: Floats) -> Floats:
        """Compute all scores of sums of rows, shape (scores, rows)."""
        parts = np.split(sums, self.stops[:-1], axis=1)
        return np.stack([score(part) for score, part in zip(self.scores, parts, strict=True)])

    def score_all(self) -> Floats:
        """Compute the scores of all units together, shape (scores,)."""
        return self.score(self.sum_all()[np.newaxis])[:, 0]

    def sum_all(self) -> Floats:
        """Sum all rows, shape (columns,)."""
        sums: Floats = self.columns.sum(axis=0, dtype=np.int64).astype(np.float64)
        return sums


def join_statistics(statistics: Sequence[Statistic]) -> System:
    """Put the statistics of one system side by side."""
    return System(
        np.concatenate([statistic.columns for statistic in statistics], axis=1),
        tuple(np.cumsum([statistic.columns.shape[1] for statistic in statistics]).tolist()),
        tuple(statistic.score for statistic in statistics),
    )


def bootstrap(
    systems: Sequence[System], n_resamples: int, seed: int, progress: Progress | None = None
) -> Floats:
    """Compute the scores of resamples that are drawn with replacement.

    Args:
        systems: of the same units.
        n_resamples: how many.
        seed: 0 or more.
        progress: called after each block.

    Returns:
        Shape (systems, scores, n_resamples).
    """
    scores = np.empty((len(systems), len(systems[0].scores), n_resamples))
    tables = [system.columns for system in systems]
    done = 0
    for weights in bootstrap_weights(len(tables[0]), n_resamples, seed):
        sums = np.split(sum_columns(weights, tables), len(systems), axis=1)
        block = slice(done, done + len(weights))
        for place, (system, part) in enumerate(zip(systems, sums, strict=True)):
            scores[place, :, block] = system.score(part)
        done += len(weights)
        if progress:
            progress(done, n_resamples)
    return scores


class Randomization(NamedTuple):
    """P-values of the differences from the baseline.

    Attributes:
        p_values: shape (systems - 1, scores), in (0, 1].
        n_resamples: how many ways to swap were tried.
        is_exact: whether these were all ways.
    """

    p_values: Floats
    n_resamples: int
    is_exact: bool


def approximate_randomization(
    systems: Sequence[System],
    n_resamples: int,
    seed: int,
    alternative: Alternative = "two-sided",
    progress: Progress | None = None,
) -> Randomization:
    """Test the difference of each system from the first, for each score.

    Args:
        systems: of the same units; the first is the baseline.
        n_resamples: how many ways to swap are tried at most. All ways are tried if there are not
            more.
        seed: 0 or more.
        alternative: ``two-sided``, or ``greater``: the system is better than the baseline.
        progress: called after each block.
    """
    baseline, others = systems[0], systems[1:]
    units = len(baseline.columns)
    # Source: with few samples all ways to swap are tried, and the test is exact (Dror et al. 2018).
    is_exact = units < n_resamples.bit_length()  # 2 ** units <= n_resamples
    tried = 1 << units if is_exact else n_resamples
    observed = np.array([system.score_all() for system in systems])
    deltas, margins = observed[1:] - observed[0], _margins(observed)
    hits = np.zeros(deltas.shape, dtype=np.int64)
    tables, wholes = [system.columns for system in others], [system.sum_all() for system in systems]
    done = 0
    for weights in all_swaps(units) if is_exact else swap_weights(units, tried, seed):
        sums = sum_columns(weights, tables, baseline.columns)
        for index, moved in enumerate(np.split(sums, len(others), axis=1)):
            # The system gets what the baseline has in the swapped samples, and the other way round.
            ours = others[index].score(wholes[index + 1] + moved)
            resampled = ours - baseline.score(wholes[0] - moved)
            hits[index] += _count_hits(
                resampled, deltas[index, :, None], margins[index, :, None], alternative
            )
        done += len(weights)
        if progress:
            progress(done, tried)
    # The systems as they are count as one more way to swap, so that p is never 0. Among all ways
    # they are there already.
    p_values = hits / tried if is_exact else (hits + 1) / (tried + 1)
    return Randomization(p_values, tried, is_exact)


def bootstrap_p_values(
    resampled: Floats, observed: Floats, alternative: Alternative = "two-sided"
) -> Floats:
    """Compute the p-values of the paired bootstrap test.

    Args:
        resampled: shape (systems, scores, n_resamples), from :func:`bootstrap`.
        observed: shape (systems, scores); the first system is the baseline.
        alternative: as for :func:`approximate_randomization`.

    Returns:
        Shape (systems - 1, scores), in (0, 1].
    """
    deltas, margins = observed[1:] - observed[0], _margins(observed)
    # The resampled differences vary around the observed one; less the observed one they vary around
    # 0, as they would if the systems were equally good.
    shifted = resampled[1:] - resampled[0] - deltas[:, :, None]
    hits = _count_hits(shifted, deltas[:, :, None], margins[:, :, None], alternative)
    p_values: Floats = (hits + 1) / (resampled.shape[2] + 1)
    return p_values


def find_level(confidence: float) -> float:
    """Return the largest p-value that is significant.

    Args:
        confidence: of the test, above 0 and below 1.

    >>> find_level(0.9)
    0.1
    """
    # The subtraction may end a little below the level: 1 - 0.9 is 0.09999999999999998.
    return round(1 - confidence, 12)


def smallest_p(n_resamples: int, alternative: Alternative, *, is_exact: bool) -> float:
    """Return the smallest p-value of a test; all its p-values are multiples of it.

    Args:
        n_resamples: how many resamples the test makes.
        alternative: as for :func:`approximate_randomization`.
        is_exact: whether these are all ways to swap.

    >>> smallest_p(16, "two-sided", is_exact=True), smallest_p(999, "two-sided", is_exact=False)
    (0.125, 0.001)
    """
    if not is_exact:
        return 1 / (n_resamples + 1)
    # Signs that are all swapped are as far from 0, on the other side.
    return (1 if alternative == "greater" else 2) / n_resamples


def _margins(observed: Floats) -> Floats:
    """Return the largest rounding error of each difference, shape (systems - 1, scores)."""
    margins: Floats = _TOLERANCE * np.maximum(np.abs(observed[1:]), np.abs(observed[0]))
    return margins


def _count_hits(
    resampled: Floats, delta: Floats, margin: Floats, alternative: Alternative
) -> NDArray[np.int64]:
    """Count the resampled differences that are at least as large; over the last axis."""
    # A difference that is as large counts. If only larger ones counted, two equal systems would
    # differ significantly.
    if alternative == "two-sided":
        resampled, delta = np.abs(resampled), np.abs(delta)
    hits: NDArray[np.int64] = np.count_nonzero(resampled >= delta - margin, axis=-1)
    return hits


def correct(p_values: Floats, correction: Correction) -> Floats:
    """Correct p-values for how many there are.

    Args:
        p_values: shape (tests,).
        correction: ``holm`` (Holm 1979) and ``bonferroni`` bound the probability of any false
            discovery; ``fdr_bh`` (Benjamini and Hochberg 1995) bounds the share of false
            discoveries.

    Returns:
        Shape (tests,), in (0, 1].

    >>> correct(np.array([0.01, 0.04, 0.03]), "holm").round(9).tolist()
    [0.03, 0.06, 0.06]
    """
    tests = len(p_values)
    if correction == "bonferroni":
        bounded: Floats = np.minimum(p_values * tests, 1.0)
        return bounded
    order = np.argsort(p_values, kind="stable")
    ranks = np.arange(tests)
    corrected = np.empty(tests)
    if correction == "holm":
        corrected[order] = np.maximum.accumulate(p_values[order] * (tests - ranks))
    else:
        steps = p_values[order] * tests / (ranks + 1)
        corrected[order] = np.minimum.accumulate(steps[::-1])[::-1]
    limited: Floats = np.minimum(corrected, 1.0)
    return limited

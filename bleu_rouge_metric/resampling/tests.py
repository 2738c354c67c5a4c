"""Test whether two systems differ, from the counts of the same samples.

Two tests. *Approximate randomization* (Noreen 1989; for BLEU: Riezler and Maxwell 2005): if the
systems were equally good, each output could as well be the other system's, so outputs are swapped
at random, and the p-value is the share of the swaps that differ at least as much as the systems do.
*Paired bootstrap* (for BLEU: Koehn 2004): samples are drawn with replacement, and the resampled
differences, less the difference of the systems, are compared with that difference.

The statistics are those of ``draws.py``.
"""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .draws import Floats, Progress, System, all_swaps, sum_columns, swap_weights
from .student import student_tail

Alternative = Literal["two-sided", "greater"]

# Two differences that are equal in exact arithmetic differ by less than this share of the scores.
TOLERANCE: Final = 1e-12

# The tail of Student's t is the rest of a number near 1, of which rounding leaves no more digits.
SMALLEST_T: Final = 1e-15

# The places of a baseline and of the system that is compared with it.
Pairs = Sequence[tuple[int, int]]


def pair_with_first(systems: int) -> list[tuple[int, int]]:
    """Return the pairs of the first system with each other one."""
    return [(0, place) for place in range(1, systems)]


class Randomization(NamedTuple):
    """P-values of the differences of pairs, shape (pairs, scores), in (0, 1].

    ``n_resamples`` is how many ways to swap were tried; ``is_exact``, whether these were all ways.
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
    *,
    pairs: Pairs | None = None,
) -> Randomization:
    """Return the p-values of the difference of each pair, for each score.

    All pairs have the same swaps, so that the p-value of a pair does not depend on the others. All
    ways to swap are tried if there are not more than ``n_resamples``.
    """
    tested = pair_with_first(len(systems)) if pairs is None else pairs
    first, others = systems[0], systems[1:]
    units = len(first.columns)
    # Source: with few samples all ways to swap are tried, and the test is exact (Dror et al. 2018).
    is_exact = units < n_resamples.bit_length()  # 2 ** units <= n_resamples
    tried = 1 << units if is_exact else n_resamples
    observed = np.array([system.score_all() for system in systems])
    deltas, margins = subtract_pairs(observed, tested), find_margins(observed, tested)
    signs = np.array(first.signs)
    hits = np.zeros(deltas.shape, dtype=np.int64)
    tables, wholes = [system.columns for system in others], [system.sum_all() for system in systems]
    done = 0
    for weights in all_swaps(units) if is_exact else swap_weights(units, tried, seed):
        # What each system lacks to the first one in the swapped samples. Differences between two of
        # these sums are what the systems of any pair exchange, in whole numbers.
        sums = sum_columns(weights, tables, first.columns)
        lacks = [np.zeros((len(weights), first.columns.shape[1]))]
        lacks += np.split(sums, len(others), axis=1)
        for index, (baseline, system) in enumerate(tested):
            # The system gets what the baseline has in the swapped samples, and the other way round.
            moved = lacks[system] - lacks[baseline]
            ours = systems[system].score(wholes[system] + moved)
            resampled = ours - systems[baseline].score(wholes[baseline] - moved)
            hits[index] += count_hits(resampled, deltas[index], margins[index], alternative, signs)
        done += len(weights)
        if progress:
            progress(done, tried)
    # The systems as they are count as one more way to swap, so that p is never 0. Among all ways
    # they are there already.
    p_values = hits / tried if is_exact else (hits + 1) / (tried + 1)
    return Randomization(p_values, tried, is_exact)


def bootstrap_p_values(
    resampled: Floats,
    observed: Floats,
    alternative: Alternative = "two-sided",
    *,
    pairs: Pairs | None = None,
    signs: Sequence[int] | None = None,
) -> Floats:
    """Return the p-values of the paired bootstrap test, shape (pairs, scores), in (0, 1].

    ``resampled``: shape (systems, scores, n_resamples). ``observed``: shape (systems, scores).
    """
    tested = pair_with_first(len(observed)) if pairs is None else pairs
    deltas, margins = subtract_pairs(observed, tested), find_margins(observed, tested)
    direction = np.ones(observed.shape[1]) if signs is None else np.array(signs)
    hits = np.empty(deltas.shape, dtype=np.int64)
    for index, (baseline, system) in enumerate(tested):
        # The resampled differences vary around the observed one; less the observed one they vary
        # around 0, as they would if the systems were equally good.
        shifted = resampled[system] - resampled[baseline] - deltas[index, :, None]
        hits[index] = count_hits(shifted, deltas[index], margins[index], alternative, direction)
    p_values: Floats = (hits + 1) / (resampled.shape[2] + 1)
    return p_values


def student_p_values(ratios: Floats, degrees: Floats, alternative: Alternative) -> Floats:
    """Return the p-values of Student's t test, in the shape of ``ratios``, ``SMALLEST_T`` to 1.

    ``ratios``: differences (plus a margin) over their standard errors; above 0 if the system is
    better. NaN stands for 0 over 0, whose p-value is 1.
    """
    sides = 2 if alternative == "two-sided" else 1
    values = np.abs(ratios) if alternative == "two-sided" else ratios
    tails = [
        1.0 if np.isnan(value) else min(1.0, sides * student_tail(value, freedom))
        for value, freedom in zip(values.flat, degrees.flat, strict=True)
    ]
    p_values: Floats = np.maximum(np.array(tails), SMALLEST_T).reshape(ratios.shape)
    return p_values


def subtract_pairs(values: Floats, pairs: Pairs) -> Floats:
    """Subtract from each system of a pair its baseline, over the first axis."""
    baselines, systems = (list(places) for places in zip(*pairs, strict=True))
    differences: Floats = values[systems] - values[baselines]
    return differences


def find_level(confidence: float) -> float:
    """Return the largest p-value that is significant."""
    # The subtraction may end a little below the level: 1 - 0.9 is 0.09999999999999998.
    return round(1 - confidence, 12)


def smallest_p(test: str, n_resamples: int, alternative: Alternative, *, is_exact: bool) -> float:
    """Return the smallest p-value of a test; all its p-values are multiples of it.

    >>> smallest_p("approximate_randomization", 16, "two-sided", is_exact=True)
    0.125
    >>> smallest_p("bootstrap", 999, "two-sided", is_exact=False)
    0.001
    """
    if test == "bootstrap_t":
        return SMALLEST_T
    if not is_exact:
        return 1 / (n_resamples + 1)
    # Signs that are all swapped are as far from 0, on the other side.
    return (2 if alternative == "two-sided" else 1) / n_resamples


def find_margins(observed: Floats, pairs: Pairs) -> Floats:
    """Return the largest rounding error of each difference, shape (pairs, scores)."""
    baselines, systems = (list(places) for places in zip(*pairs, strict=True))
    sizes = np.abs(observed)
    margins: Floats = TOLERANCE * np.maximum(sizes[systems], sizes[baselines])
    return margins


def count_hits(
    resampled: Floats, delta: Floats, margin: Floats, alternative: Alternative, signs: Floats
) -> NDArray[np.int64]:
    """Count the resampled differences that are at least as large.

    ``resampled``: shape (scores, n_resamples). The other arrays: shape (scores,).
    """
    # A difference that is as large counts. If only larger ones counted, two equal systems would
    # differ significantly.
    if alternative == "two-sided":
        resampled, delta = np.abs(resampled), np.abs(delta)
    else:
        resampled, delta = resampled * signs[:, None], delta * signs
    hits: NDArray[np.int64] = np.count_nonzero(resampled >= (delta - margin)[:, None], axis=-1)
    return hits

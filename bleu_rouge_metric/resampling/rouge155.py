"""Compute the averages and confidence intervals that ROUGE-1.5.5 prints.

The program draws as many samples as there are, with replacement, and takes their mean. It does so
1000 times (option ``-r``). It prints the mean of the means as the average, and two of the sorted
means as the bounds of the interval (option ``-c``). It draws with Perl's ``rand``, seeded with the
number of the resample, so every run prints the same numbers.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..rounding import Floats, round_as_printed

# Perl's rand is drand48 of POSIX: x becomes (a * x + c) mod 2 ** 48.
_MULTIPLIER: Final = 0x5DEECE66D
_INCREMENT: Final = 0xB
_MODULUS: Final = 1 << 48

# Draws held at once: 2 MB for each array that a block needs.
_DRAWS_PER_BLOCK: Final = 1 << 18


def rouge155_intervals(values: Floats, n_resamples: int = 1000, confidence: float = 0.95) -> Floats:
    """Return average, low and high, rounded as the program prints them, shape (3, rows).

    ``values``: the score that the program prints for each sample, in [0, 1], shape (rows, samples).
    Each resample takes the same samples of all rows, as in the program.
    """
    means = _resample_means(values, n_resamples)
    means.sort(axis=1)
    # Parity: the program adds the sorted means, from the smallest up. The order decides how an
    # average that lies between two printed values is rounded.
    averages = np.add.accumulate(means, axis=1)[:, -1] / n_resamples
    # Parity: ROUGE-1.5.5 interpolates both bounds with the fraction of the upper position. (The
    # percentage is rounded because 0.29 * 100 is not exactly 29.)
    tail = n_resamples * (100 - round(100 * confidence, 9)) / 200
    upper_position = n_resamples - tail - 1
    upper = int(upper_position)
    # Parity: with a single resample the program reads a second mean, which does not exist and
    # counts as 0 in Perl.
    means = np.concatenate([means, np.zeros((len(means), 1))], axis=1)
    low, high = (
        means[:, place] + (means[:, place + 1] - means[:, place]) * (upper_position - upper)
        for place in (int(tail), upper)
    )
    return round_as_printed(np.stack([averages, low, high]))


def _resample_means(values: Floats, n_resamples: int) -> Floats:
    """Compute the means of the resamples, shape (rows, n_resamples)."""
    rows, samples = values.shape
    ordered = values[:, _program_order(samples)]
    # NumPy adds the rows of a matrix one after the other, as the program does, but adds a single
    # column pairwise. So a single resample gets a second column, which is dropped at the end.
    columns = max(n_resamples, 2)
    steps = max(1, min(_DRAWS_PER_BLOCK // columns, samples))
    states = _first_states(steps, columns)
    multiplier, increment = _jump(steps)
    sums = np.zeros((rows, columns))
    block = np.empty((steps + 1, columns))
    for start in range(0, samples, steps):
        count = min(steps, samples - start)
        # Parity: Perl's int(rand(n)), the state over 2 ** 48 times n.
        drawn = (states[:count] / float(_MODULUS) * samples).astype(np.intp)
        for row in range(rows):
            block[0] = sums[row]
            ordered[row].take(drawn, out=block[1 : count + 1], mode="clip")
            np.add.reduce(block[: count + 1], axis=0, out=sums[row])
        states = _step(states, multiplier, increment)
    means: Floats = sums[:, :n_resamples] / samples
    return means


def _program_order(samples: int) -> NDArray[np.intp]:
    """Return the order of samples in the program, which sorts their numbers, from 1, as texts.

    >>> (_program_order(11) + 1).tolist()
    [1, 10, 11, 2, 3, 4, 5, 6, 7, 8, 9]
    """
    return np.argsort(np.arange(1, samples + 1).astype(np.bytes_), kind="stable")


def _first_states(steps: int, resamples: int) -> NDArray[np.uint64]:
    """Compute the states of the generators after 1 to ``steps`` draws, shape (steps, resamples)."""
    states = np.empty((steps, resamples), np.uint64)
    # Parity: srand48 puts the seed above the low bits 0x330E; the seed is the number of the
    # resample.
    seeds = (np.arange(resamples, dtype=np.uint64) << np.uint64(16)) + np.uint64(0x330E)
    states[0] = _step(seeds, _MULTIPLIER, _INCREMENT)
    done = 1
    while done < steps:
        # Advance all known states by ``done`` draws at once.
        count = min(done, steps - done)
        states[done : done + count] = _step(states[:count], *_jump(done))
        done += count
    return states


def _jump(steps: int) -> tuple[int, int]:
    """Compute the multiplier and increment that advance a state by ``steps`` draws."""
    multiplier, increment = 1, 0
    for _ in range(steps):
        multiplier = multiplier * _MULTIPLIER % _MODULUS
        increment = (increment * _MULTIPLIER + _INCREMENT) % _MODULUS
    return multiplier, increment


def _step(states: NDArray[np.uint64], multiplier: int, increment: int) -> NDArray[np.uint64]:
    # Products overflow to their value mod 2 ** 64. This is right because 2 ** 48 divides 2 ** 64.
    stepped: NDArray[np.uint64] = states * np.uint64(multiplier) + np.uint64(increment)
    return stepped & np.uint64(_MODULUS - 1)

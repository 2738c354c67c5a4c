"""The averages and confidence intervals that ROUGE-1.5.5 prints.

The program draws as many samples as there are, with replacement, takes their mean, and does so
1000 times (option ``-r``). It prints the mean of those means as the average, and two of them, in
order of size, as the bounds of the interval (option ``-c``). The draws are those of Perl's
``rand``, seeded with the number of the resample, so every run prints the same.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..rounding import Floats, round_as_printed

# Perl's rand is drand48 of POSIX: x becomes (a * x + c) mod 2 ** 48.
_MULTIPLIER: Final = 0x5DEECE66D
_INCREMENT: Final = 0xB
_MODULUS: Final = 1 << 48

# Draws held at a time: 2 MB for each of the arrays that a block needs.
_DRAWS_PER_BLOCK: Final = 1 << 18


def rouge155_intervals(values: Floats, n_resamples: int = 1000, confidence: float = 0.95) -> Floats:
    """Average, low and high, as printed.

    Args:
        values: shape (rows, samples), in [0, 1], at least one sample; what the program prints for
            each sample. All rows are resampled alike, as the program does for each of its scores.
        n_resamples: how many times the samples are drawn, at least 1.
        confidence: in [0, 1]; the share of the means between the bounds.

    Returns:
        float64, shape (3, rows): average, low and high, of five decimal places.

    >>> rouge155_intervals(np.array([[0.25, 0.25]]))[:, 0].tolist()
    [0.25, 0.25, 0.25]
    """
    means = _resample_means(values, n_resamples)
    means.sort(axis=1)
    # Parity: the program adds the sorted means up, from the least on. Averages of five digits and
    # a half show in which order.
    averages = np.add.accumulate(means, axis=1)[:, -1] / n_resamples
    # Parity: ROUGE-1.5.5 interpolates both bounds with the fraction of the upper position. (The
    # percentage is rounded since 0.29 * 100 is not 29.)
    tail = n_resamples * (100 - round(100 * confidence, 9)) / 200
    upper_position = n_resamples - tail - 1
    upper = int(upper_position)
    # Parity: of a single resample the program takes a second mean, which is not there and so is 0.
    means = np.concatenate([means, np.zeros((len(means), 1))], axis=1)
    low, high = (
        means[:, place] + (means[:, place + 1] - means[:, place]) * (upper_position - upper)
        for place in (int(tail), upper)
    )
    return round_as_printed(np.stack([averages, low, high]))


def _resample_means(values: Floats, n_resamples: int) -> Floats:
    """Means of the resampled samples, shape (rows, n_resamples)."""
    rows, samples = values.shape
    ordered = values[:, _program_order(samples)]
    # NumPy adds the rows of a matrix one after the other, as the program does, but a single column
    # pairwise: a resample that is not asked for makes two.
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
    """The order in which the program has the samples, which it numbers from 1 and sorts as text.

    >>> (_program_order(11) + 1).tolist()
    [1, 10, 11, 2, 3, 4, 5, 6, 7, 8, 9]
    """
    return np.argsort(np.arange(1, samples + 1).astype(np.bytes_), kind="stable")


def _first_states(steps: int, resamples: int) -> NDArray[np.uint64]:
    """States of the generators after 1 to ``steps`` draws, shape (steps, resamples)."""
    states = np.empty((steps, resamples), np.uint64)
    # Parity: srand48, the seed over the low bits 0x330E; the seed is the number of the resample.
    seeds = (np.arange(resamples, dtype=np.uint64) << np.uint64(16)) + np.uint64(0x330E)
    states[0] = _step(seeds, _MULTIPLIER, _INCREMENT)
    done = 1
    while done < steps:
        # Those after ``done`` more draws, all at once.
        count = min(done, steps - done)
        states[done : done + count] = _step(states[:count], *_jump(done))
        done += count
    return states


def _jump(steps: int) -> tuple[int, int]:
    """Multiplier and increment that stand for so many draws.

    >>> _jump(1) == (_MULTIPLIER, _INCREMENT)
    True
    """
    multiplier, increment = 1, 0
    for _ in range(steps):
        multiplier = multiplier * _MULTIPLIER % _MODULUS
        increment = (increment * _MULTIPLIER + _INCREMENT) % _MODULUS
    return multiplier, increment


def _step(states: NDArray[np.uint64], multiplier: int, increment: int) -> NDArray[np.uint64]:
    # Products overflow to their value mod 2 ** 64, of which 2 ** 48 is a divisor.
    stepped: NDArray[np.uint64] = states * np.uint64(multiplier) + np.uint64(increment)
    return stepped & np.uint64(_MODULUS - 1)

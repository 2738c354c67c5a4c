"""Draw samples many times, and score the sums of their counts: the two ways of resampling.

The bootstrap draws as many samples as there are, with replacement. Approximate randomization swaps
the outputs of two systems in a random half of the samples. Either way a resample is a row of
weights, one whole number per sample, and its counts are the weighted sum of the counts of samples.
The sums are exact, in any order of additions, because counts are whole numbers and their sums are
below 2 ** 53.

A statistic is a table of whole numbers, one row per unit, and the score of their sum. A unit is a
sample, or a cluster of samples that depend on each other, such as the sentences of a document
(Miller 2024). One row of weights resamples all systems and scores, so that they stay comparable.

All streams are of NumPy's PCG64. What is drawn does not depend on how many rows are drawn at once.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64] | NDArray[np.int32]
Weights = NDArray[np.uint8]

# From sums of counts, shape (rows, columns), to scores, shape (rows,).
Score = Callable[[Floats], Floats]

# Called with how many resamples are done, and how many there are.
Progress = Callable[[int, int], object]

# Weights held at once: 16 MB of 8 bits.
_WEIGHTS_PER_BLOCK: Final = 1 << 24

# Rows of weights times samples times columns of one product: fewer than a BLAS gives to threads.
_SIZE_OF_PRODUCT: Final = 1 << 18
_ROWS_PER_PRODUCT: Final = 16

# A score between -1 and 1 is a multiple of 2 ** -52: its upper 26 bits and its lower 26 bits.
_HALF: Final = float(1 << 26)


def bootstrap_weights(samples: int, n_resamples: int, seed: int) -> Iterator[Weights]:
    """Iterate over blocks of resamples, shape (rows, samples): how often each sample is drawn."""
    generator = np.random.default_rng([seed, 1])
    for rows in _list_blocks(samples, n_resamples):
        weights = np.empty((rows, samples), np.uint8)
        for row in weights:
            # None is drawn more than 255 times, of which the probability is below 1e-500.
            row[:] = np.bincount(generator.integers(0, samples, samples), minlength=samples)
        yield weights


def swap_weights(samples: int, n_resamples: int, seed: int) -> Iterator[Weights]:
    """Iterate over blocks of resamples, shape (rows, samples): 1 if a sample is swapped, or 0."""
    generator = np.random.default_rng([seed, 0])
    # Each bit is 1 with probability 1/2. The generator makes 32 bits at a time.
    width = -(-samples // 32) * 4
    for rows in _list_blocks(samples, n_resamples):
        drawn = np.frombuffer(generator.bytes(rows * width), np.uint8).reshape(rows, width)
        yield np.unpackbits(drawn, axis=1, count=samples)


def all_swaps(samples: int) -> Iterator[Weights]:
    """Iterate over blocks of all 2 ** samples ways to swap some of the samples."""
    places = np.arange(samples)
    start = 0
    for rows in _list_blocks(samples, 1 << samples):
        numbers = np.arange(start, start + rows)
        yield ((numbers[:, None] >> places) & 1).astype(np.uint8)
        start += rows


def _list_blocks(samples: int, n_resamples: int) -> Iterator[int]:
    """Iterate over the numbers of rows of the blocks."""
    most = max(1, _WEIGHTS_PER_BLOCK // samples)
    for start in range(0, n_resamples, most):
        yield min(most, n_resamples - start)


def sum_columns(
    weights: Weights, tables: Sequence[Integers], baseline: Integers | None = None
) -> Floats:
    """Return the weighted sums of the rows of all tables, shape (rows, all columns).

    ``weights``: shape (rows, samples). ``tables``: each of shape (samples, columns). With a
    ``baseline``, of the same shape as all tables, what each table lacks to it is summed.
    """
    rows, samples = weights.shape
    n_columns = sum(table.shape[1] for table in tables)
    sums = np.zeros((rows, n_columns))
    # Fast path: equals weights @ columns, in less than half the time; parts stay in the caches of
    # the processor, and are too small for the threads of a BLAS, which take more than ten times as
    # long on a busy machine.
    step = max(1, _SIZE_OF_PRODUCT // (_ROWS_PER_PRODUCT * n_columns))
    for start in range(0, samples, step):
        part = slice(start, start + step)
        columns: Floats = np.concatenate(
            [table[part] for table in tables], axis=1, dtype=np.float64
        )
        if baseline is not None:
            np.subtract(np.tile(baseline[part], len(tables)), columns, out=columns)
        for row in range(0, rows, _ROWS_PER_PRODUCT):
            block = slice(row, row + _ROWS_PER_PRODUCT)
            sums[block] += weights[block, part].astype(np.float64) @ columns
    return sums


def split_scores(scores: Floats, largest: float) -> Integers:
    """Return the upper and the lower half of each score: whole numbers, shape (samples, 2).

    Their sums are exact. ``largest`` is the absolute value of the largest score, or more. Scores
    are rounded to the 52nd binary place after that of ``largest``.
    """
    scaled = scores / _unit(largest) * _HALF
    upper = np.floor(scaled)
    return np.stack([upper, np.rint((scaled - upper) * _HALF)], axis=1).astype(np.int32)


def join_sums(sums: Floats, largest: float) -> Floats:
    """Return the sums of scores, shape (rows,), from those of both halves, shape (rows, 2)."""
    joined: Floats = (sums[:, 0] + sums[:, 1] / _HALF) * (_unit(largest) / _HALF)
    return joined


def average_sums(sums: Floats, largest: float, samples: int) -> Floats:
    """Return the means of scores from the sums of both halves.

    ``sums``: shape (rows, 2), or (rows, 3) with the number of samples of each row.
    """
    drawn = sums[:, 2] if sums.shape[1] > 2 else samples
    means: Floats = join_sums(sums[:, :2], largest) / drawn
    return means


def _unit(largest: float) -> float:
    """Return the power of two above all scores."""
    return math.ldexp(1.0, math.frexp(largest)[1])


class Statistic(NamedTuple):
    """The counts of each unit for one score of one system, shape (units, columns).

    ``sign``: 1 if a higher score is better, -1 if a lower one is.
    """

    columns: Integers
    score: Score
    sign: int = 1


class System(NamedTuple):
    """The statistics of all scores of one system, side by side: shape (units, all columns).

    ``stops``: where the columns of each score end.
    """

    columns: Integers
    stops: tuple[int, ...]
    scores: tuple[Score, ...]
    signs: tuple[int, ...]

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
        tuple(statistic.sign for statistic in statistics),
    )


def bootstrap(
    systems: Sequence[System], n_resamples: int, seed: int, progress: Progress | None = None
) -> Floats:
    """Return the scores of bootstrap resamples, shape (systems, scores, n_resamples)."""
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

"""Resample systems of which each has several runs, such as trainings with several seeds.

A test set scores a system by the mean of its runs. Two things vary: the samples, which all runs and
systems have in common, and the runs.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .draws import Floats, Progress, sum_columns
from .pair_tests import Alternative, count_hits, find_margins
from .paired import System
from .student import standard_errors

# Places of outputs held at once: 16 MB of 8 bits.
_PLACES_PER_BLOCK: Final = 1 << 24


class RunVariances(NamedTuple):
    """The variances of the scores of one system, each of shape (scores,).

    Attributes:
        runs: of the mean of the runs, as far as runs differ by more than samples explain.
        between: of the mean of the runs, as the scores of the runs show it; it contains what the
            samples of a run add by chance.
        degrees: degrees of freedom of ``between``.
    """

    runs: Floats
    between: Floats
    degrees: int


def estimate_run_variances(observed: Floats, resampled: Floats, units: int) -> RunVariances:
    """Estimate how much the mean of some runs varies, because other runs would be others.

    Args:
        observed: the score of each run, shape (runs, scores); at least 2 runs.
        resampled: of each run, shape (runs, scores, n_resamples), with the same samples.
        units: how many samples or clusters were resampled.
    """
    runs = len(observed)
    between = observed.var(axis=0, ddof=1) / runs
    # Samples on which a run differs from the others by chance make the scores of runs differ too.
    # The variance of the samples contains this part already.
    apart = standard_errors(resampled - resampled.mean(axis=0), units) ** 2
    chance = apart.mean(axis=0) / (runs - 1)
    return RunVariances(np.maximum(between - chance, 0.0), between, runs - 1)


def draw_runs(resampled: Sequence[Floats], seed: int) -> Floats:
    """Draw runs with replacement in each resample of the samples: the two-level bootstrap.

    Args:
        resampled: of each system, shape (runs, scores, n_resamples).
        seed: 0 or more.

    Returns:
        The mean of the drawn runs, shape (systems, scores, n_resamples).
    """
    generator = np.random.default_rng([seed, 2])
    means = []
    for scores in resampled:
        runs, _, resamples = scores.shape
        drawn = generator.multinomial(runs, np.full(runs, 1 / runs), size=resamples)
        means.append(np.einsum("rsn,nr->sn", scores, drawn) / runs)
    return np.stack(means)


def stratified_randomization(
    baseline: Sequence[System],
    system: Sequence[System],
    n_resamples: int,
    seed: int,
    *,
    alternative: Alternative = "two-sided",
    progress: Progress | None = None,
) -> Floats:
    """Test the difference of two systems by exchanging their outputs, sample by sample.

    Args:
        baseline: the runs of one system.
        system: the runs of the other, of the same units.
        n_resamples: how many times the outputs are exchanged.
        seed: 0 or more.
        alternative: as for ``approximate_randomization``.
        progress: called after each block.

    Returns:
        P-values, shape (scores,), in (0, 1].
    """
    # Source: Clark et al. (2011), "Better Hypothesis Testing for Statistical Machine Translation":
    # the outputs of all runs of both systems are shuffled within each sample.
    everything = [*baseline, *system]
    runs, units = len(baseline), len(baseline[0].columns)
    table = np.concatenate([each.columns for each in everything])
    scores = np.array([each.score_all() for each in everything])
    observed = np.stack([scores[:runs].mean(axis=0), scores[runs:].mean(axis=0)])
    delta, margin = observed[1] - observed[0], find_margins(observed, [(0, 1)])[0]
    signs, hits, done = np.array(baseline[0].signs), np.zeros(len(delta), np.int64), 0
    for places in _shuffle(units, len(everything), n_resamples, seed):
        means = [np.zeros((len(delta), len(places))) for _ in range(2)]
        for place, each in enumerate(everything):
            # 1 for the run whose output of a sample is in this place.
            chosen = places[:, :, place, None] == np.arange(len(everything))
            weights = chosen.transpose(0, 2, 1).reshape(len(places), -1).astype(np.uint8)
            part = int(place >= runs)
            total = len(everything) - runs if part else runs
            means[part] += each.score(sum_columns(weights, [table])) / total
        hits += count_hits(means[1] - means[0], delta, margin, alternative, signs)
        done += len(places)
        if progress:
            progress(done, n_resamples)
    p_values: Floats = (hits + 1) / (n_resamples + 1)
    return p_values


def _shuffle(units: int, places: int, n_resamples: int, seed: int) -> Iterator[NDArray[np.uint8]]:
    """Iterate over blocks of permutations of the outputs, shape (rows, units, places)."""
    generator = np.random.default_rng([seed, 3])
    most = max(1, _PLACES_PER_BLOCK // (units * places * places))
    ordered = np.arange(places, dtype=np.uint8)
    for start in range(0, n_resamples, most):
        rows = min(most, n_resamples - start)
        yield generator.permuted(np.tile(ordered, (rows, units, 1)), axis=2)

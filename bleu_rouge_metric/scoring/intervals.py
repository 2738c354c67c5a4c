"""Tables of samples for resampling, and warnings about options and samples of intervals."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..families.counts import SampleCounts
from ..messages import Message, count_noun, format_message
from ..options.options import Options
from ..options.plans import Plan
from ..options.profiles import Family
from ..options.table import OPTIONS
from ..resampling.draws import Floats, Integers, Statistic, average_sums, split_scores
from ..text.warnings import warn_caller

# The intervals of ROUGE, which are those of rouge_score, hold the true mean in 91% of test sets of
# so many samples, but in 75% of those of 3 (``bench/coverage.py`` of commit 69db66f1).
_FEW: Final = 10

# With fewer samples that differ from the most frequent score, an interval holds the true mean in
# fewer than 95% of test sets: in 87% of those with 2 expected, in 63% with 1. With fewer than 6
# differences, no exact p is below 0.05.
FEWEST_DIFFERENT: Final = 6

_BLEU_REMEDY: Final = format_message("use {confidence=0.95}, or leave it out.")
_REMEDY: Final = format_message(
    "use {aggregator='bootstrap'} or {confidence=0.95}, or leave it out."
)


def share_one_score(scores: Floats) -> bool:
    """Return whether too few of the scores, shape (samples,), differ from the most frequent one."""
    most = int(np.unique(scores, return_counts=True)[1].max())
    return len(scores) - most < min(FEWEST_DIFFERENT, most)


def make_mean_statistic(
    scores: Floats, largest: float, clusters: NDArray[np.int64] | None = None
) -> Statistic:
    """Return the statistic of the mean of a score of samples."""
    columns = split_scores(scores, largest)
    if clusters is not None:
        # How many samples are drawn, which differs if clusters of different sizes are drawn.
        columns = np.concatenate([columns, np.ones((len(scores), 1), np.int32)], axis=1)
    return Statistic(columns, partial(average_sums, largest=largest, samples=len(scores)))


def sum_clusters(statistic: Statistic, clusters: NDArray[np.int64]) -> Statistic:
    """Return the statistic with one row per cluster instead of one per sample."""
    order = np.argsort(clusters, kind="stable")
    starts = np.flatnonzero(np.diff(clusters[order], prepend=-1))
    columns: Integers = np.add.reduceat(statistic.columns[order], starts, axis=0, dtype=np.int64)
    return statistic._replace(columns=columns)


def warn_if_not_resampled(options: Options, families: Sequence[Family]) -> None:
    """Warn if a number of resamples has no effect on one result."""
    chosen = options.n_resamples
    if chosen != OPTIONS["n_resamples"].default and not options.plan(families).streams:
        reason = "{n_resamples} is {}, but nothing is resampled"
        warn_caller(format_message(reason, chosen, remedy=_find_remedy(families)))


def warn_of_seed(options: Options, families: Sequence[Family], seed: int) -> None:
    """Warn if a seed that the caller gave has no effect on one result."""
    plan = options.plan(families)
    if "seeded" in plan.streams:
        return
    if plan.streams:
        reason, remedy = f"the profile {options.profile!r} has its own seeds", "leave it out."
    else:
        reason, remedy = "nothing is resampled", _find_remedy(families)
    warn_caller(format_message("{seed} is {}, but {}", seed, reason, remedy=remedy))


def _find_remedy(families: Sequence[Family]) -> str:
    """Return which option resamples the scores of the families."""
    return _REMEDY if {*families} & {*OPTIONS["aggregator"].families} else _BLEU_REMEDY


def list_interval_warnings(
    parts: Sequence[tuple[str, SampleCounts]], plan: Plan, confidence: float
) -> list[tuple[str, Message]]:
    """Return warnings that the samples are too few, or too equal, for intervals; each has a key."""
    few: dict[str, int] = {}
    shared: dict[str, list[str]] = {}
    for label, counts in parts:
        if (samples := len(counts.reference_counts)) < _FEW:
            few[label] = samples
            continue
        names = [
            name
            for part in plan.scores.values()
            for name, scores in part.score_samples(counts).items()
            if share_one_score(scores)
        ]
        if names:
            shared[label] = names
    warnings = []
    if few:
        label, samples = next(iter(few.items()))
        values = confidence, count_noun(samples, "sample"), _describe_part(label, len(few))
        reason = "{confidence} is {}, but intervals from {}{} are too narrow"
        remedy = f"use at least {_FEW} samples."
        warnings.append(("few samples", format_message(reason, *values, remedy=remedy)))
    if shared:
        label, names = next(iter(shared.items()))
        where = _describe_part(label, len(shared))
        reason = (
            "{confidence} is {}, but the intervals of {}{} are too narrow, because fewer than {} "
            "samples differ from the most frequent score"
        )
        message = format_message(reason, confidence, ", ".join(names), where, FEWEST_DIFFERENT)
        warnings.append(("equal samples", message))
    return warnings


def _describe_part(label: str, parts: int) -> str:
    """Return in which group samples are too few or too equal; empty for all samples."""
    more = f" and {count_noun(parts - 1, 'other')}" * (parts > 1)
    return f" in the group {label!r}{more}" if label else ""

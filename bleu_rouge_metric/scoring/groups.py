"""Groups of samples: from one label per sample to the scores of the samples of each label."""

from collections.abc import Iterator, Sequence

import numpy as np

from ..arrays import to_offsets
from ..families.counts import SampleCounts, select_counts, slice_counts
from ..options.options import Options
from ..options.profiles import Family
from .labels import Labels, check_labels
from .results import GROUPS, Value, score_counts


def split_counts(counts: SampleCounts, labels: Labels) -> Iterator[tuple[str, SampleCounts]]:
    """Iterate over the labels, each with the counts of its samples.

    Args:
        counts: of all samples.
        labels: one per sample.

    Yields:
        The labels in the order of first occurrence; their samples are in the order of all samples.
    """
    # Selected once, so that the time does not grow with the number of groups.
    ordered = select_counts(counts, np.argsort(labels.numbers, kind="stable"))
    bounds = to_offsets(np.bincount(labels.numbers)).tolist()
    for label, start, stop in zip(labels.names, bounds[:-1], bounds[1:], strict=True):
        yield label, slice_counts(ordered, start, stop)


def list_groups(counts: SampleCounts, groups: object) -> list[tuple[str, SampleCounts]]:
    """List all samples, without a label, and then those of each label.

    Args:
        counts: of all samples.
        groups: one label (str or int) per sample; None for all samples alone.

    Raises:
        TypeError: a label is neither str nor int.
        ValueError: there are more or fewer labels than samples.
    """
    if groups is None:
        return [("", counts)]
    labels = check_labels("groups", groups, len(counts.reference_counts))
    return [("", counts), *split_counts(counts, labels)]


def score_groups(
    parts: Sequence[tuple[str, SampleCounts]],
    options: Options,
    families: Sequence[Family],
    seed: int,
) -> dict[str, Value]:
    """Return the scores of all samples, the first part, and of the samples of each label.

    All have the same seed of resampling, so that a group has the scores that it has alone.
    """

    def score(part: SampleCounts) -> dict[str, Value]:
        plan = options.plan(families)
        scores = score_counts(part, plan, seed)
        if plan.output.signature:
            scores["signature"] = options.write_signature(
                families, reference_counts=part.reference_counts, seed=seed
            )
        return scores

    (_, whole), *others = parts
    scores = score(whole)
    if others:
        scores[GROUPS] = {label: score(part) for label, part in others}
    return scores

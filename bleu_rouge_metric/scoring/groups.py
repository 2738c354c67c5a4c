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


def score_groups(
    counts: SampleCounts,
    groups: object,
    options: Options,
    families: Sequence[Family],
    seed: int,
) -> dict[str, Value]:
    """Return the scores of all samples and, if there are labels, of the samples of each label.

    Args:
        counts: of all samples.
        groups: one label (str or int) per sample; None for the scores of all samples alone.
        options: that the samples were counted with.
        families: the families that are scored.
        seed: of the random stream of resampling, which is the same for all samples and for each
            group, so that a group has the scores that it has alone.

    Raises:
        TypeError: a label is neither str nor int.
        ValueError: there are more or fewer labels than samples.
    """
    samples = len(counts.reference_counts)
    labels = None if groups is None else check_labels("groups", groups, samples)

    def score(part: SampleCounts) -> dict[str, Value]:
        plan = options.plan(families).scoring
        scores = score_counts(part, plan, seed)
        if plan.output.signature:
            scores["signature"] = options.write_signature(
                families, reference_counts=part.reference_counts, seed=seed
            )
        return scores

    scores = score(counts)
    if labels is not None:
        scores[GROUPS] = {label: score(part) for label, part in split_counts(counts, labels)}
    return scores

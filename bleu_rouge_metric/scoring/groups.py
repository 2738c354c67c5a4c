"""Groups of samples: from one label per sample to the scores of the samples of each label."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final, cast

import numpy as np

from ..arrays import to_offsets
from ..options.options import Options
from ..options.profiles import Family
from .results import GROUPS, Value, score_counts
from .sample_counts import SampleCounts, select_counts, slice_counts

# What a sample may be labelled with, and the labels of all samples.
Label = str | int
Labels = list[str] | list[int]

_EXPECTED: Final = "expected one str or int per sample, such as its domain."


def check_labels(groups: object, samples: int) -> Labels:
    """Return the labels as a list of str or of int of Python.

    Args:
        groups: sequence, NumPy array, pandas Series, column of pyarrow or of datasets; one label
            per sample, all str or all int.
        samples: how many there are.

    Raises:
        TypeError: this is no sequence, a label is neither str nor int, or some are str and others
            int, which would be the same keys in JSON.
        ValueError: there are more or fewer labels than samples.

    >>> check_labels(np.array(["news", "law", "news"]), 3)
    ['news', 'law', 'news']
    """
    if isinstance(groups, str | bytes | Mapping | AbstractSet) or not isinstance(groups, Iterable):
        raise TypeError(f"groups is of type {type(groups).__name__}; {_EXPECTED}")
    # Arrays, series and tensors; columns of pyarrow.
    values: Any = groups
    read = getattr(values, "tolist", None) or getattr(values, "to_pylist", None)
    items: list[Any] = list(values) if read is None else list(read())
    labels: list[Any] = [_check_label(index, item) for index, item in enumerate(items)]
    kinds = [type(label) for label in labels]
    if len(set(kinds)) > 1:
        other = next(index for index, kind in enumerate(kinds) if kind is not kinds[0])
        raise TypeError(
            f"groups[{other}] is {labels[other]!r}, but groups[0] is {labels[0]!r}; expected "
            "labels that are all str or all int."
        )
    if len(labels) != samples:
        raise ValueError(
            f"groups has {len(labels)} labels, but there are {samples} samples; {_EXPECTED}"
        )
    return cast("Labels", labels)


def _check_label(index: int, label: object) -> Label:
    if type(label) is str or type(label) is int:
        return label
    if isinstance(label, str):
        return str.__str__(label)
    if isinstance(label, bool) or not isinstance(label, int | np.integer):
        raise TypeError(
            f"groups[{index}] is {label!r}; expected a str or an int. Give the sample a label, or "
            "leave it out."
        )
    return int(label)


def split_counts(counts: SampleCounts, labels: Labels) -> Iterator[tuple[Label, SampleCounts]]:
    """Iterate over the labels, each with the counts of its samples.

    Args:
        counts: of all samples.
        labels: one per sample.

    Yields:
        The labels in the order of first occurrence; their samples are in the order of all samples.
    """
    numbers: dict[Label, int] = {}
    codes = np.fromiter((numbers.setdefault(label, len(numbers)) for label in labels), np.int64)
    # Sorted once, so that the time does not grow with the number of groups; a stable order keeps
    # that of the samples.
    ordered = select_counts(counts, np.argsort(codes, kind="stable"))
    offsets = to_offsets(ordered.reference_counts)
    bounds = to_offsets(np.bincount(codes)).tolist()
    for label, start, stop in zip(numbers, bounds[:-1], bounds[1:], strict=True):
        yield label, slice_counts(ordered, offsets, start, stop)


def score_groups(
    counts: SampleCounts,
    labels: Labels | None,
    options: Options,
    families: Sequence[Family],
    seed: int,
) -> dict[str, Value]:
    """Return the scores of all samples and, if there are labels, of the samples of each label.

    Args:
        counts: of all samples.
        labels: one per sample; None if there are none.
        options: that the samples were counted with.
        families: the families that are scored.
        seed: of the random stream of resampling, which is the same for all samples and for each
            group, so that a group has the scores that it has alone.
    """

    def score(part: SampleCounts) -> dict[str, Value]:
        plan = options.plan(families).scoring
        scores = score_counts(part, plan, seed)
        if plan.signature:
            scores["signature"] = options.write_signature(
                families, reference_counts=part.reference_counts, seed=seed
            )
        return scores

    scores = score(counts)
    if labels is not None:
        scores[GROUPS] = {label: score(part) for label, part in split_counts(counts, labels)}
    return scores

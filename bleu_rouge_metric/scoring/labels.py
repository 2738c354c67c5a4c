"""Labels of samples: the group, or the cluster, that each sample belongs to."""

from collections.abc import Hashable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import to_offsets
from ..families.counts import SampleCounts, select_counts, slice_counts
from ..messages import Argument, type_error
from ..samples.items import INTS, check_count, check_items, read_items

_KIND = "one label, a str or an int, for each sample"


class Labels(NamedTuple):
    """The labels of all samples.

    Attributes:
        names: each label once, in the order of first occurrence.
        numbers: int64, shape (samples,); the place of each sample's label in ``names``.
    """

    names: list[str]
    numbers: NDArray[np.int64]

    def list_indices(self) -> list[NDArray[np.int64]]:
        """List for each name the indices of its samples, in order."""
        order = np.argsort(self.numbers, kind="stable")
        counts = np.bincount(self.numbers, minlength=len(self.names))
        return np.split(order, np.cumsum(counts)[:-1])


def check_labels(name: str, labels: object, samples: int) -> Labels:
    """Return the labels, one per sample, as texts; all are of one type, so no two look the same."""
    items: list[Hashable] = read_items(name, labels, _KIND)
    check_count(name, items, "label", samples, _KIND)
    check_items(name, items, (str, *INTS), _KIND)
    for index, item in enumerate(items):
        if isinstance(item, str) != isinstance(items[0], str):
            raise type_error(
                "{} is {!r}, but {} is {!r}",
                *(Argument(f"{name}[{index}]"), item, Argument(f"{name}[0]"), items[0]),
                expected="expected labels of one type, because 1 and '1' would look the same.",
            )
    numbers: dict[Hashable, int] = {}
    codes = [numbers.setdefault(item, len(numbers)) for item in items]
    # The text of an Enum of str is its value.
    names = [str.__str__(item) if isinstance(item, str) else str(item) for item in numbers]
    return Labels(names, np.array(codes, dtype=np.int64))


def list_groups(counts: SampleCounts, groups: object) -> list[tuple[str, SampleCounts]]:
    """List all samples, without a label, and then those of each label, in their order."""
    parts = [("", counts)]
    if groups is not None:
        labels = check_labels("groups", groups, len(counts.reference_counts))
        # Selected once, so that the time does not grow with the number of groups.
        ordered = select_counts(counts, np.argsort(labels.numbers, kind="stable"))
        bounds = to_offsets(np.bincount(labels.numbers)).tolist()
        for label, start, stop in zip(labels.names, bounds[:-1], bounds[1:], strict=True):
            parts.append((label, slice_counts(ordered, start, stop)))
    return parts

"""Labels of samples: the group, or the cluster, that each sample belongs to."""

import math
from collections.abc import Hashable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..messages import Argument, describe_value, type_error, value_error


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
    """Check that there is one label per sample, and number the labels.

    Args:
        name: of the argument, for errors.
        labels: sequence of str or int, one per sample.
        samples: how many samples there are.

    Returns:
        The labels as texts; since all are of one type, no two of them are the same text.

    Raises:
        TypeError: it is not a sequence, or a label is neither a str nor an int, or there are both.
        ValueError: there are more or fewer labels than samples.

    >>> check_labels("groups", ["news", "talk", "news"], 3)
    Labels(names=['news', 'talk'], numbers=array([0, 1, 0]))
    """
    expected = "expected one label, a str or an int, for each sample."
    if isinstance(labels, str | bytes | Mapping | AbstractSet) or not isinstance(labels, Iterable):
        raise TypeError(describe_value(name, f"of type {type(labels).__name__}", expected))
    # Tensors and series; columns of pyarrow.
    read: Any = getattr(labels, "tolist", None) or getattr(labels, "to_pylist", None)
    items: list[Hashable] = list(labels if read is None else read())
    if len(items) != samples:
        raise value_error(
            "{} has {} labels, but there are {} samples",
            *(Argument(name), len(items), samples),
            expected=expected,
        )
    for index, item in enumerate(items):
        if isinstance(item, bool) or not isinstance(item, str | int | np.integer):
            missing = item is None or (isinstance(item, float) and math.isnan(item))
            what = "missing" if missing else repr(item)
            raise TypeError(describe_value(f"{name}[{index}]", what, expected))
        if isinstance(item, str) != isinstance(items[0], str):
            raise type_error(
                "{} is {!r}, but {} is {!r}",
                *(Argument(f"{name}[{index}]"), item, Argument(f"{name}[0]"), items[0]),
                expected="expected labels of one type, because 1 and '1' would look the same.",
            )
    numbers: dict[Hashable, int] = {}
    codes = [numbers.setdefault(item, len(numbers)) for item in items]
    return Labels(list(map(_write_label, numbers)), np.array(codes, dtype=np.int64))


def _write_label(label: Hashable) -> str:
    """Return the text of a label; that of an ``Enum`` of str is its value."""
    return str.__str__(label) if isinstance(label, str) else str(label)

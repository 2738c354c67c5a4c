"""Ranges of numbers: the buckets that edges make."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...messages import describe_value


class Ranges(NamedTuple):
    """Buckets of numbers, from the lowest to the highest.

    Attributes:
        edges: where each bucket but the first begins, ascending.
        names: of the buckets, one more than edges.
    """

    edges: tuple[float, ...]
    names: tuple[str, ...]

    def find(self, values: Any) -> NDArray[np.int64]:
        """Return the number of the bucket of each value, from 0 up."""
        return np.searchsorted(self.edges, np.asarray(values), side="right")


def make_ranges(edges: object, default: Sequence[int], *, counts: bool) -> Ranges:
    """Check edges, and name the buckets that they make.

    Args:
        edges: one or more numbers, ascending; None for the default.
        default: edges.
        counts: whether the numbers are counts, which begin at 0.

    Raises:
        TypeError: it is not a sequence of numbers.
        ValueError: it is empty, a number is not finite, they do not ascend, or the first bucket of
            counts is empty.

    >>> make_ranges([1, 5], (), counts=True).names, make_ranges([0.5], (), counts=False).names
    (('0', '1-4', '5+'), ('<0.5', '>=0.5'))
    """
    if edges is None:
        edges = default
    expected = "expected ascending numbers, such as [10, 20, 30]."
    if isinstance(edges, str | bytes) or not isinstance(edges, Iterable):
        raise TypeError(describe_value("edges", f"of type {type(edges).__name__}", expected))
    numbers: list[float] = []
    for index, edge in enumerate(edges):
        number = edge.item() if isinstance(edge, np.generic) else edge
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise TypeError(describe_value(f"edges[{index}]", repr(edge), "expected a number."))
        if not np.isfinite(number):
            message = describe_value(f"edges[{index}]", repr(number), "expected a finite number.")
            raise ValueError(message)
        numbers.append(number)
    if not numbers or any(low >= high for low, high in pairwise(numbers)):
        raise ValueError(describe_value("edges", repr(numbers), expected))
    if counts and (numbers[0] < 1 or any(number != int(number) for number in numbers)):
        expected = "expected whole numbers of at least 1, because tokens are counted."
        raise ValueError(describe_value("edges", repr(numbers), expected))
    if counts:
        middle = [_name_ints(int(low), int(high)) for low, high in pairwise(numbers)]
        ends = _name_ints(0, int(numbers[0])), f"{int(numbers[-1])}+"
    else:
        middle = [f"{low:g} to <{high:g}" for low, high in pairwise(numbers)]
        ends = f"<{numbers[0]:g}", f">={numbers[-1]:g}"
    return Ranges(tuple(numbers), (ends[0], *middle, ends[1]))


def _name_ints(low: int, stop: int) -> str:
    """Name the ints of ``range(low, stop)``."""
    return str(low) if stop == low + 1 else f"{low}-{stop - 1}"
